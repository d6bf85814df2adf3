public import CGesture
import GestureEngine
import TrackerInference

let handTrackers = HandleTable<FrameTaker<HandStream>>(of: "hand tracker")

/// Makes a hand tracker; see `gesture.h`.
@c @implementation
public func gesture_hand_tracker_create(
    _ engine: OpaquePointer?, _ options: UnsafePointer<gesture_options>?,
    _ tracker: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try handTrackers.make(at: tracker) { () throws(CallFailure) in
            let engine = unsafe try engines.object(engine).engine
            let configuration = unsafe try GestureEngine.Configuration(options, of: engine)
            return try FrameTaker(
                CallFailure.engine { () throws(EngineError) in try engine.makeHandStream(configuration) })
        }
    }
}

/// Takes a frame; see `gesture.h`.
@c @implementation
public func gesture_hand_tracker_track(
    _ tracker: OpaquePointer?, _ frame: UnsafePointer<gesture_frame>?, _ time: Int64,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try handTrackers.object(tracker).take(frame) { $0.track($1, at: .nanoseconds(time)) }
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
        let target = unsafe try FoundTarget(hands, capacity: capacity, size: hand_size, count: count, "hands")
        try object.use { (stream) throws(CallFailure) in try target.write(stream.hands.map { gesture_hand($0) }) }
    }
}

/// Forgets all hands; see `gesture.h`.
@c @implementation
public func gesture_hand_tracker_reset(
    _ tracker: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try handTrackers.object(tracker).use { $0.reset() } }
}

/// Releases a hand tracker; see `gesture.h`.
@c @implementation
public func gesture_hand_tracker_destroy(
    _ tracker: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try handTrackers.remove(tracker) }
}
