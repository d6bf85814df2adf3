import CGesture
import Frames
import Platform

/// What takes the frames of a C program. Calls from several threads wait for each other.
final class FrameTaker<Stream>: Sendable {
    private struct State: ~Copyable {
        var reader = FrameReader()
        let stream: Stream
    }

    private let state: Locked<State>

    init(_ stream: sending Stream) { state = Locked(State(stream: stream)) }

    /// Reads a frame for the stream.
    func take(
        _ frame: UnsafePointer<gesture_frame>?, _ body: (Stream, borrowing PixelView) -> Void
    ) throws(CallFailure) {
        try state.withLock { (state: inout State) throws(CallFailure) in
            let stream = state.stream
            unsafe try state.reader.withView(of: frame) { body(stream, $0) }
        }
    }

    /// Reads from the stream or controls it.
    func use<Value>(_ body: (Stream) throws(CallFailure) -> Value) throws(CallFailure) -> Value {
        try state.withLock { (state: inout State) throws(CallFailure) in try body(state.stream) }
    }
}
