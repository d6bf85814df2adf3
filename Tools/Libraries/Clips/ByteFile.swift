import Platform

/// An open file, read in whole pieces. It is closed with the value, standard input excepted.
struct ByteFile: ~Copyable {
    /// What the path turned out to be. Standard input is a stream, whatever it is.
    typealias Kind = OpenFile.Kind
    /// The C library's `errno` of the call that failed.
    typealias Failure = SystemError

    private let file: OpenFile
    /// Bytes that were looked at and are still to be read.
    private var ahead: [UInt8] = []

    var kind: Kind { file.kind }
    /// The system's number of the open file, valid while the value lives.
    var descriptor: Int32 { file.descriptor }

    /// Seconds that a pipe without a writer is waited for.
    private static let writerWait = 10

    /// Opens for reading; `-` is standard input.
    /// - Throws: ETIMEDOUT for a pipe that has had no writer for ten seconds.
    init(reading path: String) throws(Failure) {
        file = try path == "-" ? OpenFile.standardInput() : OpenFile.reading(path, writerWithin: Self.writerWait)
    }

    /// Creates a file in a directory, to be written and read, that nobody else can open: its name is taken away at once.
    init(unnamedIn directory: String) throws(Failure) {
        file = try OpenFile(unnamedIn: directory, prefix: "frames")
    }

    /// The next bytes, which remain to be read; fewer than asked for before the end of the file alone.
    mutating func peek(_ count: Int) throws(Failure) -> [UInt8] {
        if ahead.count < count { ahead += try file.readBytes(count - ahead.count) }
        return Array(ahead.prefix(count))
    }

    /// Reads what is there, up to the buffer's size. 0 is the end of the file.
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

    /// Moves what was looked at into a buffer, as much as there is room for.
    private mutating func takeAhead(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(ahead.count, buffer.count)
        guard count > 0 else { return 0 }
        unsafe buffer.copyBytes(from: ahead.prefix(count))
        ahead.removeFirst(count)
        return count
    }

    /// Writes all bytes at the file's position.
    func writeFully(_ bytes: UnsafeRawBufferPointer) throws(Failure) { try unsafe file.writeFully(bytes) }

    /// Moves to the first byte; only a regular file can.
    func rewind() throws(Failure) { try file.rewind() }

    /// The bytes from an offset on, which may lie behind the end; only of a regular file. Fewer than asked for before its end alone.
    mutating func bytes(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
        ahead = []
        try file.seek(to: offset)
        return try file.readBytes(count)
    }
}
