#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Reads files, whole or their beginning.
///
/// Files are read, not mapped: a mapped file that another process shortens kills the reader with SIGBUS, and the largest
/// file of interest is a few megabytes.
package enum FileBytes {
    /// The bytes of the regular file at `path`, which may have at most `limit`.
    package static func read(path: String, limit: Int) throws(ModelFileError) -> [UInt8] {
        try read(path: path) { size throws(ModelFileError) in
            guard size <= limit else {
                throw .tooLarge(bytes: UInt64(clamping: size), limit: UInt64(clamping: limit))
            }
            return size
        }.bytes
    }

    /// The first bytes of the regular file at `path`, `count` or all, and the number of its bytes: to refuse what is no
    /// model without reading it.
    package static func beginning(
        path: String, count: Int
    ) throws(ModelFileError) -> (bytes: [UInt8], fileSize: Int) {
        try read(path: path) { size in min(size, count) }
    }

    /// Reads as many bytes as `wanted` makes of the file's size.
    private static func read(
        path: String, wanted: (_ fileSize: Int) throws(ModelFileError) -> Int
    ) throws(ModelFileError) -> (bytes: [UInt8], fileSize: Int) {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, code: errno) }
        defer { _ = close(descriptor) }

        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile(path: path) }
        let fileSize = max(0, Int(clamping: status.st_size))
        let size = try wanted(fileSize)

        var bytes = [UInt8](repeating: 0, count: size)
        var filled = 0
        while filled < size {
            // The destination is the array's own storage from `filled` on, with exactly that many bytes left.
            let count = unsafe bytes.withUnsafeMutableBytes { storage in
                #if canImport(Darwin)
                    unsafe Darwin.read(descriptor, storage.baseAddress.unsafelyUnwrapped + filled, size - filled)
                #elseif canImport(Glibc)
                    unsafe Glibc.read(descriptor, storage.baseAddress.unsafelyUnwrapped + filled, size - filled)
                #elseif canImport(Musl)
                    unsafe Musl.read(descriptor, storage.baseAddress.unsafelyUnwrapped + filled, size - filled)
                #elseif canImport(Android)
                    unsafe Android.read(descriptor, storage.baseAddress.unsafelyUnwrapped + filled, size - filled)
                #endif
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(path: path, code: errno) }
            guard count > 0 else { throw .truncated(expected: size, actual: filled) }
            filled += count
        }
        return (bytes, fileSize)
    }
}
