import Foundation
import Platform

/// A folder of this process in the system's temporary directory that other users cannot read.
package enum TemporaryFolder {
    /// Creates it; the caller removes it.
    /// - Returns: its path.
    /// - Throws: an error that names the temporary directory, which `TMPDIR` chooses.
    package static func create(prefix: String) throws(OutputError) -> String {
        let parent = FileManager.default.temporaryDirectory
        let folder = parent.appendingPathComponent(prefix + UUID().uuidString).path
        guard unsafe PathText.withSystemPath(folder, { unsafe mkdir($0, 0o700) }) == 0 else {
            throw .system(path: "The temporary directory " + parent.path, code: errno)
        }
        return folder
    }
}
