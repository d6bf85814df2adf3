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

    /// Opens for reading; `-` is standard input.
    init(reading path: String) throws(Failure) {
        file = try path == "-" ? OpenFile.standardInput() : OpenFile(reading: path)
    }

    /// Creates a file in a directory, to be written and read, that nobody else can open: its name is taken away at once.
    init(unnamedIn directory: String) throws(Failure) {
        file = try OpenFile(unnamedIn: directory, prefix: "frames")
    }

    /// The next bytes, which remain to be read; fewer than asked for before the end of the file alone.
    mutating func peek(_ count: Int) throws(Failure) -> [UInt8] {
        while ahead.count < count {
            var more = [UInt8](repeating: 0, count: count - ahead.count)
            var span = more.mutableSpan
            let found = try unsafe span.withUnsafeMutableBytes { bytes throws(Failure) in
                try unsafe file.readSome(bytes)
            }
            if found == 0 { break }
            ahead += more.prefix(found)
        }
        return Array(ahead.prefix(count))
    }

    /// Reads what is there, up to the buffer's size. 0 is the end of the file.
    mutating func readSome(_ buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard !ahead.isEmpty, unsafe !buffer.isEmpty else { return try unsafe file.readSome(buffer) }
        let count = min(ahead.count, buffer.count)
        unsafe buffer.copyBytes(from: ahead.prefix(count))
        ahead.removeFirst(count)
        return count
    }

    /// The same into the beginning of an array.
    mutating func readSome(_ buffer: inout [UInt8]) throws(Failure) -> Int {
        var span = buffer.mutableSpan
        return try unsafe span.withUnsafeMutableBytes { bytes throws(Failure) in try unsafe readSome(bytes) }
    }

    /// Reads until the buffer is full or the file ends.
    mutating func readFully(_ buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = unsafe try readSome(UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Writes all bytes at the file's position.
    func writeFully(_ bytes: UnsafeRawBufferPointer) throws(Failure) { try unsafe file.writeFully(bytes) }

    /// Moves to the first byte; only a regular file can.
    func rewind() throws(Failure) { try file.rewind() }
}
