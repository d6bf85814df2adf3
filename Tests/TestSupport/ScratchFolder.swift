package import Foundation

/// A folder that goes with this object.
package final class ScratchFolder: Sendable {
    package let directory: URL

    package init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("test-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            print("left behind: \(directory.path): \(error)")
        }
    }

    package func path(_ name: String) -> String { directory.path + "/" + name }

    /// Writes a file. Returns its path.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    package func bytes(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
}

/// Whether all of these programs are in the search path; says which are not.
package func areInstalled(_ programs: String...) -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let missing = programs.filter { name in
        !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
    if !missing.isEmpty { print("SKIPPED: no \(missing.joined(separator: ", no ")) in the search path") }
    return missing.isEmpty
}
