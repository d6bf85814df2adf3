import BodyPose
public import CGesture
import TrackerInference

/// A body tracker of a C program.
struct FollowedBodies {
    let stream: BodyStream
    /// Whether held bodies are reported, which the latest frame does not show. The tracker holds them for a frame or more.
    let tellsHeld: Bool
}

let bodyTrackers = HandleTable<FrameTaker<FollowedBodies>>(of: "body tracker")

/// Makes a body tracker; see `gesture.h`.
@c @implementation
public func gesture_body_tracker_create(
    _ engine: OpaquePointer?, _ options: UnsafePointer<gesture_body_options>?,
    _ tracker: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try bodyTrackers.make(at: tracker) { () throws(CallFailure) in
            let object = unsafe try engines.object(engine)
            let configuration = unsafe try BodyTrackingConfiguration(options)
            let bodies = try object.bodies.bodies()
            let stream = try CallFailure.bodies { () throws(EngineError) in try bodies.makeStream(configuration) }
            return FrameTaker(FollowedBodies(stream: stream, tellsHeld: configuration.hold > .zero))
        }
    }
}

/// Takes a frame; see `gesture.h`.
@c @implementation
public func gesture_body_tracker_track(
    _ tracker: OpaquePointer?, _ frame: UnsafePointer<gesture_frame>?, _ time: Int64,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try bodyTrackers.object(tracker).take(frame) { $0.stream.track($1, at: .nanoseconds(time)) }
    }
}

/// Copies the bodies of the latest frame; see `gesture.h`.
@c @implementation
public func gesture_body_tracker_copy_bodies(
    _ tracker: OpaquePointer?, _ bodies: UnsafeMutablePointer<gesture_body>?, _ capacity: Int, _ body_size: Int,
    _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let object = unsafe try bodyTrackers.object(tracker)
        let target = unsafe try FoundTarget(bodies, capacity: capacity, size: body_size, count: count, "bodies")
        try object.use { (followed) throws(CallFailure) in
            let reported = followed.stream.bodies.filter { followed.tellsHeld || $0.state == .seen }
            try target.write(reported.map { gesture_body($0) })
        }
    }
}

/// Forgets all bodies; see `gesture.h`.
@c @implementation
public func gesture_body_tracker_reset(
    _ tracker: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try bodyTrackers.object(tracker).use { $0.stream.reset() } }
}

/// Releases a body tracker; see `gesture.h`.
@c @implementation
public func gesture_body_tracker_destroy(
    _ tracker: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try bodyTrackers.remove(tracker) }
}
