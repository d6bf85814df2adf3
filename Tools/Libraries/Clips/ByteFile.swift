import Platform

/// An open file that is read in whole pieces. It is closed with the value, except standard input.
struct ByteFile: ~Copyable {
    /// The kind of file behind the path. Standard input always counts as a stream.
    typealias Kind = OpenFile.Kind
    /// The C library's `errno` of the failed call.
    typealias Failure = SystemError

    private let file: OpenFile
    /// Bytes that were peeked at and not read yet.
    private var ahead: [UInt8] = []

    var kind: Kind { file.kind }
    /// The system's file descriptor, valid while the value lives.
    var descriptor: Int32 { file.descriptor }

    /// Opens for reading; `-` is standard input.
    /// - Parameter writerWithin: seconds to wait for the writer of a pipe.
    /// - Throws: ETIMEDOUT for a pipe without a writer.
    init(reading path: String, writerWithin seconds: Int = 10) throws(Failure) {
        file = try path == "-" ? OpenFile.standardInput() : OpenFile.reading(path, writerWithin: seconds)
    }

    /// Creates a file in a directory for writing and reading that no other process can open: its name is removed at
    /// once.
    init(unnamedIn directory: String) throws(Failure) {
        file = try OpenFile(unnamedIn: directory, prefix: "frames")
    }

    /// The next bytes, which stay unread; fewer than requested only before the end of the file.
    mutating func peek(_ count: Int) throws(Failure) -> [UInt8] {
        if ahead.count < count { ahead += try file.readBytes(count - ahead.count) }
        return Array(ahead.prefix(count))
    }

    /// Reads the bytes that are available, up to the buffer's size. 0 means the end of the file.
    mutating func readSome(_ buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = unsafe takeAhead(buffer)
        return count > 0 ? count : try unsafe file.readSome(buffer)
    }

    /// The same into the beginning of an array.
    mutating func readSome(_ buffer: inout [UInt8]) throws(Failure) -> Int {
        var span = buffer.mutableSpan
        return try unsafe span.withUnsafeMutableBytes { bytes throws(Failure) in try unsafe readSome(bytes) }
    }

    /// Reads until the buffer is full or the file ends.
    mutating func readFully(_ buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = unsafe takeAhead(buffer)
        return unsafe try count + file.readFully(UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
    }

    /// Moves peeked bytes into a buffer, as many as it has room for.
    private mutating func takeAhead(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(ahead.count, buffer.count)
        guard count > 0 else { return 0 }
        unsafe buffer.copyBytes(from: ahead.prefix(count))
        ahead.removeFirst(count)
        return count
    }

    /// Writes all bytes at the file's position.
    func writeFully(_ bytes: UnsafeRawBufferPointer) throws(Failure) { try unsafe file.writeFully(bytes) }

    /// Moves to the first byte; only for a regular file.
    func rewind() throws(Failure) { try file.rewind() }

    /// The bytes from an offset on, which may be after the end; only for a regular file. Fewer than requested only
    /// before its end.
    mutating func bytes(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
        ahead = []
        try file.seek(to: offset)
        return try file.readBytes(count)
    }
}
