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

/// Memory by the page, from the system and back to it: 0 at first, readable and writable.
package enum PageMemory {
    /// Why memory is not mapped twice.
    package enum MirrorFailure: Error {
        /// This system's shared memory cannot be opened from here.
        case unsupported
        /// The half is not a whole number of pages of this size.
        case pageSize(Int)
        /// No shared-memory object could be made.
        case sharedMemory(SystemError)
        /// The shared memory has no room.
        case sharedMemorySize(SystemError)
        /// The object could not be mapped.
        case mapping(SystemError)
    }

    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        /// Page-aligned memory of this process's own.
        package static func allocate(byteCount: Int) throws(SystemError) -> UnsafeMutableRawPointer {
            try unsafe map(byteCount, protection: PROT_READ | PROT_WRITE)
        }

        /// Gives back what `allocate` or `mirror` gave, all of it.
        package static func release(_ base: UnsafeMutableRawPointer, byteCount: Int) {
            unsafe munmap(base, byteCount)
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
        /// Memory of this process's own.
        package static func allocate(byteCount: Int) throws(SystemError) -> UnsafeMutableRawPointer {
            let base = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 4096)
            unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
            return unsafe base
        }

        /// Gives back what `allocate` gave, all of it.
        package static func release(_ base: UnsafeMutableRawPointer, byteCount: Int) {
            unsafe base.deallocate()
        }
    #endif

    /// Whether this system can map memory twice, as far as is known before it is tried.
    package static var mirrors: Bool {
        #if canImport(Glibc) || canImport(Musl)
            true
        #else
            false
        #endif
    }

    #if canImport(Glibc) || canImport(Musl)
        /// One shared-memory object mapped twice, back to back: what is written to one half is in the other.
        ///
        /// Every access by name happens here: the object is unlinked before it is mapped, so nothing outlives the process.
        /// - Parameter byteCount: of one half.
        /// - Returns: `2 * byteCount` page-aligned bytes, for `release`.
        package static func mirror(byteCount: Int) throws(MirrorFailure) -> UnsafeMutableRawPointer {
            let page = sysconf(Int32(_SC_PAGESIZE))
            guard page > 0, byteCount % page == 0 else { throw .pageSize(page) }
            let object: Int32
            do { object = try openSharedMemory() } catch { throw .sharedMemory(error) }
            defer { close(object) }
            // Not ftruncate: that promises no memory, and a full /dev/shm would be a SIGBUS at the first write.
            let reserved = posix_fallocate(object, 0, off_t(byteCount))
            guard reserved == 0 else { throw .sharedMemorySize(SystemError(code: reserved)) }

            // Reserving the whole range first makes the two fixed mappings land on nobody else's memory.
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

        /// A new object without a name: it is unlinked at once. A name that is taken by chance is tried again with another.
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
        /// Not here: `shm_open` is variadic on Apple's systems and does not import, and Android and WASI have none.
        package static func mirror(byteCount: Int) throws(MirrorFailure) -> UnsafeMutableRawPointer {
            throw .unsupported
        }
    #endif
}
