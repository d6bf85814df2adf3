import Foundation
import Platform

/// An open directory that an output goes to. Names are looked up in it whatever happens to its own.
final class Directory: Sendable {
    let descriptor: Int32
    /// What errors are to name.
    private let output: String

    /// - Parameter base: where a relative path begins; nil is the working directory.
    init(_ path: String, in base: Directory?, of output: String) throws(OutputError) {
        self.output = output
        descriptor = try retrying(output) {
            unsafe openat(base?.descriptor ?? AT_FDCWD, path, OpenFile.nameOnly | O_DIRECTORY | O_CLOEXEC)
        }
    }

    deinit { close(descriptor) }

    private func failure() -> OutputError { .system(path: output, code: errno) }

    /// What a name stands for, links not followed; nil is nothing.
    func status(of name: String) throws(OutputError) -> stat? {
        var status = stat()
        if unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
        guard errno == ENOENT else { throw failure() }
        return nil
    }

    /// The text of a link.
    func destination(of link: String) throws(OutputError) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(descriptor, link, &bytes, bytes.count)
        guard count >= 0 else { throw failure() }
        guard count < bytes.count else { throw .system(path: output, code: ENAMETOOLONG) }
        return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Throws if the process may not do that to what the name stands for; `.` is the directory itself.
    func check(_ name: String, allows rights: Int32) throws(OutputError) {
        guard unsafe faccessat(descriptor, name, rights, AT_EACCESS) == 0 else { throw failure() }
    }

    /// Opens what is there, no link, as it is.
    func open(existing name: String) throws(OutputError) -> Int32 {
        try retrying(output) { unsafe openat(descriptor, name, O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC) }
    }

    /// Creates a file of a name that nobody can foresee.
    func createTemporary(mode: mode_t) throws(OutputError) -> (name: String, descriptor: Int32) {
        var random = SystemRandomNumberGenerator()
        while true {
            let name = ".gesture-" + String(random.next(), radix: 36) + ".partial"
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let file = unsafe openat(descriptor, name, flags, mode)
            if file >= 0 { return (name, file) }
            guard errno == EEXIST || errno == EINTR else { throw failure() }
        }
    }

    func rename(_ old: String, to new: String) throws(OutputError) {
        guard unsafe renameat(descriptor, old, descriptor, new) == 0 else { throw failure() }
    }

    func remove(_ name: String) { _ = unsafe unlinkat(descriptor, name, 0) }

    /// Whether a link of this owner in this directory may be followed: not where everybody may leave one for others to step
    /// into, unless it is one's own or the directory's owner's. Linux has this rule too (`fs.protected_symlinks`), but not
    /// for links that are looked up by hand.
    func trustsLink(of owner: uid_t) throws(OutputError) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure() }
        let isShared = status.st_mode & S_ISVTX != 0 && status.st_mode & S_IWOTH != 0
        return !isShared || owner == geteuid() || owner == status.st_uid
    }

    /// Makes its names durable, where the system can.
    func synchronise() {
        let listed = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard listed >= 0 else { return }
        _ = fsync(listed)
        close(listed)
    }
}
