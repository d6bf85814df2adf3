/// An array of fixed length without heap storage: `InlineArray`, which exists only from macOS 26 and iOS 26 on, for
/// every system.
///
/// `Storage` is a plain value with exactly the elements' bytes, such as a tuple of vectors; it determines the number of
/// elements.
///
/// Swift 6.3 loses stores into the parts of a tuple, such as `t.0 = x`, if the tuple is then read at its own address as another
/// type: its pass dead-store-elimination compares the names of the parts instead of their bytes. In Embedded Swift all stores of
/// tuples become such stores, and the first element read as the memory that was there before. Every address that is read here
/// therefore takes a step and the same step back (`start`), which costs nothing: the compiler's later passes cancel it.
@safe
package struct FixedArray<Storage: BitwiseCopyable & Sendable, Element: BitwiseCopyable & Sendable>: Sendable {
    @usableFromInline var storage: Storage

    /// Makes an array from the elements' memory.
    @inlinable
    @inline(__always)
    package init(_ storage: Storage) {
        precondition(
            MemoryLayout<Storage>.size == Self.count * MemoryLayout<Element>.stride
                && MemoryLayout<Storage>.alignment >= MemoryLayout<Element>.alignment)
        self.storage = storage
    }

    /// Makes an array of equal elements.
    @inlinable
    @inline(__always)
    package init(repeating value: Element) {
        // Every byte of the storage belongs to an element, and all elements are written.
        let storage = unsafe withUnsafeTemporaryAllocation(of: Storage.self, capacity: 1) { buffer in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            for index in 0..<Self.count {
                unsafe bytes.storeBytes(of: value, toByteOffset: index * MemoryLayout<Element>.stride, as: Element.self)
            }
            return unsafe buffer[0]
        }
        self.init(storage)
    }

    @inlinable package static var count: Int { MemoryLayout<Storage>.size / MemoryLayout<Element>.stride }
    @inlinable package var indices: Range<Int> { 0..<Self.count }

    @inlinable package subscript(index: Int) -> Element {
        @inline(__always)
        get {
            precondition(index >= 0 && index < Self.count)
            return unsafe withUnsafeBytes(of: storage) { bytes in
                unsafe Self.start(bytes.baseAddress!).load(
                    fromByteOffset: index * MemoryLayout<Element>.stride, as: Element.self)
            }
        }
        @inline(__always)
        set {
            precondition(index >= 0 && index < Self.count)
            unsafe withUnsafeMutableBytes(of: &storage) { bytes in
                unsafe bytes.storeBytes(
                    of: newValue, toByteOffset: index * MemoryLayout<Element>.stride, as: Element.self)
            }
        }
    }

    /// Lets `body` read the elements in place through a pointer.
    @inlinable
    @inline(__always)
    package func withUnsafeBufferPointer<Result>(_ body: (UnsafeBufferPointer<Element>) -> Result) -> Result {
        unsafe withUnsafeBytes(of: storage) { bytes in
            unsafe body(Self.elements(bytes))
        }
    }

    /// Lets `body` read the elements in place.
    @inlinable
    @inline(__always)
    package func withSpan<Result>(_ body: (Span<Element>) -> Result) -> Result {
        // The bytes are the elements, with their alignment.
        unsafe withUnsafeBytes(of: storage) { bytes in
            body(unsafe Span(_unsafeElements: Self.elements(bytes)))
        }
    }

    /// Lets `body` change the elements in place. For loops: a subscript may copy all elements at every access.
    @inlinable
    @inline(__always)
    package mutating func withMutableSpan<Result>(_ body: (inout MutableSpan<Element>) -> Result) -> Result {
        // The bytes are the elements, with their alignment.
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            let elements = unsafe Self.elements(UnsafeRawBufferPointer(bytes))
            var span = unsafe MutableSpan(_unsafeElements: UnsafeMutableBufferPointer(mutating: elements))
            return body(&span)
        }
    }

    /// The same address.
    @inlinable
    @inline(__always)
    static func start(_ address: UnsafeRawPointer) -> UnsafeRawPointer { unsafe (address + 1) - 1 }

    @inlinable
    @inline(__always)
    static func elements(_ bytes: UnsafeRawBufferPointer) -> UnsafeBufferPointer<Element> {
        unsafe UnsafeBufferPointer(
            start: start(bytes.baseAddress!).assumingMemoryBound(to: Element.self), count: count)
    }
}
