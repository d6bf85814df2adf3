#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file, read or written in whole pieces. Its descriptor is closed with the value, standard input excepted.
struct ByteFile: ~Copyable {
    /// What the path turned out to be.
    enum Kind {
        case regular(byteCount: Int)
        case directory
        /// A pipe, a terminal, a device, and standard input whatever it is: bytes that come once.
        case stream
    }

    /// The C library's `errno` of the call that failed.
    struct Failure: Error {
        var code: Int32
    }

    let kind: Kind
    private let descriptor: Int32

    /// Opens for reading; `-` is standard input.
    init(reading path: String) throws(Failure) {
        let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let code = errno
            if descriptor > STDIN_FILENO { close(descriptor) }
            throw Failure(code: code)
        }
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case _ where path == "-": .stream
            case S_IFREG: .regular(byteCount: Int(status.st_size))
            case S_IFDIR: .directory
            default: .stream
            }
        self.init(descriptor, kind)
    }

    /// Creates or empties a file for writing.
    init(writing path: String) throws(Failure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        self.init(descriptor, .regular(byteCount: 0))
    }

    private init(_ descriptor: Int32, _ kind: Kind) {
        self.descriptor = descriptor
        self.kind = kind
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// Reads what is there, up to the buffer's size. 0 is the end of the file.
    func readSome(_ buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while true {
            let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw Failure(code: errno) }
        }
    }

    /// The same into the beginning of an array.
    func readSome(_ buffer: inout [UInt8]) throws(Failure) -> Int {
        var span = buffer.mutableSpan
        return try unsafe span.withUnsafeMutableBytes { bytes throws(Failure) in try unsafe readSome(bytes) }
    }

    /// Reads until the buffer is full or the file ends.
    func readFully(_ buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = unsafe try readSome(UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Writes all bytes at the file's position.
    func writeFully(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let count = unsafe write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                guard errno == EINTR else { throw Failure(code: errno) }
            } else {
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Moves to the first byte; only a regular file can.
    func rewind() throws(Failure) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Failure(code: errno) }
    }
}
