import Foundation

/// A file that is written piece by piece. If it is not finished and its target is a file, nothing of it remains.
package struct OutputFile: ~Copyable {
    private let target: OutputTarget
    private var descriptor: Int32
    /// The file beside the target that replaces it at the end; nil if the target is written in place.
    private var temporary: String?
    /// The first error: an incomplete file never replaces its target.
    private var failure: OutputError?

    /// Opens for writing. For a named pipe this waits for its reader.
    package init(_ target: OutputTarget) throws(OutputError) {
        switch target.place {
        case .file(let directory, _, let old):
            // Bytes that others may not read are never in a file that they can read.
            let created = try directory.createTemporary(mode: old == nil ? 0o666 : 0o600)
            (descriptor, temporary) = (created.descriptor, created.name)
            if let old { Self.pass(old, to: created.descriptor) }
        case .device(let directory, let name):
            descriptor = try Self.openDevice(directory, name, target.path)
        case .descriptor(let number):
            descriptor = try retrying(target.path) { fcntl(number, F_DUPFD_CLOEXEC, 0) }
        }
        self.target = target
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let temporary, case .file(let directory, _, _) = target.place { directory.remove(temporary) }
    }

    package mutating func write(_ bytes: RawSpan) throws(OutputError) {
        if let failure { throw failure }
        do throws(OutputError) {
            try writeFully(bytes, to: descriptor, target.path)
        } catch {
            failure = error
            throw error
        }
    }

    package mutating func write(_ bytes: [UInt8]) throws(OutputError) { try unsafe write(bytes.span.bytes) }

    package mutating func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

    /// Makes sure that the bytes are on the disk, and moves the file to its target.
    package consuming func finish() throws(OutputError) {
        if let failure { throw failure }
        // Some file systems do not support this and return one of these errors.
        if temporary != nil, fsync(descriptor) != 0, ![EINVAL, ENOTSUP].contains(errno) {
            throw .system(path: target.path, code: errno)
        }
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0 || errno == EINTR else { throw .system(path: target.path, code: errno) }
        guard let temporary, case .file(let directory, let name, _) = target.place else { return }
        try target.checkAgain(name, in: directory)
        try directory.rename(temporary, to: name)
        self.temporary = nil
        directory.synchronise()
    }

    /// Permissions can always be kept; the group only by its members, and the owner only with the right to give files
    /// away.
    private static func pass(_ old: OutputTarget.Attributes, to descriptor: Int32) {
        if fchown(descriptor, old.owner, old.group) != 0 { _ = fchown(descriptor, .max, old.group) }
        _ = fchmod(descriptor, old.mode)
    }

    private static func openDevice(_ directory: Directory, _ name: String, _ path: String) throws(OutputError) -> Int32
    {
        let descriptor = try directory.open(existing: name)
        var status = stat()
        let code = unsafe fstat(descriptor, &status) == 0 ? 0 : errno
        let kind = FileKind(status.st_mode)
        // The file may have been replaced since it was looked up.
        guard code == 0, kind == .pipe || kind == .characterDevice else {
            close(descriptor)
            throw code == 0 ? .unsuitable(path: path, kind: kind) : .system(path: path, code: code)
        }
        return descriptor
    }
}
