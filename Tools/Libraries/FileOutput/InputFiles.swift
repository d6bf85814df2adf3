import Foundation
import Platform

/// The files that a command reads; no output may replace them.
package struct InputFiles: Sendable {
    private var names: [FileIdentity: String] = [:]

    /// Extensions of the images that are read from a directory.
    package static let imageExtensions: Set = ["png", "pgm", "ppm", "jpg", "jpeg", "bmp", "tif", "tiff", "webp"]

    package init() {}

    /// - Parameter paths: as for `add`.
    package init(_ paths: [String]) {
        for path in paths { add(path) }
    }

    /// Adds the file at a path. A file that does not exist is ignored here; reading it fails later.
    /// - Parameter path: `-` is standard input. A directory stands for the images in it. A pattern such as
    ///   `hand-%04d.png`, if it is not a file itself, stands for all files with this extension in its directory.
    package mutating func add(_ path: String) {
        var status = stat()
        guard path == "-" ? unsafe fstat(STDIN_FILENO, &status) == 0 : Self.examine(path, &status) else {
            let (folder, name) = OutputTarget.split(path)
            if path.contains("%") { addFiles(in: folder) { $0 == Self.kind(name) } }
            return
        }
        switch FileKind(status.st_mode) {
        case .directory: addFiles(in: path + "/") { Self.imageExtensions.contains($0.lowercased()) }
        // Reading from a terminal and writing to it does no harm.
        case .characterDevice: break
        default: names[FileIdentity(status)] = path == "-" ? "standard input" : path
        }
    }

    private static func examine(_ path: String, _ status: inout stat) -> Bool {
        unsafe PathText.withSystemPath(path) { unsafe stat($0, &status) } == 0
    }

    /// The part of a name after its last dot.
    private static func kind(_ name: String) -> String {
        name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[name.utf8.index(after: $0)...]) } ?? ""
    }

    /// - Parameter folder: with a slash at its end.
    private mutating func addFiles(in folder: String, ofKind isWanted: (_ fileExtension: String) -> Bool) {
        for name in OpenFile.names(inDirectory: folder, limit: .max) where isWanted(Self.kind(name)) {
            var status = stat()
            guard Self.examine(folder + name, &status), FileKind(status.st_mode) == .regular else { continue }
            names[FileIdentity(status)] = folder + name
        }
    }

    /// The path under which the file with this identity was added.
    func name(of status: stat) -> String? { names[FileIdentity(status)] }
}

/// The identity of a file, independent of its names.
private struct FileIdentity: Hashable {
    private let device: UInt64
    private let index: UInt64

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        index = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
