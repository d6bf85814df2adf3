/// The last sixteen frames, oldest to newest in one contiguous piece of memory wherever the ring's head stands.
///
/// The slots follow each other, and the whole is followed by its own mirror, so the sixteen slots from any head on are
/// contiguous. With `FrameRingStorage.mirroredMapping` the mirror is the same memory mapped a second time and costs
/// nothing; with `.copiedMirror` each published frame is copied once more.
///
/// When the ring is full, the slot that is written next holds the oldest frame. So a write first gives that frame up: while
/// it runs, and after it failed, the ring holds the fifteen newest frames, `newest` is what it was and `window` is nil. The
/// next write that succeeds makes the window whole again, with exactly the last sixteen published frames.
///
/// `@unchecked Sendable`: the value is the only owner of its memory, and only `mutating` functions write to it.
@safe
package struct FrameRing: ~Copyable, @unchecked Sendable {
    /// Slots: the frames of one window.
    package static let capacity = 16
    /// Bytes of one frame.
    package static let frameBytes = Preprocessor.frameBytes
    /// Bytes of a full window, 802,816.
    package static let windowBytes = capacity * frameBytes

    /// The slot that is written next: 0..<16. In a full ring it is where the window begins.
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

    /// The slot to write the next frame into, `frameBytes` long, with the bytes of an older frame in it.
    ///
    /// A full ring drops its oldest frame here. Nothing is published until `publish()`; calling this again first starts over.
    /// - besideWaiting: the slot after that one instead, while a frame waits in it for its `publish()`; a full ring drops its
    ///   two oldest frames.
    @_lifetime(&self)
    package mutating func nextSlot(besideWaiting: Bool = false) -> MutableSpan<UInt8> {
        count = min(count, Self.capacity - (besideWaiting ? 2 : 1))
        // A slot of the first mapping; `self` is borrowed for as long as the span lives.
        let slot = unsafe MutableSpan(
            _unsafeStart: slotAddress(staging(besideWaiting: besideWaiting)), count: Self.frameBytes)
        return unsafe _overrideLifetime(slot, mutating: &self)
    }

    /// What was last written into `nextSlot(besideWaiting:)`, published or about to be.
    @_lifetime(borrow self)
    package func staged(besideWaiting: Bool = false) -> Span<UInt8> {
        unsafe span(at: staging(besideWaiting: besideWaiting), count: Self.frameBytes)
    }

    /// Puts the frame that was written beside the waiting one in its place: 50,176 bytes are moved.
    package mutating func replaceWaiting() {
        unsafe slotAddress(head).update(from: slotAddress(staging(besideWaiting: true)), count: Self.frameBytes)
    }

    private func staging(besideWaiting: Bool) -> Int { besideWaiting ? (head + 1) % Self.capacity : head }

    /// Where the newest frame lies, for a reader on another thread: the bytes stay as they are until the next `publish()`,
    /// whatever happens to the ring in between, and as long as the ring lives.
    package var newestAddress: UnsafePointer<UInt8>? {
        guard count > 0 else { return nil }
        return unsafe UnsafePointer(slotAddress((head + Self.capacity - 1) % Self.capacity))
    }

    /// Makes what was written into `nextSlot()` the newest frame. Call it once for each slot.
    package mutating func publish() {
        if memory.storage == .copiedMirror {
            unsafe (slotAddress(head) + Self.windowBytes).update(from: slotAddress(head), count: Self.frameBytes)
        }
        head = (head + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
    }

    /// Lets `body` write the next frame in place, and publishes it if `body` returns.
    ///
    /// If `body` throws, the ring is as it was, except that a full ring has lost its oldest frame.
    package mutating func withNextSlot<Result: ~Copyable, Failure: Error>(
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var slot = nextSlot()
        let result = try body(&slot)
        publish()
        return result
    }

    /// Publishes a copy of the newest frame: 50,176 bytes are moved.
    /// - Returns: false, with nothing done, if there is no frame.
    @discardableResult
    package mutating func repeatNewest() -> Bool {
        guard count > 0 else { return false }
        let source = unsafe slotAddress((head + Self.capacity - 1) % Self.capacity)
        count = min(count, Self.capacity - 1)
        unsafe slotAddress(head).update(from: source, count: Self.frameBytes)
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

    /// - Requires: slot < 16 and count <= `windowBytes`: the memory is two windows long.
    @unsafe
    @_lifetime(borrow self)
    private func span(at slot: Int, count: Int) -> Span<UInt8> {
        let span = unsafe Span(_unsafeStart: slotAddress(slot), count: count)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    private func slotAddress(_ slot: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe memory.base + slot * Self.frameBytes
    }
}
