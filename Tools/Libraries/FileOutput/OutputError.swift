import Foundation

/// Why bytes could not be written.
package enum OutputError: Error, Sendable, Equatable {
    /// A system call failed; `code` is its `errno`. `path` may be the name of a standard stream.
    case system(path: String, code: Int32)
    /// The output is the same file as an input, perhaps under another name.
    case isInput(path: String, input: String)
    /// This kind of file cannot be written.
    case unsuitable(path: String, kind: FileKind)
    /// A link in a directory where everyone may create links, made by neither this user nor the directory's owner.
    case foreignLink(path: String)

    /// Whether the reader of a pipe has closed it.
    package var isReaderGone: Bool {
        guard case .system(_, EPIPE) = self else { return false }
        return true
    }
}

/// The kind of file that a name refers to.
package enum FileKind: Sendable, Equatable {
    case regular, directory, link, pipe, socket, characterDevice, blockDevice, other

    init(_ mode: mode_t) {
        self =
            switch mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .link
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            case S_IFCHR: .characterDevice
            case S_IFBLK: .blockDevice
            default: .other
            }
    }
}
