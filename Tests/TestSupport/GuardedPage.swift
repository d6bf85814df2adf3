import Foundation

/// Readable memory with memory on both sides that may not be touched.
@safe
package final class GuardedPage {
    private let mapping: UnsafeMutableRawPointer
    private static let length = 65_536

    struct Unavailable: Error {}

    package init() throws {
        let anonymous = MAP_ANON | MAP_PRIVATE
        let length = Self.length
        guard let address = unsafe mmap(nil, 3 * length, PROT_NONE, anonymous, -1, 0),
            unsafe address != MAP_FAILED,
            unsafe mprotect(address + length, length, PROT_READ | PROT_WRITE) == 0
        else { throw Unavailable() }
        unsafe mapping = address
    }

    deinit { unsafe munmap(mapping, 3 * Self.length) }

    /// Copies bytes to the very end. At most 65,536.
    @unsafe package func place(_ bytes: some Collection<UInt8>) -> UnsafeRawBufferPointer {
        unsafe place(bytes, at: Self.length - bytes.count)
    }

    /// Copies bytes to the very beginning. At most 65,536.
    @unsafe package func placeFirst(_ bytes: some Collection<UInt8>) -> UnsafeRawBufferPointer {
        unsafe place(bytes, at: 0)
    }

    private func place(_ bytes: some Collection<UInt8>, at offset: Int) -> UnsafeRawBufferPointer {
        precondition(bytes.count <= Self.length)
        let room = unsafe UnsafeMutableRawBufferPointer(
            start: mapping + Self.length + offset, count: bytes.count)
        unsafe room.copyBytes(from: bytes)
        return UnsafeRawBufferPointer(room)
    }
}
