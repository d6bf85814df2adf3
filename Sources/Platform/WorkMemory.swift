/// The memory of arenas, maps and tables: allocated once, aligned to a cache line, written by kernels.
///
/// In debug builds, and in builds with `-Xswiftc -DGUARD_PAGES`, it lies between two guard pages, which may be neither
/// read nor written. An access beyond it ends the process where it happens. It ends at most 63 bytes before the upper page, because it must
/// begin at a multiple of 64.
package enum WorkMemory {
    package static let alignment = 64

    #if DEBUG || GUARD_PAGES
        package static let isGuarded = true
    #else
        package static let isGuarded = false
    #endif

    /// Allocates at least a byte; its content is undefined. Traps without memory, as `allocate` of pointers does.
    package static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
        guard !isGuarded else { return unsafe reserve(byteCount: byteCount) }
        return UnsafeMutableRawPointer.allocate(byteCount: max(byteCount, 1), alignment: alignment)
    }

    /// Releases what `allocate` gave for this many bytes.
    package static func release(_ base: UnsafeMutableRawPointer, byteCount: Int) {
        if isGuarded {
            unsafe releaseReserved(base, byteCount: byteCount)
        } else {
            unsafe base.deallocate()
        }
    }

    /// Memory by the page, for arenas, of which some may never be used: 0, and an untouched page takes none.
    package static func reserve(byteCount: Int) -> UnsafeMutableRawPointer {
        do {
            guard isGuarded else { return unsafe try PageMemory.allocate(byteCount: max(byteCount, 1)) }
            return unsafe try PageMemory.allocateGuarded(byteCount: byteCount, alignment: alignment)
        } catch {
            fatalError("no memory for \(byteCount) bytes: errno \(error.code)")
        }
    }

    /// Releases what `reserve` gave for this many bytes.
    package static func releaseReserved(_ base: UnsafeMutableRawPointer, byteCount: Int) {
        if isGuarded {
            unsafe PageMemory.releaseGuarded(base, byteCount: byteCount, alignment: alignment)
        } else {
            unsafe PageMemory.release(base, byteCount: max(byteCount, 1))
        }
    }
}

/// Owns memory and releases it with its last reference.
///
/// It is a class because Embedded Swift cannot run the `deinit` of another module's noncopyable value.
@safe
package final class MemoryOwner: @unchecked Sendable {
    /// The first byte. Valid as long as the owner.
    package let base: UnsafeMutableRawPointer
    private let byteCount: Int
    private let isOfPages: Bool

    /// Allocates memory of `WorkMemory`; its content is undefined.
    package init(byteCount: Int) {
        unsafe base = WorkMemory.allocate(byteCount: byteCount)
        self.byteCount = byteCount
        isOfPages = false
    }

    /// Takes over memory of `PageMemory`, all of whose pages have `byteCount` bytes.
    package init(pages base: UnsafeMutableRawPointer, byteCount: Int) {
        unsafe self.base = base
        self.byteCount = byteCount
        isOfPages = true
    }

    deinit {
        if isOfPages {
            unsafe PageMemory.release(base, byteCount: byteCount)
        } else {
            unsafe WorkMemory.release(base, byteCount: byteCount)
        }
    }
}
