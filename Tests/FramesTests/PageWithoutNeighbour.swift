#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Readable memory whose end is the beginning of memory that may not be touched.
@safe
final class PageWithoutNeighbour {
    private let base: UnsafeMutableRawPointer
    private let length: Int

    struct Unavailable: Error {}

    init() throws {
        length = 65_536
        #if canImport(Darwin)
            let anonymous = MAP_ANON | MAP_PRIVATE
        #else
            let anonymous = MAP_ANONYMOUS | MAP_PRIVATE
        #endif
        guard let address = unsafe mmap(nil, 2 * length, PROT_READ | PROT_WRITE, anonymous, -1, 0),
            unsafe address != MAP_FAILED, unsafe mprotect(address + length, length, PROT_NONE) == 0
        else { throw Unavailable() }
        unsafe base = address
    }

    deinit { unsafe munmap(base, 2 * length) }

    /// Copies bytes to the very end. At most 65,536.
    @unsafe func place(_ bytes: some Collection<UInt8>) -> UnsafeRawBufferPointer {
        precondition(bytes.count <= length)
        let room = unsafe UnsafeMutableRawBufferPointer(start: base + length - bytes.count, count: bytes.count)
        unsafe room.copyBytes(from: bytes)
        return UnsafeRawBufferPointer(room)
    }
}
