import Foundation

/// A file being written, piece by piece. Unless it is finished, nothing of it remains, if its target is a file.
package struct OutputFile: ~Copyable {
    private let target: OutputTarget
    private var descriptor: Int32
    /// The file beside the target that takes its place at the end; nil if the target is written in place.
    private var temporary: String?
    /// What went wrong first: a file with a gap is never put in its place.
    private var failure: OutputError?

    /// Opens for writing. A named pipe waits here for its reader.
    package init(_ target: OutputTarget) throws(OutputError) {
        switch target.place {
        case .file(let directory, _, let old):
            // Bytes that nobody else may read are never in a file that others may.
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

    /// Makes sure that the bytes are on the disk, and puts the file in its place.
    package consuming func finish() throws(OutputError) {
        if let failure { throw failure }
        // Some file systems have nothing to do and say so.
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

    /// The permissions can always be kept, the group by its members, the owner by who may give files away.
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
        // What was looked up may have been replaced since.
        guard code == 0, kind == .pipe || kind == .characterDevice else {
            close(descriptor)
            throw code == 0 ? .unsuitable(path: path, kind: kind) : .system(path: path, code: code)
        }
        return descriptor
    }
}
