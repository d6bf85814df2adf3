import Platform

/// Reads files, completely or only their beginning.
///
/// Files are read, not mapped: if another process shortens a mapped file, the reader is killed by SIGBUS. The largest
/// file of interest has a few megabytes.
package enum FileBytes {
    /// The bytes of the regular file at `path`, at most `limit` of them.
    package static func read(path: String, limit: Int) throws(ModelFileError) -> [UInt8] {
        let file = try open(path)
        guard file.size <= limit else {
            throw .tooLarge(bytes: UInt64(clamping: file.size), limit: UInt64(clamping: limit))
        }
        return try read(file, file.size, path: path)
    }

    /// The bytes of the regular file at `path`, if they have this SHA-256.
    /// - Parameter sha256: 64 hexadecimal digits in either case.
    package static func read(path: String, limit: Int, sha256: String) throws(ModelFileError) -> [UInt8] {
        let bytes = try read(path: path, limit: limit)
        let (expected, found) = (sha256.lowercased(), SHA256.hexadecimal(of: bytes))
        guard expected == found else { throw .otherDigest(expected: expected, found: found) }
        return bytes
    }

    /// Bytes for detecting the format of the regular file at `path`, for `FileFormat.detect`, and the file's size: enough to
    /// refuse other files without reading them.
    package static func sample(path: String) throws(ModelFileError) -> (bytes: [UInt8], fileSize: Int) {
        let file = try open(path)
        let length = ModelFileError.FileFormat.sampleLength
        var bytes = try read(file, min(length, file.size), path: path)
        if ModelFileError.FileFormat.beginsAsArchive(bytes[...]), file.size > length {
            let count = min(ModelFileError.FileFormat.directoryLength, file.size - length)
            do throws(SystemError) { try file.file.seek(to: file.size - count) } catch {
                throw .unreadable(path: path, code: error.code)
            }
            bytes += try read(file, count, path: path)
        }
        return (bytes, file.size)
    }

    private struct RegularFile: ~Copyable {
        let file: OpenFile
        let size: Int
    }

    private static func open(_ path: String) throws(ModelFileError) -> RegularFile {
        let file: OpenFile
        do throws(SystemError) { file = try OpenFile(reading: path, waits: false) } catch {
            throw .unreadable(path: path, code: error.code)
        }
        guard case .regular(let size) = file.kind else {
            if file.kind == .directory {
                let names = OpenFile.names(inDirectory: path, limit: 1024)
                if let format = ModelFileError.FileFormat.detect(directory: names) { throw .otherFormat(format) }
            }
            throw .notARegularFile(path: path)
        }
        return RegularFile(file: file, size: size)
    }

    /// The next `count` bytes.
    private static func read(
        _ file: borrowing RegularFile, _ count: Int, path: String
    ) throws(ModelFileError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try file.file.readBytes(count) } catch {
            throw .unreadable(path: path, code: error.code)
        }
        guard bytes.count == count else { throw .truncated(expected: count, actual: bytes.count) }
        return bytes
    }
}
