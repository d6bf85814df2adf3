import Foundation
import Platform

/// An open output directory. Names are looked up in it even if the directory is renamed.
final class Directory: Sendable {
    let descriptor: Int32
    /// The name of the output in errors.
    private let output: String

    /// - Parameter base: the start of a relative path; nil is the working directory.
    init(_ path: String, in base: Directory?, of output: String) throws(OutputError) {
        self.output = output
        descriptor = try retrying(output) {
            unsafe PathText.withSystemPath(path) {
                unsafe openat(base?.descriptor ?? AT_FDCWD, $0, OpenFile.nameOnly | O_DIRECTORY | O_CLOEXEC)
            }
        }
    }

    deinit { close(descriptor) }

    private func failure() -> OutputError { .system(path: output, code: errno) }

    /// The status of a name, without following links; nil if nothing has that name.
    func status(of name: String) throws(OutputError) -> stat? {
        var status = stat()
        let failed = unsafe PathText.withSystemPath(name) {
            unsafe fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW)
        }
        if failed == 0 { return status }
        guard errno == ENOENT else { throw failure() }
        return nil
    }

    /// The target of a link.
    func destination(of link: String) throws(OutputError) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe PathText.withSystemPath(link) { unsafe readlinkat(descriptor, $0, &bytes, bytes.count) }
        guard count >= 0 else { throw failure() }
        guard count < bytes.count else { throw .system(path: output, code: ENAMETOOLONG) }
        return PathText.text(bytes.prefix(count).map(UInt8.init(bitPattern:)))
    }

    /// Throws if the process lacks these rights to the named file; `.` is the directory itself.
    func check(_ name: String, allows rights: Int32) throws(OutputError) {
        let failed = unsafe PathText.withSystemPath(name) { unsafe faccessat(descriptor, $0, rights, AT_EACCESS) }
        guard failed == 0 else { throw failure() }
    }

    /// Opens the existing file with this name, which must not be a link, without changing it.
    func open(existing name: String) throws(OutputError) -> Int32 {
        try retrying(output) {
            unsafe PathText.withSystemPath(name) {
                unsafe openat(descriptor, $0, O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)
            }
        }
    }

    /// Creates a file with an unpredictable name.
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
        let failed = unsafe PathText.withSystemPath(new) { unsafe renameat(descriptor, old, descriptor, $0) }
        guard failed == 0 else { throw failure() }
    }

    func remove(_ name: String) { _ = unsafe unlinkat(descriptor, name, 0) }

    /// Whether a link of this owner in this directory may be followed. In a directory where everyone may create links,
    /// only the user's own links and those of the directory's owner are followed. Linux has this rule too
    /// (`fs.protected_symlinks`), but not for links that a program resolves itself.
    func trustsLink(of owner: uid_t) throws(OutputError) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure() }
        let isShared = status.st_mode & S_ISVTX != 0 && status.st_mode & S_IWOTH != 0
        return !isShared || owner == geteuid() || owner == status.st_uid
    }

    /// Makes the directory's names durable, if the system can.
    func synchronise() {
        let listed = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard listed >= 0 else { return }
        _ = fsync(listed)
        close(listed)
    }
}
