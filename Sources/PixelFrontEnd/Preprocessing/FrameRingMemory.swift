import Platform

/// How a ring keeps its window contiguous across its end.
package enum FrameRingStorage: Sendable, Hashable {
    /// One shared-memory object mapped twice, back to back: no copy.
    case mirroredMapping
    /// Two windows of plain memory; each published frame is copied to its position in the second.
    case copiedMirror
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
    /// Page-aligned; `2 * windowBytes` readable and writable bytes, initially 0.
    let base: UnsafeMutablePointer<UInt8>
    private let memory: MemoryOwner

    init(_ storage: FrameRingStorage, windowBytes: Int) throws(FrameRingError) {
        self.storage = storage
        let mappedBytes = 2 * windowBytes
        let pages: UnsafeMutableRawPointer
        switch storage {
        case .mirroredMapping:
            do { unsafe pages = try PageMemory.mirror(byteCount: windowBytes) } catch {
                throw FrameRingError(error, windowBytes: windowBytes)
            }
        case .copiedMirror:
            do { unsafe pages = try PageMemory.allocate(byteCount: mappedBytes) } catch {
                throw .allocation(code: error.code)
            }
        }
        memory = unsafe MemoryOwner(pages: pages, byteCount: mappedBytes)
        unsafe base = pages.assumingMemoryBound(to: UInt8.self)
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

extension FrameRingError {
    /// The C library's `errno`; 0 if no call failed.
    package var code: Int32 {
        switch self {
        case .mirroringUnsupported, .pageSize: 0
        case .sharedMemory(let code), .sharedMemorySize(let code), .mapping(let code), .allocation(let code): code
        }
    }
}

extension FrameRingError: CustomStringConvertible {
    /// One sentence for users.
    package var description: String {
        switch self {
        case .mirroringUnsupported: "This platform has no shared memory for the frame ring."
        case .pageSize(let size, let windowBytes):
            "The frame ring's window has \(windowBytes) bytes; it must be a whole number of pages of \(size) bytes."
        case .sharedMemory(let code): "The frame ring's shared memory could not be made: errno \(code)."
        case .sharedMemorySize(let code): "The frame ring's shared memory could not get its size: errno \(code)."
        case .mapping(let code): "The frame ring's memory could not be mapped: errno \(code)."
        case .allocation(let code): "There is no memory for the frame ring: errno \(code)."
        }
    }
}
