extension Array where Element: BitwiseCopyable {
    /// The array's `span`, which exists only from macOS 26 and iOS 26 on, for every system. Arrays of such elements are
    /// never bridged, so their storage does not move while they are borrowed.
    @inlinable package var elementSpan: Span<Element> {
        @_lifetime(borrow self)
        get {
            let buffer = unsafe withUnsafeBufferPointer { unsafe $0 }
            let span = unsafe Span(_unsafeElements: buffer)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The array's `mutableSpan`, for every system.
    @inlinable package var mutableElementSpan: MutableSpan<Element> {
        @_lifetime(&self)
        mutating get {
            // The buffer is the array's own storage, which is made unique here and stays valid while `self` is
            // borrowed.
            let buffer = unsafe withUnsafeMutableBufferPointer { unsafe $0 }
            let span = unsafe MutableSpan(_unsafeElements: buffer)
            return unsafe _overrideLifetime(span, mutating: &self)
        }
    }
}
