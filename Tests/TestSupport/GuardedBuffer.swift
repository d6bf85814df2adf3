/// Memory between guard bytes, for proving that a kernel writes its output and nothing else.
///
/// The payload starts `misalignment` bytes after a 64-byte boundary; 64 or more guard bytes of 0x88 stand on both sides.
@safe
package final class GuardedBuffer<Element: BitwiseCopyable> {
    private static var guardByte: UInt8 { 0x88 }
    private static var margin: Int { 64 }

    private let storage: UnsafeMutableRawBufferPointer
    private let start: Int
    package let count: Int

    package init(count: Int, misalignment: Int = 0) {
        self.count = count
        start = Self.margin + misalignment
        let bytes = count * MemoryLayout<Element>.stride
        unsafe storage = .allocate(byteCount: start + bytes + Self.margin, alignment: 64)
        unsafe storage.initializeMemory(as: UInt8.self, repeating: Self.guardByte)
    }

    package convenience init(_ values: [Element], misalignment: Int = 0) {
        self.init(count: values.count, misalignment: misalignment)
        for (index, value) in values.enumerated() { unsafe base[index] = value }
    }

    deinit { unsafe storage.deallocate() }

    /// The payload's first element.
    package var base: UnsafeMutablePointer<Element> {
        unsafe (storage.baseAddress! + start).assumingMemoryBound(to: Element.self)
    }

    package var values: [Element] {
        unsafe Array(UnsafeBufferPointer(start: base, count: count))
    }

    /// True when every byte outside the payload is still the guard byte.
    package var isIntact: Bool {
        let end = start + count * MemoryLayout<Element>.stride
        return unsafe storage[..<start].allSatisfy { $0 == Self.guardByte }
            && storage[end...].allSatisfy { $0 == Self.guardByte }
    }
}
