public import Frames
import Synchronization

/// A stream whose frames may come from any thread; its events are an `AsyncStream`.
///
/// `push` runs the frame on the calling thread, one at a time. A consumer that is slower than the gestures never holds
/// the camera up: beyond `bufferedEvents` waiting events the oldest are given up, and the gap shows in the sequence
/// numbers.
public final class LiveGestureStream: Sendable {
    /// Events that may wait for the consumer.
    public static let bufferedEvents = 256

    /// The events in their order, for one consumer. Ends after `finish()` or when the stream is released.
    public let events: AsyncStream<GestureEvent>

    private let continuation: AsyncStream<GestureEvent>.Continuation
    private let stream: Mutex<GestureStream>

    init(_ stream: sending GestureStream) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.bufferedEvents))
        self.stream = Mutex(stream)
    }

    deinit { continuation.finish() }

    /// Takes one frame in, as `GestureStream.push`; its events also go to `events`.
    @discardableResult
    public func push(_ frame: borrowing PixelView, at time: Duration) -> FrameResult {
        stream.withLock { stream in
            let result = stream.push(frame, at: time)
            for event in result.events { continuation.yield(event) }
            return result
        }
    }

    /// Ends the gesture that is active, if one is, and then `events`. Frames pushed later bring no events there.
    public func finish() {
        stream.withLock { stream in
            for event in stream.finish() { continuation.yield(event) }
        }
        continuation.finish()
    }
}
