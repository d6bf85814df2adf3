import CGesture
import Foundation
import Testing

/// Handles that are NULL, destroyed, of another kind, or never were.
@Suite struct HandleTests {
    /// Calls every function that takes a stream.
    private func streamStatuses(_ stream: OpaquePointer?, _ error: inout gesture_error) -> [gesture_status] {
        var (count, frame) = (0, CFrame().frame)
        var (event, hand) = (gesture_event(), gesture_hand())
        var (result, statistics) = (gesture_push_result(), gesture_statistics())
        var (label, score) = (CChar(0), Float(0))
        return [
            gesture_stream_push(stream, &frame, 0, &result, MemoryLayout.size(ofValue: result), &error),
            gesture_stream_take_events(stream, &event, 1, MemoryLayout.size(ofValue: event), &count, &error),
            gesture_stream_copy_hands(stream, &hand, 1, MemoryLayout.size(ofValue: hand), &count, &error),
            gesture_stream_count_labels(stream, &count, nil, &error),
            gesture_stream_copy_label(stream, 0, &label, 1, &count, &error),
            gesture_stream_copy_scores(stream, &score, 1, &count, &error),
            gesture_stream_copy_statistics(stream, &statistics, MemoryLayout.size(ofValue: statistics), &error),
            gesture_stream_reset(stream, &error), gesture_stream_finish(stream, &error),
            gesture_stream_destroy(stream, &error),
        ]
    }

    private func trackerStatuses(_ tracker: OpaquePointer?, _ error: inout gesture_error) -> [gesture_status] {
        var (count, frame, hand) = (0, CFrame().frame, gesture_hand())
        return [
            gesture_hand_tracker_track(tracker, &frame, 0, &error),
            gesture_hand_tracker_copy_hands(tracker, &hand, 1, MemoryLayout.size(ofValue: hand), &count, &error),
            gesture_hand_tracker_reset(tracker, &error), gesture_hand_tracker_destroy(tracker, &error),
        ]
    }

    private func engineStatuses(_ engine: OpaquePointer?, _ error: inout gesture_error) -> [gesture_status] {
        var (count, frame, hand) = (0, CFrame().frame, gesture_hand())
        var made = OpaquePointer(bitPattern: 99)
        let statuses = [
            gesture_stream_create(engine, nil, &made, &error), gesture_hand_tracker_create(engine, nil, &made, &error),
            gesture_engine_recognize_hands(
                engine, &frame, nil, &hand, 1, MemoryLayout.size(ofValue: hand), &count, &error),
            gesture_engine_destroy(engine, &error),
        ]
        #expect(made == nil)
        return statuses
    }

    @Test func handlesThatAreNone() throws {
        let program = try CProgram(hands: true)
        let (stream, tracker) = (try program.makeStream(), try program.makeTracker())
        let invalid = gesture_status(GESTURE_INVALID_HANDLE)
        var error = gesture_error()
        func isSaid(_ words: String) -> Bool { CProgram.text(error.message).contains(words) }
        for unknown in [nil, OpaquePointer(bitPattern: 1 << 40), OpaquePointer(bitPattern: -1)] {
            #expect(streamStatuses(unknown, &error).allSatisfy { $0 == invalid })
            #expect(isSaid(unknown == nil ? "The stream is NULL." : "The stream was destroyed"))
            #expect(trackerStatuses(unknown, &error).allSatisfy { $0 == invalid })
            #expect(isSaid(unknown == nil ? "The hand tracker is NULL." : "The hand tracker was destroyed"))
            #expect(engineStatuses(unknown, &error).allSatisfy { $0 == invalid })
            #expect(isSaid(unknown == nil ? "The engine is NULL." : "The engine was destroyed"))
        }
        // Of another kind.
        for other in [program.engine, tracker] { #expect(streamStatuses(other, &error).allSatisfy { $0 == invalid }) }
        for other in [program.engine, stream] { #expect(trackerStatuses(other, &error).allSatisfy { $0 == invalid }) }
        for other in [tracker, stream] { #expect(engineStatuses(other, &error).allSatisfy { $0 == invalid }) }
        // Destroyed. The numbers are not given again.
        #expect(gesture_stream_destroy(stream, nil) == GESTURE_OK)
        let next = try program.makeStream()
        #expect(next != stream)
        #expect(streamStatuses(stream, &error).allSatisfy { $0 == invalid })
        #expect(error.status == invalid)
    }

    @Test func streamsOutliveTheirEngine() throws {
        var engine: OpaquePointer?
        try #require(CProgram.makePixelEngine(&engine) == GESTURE_OK)
        var stream: OpaquePointer?
        try #require(gesture_stream_create(engine, nil, &stream, nil) == GESTURE_OK)
        #expect(gesture_engine_destroy(engine, nil) == GESTURE_OK)
        let memory = CFrame()
        var frame = memory.frame
        #expect(gesture_stream_push(stream, &frame, 0, nil, 0, nil) == GESTURE_OK)
        #expect(gesture_stream_destroy(stream, nil) == GESTURE_OK)
    }

    @Test func placesForHandlesMustExist() throws {
        let program = try CProgram(hands: true)
        #expect(CProgram.makePixelEngine(nil, &program.error) == GESTURE_INVALID_ARGUMENT)
        #expect(program.message == "The place for the engine is NULL.")
        #expect(gesture_stream_create(program.engine, nil, nil, &program.error) == GESTURE_INVALID_ARGUMENT)
        #expect(gesture_hand_tracker_create(program.engine, nil, nil, &program.error) == GESTURE_INVALID_ARGUMENT)
    }

    /// Threads that push into one stream, while one of them destroys it: each call works or finds no stream.
    @Test func destroyedWhileOthersPush() throws {
        let program = try CProgram()
        for _ in 0..<20 {
            let handle = UInt(bitPattern: try program.makeStream())
            let statuses = Collected()
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                let stream = OpaquePointer(bitPattern: handle)
                let memory = CFrame()
                for index in 0..<8 {
                    if thread == 0, index == 4 { gesture_stream_destroy(stream, nil) }
                    var (frame, count) = (memory.frame, 0)
                    statuses.add(gesture_stream_push(stream, &frame, Int64(index), nil, 0, nil))
                    statuses.add(gesture_stream_count_labels(stream, &count, nil, nil))
                }
            }
            #expect(statuses.all.isSubset(of: [gesture_status(GESTURE_OK), gesture_status(GESTURE_INVALID_HANDLE)]))
            #expect(statuses.all.contains(gesture_status(GESTURE_INVALID_HANDLE)))
        }
    }

    private final class Collected: @unchecked Sendable {
        private let lock = NSLock()
        private var statuses: Set<gesture_status> = []

        func add(_ status: gesture_status) { _ = lock.withLock { statuses.insert(status) } }
        var all: Set<gesture_status> { lock.withLock { statuses } }
    }
}
