import Platform

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
        let file: OpenFile
        do throws(SystemError) { file = try OpenFile(reading: path, waits: false) } catch {
            throw .unreadable(path: path, code: error.code)
        }
        guard case .regular(let fileSize) = file.kind else { throw .notARegularFile(path: path) }
        let size = try wanted(fileSize)
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try file.readBytes(size) } catch {
            throw .unreadable(path: path, code: error.code)
        }
        guard bytes.count == size else { throw .truncated(expected: size, actual: bytes.count) }
        return (bytes, fileSize)
    }
}
