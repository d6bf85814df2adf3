import Platform

/// Reads files, completely or only their beginning.
///
/// Files are read, not mapped: if another process shortens a mapped file, the reader is killed by SIGBUS. The largest
/// file of interest has a few megabytes.
package enum FileBytes {
    /// The bytes of the regular file at `path`, at most `limit` of them.
    package static func read(path: String, limit: Int) throws(ModelFileError) -> [UInt8] {
        try read(path: path) { size throws(ModelFileError) in
            guard size <= limit else {
                throw .tooLarge(bytes: UInt64(clamping: size), limit: UInt64(clamping: limit))
            }
            return size
        }.bytes
    }

    /// The bytes of the regular file at `path`, if they have this SHA-256.
    /// - Parameter sha256: 64 hexadecimal digits in either case.
    package static func read(path: String, limit: Int, sha256: String) throws(ModelFileError) -> [UInt8] {
        let bytes = try read(path: path, limit: limit)
        let (expected, found) = (sha256.lowercased(), SHA256.hexadecimal(of: bytes))
        guard expected == found else { throw .otherDigest(expected: expected, found: found) }
        return bytes
    }

    /// The first `count` bytes of the regular file at `path`, or all, and the file's size: enough to refuse other files
    /// without reading them.
    package static func beginning(
        path: String, count: Int
    ) throws(ModelFileError) -> (bytes: [UInt8], fileSize: Int) {
        try read(path: path) { size in min(size, count) }
    }

    /// Reads the first `wanted(size)` bytes of a file.
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
