#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How a ring keeps its window contiguous across its end.
package enum FrameRingStorage: Sendable, Hashable {
    /// One shared-memory object mapped twice, back to back: no copy.
    case mirroredMapping
    /// Two windows of plain memory; each published frame is copied to its place in the second.
    case copiedMirror
}

/// Why a ring's memory is not to be had. `code` is the C library's `errno`.
package enum FrameRingError: Error, Sendable, Hashable {
    /// This platform's shared memory cannot be opened from here.
    case mirroringUnsupported
    /// A window is not a whole number of pages.
    case pageSize(Int, windowBytes: Int)
    /// No shared-memory object could be made.
    case sharedMemory(code: Int32)
    /// The shared memory has no room.
    case sharedMemorySize(code: Int32)
    /// The object could not be mapped.
    case mapping(code: Int32)
    /// No memory at all.
    case allocation(code: Int32)
}

/// Two windows of memory, of which the second shows what is in the first: by itself if it is mapped, by copies if not.
///
/// Every access by name happens in `init`: the object is unlinked before it is mapped, so nothing outlives the process.
@safe
struct FrameRingMemory: ~Copyable {
    let storage: FrameRingStorage
    /// Page-aligned; `2 * byteCount` readable and writable bytes, 0 at first.
    let base: UnsafeMutablePointer<UInt8>
    private let byteCount: Int

    init(_ storage: FrameRingStorage, byteCount: Int) throws(FrameRingError) {
        self.storage = storage
        self.byteCount = byteCount
        switch storage {
        case .mirroredMapping: unsafe base = try Self.mapTwice(byteCount)
        case .copiedMirror:
            unsafe base = try Self.map(
                2 * byteCount, protection: PROT_READ | PROT_WRITE, failure: { .allocation(code: $0) })
        }
    }

    deinit {
        unsafe munmap(base, 2 * byteCount)
    }

    private static func map(
        _ byteCount: Int, protection: Int32, failure: (Int32) -> FrameRingError
    ) throws(FrameRingError) -> UnsafeMutablePointer<UInt8> {
        #if canImport(Darwin)
            let anonymous = MAP_ANON
        #else
            let anonymous = MAP_ANONYMOUS
        #endif
        guard let address = unsafe mmap(nil, byteCount, protection, MAP_PRIVATE | anonymous, -1, 0),
            unsafe address != MAP_FAILED
        else { throw failure(errno) }
        return unsafe address.assumingMemoryBound(to: UInt8.self)
    }

    #if canImport(Darwin)
        /// `shm_open` is variadic there and does not import.
        private static func mapTwice(_ byteCount: Int) throws(FrameRingError) -> UnsafeMutablePointer<UInt8> {
            throw .mirroringUnsupported
        }
    #else
        private static func mapTwice(_ byteCount: Int) throws(FrameRingError) -> UnsafeMutablePointer<UInt8> {
            let page = sysconf(Int32(_SC_PAGESIZE))
            guard page > 0, byteCount % page == 0 else { throw .pageSize(page, windowBytes: byteCount) }
            let object = try openSharedMemory()
            defer { close(object) }
            // Not ftruncate: that promises no memory, and a full /dev/shm would be a SIGBUS at the first write.
            let reserved = posix_fallocate(object, 0, off_t(byteCount))
            guard reserved == 0 else { throw .sharedMemorySize(code: reserved) }

            // Reserving the whole range first makes the two fixed mappings land on nobody else's memory.
            let base = unsafe try map(2 * byteCount, protection: PROT_NONE, failure: { .mapping(code: $0) })
            for half in 0..<2 {
                let place = unsafe UnsafeMutableRawPointer(base + half * byteCount)
                let mapped = unsafe mmap(place, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, object, 0)
                guard unsafe mapped == place else {
                    let code = errno
                    unsafe munmap(base, 2 * byteCount)
                    throw .mapping(code: code)
                }
            }
            return unsafe base
        }

        /// A new object without a name: it is unlinked at once. A name that is taken by chance is tried again with another.
        private static func openSharedMemory() throws(FrameRingError) -> Int32 {
            var code: Int32 = 0
            for _ in 0..<8 {
                let name = "/frame-ring-" + String(UInt64.random(in: .min ... .max), radix: 16)
                let object = unsafe shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
                if object >= 0 {
                    unsafe shm_unlink(name)
                    return object
                }
                code = errno
                guard code == EEXIST else { break }
            }
            throw .sharedMemory(code: code)
        }
    #endif
}
