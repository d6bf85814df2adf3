public import CGesture
import GestureEngine

let streams = HandleTable<StreamObject>(of: "stream")

/// Makes a stream; see `gesture.h`.
@c @implementation
public func gesture_stream_create(
    _ engine: OpaquePointer?, _ options: UnsafePointer<gesture_options>?,
    _ stream: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try streams.make(at: stream) { () throws(CallFailure) in
            let engine = unsafe try engines.object(engine).engine
            return unsafe try StreamObject(engine, GestureEngine.Configuration(options, of: engine))
        }
    }
}

/// Takes a frame; see `gesture.h`.
@c @implementation
public func gesture_stream_push(
    _ stream: OpaquePointer?, _ frame: UnsafePointer<gesture_frame>?, _ time: Int64,
    _ result: UnsafeMutablePointer<gesture_push_result>?, _ result_size: Int,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let object = unsafe try streams.object(stream)
        let target: CallersArray<gesture_push_result>? =
            unsafe result == nil && result_size == 0
            ? nil : try CallersArray(result, capacity: 1, size: result_size, "the result")
        let pushed = unsafe try object.push(frame, at: time)
        target?.write(pushed, at: 0)
    }
}

/// Takes the oldest events; see `gesture.h`.
@c @implementation
public func gesture_stream_take_events(
    _ stream: OpaquePointer?, _ events: UnsafeMutablePointer<gesture_event>?, _ capacity: Int, _ event_size: Int,
    _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let object = unsafe try streams.object(stream)
        unsafe try store(0, to: count, "The count of events")
        let target = unsafe try CallersArray(events, capacity: capacity, size: event_size, "events")
        unsafe try store(object.takeEvents(to: target), to: count, "The count of events")
    }
}

/// Copies the hands of the newest frame; see `gesture.h`.
@c @implementation
public func gesture_stream_copy_hands(
    _ stream: OpaquePointer?, _ hands: UnsafeMutablePointer<gesture_hand>?, _ capacity: Int, _ hand_size: Int,
    _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let object = unsafe try streams.object(stream)
        unsafe try object.copyHands(to: FoundTarget(hands, capacity: capacity, size: hand_size, count: count, "hands"))
    }
}

/// Counts the classes; see `gesture.h`.
@c @implementation
public func gesture_stream_count_labels(
    _ stream: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?, _ null_index: UnsafeMutablePointer<Int>?,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let object = unsafe try streams.object(stream)
        unsafe try store(object.labels.count, to: count, "The count of labels")
        unsafe null_index?.pointee = object.nullIndex
    }
}

/// Copies a label; see `gesture.h`.
@c @implementation
public func gesture_stream_copy_label(
    _ stream: OpaquePointer?, _ class_index: Int, _ label: UnsafeMutablePointer<CChar>?, _ capacity: Int,
    _ needed: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let labels = unsafe try streams.object(stream).labels
        guard labels.indices.contains(class_index) else {
            throw .value("The index of a class", UInt(bitPattern: class_index), mustBe: "below \(labels.count)")
        }
        guard capacity >= 0 else {
            throw .value("The capacity of a label", UInt(bitPattern: capacity), mustBe: "a number of bytes")
        }
        let text = labels[class_index]
        let count = text.utf8.count + 1
        unsafe try store(count, to: needed, "The count of bytes")
        guard capacity >= count else {
            throw CallFailure(.tooSmall, "The label has \(count) bytes with its zero; there is room for \(capacity).")
        }
        guard let label = unsafe label else { throw .null("The place for the label") }
        unsafe write(text, to: UnsafeMutableRawBufferPointer(start: label, count: capacity))
    }
}

/// Copies the probabilities of all classes; see `gesture.h`.
@c @implementation
public func gesture_stream_copy_scores(
    _ stream: OpaquePointer?, _ scores: UnsafeMutablePointer<Float>?, _ capacity: Int,
    _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let object = unsafe try streams.object(stream)
        let classes = object.labels.count
        unsafe try store(classes, to: count, "The count of scores")
        guard capacity >= classes else {
            throw CallFailure(
                .tooSmall, "There are \(classes) scores and room for \(UInt(bitPattern: capacity)).")
        }
        guard unsafe scores != nil else { throw .null("The place for the scores") }
        unsafe try store(object.copyScores(to: scores, capacity: classes), to: count, "The count of scores")
    }
}

/// Copies the statistics; see `gesture.h`.
@c @implementation
public func gesture_stream_copy_statistics(
    _ stream: OpaquePointer?, _ statistics: UnsafeMutablePointer<gesture_statistics>?, _ statistics_size: Int,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let object = unsafe try streams.object(stream)
        let target = unsafe try CallersArray(statistics, capacity: 1, size: statistics_size, "the statistics")
        target.write(gesture_statistics(object.statistics), at: 0)
    }
}

/// Begins a stream anew; see `gesture.h`.
@c @implementation
public func gesture_stream_reset(
    _ stream: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try streams.object(stream).reset() }
}

/// Ends a stream; see `gesture.h`.
@c @implementation
public func gesture_stream_finish(
    _ stream: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try streams.object(stream).finish() }
}

/// Releases a stream; see `gesture.h`.
@c @implementation
public func gesture_stream_destroy(
    _ stream: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try streams.remove(stream) }
}
