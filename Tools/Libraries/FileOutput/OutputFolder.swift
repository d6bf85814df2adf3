import Foundation

/// A directory for several outputs.
package enum OutputFolder {
    /// Creates it, and its parents, if they do not exist.
    package static func create(_ path: String) throws(OutputError) {
        if unsafe mkdir(path, 0o777) == 0 { return }
        let code = errno
        let parent = (path as NSString).deletingLastPathComponent
        if code == ENOENT, !parent.isEmpty, parent != path {
            try create(parent)
            guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .system(path: path, code: errno) }
            return
        }
        var status = stat()
        guard code == EEXIST, unsafe stat(path, &status) == 0 else { throw .system(path: path, code: code) }
        guard FileKind(status.st_mode) == .directory else { throw .system(path: path, code: ENOTDIR) }
    }
}
