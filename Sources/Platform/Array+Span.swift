extension Array where Element: BitwiseCopyable {
    /// What `span` is from macOS 26 and iOS 26 on, on any system: arrays of such elements are never bridged, and lie where they
    /// lie for as long as they are borrowed.
    @inlinable package var elementSpan: Span<Element> {
        @_lifetime(borrow self)
        get {
            let buffer = unsafe withUnsafeBufferPointer { unsafe $0 }
            let span = unsafe Span(_unsafeElements: buffer)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The same of `mutableSpan`.
    @inlinable package var mutableElementSpan: MutableSpan<Element> {
        @_lifetime(&self)
        mutating get {
            // The buffer is the array's own storage, which is made unique here and stays while `self` is borrowed.
            let buffer = unsafe withUnsafeMutableBufferPointer { unsafe $0 }
            let span = unsafe MutableSpan(_unsafeElements: buffer)
            return unsafe _overrideLifetime(span, mutating: &self)
        }
    }
}
