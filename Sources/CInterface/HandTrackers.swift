public import CGesture
import GestureEngine
import Platform

/// A hand tracker of a C program.
final class HandTrackerObject: Sendable {
    private struct State: ~Copyable {
        var reader = FrameReader()
        let stream: HandStream
    }

    private let state: Locked<State>

    init(_ engine: GestureEngine, _ configuration: GestureEngine.Configuration) throws(CallFailure) {
        state = Locked(
            State(
                stream: try CallFailure.engine { () throws(GestureEngineError) in
                    try engine.makeHandStream(configuration)
                }))
    }

    func track(_ frame: UnsafePointer<gesture_frame>?, at time: Int64) throws(CallFailure) {
        try state.withLock { (state: inout State) throws(CallFailure) in
            let stream = state.stream
            unsafe try state.reader.withView(of: frame) { stream.track($0, at: .nanoseconds(time)) }
        }
    }

    func copyHands(to target: FoundTarget<gesture_hand>) throws(CallFailure) {
        try state.withLock { (state: inout State) throws(CallFailure) in
            try target.write(state.stream.hands.map { gesture_hand($0) })
        }
    }

    func reset() { state.withLock { $0.stream.reset() } }
}

let handTrackers = HandleTable<HandTrackerObject>(of: "hand tracker")

/// Makes a hand tracker; see `gesture.h`.
@c @implementation
public func gesture_hand_tracker_create(
    _ engine: OpaquePointer?, _ options: UnsafePointer<gesture_options>?,
    _ tracker: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try store(nil, to: tracker, "The place for the hand tracker")
        let engine = unsafe try engines.object(engine).engine
        let made = unsafe try HandTrackerObject(engine, GestureEngine.Configuration(options, of: engine))
        unsafe try store(handTrackers.insert(made), to: tracker, "The place for the hand tracker")
    }
}

/// Takes a frame; see `gesture.h`.
@c @implementation
public func gesture_hand_tracker_track(
    _ tracker: OpaquePointer?, _ frame: UnsafePointer<gesture_frame>?, _ time: Int64,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try handTrackers.object(tracker).track(frame, at: time)
    }
}

/// Copies the hands of the latest frame; see `gesture.h`.
@c @implementation
public func gesture_hand_tracker_copy_hands(
    _ tracker: OpaquePointer?, _ hands: UnsafeMutablePointer<gesture_hand>?, _ capacity: Int, _ hand_size: Int,
    _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let object = unsafe try handTrackers.object(tracker)
        unsafe try object.copyHands(
            to: FoundTarget(hands, capacity: capacity, size: hand_size, count: count, "hands"))
    }
}

/// Forgets all hands; see `gesture.h`.
@c @implementation
public func gesture_hand_tracker_reset(
    _ tracker: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try handTrackers.object(tracker).reset() }
}

/// Releases a hand tracker; see `gesture.h`.
@c @implementation
public func gesture_hand_tracker_destroy(
    _ tracker: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try handTrackers.remove(tracker) }
}
