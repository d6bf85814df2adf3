import Foundation

/// Writes whole files so that a reader sees the old one or the new one and nothing between.
package enum AtomicFile {
    /// Writes `bytes` beside `path`, makes sure they are on the disk, and puts them in its place.
    ///
    /// A regular file or a symbolic link at `path` is replaced; anything else there is left and refused by the system, and
    /// no other file is touched. On failure the old file is as it was and nothing new remains.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(ImportError) {
        let target = URL(fileURLWithPath: path)
        let directory = target.deletingLastPathComponent().path
        let temporary = directory + "/." + target.lastPathComponent + ".\(getpid()).partial"

        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw .unwritable(path: path, code: errno) }
        var code = writeAll(bytes, to: descriptor)
        if code == 0, fsync(descriptor) != 0 { code = errno }
        if close(descriptor) != 0, code == 0 { code = errno }
        if code == 0, unsafe rename(temporary, path) != 0 { code = errno }
        guard code == 0 else {
            _ = unsafe unlink(temporary)
            throw .unwritable(path: path, code: code)
        }
        // The new name is only durable once its directory is; where a directory cannot be synced there is no more to do.
        let directoryDescriptor = unsafe open(directory, O_RDONLY | O_CLOEXEC)
        if directoryDescriptor >= 0 {
            _ = fsync(directoryDescriptor)
            _ = close(directoryDescriptor)
        }
    }

    /// Returns 0 or an `errno`.
    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        unsafe bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                // `written` is less than the buffer's count, so its start is there and the rest lies inside.
                let count = unsafe write(descriptor, buffer.baseAddress! + written, buffer.count - written)
                if count < 0, errno == EINTR { continue }
                if count < 0 { return errno }
                written += count
            }
            return 0
        }
    }
}
