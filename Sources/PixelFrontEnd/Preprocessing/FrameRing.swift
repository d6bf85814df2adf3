import Platform

/// The last sixteen frames, oldest to newest, contiguous in memory wherever the ring's head is.
///
/// The cells are followed by a mirror of all of them, so that the sixteen cells from any head on are contiguous. With
/// `FrameRingStorage.mirroredMapping` the mirror is the same memory mapped a second time, at no cost; with
/// `.copiedMirror` each published frame is copied once more.
///
/// The compiler does not know that the mirror is the same memory. Frames are written and read one by one in the first
/// half, and only `window` reaches into the mirror. A window exists from the `publish()` that completes it until the ring
/// drops its oldest frame. Both of these call `PageMemory.orderHalves()`, so a window is read after the writes of its
/// frames and before the next write.
///
/// If the ring is full, the next cell to be written holds the oldest frame, so a write first drops that frame. During
/// the write, and after a failed one, the ring holds the fifteen newest frames, `newest` is unchanged and `window` is
/// nil. The next successful write completes the window again, with exactly the last sixteen published frames.
///
/// A stream's network reads the newest frame alone; the window mode reads all sixteen.
///
/// `@unchecked Sendable`: the value is the only owner of its memory, and only `mutating` functions write to it.
@safe
package struct FrameRing: ~Copyable, @unchecked Sendable {
    /// Number of cells: the frames of one window.
    package static let capacity = 16
    /// Bytes of one frame.
    package static let frameBytes = Preprocessor.frameBytes
    /// Bytes of a full window, 802,816.
    package static let windowBytes = capacity * frameBytes

    /// Index of the cell that is written next. In a full ring the window begins there.
    package private(set) var head = 0
    /// Number of frames, at most `capacity`.
    package private(set) var count = 0
    private let memory: FrameRingMemory

    /// Makes an empty ring, with its memory mapped twice if the system allows it, otherwise mirrored by copies.
    /// - Throws: `FrameRingError.allocation` if there is no memory either way.
    package init() throws(FrameRingError) {
        do {
            memory = try FrameRingMemory(.mirroredMapping, windowBytes: Self.windowBytes)
        } catch {
            memory = try FrameRingMemory(.copiedMirror, windowBytes: Self.windowBytes)
        }
    }

    /// Makes an empty ring with a given kind of storage.
    /// - Throws: the error if that storage is not available.
    package init(storage: FrameRingStorage) throws(FrameRingError) {
        memory = try FrameRingMemory(storage, windowBytes: Self.windowBytes)
    }

    /// How the window is kept contiguous.
    package var storage: FrameRingStorage { memory.storage }

    /// The cell for the next frame, `frameBytes` long, which still contains an older frame.
    ///
    /// A full ring drops its oldest frame here. The frame is published by `publish()`; another call before that starts
    /// again.
    @_lifetime(&self)
    package mutating func nextCell() -> MutableSpan<UInt8> {
        dropOldest()
        // A cell of the first mapping; `self` is borrowed for as long as the span lives.
        let cell = unsafe MutableSpan(_unsafeStart: cellAddress(head), count: Self.frameBytes)
        return unsafe _overrideLifetime(cell, mutating: &self)
    }

    /// Makes the content of `nextCell()` the newest frame. Call it once for each cell.
    package mutating func publish() {
        if memory.storage == .copiedMirror {
            unsafe (cellAddress(head) + Self.windowBytes).update(from: cellAddress(head), count: Self.frameBytes)
        }
        PageMemory.orderHalves()
        head = (head + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
    }

    /// Ends the window, so that a cell may be written.
    private mutating func dropOldest() {
        count = min(count, Self.capacity - 1)
        PageMemory.orderHalves()
    }

    /// Lets `body` write the next frame in place, and publishes it if `body` returns.
    ///
    /// If `body` throws, the ring is as it was, except that a full ring has lost its oldest frame.
    package mutating func withNextCell<Result: ~Copyable, Failure: Error>(
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var cell = nextCell()
        let result = try body(&cell)
        publish()
        return result
    }

    /// Forgets every frame. Memory and head are kept.
    package mutating func reset() {
        count = 0
    }

    /// The latest published frame; nil without one.
    package var newest: Span<UInt8>? {
        @_lifetime(borrow self)
        get {
            guard count > 0 else { return nil }
            return unsafe span(at: (head + Self.capacity - 1) % Self.capacity, count: Self.frameBytes)
        }
    }

    /// All sixteen frames, oldest first; nil if there are fewer.
    package var window: Span<UInt8>? {
        @_lifetime(borrow self)
        get {
            guard count == Self.capacity else { return nil }
            return unsafe span(at: head, count: Self.windowBytes)
        }
    }

    /// - Requires: cell < `cells` and count <= `windowBytes` with a window, <= `frameBytes` without: the memory is two
    ///   windows long, or `cells` frames.
    @unsafe
    @_lifetime(borrow self)
    private func span(at cell: Int, count: Int) -> Span<UInt8> {
        let span = unsafe Span(_unsafeStart: cellAddress(cell), count: count)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    private func cellAddress(_ cell: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe memory.base + cell * Self.frameBytes
    }
}
