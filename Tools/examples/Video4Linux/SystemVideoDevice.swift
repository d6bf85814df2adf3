#if canImport(Glibc)
    import Glibc

    /// A device file of the kernel's, closed when it is released.
    final class SystemVideoDevice: VideoDevice {
        private let descriptor: Int32

        init(path: String) throws(VideoError) {
            descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw .cannotOpen(path: path, code: errno) }
        }

        deinit { _ = close(descriptor) }

        func control(_ request: VideoRequest, _ structure: inout VideoStructure) -> Int32 {
            while true {
                // The structure has the size that the request's number says.
                let result = unsafe structure.bytes.withUnsafeMutableBytes { bytes in
                    guard let address = bytes.baseAddress else { return EINVAL }
                    return unsafe ioctl(descriptor, request.code, address) == 0 ? 0 : errno
                }
                if result != EINTR { return result }
            }
        }

        func map(offset: Int, length: Int) throws(VideoError) -> VideoBuffer {
            let memory = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset)
            guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { throw .memory(code: errno) }
            return unsafe VideoBuffer(UnsafeMutableRawBufferPointer(start: memory, count: length))
        }

        func unmap(_ buffer: VideoBuffer) { _ = unsafe munmap(buffer.memory.baseAddress, buffer.memory.count) }

        func wait(seconds: Int) throws(VideoError) -> Bool {
            while true {
                var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                let count = unsafe poll(&ready, 1, Int32(clamping: seconds * 1000))
                if count >= 0 { return count > 0 }
                guard errno == EINTR else { throw .request("wait for a frame", code: errno) }
            }
        }
    }

    enum SystemText {
        /// The system's words for an error number.
        static func of(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
    }
#else
    /// Other systems have no Video4Linux.
    final class SystemVideoDevice: VideoDevice {
        init(path: String) throws(VideoError) { throw .noVideo4Linux }

        func control(_ request: VideoRequest, _ structure: inout VideoStructure) -> Int32 { -1 }

        func map(offset: Int, length: Int) throws(VideoError) -> VideoBuffer { throw .noVideo4Linux }

        func unmap(_ buffer: VideoBuffer) {}

        func wait(seconds: Int) throws(VideoError) -> Bool { throw .noVideo4Linux }
    }

    enum SystemText {
        static func of(_ code: Int32) -> String { "error \(code)" }
    }
#endif
