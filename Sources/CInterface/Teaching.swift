public import CGesture
import GestureEngine
import Platform
import TrackerInference

/// A recording of a C program.
final class RecordingObject: Sendable {
    let recording: GestureRecording

    init(_ recording: GestureRecording) { self.recording = recording }
}

/// The user's gestures of a C program.
final class UserGesturesObject: Sendable {
    private let engine: GestureEngine
    private let current: Locked<UserGestures>

    /// - Parameter content: nil means no gestures yet.
    init(_ engine: GestureEngine, _ content: [UInt8]?) throws(CallFailure) {
        self.engine = engine
        current = Locked(
            try CallFailure.engine { () throws(EngineError) in
                if let content { try engine.userGestures(content) } else { engine.noUserGestures() }
            })
    }

    var gestures: UserGestures { current.withLock { $0 } }

    func add(
        _ label: String, _ kind: EnrolmentConfiguration.Kind, _ examples: [GestureRecording],
        _ background: [GestureRecording]
    ) throws(CallFailure) -> UserGestures.EnrolmentReport {
        try current.withLock { (gestures: inout UserGestures) throws(CallFailure) in
            var changed = gestures
            let report = try CallFailure.engine { () throws(EngineError) in
                try engine.enrol(
                    label, from: examples, background: background, into: &changed,
                    configuration: EnrolmentConfiguration(kind: kind))
            }
            gestures = changed
            return report
        }
    }

    func remove(_ label: String) throws(CallFailure) {
        try current.withLock { (gestures: inout UserGestures) throws(CallFailure) in
            do { try gestures.remove(label) } catch { throw CallFailure(.invalidArgument, "\(error)") }
        }
    }
}

let recorders = HandleTable<FrameTaker<GestureRecorder>>(of: "recorder")
let recordings = HandleTable<RecordingObject>(of: "recording")
let userGestureSets = HandleTable<UserGesturesObject>(of: "set of user gestures")

/// Makes a recorder; see `gesture.h`.
@c @implementation
public func gesture_recorder_create(
    _ engine: OpaquePointer?, _ options: UnsafePointer<gesture_options>?,
    _ recorder: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try recorders.make(at: recorder) { () throws(CallFailure) in
            let engine = unsafe try engines.object(engine).engine
            let configuration = unsafe try GestureEngine.Configuration(options, of: engine)
            return try FrameTaker(
                CallFailure.engine { () throws(EngineError) in try engine.makeRecorder(configuration) })
        }
    }
}

/// Takes a frame; see `gesture.h`.
@c @implementation
public func gesture_recorder_push(
    _ recorder: OpaquePointer?, _ frame: UnsafePointer<gesture_frame>?, _ time: Int64,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try recorders.object(recorder).take(frame) { $0.push($1, at: .nanoseconds(time)) }
    }
}

/// Ends a recording; see `gesture.h`.
@c @implementation
public func gesture_recorder_finish(
    _ recorder: OpaquePointer?, _ recording: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try recordings.make(at: recording) { () throws(CallFailure) in
            unsafe try recorders.object(recorder).use { (recorder) throws(CallFailure) in
                RecordingObject(
                    try CallFailure.engine { () throws(EngineError) in try recorder.finish() })
            }
        }
    }
}

/// Releases a recorder; see `gesture.h`.
@c @implementation
public func gesture_recorder_destroy(
    _ recorder: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try recorders.remove(recorder) }
}

/// Releases a recording; see `gesture.h`.
@c @implementation
public func gesture_recording_destroy(
    _ recording: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try recordings.remove(recording) }
}

/// Makes a set of user gestures; see `gesture.h`.
@c @implementation
public func gesture_user_gestures_create(
    _ engine: OpaquePointer?, _ content: UnsafePointer<gesture_bytes>?,
    _ userGestures: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try userGestureSets.make(at: userGestures) { () throws(CallFailure) in
            let engine = unsafe try engines.object(engine).engine
            let bytes: [UInt8]? =
                if let content = unsafe content { unsafe try Networks.bytes(content.pointee, "content") } else { nil }
            return try UserGesturesObject(engine, bytes)
        }
    }
}

/// Teaches a gesture; see `gesture.h`.
@c @implementation
public func gesture_user_gestures_add(
    _ userGestures: OpaquePointer?, _ label: UnsafePointer<CChar>?, _ examples: UnsafePointer<OpaquePointer?>?,
    _ example_count: Int, _ background: UnsafePointer<OpaquePointer?>?, _ background_count: Int,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        _ = unsafe try userGestureSets.object(userGestures).add(
            named(label), .automatic, found(examples, example_count, "examples"),
            found(background, background_count, "background"))
    }
}

/// Teaches a gesture of a kind, and tells what was learned; see `gesture.h`.
@c @implementation
public func gesture_user_gestures_teach(
    _ userGestures: OpaquePointer?, _ label: UnsafePointer<CChar>?, _ kind: Int32,
    _ examples: UnsafePointer<OpaquePointer?>?, _ example_count: Int,
    _ background: UnsafePointer<OpaquePointer?>?, _ background_count: Int,
    _ lesson: UnsafeMutablePointer<gesture_lesson>?, _ lesson_size: Int,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let object = unsafe try userGestureSets.object(userGestures)
        let wanted: EnrolmentConfiguration.Kind =
            switch Int(kind) {
            case GESTURE_KIND_AUTOMATIC: .automatic
            case GESTURE_KIND_MOVEMENT: .movement
            case GESTURE_KIND_POSE: .pose
            default: throw .value("kind", kind, mustBe: "a GESTURE_KIND of gesture.h")
            }
        let place = unsafe try CallersArray(
            lesson, capacity: lesson == nil ? 0 : 1,
            size: lesson == nil ? MemoryLayout<gesture_lesson>.size : lesson_size, "the lesson")
        let report = unsafe try object.add(
            named(label), wanted, found(examples, example_count, "examples"),
            found(background, background_count, "background"))
        guard place.capacity > 0 else { return }
        var result = gesture_lesson()
        result.is_pose = report.isPose ? 1 : 0
        result.is_movement = report.isMovement ? 1 : 0
        result.false_events_per_minute = report.falseEventsPerMinute.map(Float.init) ?? -1
        unsafe withUnsafeMutableBytes(of: &result.warning) {
            unsafe write(report.warnings.joined(separator: " "), to: $0)
        }
        place.write(result, at: 0)
    }
}

/// The label that a caller gives.
private func named(_ label: UnsafePointer<CChar>?) throws(CallFailure) -> String {
    guard let label = unsafe try Networks.text(label, "label") else { throw .null("label") }
    return label
}

/// The recordings of a caller's handles.
private func found(
    _ handles: UnsafePointer<OpaquePointer?>?, _ count: Int, _ name: String
) throws(CallFailure) -> [GestureRecording] {
    let handles = unsafe try elements(handles, count, name)
    var found: [GestureRecording] = []
    for index in handles.indices { unsafe found.append(try recordings.object(handles[index]).recording) }
    return found
}

/// Forgets a gesture; see `gesture.h`.
@c @implementation
public func gesture_user_gestures_remove(
    _ userGestures: OpaquePointer?, _ label: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try userGestureSets.object(userGestures).remove(named(label))
    }
}

/// Copies the content of the gestures' file; see `gesture.h`.
@c @implementation
public func gesture_user_gestures_copy_bytes(
    _ userGestures: OpaquePointer?, _ bytes: UnsafeMutableRawPointer?, _ capacity: Int,
    _ needed: UnsafeMutablePointer<Int>?,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let content = unsafe try userGestureSets.object(userGestures).gestures.bytes()
        unsafe try store(content.count, to: needed, "The count of bytes")
        guard capacity >= content.count else {
            throw CallFailure(
                .tooSmall, "The content has \(content.count) bytes; there is room for \(UInt(bitPattern: capacity)).")
        }
        guard let bytes = unsafe bytes else { throw .null("The place for the bytes") }
        unsafe bytes.copyMemory(from: content, byteCount: content.count)
    }
}

/// Releases a set of user gestures; see `gesture.h`.
@c @implementation
public func gesture_user_gestures_destroy(
    _ userGestures: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try userGestureSets.remove(userGestures) }
}
