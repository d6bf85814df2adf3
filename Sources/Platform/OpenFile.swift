#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// An open file. Its descriptor is closed with the value, except standard input.
package struct OpenFile: ~Copyable {
    /// What a path leads to.
    package enum Kind: Sendable, Equatable {
        case regular(byteCount: Int)
        case directory
        /// A pipe, a terminal or a device, whose bytes can be read once.
        case stream
    }

    package let kind: Kind
    /// The system's number of the open file, valid while the value exists.
    package let descriptor: Int32

    private init(_ descriptor: Int32, _ kind: Kind) {
        self.descriptor = descriptor
        self.kind = kind
    }

    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        /// Opens for reading.
        /// - Parameter waits: whether opening a pipe waits for its writer, and reading waits for data.
        package init(reading path: String, waits: Bool = true) throws(SystemError) {
            let flags = O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK | O_NOCTTY)
            let descriptor = unsafe PathText.withSystemPath(path) { unsafe open($0, flags) }
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

        /// Creates a file in a directory for reading and writing that cannot be opened by others: its name is removed
        /// at once.
        /// - Parameter prefix: beginning of its temporary name.
        package init(unnamedIn directory: String, prefix: String) throws(SystemError) {
            var name = Array((directory + "/" + prefix + "-XXXXXX").utf8CString)
            // The array ends in a zero and is never empty.
            let descriptor = unsafe name.withUnsafeMutableBufferPointer { unsafe mkstemp($0.baseAddress!) }
            guard descriptor >= 0 else { throw .last }
            unsafe name.withUnsafeBufferPointer { _ = unsafe unlink($0.baseAddress!) }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            self.init(descriptor, .regular(byteCount: 0))
        }

        /// The process's standard input, as a stream in any case.
        /// - Throws: if it is closed.
        package static func standardInput() throws(SystemError) -> OpenFile {
            var status = stat()
            guard unsafe fstat(STDIN_FILENO, &status) == 0 else { throw .last }
            return OpenFile(STDIN_FILENO, .stream)
        }

        deinit {
            if descriptor > STDIN_FILENO { close(descriptor) }
        }

        /// Reads available bytes, at most the buffer's size. Returns 0 at the end of the file and, for a stream, when
        /// the process was interrupted.
        package func readSome(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
            while true {
                // Files that were opened without waiting do not wait here either.
                if kind == .stream, fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0 {
                    // Another thread may have received the signal; then reading itself would go on.
                    while !isReadable(within: 100) { if Interruption.hasCome { return 0 } }
                    if Interruption.hasCome { return 0 }
                }
                let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                guard errno == EINTR else { throw .last }
            }
        }

        /// Waits for bytes or the stream's end.
        /// - Returns: false if there are none after `milliseconds`.
        private func isReadable(within milliseconds: Int32) -> Bool {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&entry, 1, milliseconds) != 0
        }

        /// Opens for reading, also a pipe whose writer comes within `seconds`.
        /// - Throws: ETIMEDOUT for a pipe without a writer.
        package static func reading(_ path: String, writerWithin seconds: Int) throws(SystemError) -> OpenFile {
            let file = try OpenFile(reading: path, waits: false)
            // Devices and files need no waiting.
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

        /// Makes a pipe, whose writing end does not wait for room (`writeSome`).
        /// - Parameter use: takes the ends.
        package static func pipe<Result>(
            _ use: (_ reader: consuming OpenFile, _ writer: consuming OpenFile) -> Result
        ) throws(SystemError) -> Result {
            var ends: [Int32] = [-1, -1]
            #if canImport(Darwin)
                let made = unsafe Darwin.pipe(&ends)
            #elseif canImport(Glibc)
                let made = unsafe Glibc.pipe(&ends)
            #elseif canImport(Musl)
                let made = unsafe Musl.pipe(&ends)
            #else
                let made = unsafe Android.pipe(&ends)
            #endif
            guard made == 0 else { throw .last }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) | O_NONBLOCK)
            return use(OpenFile(ends[0], .stream), OpenFile(ends[1], .stream))
        }

        /// Writes what a pipe has room for.
        /// - Returns: the bytes written, 0 if it had no room for `milliseconds`.
        /// - Throws: EPIPE if no process can read the pipe any more.
        package func writeSome(_ bytes: RawSpan, within milliseconds: Int32) throws(SystemError) -> Int {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&entry, 1, milliseconds) != 0 else { return 0 }
            let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            guard [EINTR, EAGAIN].contains(errno) else { throw .last }
            return 0
        }

        /// Whether a path leads to a directory. Needs no free descriptor.
        package static func isDirectory(_ path: String) -> Bool {
            var status = stat()
            return unsafe PathText.withSystemPath(path) { unsafe stat($0, &status) } == 0
                && status.st_mode & S_IFMT == S_IFDIR
        }

        /// Moves to the first byte; only possible for a regular file.
        package func rewind() throws(SystemError) { try seek(to: 0) }

        /// Moves to a byte, which may be behind the end; only possible for a regular file.
        /// - Parameter offset: 0 or more.
        package func seek(to offset: Int) throws(SystemError) {
            guard lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else { throw .last }
        }

        /// The names in a directory, in any order, without `.` and `..`; empty if it cannot be read.
        /// - Parameter limit: most entries that are read.
        package static func names(inDirectory path: String, limit: Int) -> [String] {
            (try? entries(ofDirectory: path, limit: limit)) ?? []
        }

        /// The same with the reason why a directory cannot be read.
        package static func entries(ofDirectory path: String, limit: Int = .max) throws(SystemError) -> [String] {
            guard let directory = unsafe PathText.withSystemPath(path, { unsafe opendir($0) }) else { throw .last }
            defer { unsafe _ = closedir(directory) }
            guard let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
            var names: [String] = []
            while names.count < limit {
                guard let entry = unsafe readdir(directory) else { break }
                // The record ends with its name: reading all of `d_name` would exceed it.
                let start = unsafe UnsafeRawPointer(entry) + nameOffset
                let name = unsafe PathText.text(systemPath: start.assumingMemoryBound(to: CChar.self))
                if name != ".", name != ".." { names.append(name) }
            }
            return names
        }
    #else
        /// This system has no files to read: an app loads a model from bytes.
        package init(reading path: String, waits: Bool = true) throws(SystemError) { throw .unsupported }
        package static func reading(_ path: String, writerWithin seconds: Int) throws(SystemError) -> OpenFile {
            throw .unsupported
        }

        /// This system cannot create files.
        package init(unnamedIn directory: String, prefix: String) throws(SystemError) { throw .unsupported }

        /// This system has no standard input.
        package static func standardInput() throws(SystemError) -> OpenFile { throw .unsupported }

        /// There is nothing to read.
        package func readSome(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int { 0 }

        /// There is nothing to write to.
        package func writeFully(_ bytes: UnsafeRawBufferPointer) throws(SystemError) { throw .unsupported }

        /// This system has no pipes.
        package static func pipe<Result>(
            _ use: (_ reader: consuming OpenFile, _ writer: consuming OpenFile) -> Result
        ) throws(SystemError) -> Result {
            throw .unsupported
        }

        /// There is nothing to write to.
        package func writeSome(_ bytes: RawSpan, within milliseconds: Int32) throws(SystemError) -> Int {
            throw .unsupported
        }

        /// There are no directories.
        package static func isDirectory(_ path: String) -> Bool { false }

        /// There is nothing to rewind.
        package func rewind() throws(SystemError) { throw .unsupported }

        /// There is nothing to seek in.
        package func seek(to offset: Int) throws(SystemError) { throw .unsupported }

        /// There are no directories.
        package static func names(inDirectory path: String, limit: Int) -> [String] { [] }

        /// There are no directories.
        package static func entries(ofDirectory path: String, limit: Int = .max) throws(SystemError) -> [String] {
            throw .unsupported
        }
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

    /// Reads the next `count` bytes, or all that are left.
    package func readBytes(_ count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = unsafe bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(SystemError) in unsafe try readFully(buffer) }
        }
        let filled = try result.get()
        if filled < count { bytes.removeLast(count - filled) }
        return bytes
    }

    /// The flag of `open` that opens only a name: the file is neither read nor written, and no permission to do so is
    /// needed.
    package static var nameOnly: Int32 {
        #if canImport(Glibc) || canImport(Musl) || canImport(Android)
            // O_PATH of `asm-generic/fcntl.h`, which the C library's module lacks.
            0o10_000_000
        #else
            // O_RDONLY
            0
        #endif
    }
}
