#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// An open file and its bytes. Its descriptor is closed with the value, standard input excepted.
package struct OpenFile: ~Copyable {
    /// What a path leads to.
    package enum Kind: Sendable, Equatable {
        case regular(byteCount: Int)
        case directory
        /// A pipe, a terminal, a device: bytes that come once.
        case stream
    }

    package let kind: Kind
    /// The system's number of the open file, valid while the value lives.
    package let descriptor: Int32

    private init(_ descriptor: Int32, _ kind: Kind) {
        self.descriptor = descriptor
        self.kind = kind
    }

    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        /// Opens for reading.
        /// - Parameter waits: whether opening a pipe waits for its writer, and reading for what it writes.
        package init(reading path: String, waits: Bool = true) throws(SystemError) {
            let flags = O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK | O_NOCTTY)
            let descriptor = unsafe open(path, flags)
            guard descriptor >= 0 else { throw .last }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else {
                let failure = SystemError.last
                close(descriptor)
                throw failure
            }
            let kind: Kind =
                switch status.st_mode & S_IFMT {
                case S_IFREG: .regular(byteCount: max(0, Int(clamping: status.st_size)))
                case S_IFDIR: .directory
                default: .stream
                }
            self.init(descriptor, kind)
        }

        /// Creates a file in a directory, to be written and read, that nobody else can open: its name is taken away at once.
        /// - Parameter prefix: of the name that it has for a moment.
        package init(unnamedIn directory: String, prefix: String) throws(SystemError) {
            var name = Array((directory + "/" + prefix + "-XXXXXX").utf8CString)
            // The array ends in a zero and is never empty.
            let descriptor = unsafe name.withUnsafeMutableBufferPointer { unsafe mkstemp($0.baseAddress!) }
            guard descriptor >= 0 else { throw .last }
            unsafe name.withUnsafeBufferPointer { _ = unsafe unlink($0.baseAddress!) }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            self.init(descriptor, .regular(byteCount: 0))
        }

        /// The process's standard input, a stream whatever it is.
        /// - Throws: where it is closed.
        package static func standardInput() throws(SystemError) -> OpenFile {
            var status = stat()
            guard unsafe fstat(STDIN_FILENO, &status) == 0 else { throw .last }
            return OpenFile(STDIN_FILENO, .stream)
        }

        deinit {
            if descriptor > STDIN_FILENO { close(descriptor) }
        }

        /// Reads what is there, up to the buffer's size. 0 is the end of the file, and of a stream the interruption of the process.
        package func readSome(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
            while true {
                // What was opened not to wait does not wait here either.
                if kind == .stream, fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0 {
                    // The signal may be another thread's, so that reading itself would go on.
                    while !isReadable(within: 100) { if Interruption.hasCome { return 0 } }
                    if Interruption.hasCome { return 0 }
                }
                let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                guard errno == EINTR else { throw .last }
            }
        }

        /// Waits until there are bytes, or the stream's end.
        /// - Returns: false after so many milliseconds without.
        private func isReadable(within milliseconds: Int32) -> Bool {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&entry, 1, milliseconds) != 0
        }

        /// Opens for reading; a pipe, too, whose writer may come within so many seconds.
        /// - Throws: ETIMEDOUT for a pipe without a writer.
        package static func reading(_ path: String, writerWithin seconds: Int) throws(SystemError) -> OpenFile {
            let file = try OpenFile(reading: path, waits: false)
            // Devices and files are read as they are.
            guard file.kind == .stream else { return file }
            var status = stat()
            if unsafe fstat(file.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
                var rounds = 0
                while !file.isReadable(within: 100) {
                    rounds += 1
                    guard rounds < 10 * seconds, !Interruption.hasCome else { throw SystemError(code: ETIMEDOUT) }
                }
            }
            let flags = fcntl(file.descriptor, F_GETFL)
            if flags >= 0 { _ = fcntl(file.descriptor, F_SETFL, flags & ~O_NONBLOCK) }
            return file
        }

        /// Writes all bytes at the file's position.
        package func writeFully(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
            var rest = unsafe bytes
            while unsafe !rest.isEmpty {
                let count = unsafe write(descriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    guard errno == EINTR else { throw .last }
                } else {
                    unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                }
            }
        }

        /// Moves to the first byte; only a regular file can.
        package func rewind() throws(SystemError) { try seek(to: 0) }

        /// Moves to a byte, which may lie behind the end; only a regular file can.
        /// - Parameter offset: 0 or more.
        package func seek(to offset: Int) throws(SystemError) {
            guard lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else { throw .last }
        }

        /// The names in a directory, in any order, without `.` and `..`; none where it cannot be read.
        /// - Parameter limit: entries looked at.
        package static func names(inDirectory path: String, limit: Int) -> [String] {
            guard let directory = unsafe opendir(path) else { return [] }
            defer { unsafe _ = closedir(directory) }
            guard let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
            var names: [String] = []
            for _ in 0..<limit {
                guard let entry = unsafe readdir(directory) else { break }
                // The record ends with its name: `d_name` as a whole would reach beyond it.
                let start = unsafe UnsafeRawPointer(entry) + nameOffset
                let name = unsafe String(validatingCString: start.assumingMemoryBound(to: CChar.self))
                if let name, name != ".", name != ".." { names.append(name) }
            }
            return names
        }
    #else
        /// Files are not read on this system: an app loads a model from bytes.
        package init(reading path: String, waits: Bool = true) throws(SystemError) { throw .unsupported }
        package static func reading(_ path: String, writerWithin seconds: Int) throws(SystemError) -> OpenFile {
            throw .unsupported
        }

        /// No file is made on this system.
        package init(unnamedIn directory: String, prefix: String) throws(SystemError) { throw .unsupported }

        /// There is none on this system.
        package static func standardInput() throws(SystemError) -> OpenFile { throw .unsupported }

        /// There is nothing to be read.
        package func readSome(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int { 0 }

        /// There is nothing to be written to.
        package func writeFully(_ bytes: UnsafeRawBufferPointer) throws(SystemError) { throw .unsupported }

        /// There is nothing to go back in.
        package func rewind() throws(SystemError) { throw .unsupported }

        /// There is nowhere to go.
        package func seek(to offset: Int) throws(SystemError) { throw .unsupported }

        /// None.
        package static func names(inDirectory path: String, limit: Int) -> [String] { [] }
    #endif

    /// Reads until the buffer is full or the file ends.
    package func readFully(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = unsafe try readSome(UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// The first bytes from where the file stands, `count` or all there are.
    package func readBytes(_ count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = unsafe bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(SystemError) in unsafe try readFully(buffer) }
        }
        let filled = try result.get()
        if filled < count { bytes.removeLast(count - filled) }
        return bytes
    }

    /// A flag of `open` for a name alone: what it leads to is neither read nor written, and no right to do so is needed.
    package static var nameOnly: Int32 {
        #if canImport(Glibc) || canImport(Musl) || canImport(Android)
            // O_PATH of `asm-generic/fcntl.h`, which the C library's module leaves out.
            0o10_000_000
        #else
            // O_RDONLY
            0
        #endif
    }
}
