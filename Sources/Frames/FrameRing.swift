/// A frame where it lies in a ring, for a reader on another thread than the ring's writer.
///
/// Its bytes stay as they are until the ring's next `publish()`, whatever happens to the ring in between, and as long as the ring
/// lives; whoever passes a view on sees to it that it is read no longer than that. `@unchecked Sendable`: nobody writes to it.
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

/// The last sixteen frames, oldest to newest in one contiguous piece of memory wherever the ring's head stands.
///
/// The cells follow each other, and the whole is followed by its own mirror, so the sixteen cells from any head on are
/// contiguous. With `FrameRingStorage.mirroredMapping` the mirror is the same memory mapped a second time and costs
/// nothing; with `.copiedMirror` each published frame is copied once more.
///
/// When the ring is full, the cell that is written next holds the oldest frame. So a write first gives that frame up: while
/// it runs, and after it failed, the ring holds the fifteen newest frames, `newest` is what it was and `window` is nil. The
/// next write that succeeds makes the window whole again, with exactly the last sixteen published frames.
///
/// `@unchecked Sendable`: the value is the only owner of its memory, and only `mutating` functions write to it.
@safe
package struct FrameRing: ~Copyable, @unchecked Sendable {
    /// Cells: the frames of one window.
    package static let capacity = 16
    /// Bytes of one frame.
    package static let frameBytes = Preprocessor.frameBytes
    /// Bytes of a full window, 802,816.
    package static let windowBytes = capacity * frameBytes

    /// The cell that is written next: 0..<16. In a full ring it is where the window begins.
    package private(set) var head = 0
    /// Frames held, 0...16.
    package private(set) var count = 0
    private let memory: FrameRingMemory

    /// An empty ring, with its memory mapped twice where the system allows that and mirrored by copies elsewhere.
    /// - Throws: `FrameRingError.allocation` when there is no memory either way.
    package init() throws(FrameRingError) {
        do {
            memory = try FrameRingMemory(.mirroredMapping, byteCount: Self.windowBytes)
        } catch {
            memory = try FrameRingMemory(.copiedMirror, byteCount: Self.windowBytes)
        }
    }

    /// An empty ring over one kind of storage.
    /// - Throws: why that storage is not to be had.
    package init(storage: FrameRingStorage) throws(FrameRingError) {
        memory = try FrameRingMemory(storage, byteCount: Self.windowBytes)
    }

    /// How the window is kept contiguous.
    package var storage: FrameRingStorage { memory.storage }

    /// The cell to write the next frame into, `frameBytes` long, with the bytes of an older frame in it.
    ///
    /// A full ring drops its oldest frame here. Nothing is published until `publish()`; calling this again first starts over.
    /// - besideWaiting: the cell after that one instead, while a frame waits in it for its `publish()`; a full ring drops its
    ///   two oldest frames.
    @_lifetime(&self)
    package mutating func nextCell(besideWaiting: Bool = false) -> MutableSpan<UInt8> {
        count = min(count, Self.capacity - (besideWaiting ? 2 : 1))
        // A cell of the first mapping; `self` is borrowed for as long as the span lives.
        let cell = unsafe MutableSpan(
            _unsafeStart: cellAddress(staging(besideWaiting: besideWaiting)), count: Self.frameBytes)
        return unsafe _overrideLifetime(cell, mutating: &self)
    }

    /// What was last written into `nextCell(besideWaiting:)`, published or about to be.
    @_lifetime(borrow self)
    package func staged(besideWaiting: Bool = false) -> Span<UInt8> {
        unsafe span(at: staging(besideWaiting: besideWaiting), count: Self.frameBytes)
    }

    /// Puts the frame that was written beside the waiting one in its place: 50,176 bytes are moved.
    package mutating func replaceWaiting() {
        unsafe cellAddress(head).update(from: cellAddress(staging(besideWaiting: true)), count: Self.frameBytes)
    }

    private func staging(besideWaiting: Bool) -> Int { besideWaiting ? (head + 1) % Self.capacity : head }

    /// The frame published last for a reader on another thread, or nil if there is none.
    package var newestView: FrameView? {
        guard count > 0 else { return nil }
        return unsafe FrameView(UnsafePointer(cellAddress((head + Self.capacity - 1) % Self.capacity)))
    }

    /// Makes what was written into `nextCell()` the newest frame. Call it once for each cell.
    package mutating func publish() {
        if memory.storage == .copiedMirror {
            unsafe (cellAddress(head) + Self.windowBytes).update(from: cellAddress(head), count: Self.frameBytes)
        }
        head = (head + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
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

    /// Publishes a copy of the newest frame: 50,176 bytes are moved.
    /// - Returns: false, with nothing done, if there is no frame.
    @discardableResult
    package mutating func repeatNewest() -> Bool {
        guard count > 0 else { return false }
        let source = unsafe cellAddress((head + Self.capacity - 1) % Self.capacity)
        count = min(count, Self.capacity - 1)
        unsafe cellAddress(head).update(from: source, count: Self.frameBytes)
        publish()
        return true
    }

    /// Forgets every frame. Memory and head stay.
    package mutating func reset() {
        count = 0
    }

    /// The frame published last, or nil if there is none.
    package var newest: Span<UInt8>? {
        @_lifetime(borrow self)
        get {
            guard count > 0 else { return nil }
            return unsafe span(at: (head + Self.capacity - 1) % Self.capacity, count: Self.frameBytes)
        }
    }

    /// All sixteen frames, oldest first, or nil before there are sixteen.
    package var window: Span<UInt8>? {
        @_lifetime(borrow self)
        get {
            guard count == Self.capacity else { return nil }
            return unsafe span(at: head, count: Self.windowBytes)
        }
    }

    /// - Requires: cell < 16 and count <= `windowBytes`: the memory is two windows long.
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
