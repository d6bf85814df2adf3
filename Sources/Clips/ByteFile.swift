#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file, read in whole pieces. Its descriptor is closed with the value, standard input excepted.
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
    /// The system's number of the open file, valid while the value lives.
    let descriptor: Int32
    /// Bytes that were looked at and are still to be read.
    private var ahead: [UInt8] = []

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

    /// Creates a file in a directory, to be written and read, that nobody else can open: its name is taken away at once.
    init(unnamedIn directory: String) throws(Failure) {
        var name = Array((directory + "/frames-XXXXXX").utf8CString)
        // The array ends in a zero and is never empty.
        let descriptor = unsafe name.withUnsafeMutableBufferPointer { unsafe mkstemp($0.baseAddress!) }
        guard descriptor >= 0 else { throw Failure(code: errno) }
        unsafe name.withUnsafeBufferPointer { _ = unsafe unlink($0.baseAddress!) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.init(descriptor, .regular(byteCount: 0))
    }

    private init(_ descriptor: Int32, _ kind: Kind) {
        self.descriptor = descriptor
        self.kind = kind
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// The next bytes, which remain to be read; fewer than asked for before the end of the file alone.
    mutating func peek(_ count: Int) throws(Failure) -> [UInt8] {
        while ahead.count < count {
            var more = [UInt8](repeating: 0, count: count - ahead.count)
            var span = more.mutableSpan
            let found = try unsafe span.withUnsafeMutableBytes { bytes throws(Failure) in try unsafe readNew(bytes) }
            if found == 0 { break }
            ahead += more.prefix(found)
        }
        return Array(ahead.prefix(count))
    }

    /// Reads what is there, up to the buffer's size. 0 is the end of the file.
    mutating func readSome(_ buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard !ahead.isEmpty, unsafe !buffer.isEmpty else { return try unsafe readNew(buffer) }
        let count = min(ahead.count, buffer.count)
        unsafe buffer.copyBytes(from: ahead.prefix(count))
        ahead.removeFirst(count)
        return count
    }

    private func readNew(_ buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while true {
            let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw Failure(code: errno) }
        }
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
