import Platform

/// A frame in a ring, for a reader on another thread than the ring's writer.
///
/// Its bytes do not change until the ring's next `publish()`, whatever happens to the ring before, and while the ring
/// exists. The owner of a view ensures that it is read no longer. `@unchecked Sendable`: the view never writes.
@safe
package struct FrameView: @unchecked Sendable {
    private let address: UnsafePointer<UInt8>

    fileprivate init(_ address: UnsafePointer<UInt8>) { unsafe self.address = unsafe address }

    /// `FrameRing.frameBytes` of luma, row by row.
    package var luma: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            let span = unsafe Span(_unsafeStart: address, count: FrameRing.frameBytes)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }
}

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
/// Streams look at the newest frame alone. Their ring is `withoutWindow`: it has `streamCells` cells and no mirror, a tenth of
/// the memory, and `window` is always nil.
///
/// `@unchecked Sendable`: the value is the only owner of its memory, and only `mutating` functions write to it.
@safe
package struct FrameRing: ~Copyable, @unchecked Sendable {
    /// Number of cells of a ring with a window: the frames of one window.
    package static let capacity = 16
    /// Number of cells of a ring without one: the newest frame, a waiting one, and the one that is written.
    package static let streamCells = 3
    /// Bytes of one frame.
    package static let frameBytes = Preprocessor.frameBytes
    /// Bytes of a full window, 802,816.
    package static let windowBytes = capacity * frameBytes

    /// Index of the cell that is written next. In a full ring the window begins there.
    package private(set) var head = 0
    /// Number of frames, at most the number of cells.
    package private(set) var count = 0
    private let cells: Int
    private let memory: FrameRingMemory

    /// Makes an empty ring, with its memory mapped twice if the system allows it, otherwise mirrored by copies.
    /// - Throws: `FrameRingError.allocation` if there is no memory either way.
    package init() throws(FrameRingError) {
        cells = Self.capacity
        do {
            memory = try FrameRingMemory(.mirroredMapping, byteCount: Self.windowBytes)
        } catch {
            memory = try FrameRingMemory(.copiedMirror, byteCount: Self.windowBytes)
        }
    }

    /// Makes an empty ring with a given kind of storage.
    /// - Throws: the error if that storage is not available.
    package init(storage: FrameRingStorage) throws(FrameRingError) {
        cells = storage == .withoutWindow ? Self.streamCells : Self.capacity
        memory = try FrameRingMemory(storage, byteCount: cells * Self.frameBytes)
    }

    /// How the window is kept contiguous.
    package var storage: FrameRingStorage { memory.storage }

    /// The cell for the next frame, `frameBytes` long, which still contains an older frame.
    ///
    /// A full ring drops its oldest frame here. The frame is published by `publish()`; another call before that starts
    /// again.
    /// - besideWaiting: uses the cell after that one, while a frame in the first one waits for its `publish()`; a full
    ///   ring drops its two oldest frames.
    @_lifetime(&self)
    package mutating func nextCell(besideWaiting: Bool = false) -> MutableSpan<UInt8> {
        dropOldest(keeping: cells - (besideWaiting ? 2 : 1))
        // A cell of the first mapping; `self` is borrowed for as long as the span lives.
        let cell = unsafe MutableSpan(
            _unsafeStart: cellAddress(staging(besideWaiting: besideWaiting)), count: Self.frameBytes)
        return unsafe _overrideLifetime(cell, mutating: &self)
    }

    /// The content of `nextCell(besideWaiting:)`, whether published or not.
    @_lifetime(borrow self)
    package func staged(besideWaiting: Bool = false) -> Span<UInt8> {
        unsafe span(at: staging(besideWaiting: besideWaiting), count: Self.frameBytes)
    }

    /// Replaces the waiting frame by the one beside it, from `nextCell(besideWaiting: true)`: copies 50,176 bytes.
    package mutating func replaceWaiting() {
        dropOldest(keeping: cells - 2)
        unsafe cellAddress(head).update(from: cellAddress(staging(besideWaiting: true)), count: Self.frameBytes)
    }

    private func staging(besideWaiting: Bool) -> Int { besideWaiting ? (head + 1) % cells : head }

    /// The latest published frame for a reader on another thread; nil without one.
    package var newestView: FrameView? {
        guard count > 0 else { return nil }
        return unsafe FrameView(UnsafePointer(cellAddress((head + cells - 1) % cells)))
    }

    /// Makes the content of `nextCell()` the newest frame. Call it once for each cell.
    package mutating func publish() {
        if memory.storage == .copiedMirror {
            unsafe (cellAddress(head) + Self.windowBytes).update(from: cellAddress(head), count: Self.frameBytes)
        }
        PageMemory.orderHalves()
        head = (head + 1) % cells
        count = min(count + 1, cells)
    }

    /// Ends the window, so that a cell may be written.
    private mutating func dropOldest(keeping limit: Int) {
        count = min(count, limit)
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

    /// Publishes a copy of the newest frame: copies 50,176 bytes.
    /// - Returns: false, without effect, if there is no frame.
    @discardableResult
    package mutating func repeatNewest() -> Bool {
        guard count > 0 else { return false }
        let source = unsafe cellAddress((head + cells - 1) % cells)
        dropOldest(keeping: cells - 1)
        unsafe cellAddress(head).update(from: source, count: Self.frameBytes)
        publish()
        return true
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
            return unsafe span(at: (head + cells - 1) % cells, count: Self.frameBytes)
        }
    }

    /// All sixteen frames, oldest first; nil if there are fewer, and without a window.
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
