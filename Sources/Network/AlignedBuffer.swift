import Platform

/// Memory with one owner: 64-byte aligned, zeroed when it is allocated, never resized.
///
/// The value knows its bound. Only this module takes pointers from it; they live as long as the owner.
@safe
struct AlignedBuffer<Element: BitwiseCopyable>: ~Copyable {
    private let storage: UnsafeMutableRawBufferPointer
    let count: Int

    /// The first element. Valid until the buffer is destroyed.
    let base: UnsafeMutablePointer<Element>

    init(count: Int) {
        self.count = count
        let byteCount = max(count, 1) * MemoryLayout<Element>.stride
        unsafe storage = UnsafeMutableRawBufferPointer(
            start: WorkMemory.allocate(byteCount: byteCount), count: byteCount)
        unsafe storage.initializeMemory(as: UInt8.self, repeating: 0)
        unsafe base = storage.baseAddress!.assumingMemoryBound(to: Element.self)
    }

    deinit {
        unsafe WorkMemory.release(storage.baseAddress!, byteCount: storage.count)
    }

    func zero() {
        unsafe storage.initializeMemory(as: UInt8.self, repeating: 0)
    }
}
