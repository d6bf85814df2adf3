import BodyPose
public import CGesture
import Platform

/// A body tracker of a C program.
final class BodyTrackerObject: Sendable {
    private struct State: ~Copyable {
        var reader = FrameReader()
        let stream: BodyStream
    }

    private let state: Locked<State>
    /// Whether bodies that the latest frame does not show are told. The tracker holds them for a frame or more.
    private let tellsHeld: Bool

    init(_ engine: BodyPoseEngine, _ configuration: BodyTrackingConfiguration) throws(CallFailure) {
        tellsHeld = configuration.hold > .zero
        state = Locked(
            State(
                stream: try CallFailure.bodies { () throws(BodyPoseError) in try engine.makeStream(configuration) }))
    }

    func track(_ frame: UnsafePointer<gesture_frame>?, at time: Int64) throws(CallFailure) {
        try state.withLock { (state: inout State) throws(CallFailure) in
            let stream = state.stream
            unsafe try state.reader.withView(of: frame) { stream.track($0, at: .nanoseconds(time)) }
        }
    }

    func copyBodies(to target: FoundTarget<gesture_body>) throws(CallFailure) {
        try state.withLock { (state: inout State) throws(CallFailure) in
            let told = state.stream.bodies.filter { tellsHeld || $0.state == .seen }
            try target.write(told.map { gesture_body($0) })
        }
    }

    func reset() { state.withLock { $0.stream.reset() } }
}

let bodyTrackers = HandleTable<BodyTrackerObject>(of: "body tracker")

/// Makes a body tracker; see `gesture.h`.
@c @implementation
public func gesture_body_tracker_create(
    _ engine: OpaquePointer?, _ options: UnsafePointer<gesture_body_options>?,
    _ tracker: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try store(nil, to: tracker, "The place for the body tracker")
        let object = unsafe try engines.object(engine)
        let configuration = unsafe try BodyTrackingConfiguration(options)
        let made = try BodyTrackerObject(object.bodies.bodies(), configuration)
        unsafe try store(bodyTrackers.insert(made), to: tracker, "The place for the body tracker")
    }
}

/// Takes a frame; see `gesture.h`.
@c @implementation
public func gesture_body_tracker_track(
    _ tracker: OpaquePointer?, _ frame: UnsafePointer<gesture_frame>?, _ time: Int64,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try bodyTrackers.object(tracker).track(frame, at: time)
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
        unsafe try object.copyBodies(
            to: FoundTarget(bodies, capacity: capacity, size: body_size, count: count, "bodies"))
    }
}

/// Forgets all bodies; see `gesture.h`.
@c @implementation
public func gesture_body_tracker_reset(
    _ tracker: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try bodyTrackers.object(tracker).reset() }
}

/// Releases a body tracker; see `gesture.h`.
@c @implementation
public func gesture_body_tracker_destroy(
    _ tracker: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try bodyTrackers.remove(tracker) }
}
