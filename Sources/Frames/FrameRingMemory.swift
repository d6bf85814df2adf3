import Platform

/// How a ring keeps its window contiguous across its end.
package enum FrameRingStorage: Sendable, Hashable {
    /// One shared-memory object mapped twice, back to back: no copy.
    case mirroredMapping
    /// Two windows of plain memory; each published frame is copied to its position in the second.
    case copiedMirror
    /// `FrameRing.streamCells` cells of plain memory, for a ring that is not asked for its window.
    case withoutWindow
}

/// Why a ring has no memory. `code` is the C library's `errno`.
package enum FrameRingError: Error, Sendable, Hashable {
    /// This platform's shared memory cannot be used.
    case mirroringUnsupported
    /// A window is not a whole number of pages.
    case pageSize(Int, windowBytes: Int)
    /// No shared-memory object could be created.
    case sharedMemory(code: Int32)
    /// The shared memory is full.
    case sharedMemorySize(code: Int32)
    /// The object could not be mapped.
    case mapping(code: Int32)
    /// No memory is available.
    case allocation(code: Int32)
}

/// Two windows of memory, of which the second mirrors the first: by mapping or by copies.
@safe
struct FrameRingMemory: ~Copyable {
    let storage: FrameRingStorage
    /// Page-aligned; readable and writable bytes, initially 0: `2 * byteCount` with a mirror, `byteCount` without.
    let base: UnsafeMutablePointer<UInt8>
    private let mappedBytes: Int

    /// - byteCount: bytes of all cells.
    init(_ storage: FrameRingStorage, byteCount: Int) throws(FrameRingError) {
        self.storage = storage
        mappedBytes = storage == .withoutWindow ? byteCount : 2 * byteCount
        let memory: UnsafeMutableRawPointer
        switch storage {
        case .mirroredMapping:
            do { unsafe memory = try PageMemory.mirror(byteCount: byteCount) } catch {
                throw FrameRingError(error, windowBytes: byteCount)
            }
        case .copiedMirror, .withoutWindow:
            do { unsafe memory = try PageMemory.allocate(byteCount: mappedBytes) } catch {
                throw .allocation(code: error.code)
            }
        }
        unsafe base = memory.assumingMemoryBound(to: UInt8.self)
    }

    deinit {
        unsafe PageMemory.release(base, byteCount: mappedBytes)
    }
}

extension FrameRingError {
    fileprivate init(_ failure: PageMemory.MirrorFailure, windowBytes: Int) {
        self =
            switch failure {
            case .unsupported: .mirroringUnsupported
            case .pageSize(let size): .pageSize(size, windowBytes: windowBytes)
            case .sharedMemory(let error): .sharedMemory(code: error.code)
            case .sharedMemorySize(let error): .sharedMemorySize(code: error.code)
            case .mapping(let error): .mapping(code: error.code)
            }
    }
}
