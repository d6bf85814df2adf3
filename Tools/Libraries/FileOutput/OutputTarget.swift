import Foundation

/// The target of an output, found and checked before anything is written.
///
/// The existing file decides how the target is written. A regular file, or nothing, is replaced in one step when all
/// bytes are on the disk: a reader sees the old file or the new one, of two writers the last one's whole file remains,
/// and the old file's permissions stay. If the target is a symbolic link, its destination is replaced. A character
/// device, a named pipe and an open descriptor (`/dev/stdout`, `/dev/fd/3`) are written in place. Everything else is
/// rejected, and so is a file that is one of the inputs.
package struct OutputTarget: Sendable {
    enum Place {
        /// A regular file, or a free name.
        case file(Directory, name: String, replacing: Attributes?)
        case device(Directory, name: String)
        case descriptor(Int32)
    }

    /// The attributes that a new file takes over from the file it replaces.
    struct Attributes {
        let mode: mode_t
        let owner: uid_t
        let group: gid_t
    }

    let path: String
    let place: Place
    private let inputs: InputFiles

    /// The number of links that Linux follows.
    private static let linkLimit = 40

    /// - Parameter inputs: the files that are read and must not be replaced.
    package init(_ path: String, besides inputs: InputFiles = InputFiles()) throws(OutputError) {
        self.path = path
        self.inputs = inputs
        place = try Self.find(path, besides: inputs)
    }

    /// Writes a whole file.
    package func write(_ bytes: [UInt8]) throws(OutputError) {
        var file = try OutputFile(self)
        try file.write(bytes)
        try file.finish()
    }

    private static func find(_ path: String, besides inputs: InputFiles) throws(OutputError) -> Place {
        guard !path.isEmpty else { throw .system(path: path, code: ENOENT) }
        var link = path
        var base: Directory?
        for _ in 0..<linkLimit {
            if let number = descriptor(named: link) { return try use(number, path, inputs) }
            let (parent, name) = split(link)
            guard !["", ".", ".."].contains(name) else { throw .unsuitable(path: path, kind: .directory) }
            let directory = try Directory(parent, in: base, of: path)
            guard let status = try directory.status(of: name) else {
                try directory.check(".", allows: W_OK | X_OK)
                return .file(directory, name: name, replacing: nil)
            }
            switch FileKind(status.st_mode) {
            case .link:
                guard try directory.trustsLink(of: status.st_uid) else { throw .foreignLink(path: path) }
                link = try directory.destination(of: name)
                base = directory
            case .regular:
                try refuseInput(status, path, inputs)
                try directory.check(name, allows: W_OK)
                try directory.check(".", allows: W_OK | X_OK)
                let old = Attributes(mode: status.st_mode & 0o777, owner: status.st_uid, group: status.st_gid)
                return .file(directory, name: name, replacing: old)
            case .pipe:
                try refuseInput(status, path, inputs)
                return .device(directory, name: name)
            case .characterDevice: return .device(directory, name: name)
            case let kind: throw .unsuitable(path: path, kind: kind)
            }
        }
        throw .system(path: path, code: ELOOP)
    }

    /// Whether the name may still be replaced by a rename, seconds or hours after it was looked up.
    func checkAgain(_ name: String, in directory: Directory) throws(OutputError) {
        guard let status = try directory.status(of: name) else { return }
        guard FileKind(status.st_mode) == .regular else {
            throw .unsuitable(path: path, kind: FileKind(status.st_mode))
        }
        try Self.refuseInput(status, path, inputs)
    }

    private static func refuseInput(_ status: stat, _ path: String, _ inputs: InputFiles) throws(OutputError) {
        if let input = inputs.name(of: status) { throw .isInput(path: path, input: input) }
    }

    private static func use(_ number: Int32, _ path: String, _ inputs: InputFiles) throws(OutputError) -> Place {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw .system(path: path, code: errno) }
        guard fcntl(number, F_GETFL) & O_ACCMODE != O_RDONLY else { throw .system(path: path, code: EBADF) }
        try refuseInput(status, path, inputs)
        return .descriptor(number)
    }

    /// The number of an open descriptor by its name on various systems. Opening such a name on Linux opens the file
    /// again, at its beginning; the descriptor itself is meant.
    private static func descriptor(named path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            for prefix in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(prefix) {
                return Int32(path.dropFirst(prefix.count))
            }
            return nil
        }
    }

    /// The directory of a path, with its slash, and the name in it.
    static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("./", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }
}
