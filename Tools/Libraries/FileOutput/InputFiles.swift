import Foundation

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
        let failed = unsafe path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)
        guard failed == 0 else {
            let pattern = URL(fileURLWithPath: path)
            if path.contains("%") { addFiles(in: pattern.deletingLastPathComponent()) { $0 == pattern.pathExtension } }
            return
        }
        switch FileKind(status.st_mode) {
        case .directory:
            addFiles(in: URL(fileURLWithPath: path, isDirectory: true)) {
                Self.imageExtensions.contains($0.lowercased())
            }
        // Reading from a terminal and writing to it does no harm.
        case .characterDevice: break
        default: names[FileIdentity(status)] = path == "-" ? "standard input" : path
        }
    }

    private mutating func addFiles(in directory: URL, ofKind isWanted: (_ fileExtension: String) -> Bool) {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        for entry in entries {
            let file = directory.appendingPathComponent(entry)
            guard isWanted(file.pathExtension) else { continue }
            let path = file.path
            var status = stat()
            guard unsafe stat(path, &status) == 0, FileKind(status.st_mode) == .regular else { continue }
            names[FileIdentity(status)] = path
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
