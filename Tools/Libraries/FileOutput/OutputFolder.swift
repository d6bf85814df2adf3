import Foundation
import Platform

/// A directory for several outputs.
package enum OutputFolder {
    /// Creates it, and its parents, if they do not exist.
    package static func create(_ path: String) throws(OutputError) {
        if make(path) { return }
        let code = errno
        let parent = (path as NSString).deletingLastPathComponent
        if code == ENOENT, !parent.isEmpty, parent != path {
            try create(parent)
            guard make(path) || errno == EEXIST else { throw .system(path: path, code: errno) }
            return
        }
        var status = stat()
        guard code == EEXIST, unsafe PathText.withSystemPath(path, { unsafe stat($0, &status) }) == 0
        else { throw .system(path: path, code: code) }
        guard FileKind(status.st_mode) == .directory else { throw .system(path: path, code: ENOTDIR) }
    }

    private static func make(_ path: String) -> Bool {
        unsafe PathText.withSystemPath(path) { unsafe mkdir($0, 0o777) } == 0
    }
}
