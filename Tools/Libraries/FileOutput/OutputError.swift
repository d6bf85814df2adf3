import Foundation

/// Why bytes did not get where they should.
package enum OutputError: Error, Sendable, Equatable {
    /// The system refused; `code` is its `errno`. `path` may be the name of a standard stream.
    case system(path: String, code: Int32)
    /// The output is the same file as an input, perhaps by another name.
    case isInput(path: String, input: String)
    /// Bytes cannot be put there.
    case unsuitable(path: String, kind: FileKind)
    /// A link in a directory where everybody may leave one, made by neither this user nor the directory's owner.
    case foreignLink(path: String)

    /// Whether the reader of a pipe went away.
    package var isReaderGone: Bool {
        guard case .system(_, EPIPE) = self else { return false }
        return true
    }
}

/// What a name in a directory stands for.
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
