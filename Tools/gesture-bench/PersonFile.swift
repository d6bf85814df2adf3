import Foundation
import ToolSupport

/// A file that shows a gesture by a person: `GESTURE/PERSON-anything`.
struct PersonFile {
    let gesture: String
    let person: String
    let path: String

    /// All files of a folder of such folders, in the order of their names.
    static func all(in directory: String) throws -> [PersonFile] {
        let folder = fileURL(directory)
        var files: [PersonFile] = []
        for gesture in try LabelledClip.names(in: folder) where !gesture.hasPrefix(".") {
            let inner = folder.appendingPathComponent(gesture)
            guard try inner.resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
            else { continue }
            for name in try LabelledClip.names(in: inner) where !name.hasPrefix(".") {
                files.append(
                    PersonFile(
                        gesture: gesture, person: String(name.prefix { $0 != "-" }),
                        path: inner.appendingPathComponent(name).path))
            }
        }
        guard Set(files.map(\.gesture)).count > 1 else { throw BenchFailure.noPoses(directory: directory) }
        return files
    }
}
