import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WASILibc)
    import WASILibc
#endif

/// Memory by the page, allocated from the system: initially 0, readable and writable.
package enum PageMemory {
    /// Why memory cannot be mapped twice.
    package enum MirrorFailure: Error {
        /// This system's shared memory cannot be used.
        case unsupported
        /// The half is not a whole number of pages of this size.
        case pageSize(Int)
        /// No shared-memory object could be created.
        case sharedMemory(SystemError)
        /// The shared memory is full.
        case sharedMemorySize(SystemError)
        /// The object could not be mapped.
        case mapping(SystemError)
    }

    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        /// Allocates page-aligned memory, private to this process.
        package static func allocate(byteCount: Int) throws(SystemError) -> UnsafeMutableRawPointer {
            try unsafe map(byteCount, protection: PROT_READ | PROT_WRITE)
        }

        /// Releases all of the memory from `allocate` or `mirror`.
        package static func release(_ base: UnsafeMutableRawPointer, byteCount: Int) {
            unsafe munmap(base, byteCount)
        }

        /// Allocates memory between two guard pages, which may be neither read nor written. It ends just below the upper
        /// one.
        /// - Parameter alignment: of the first byte, a power of two of at most a page; the memory ends less than this
        ///   before the upper page.
        package static func allocateGuarded(
            byteCount: Int, alignment: Int
        ) throws(SystemError) -> UnsafeMutableRawPointer {
            let extent = GuardedExtent(byteCount, alignment)
            let range = unsafe try map(extent.mapped, protection: PROT_NONE)
            guard unsafe mprotect(range + extent.page, extent.usable, PROT_READ | PROT_WRITE) == 0 else {
                let failure = SystemError.last
                unsafe munmap(range, extent.mapped)
                throw failure
            }
            return unsafe range + extent.start
        }

        /// Releases what `allocateGuarded` gave for the same numbers.
        package static func releaseGuarded(_ base: UnsafeMutableRawPointer, byteCount: Int, alignment: Int) {
            let extent = GuardedExtent(byteCount, alignment)
            unsafe munmap(base - extent.start, extent.mapped)
        }

        /// Where memory lies between two guard pages, in bytes from the lower one.
        private struct GuardedExtent {
            let page: Int
            /// Bytes between the guard pages.
            let usable: Int
            let start: Int
            var mapped: Int { usable + 2 * page }

            init(_ byteCount: Int, _ alignment: Int) {
                page = max(sysconf(Int32(_SC_PAGESIZE)), 4096)
                usable = max((byteCount + page - 1) / page, 1) * page
                start = page + (usable - byteCount) / alignment * alignment
            }
        }

        private static func map(
            _ byteCount: Int, protection: Int32
        ) throws(SystemError) -> UnsafeMutableRawPointer {
            guard let address = unsafe mmap(nil, byteCount, protection, MAP_PRIVATE | MAP_ANON, -1, 0),
                unsafe address != MAP_FAILED
            else { throw .last }
            return unsafe address
        }
    #else
        /// Allocates memory, private to this process.
        package static func allocate(byteCount: Int) throws(SystemError) -> UnsafeMutableRawPointer {
            let base = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 4096)
            unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
            return unsafe base
        }

        /// Releases all of the memory from `allocate`.
        package static func release(_ base: UnsafeMutableRawPointer, byteCount: Int) {
            unsafe base.deallocate()
        }

        /// Allocates memory; this system has no pages to guard it with.
        package static func allocateGuarded(
            byteCount: Int, alignment: Int
        ) throws(SystemError) -> UnsafeMutableRawPointer {
            UnsafeMutableRawPointer.allocate(byteCount: max(byteCount, 1), alignment: alignment)
        }

        /// Releases what `allocateGuarded` gave.
        package static func releaseGuarded(_ base: UnsafeMutableRawPointer, byteCount: Int, alignment: Int) {
            unsafe base.deallocate()
        }
    #endif

    /// Orders accesses to mirrored memory: those before the call come first, whichever half they use.
    ///
    /// The compiler takes two addresses for two pieces of memory. So it may move a read from one half across a write to
    /// the other, or reuse an earlier read. Call this between accesses to the same byte through different halves, if
    /// one of them is a write. The CPU itself orders them, because it compares physical addresses.
    ///
    /// It costs a call, and on arm64 one instruction more. Hiding from the compiler that both addresses come from one
    /// allocation would be too weak. A loop may be compiled twice, with a comparison of addresses at run time that picks
    /// the version in which accesses are reordered.
    package static func orderHalves() {
        atomicMemoryFence(ordering: .acquiringAndReleasing)
    }

    /// Whether this system can map memory twice, as far as is known without trying.
    package static var mirrors: Bool {
        #if canImport(Glibc) || canImport(Musl)
            true
        #else
            false
        #endif
    }

    #if canImport(Glibc) || canImport(Musl)
        /// Maps one shared-memory object twice, back to back: what is written to one half appears in the other, in the
        /// order that `orderHalves` ensures.
        ///
        /// The object is unlinked before it is mapped, so nothing outlives the process.
        /// - Parameter byteCount: bytes of one half.
        /// - Returns: `2 * byteCount` page-aligned bytes, for `release`.
        package static func mirror(byteCount: Int) throws(MirrorFailure) -> UnsafeMutableRawPointer {
            let page = sysconf(Int32(_SC_PAGESIZE))
            guard page > 0, byteCount % page == 0 else { throw .pageSize(page) }
            let object: Int32
            do { object = try openSharedMemory() } catch { throw .sharedMemory(error) }
            defer { close(object) }
            // Not ftruncate, which reserves no memory: with a full /dev/shm the first write would be a SIGBUS.
            let reserved = posix_fallocate(object, 0, off_t(byteCount))
            guard reserved == 0 else { throw .sharedMemorySize(SystemError(code: reserved)) }

            // Reserving the whole range first ensures that the two fixed mappings do not overwrite other memory.
            let base: UnsafeMutableRawPointer
            do { unsafe base = try map(2 * byteCount, protection: PROT_NONE) } catch { throw .mapping(error) }
            for half in 0..<2 {
                let place = unsafe base + half * byteCount
                let mapped = unsafe mmap(place, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, object, 0)
                guard unsafe mapped == place else {
                    let failure = SystemError.last
                    unsafe release(base, byteCount: 2 * byteCount)
                    throw .mapping(failure)
                }
            }
            return unsafe base
        }

        /// A new object, unlinked at once. If the random name is taken, another one is tried.
        private static func openSharedMemory() throws(SystemError) -> Int32 {
            var failure = SystemError.unsupported
            for _ in 0..<8 {
                let name = "/frame-ring-" + String(UInt64.random(in: .min ... .max), radix: 16)
                let object = unsafe shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
                if object >= 0 {
                    unsafe shm_unlink(name)
                    return object
                }
                failure = .last
                guard failure.code == EEXIST else { break }
            }
            throw failure
        }
    #else
        /// Not available: `shm_open` is variadic on Apple's systems and cannot be imported, and Android and WASI have
        /// none.
        package static func mirror(byteCount: Int) throws(MirrorFailure) -> UnsafeMutableRawPointer {
            throw .unsupported
        }
    #endif
}
