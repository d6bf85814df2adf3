import CGesture
import Testing

/// A stream of the pixel network from its first frame to its end. `Tools/gates/c-interface` compares the events of the demo clip
/// with those of `gesture-bench replay`.
@Suite struct CStreamTests {
    private let program: CProgram
    private let stream: OpaquePointer?

    init() throws {
        program = try CProgram()
        stream = try program.makeStream()
    }

    private func push(_ index: Int) throws -> gesture_push_result {
        let memory = CFrame(seed: UInt8(truncatingIfNeeded: index))
        return try program.push(memory.frame, at: Int64(index) * 33_333_334, to: stream)
    }

    private func scores() throws -> [Float] {
        var (scores, count) = ([Float](repeating: -1, count: 32), 0)
        try program.check(gesture_stream_copy_scores(stream, &scores, scores.count, &count, &program.error))
        #expect(scores[count...].allSatisfy { $0 == -1 })
        return Array(scores[..<count])
    }

    @Test func predictionsAndScores() throws {
        for index in 0..<15 {
            let result = try push(index)
            #expect(result.outcome == GESTURE_FRAME_ENCODED)
            #expect(result.class_index == -1 && result.confidence == 0)
            #expect(try scores().isEmpty)
        }
        let result = try push(15)
        let scores = try scores()
        #expect(scores.count == 13)
        #expect(abs(scores.reduce(0, +) - 1) < 1e-4)
        #expect(scores.max() == result.confidence)
        #expect(scores.firstIndex(of: result.confidence) == Int(result.class_index))
    }

    @Test func scoresNeedRoom() throws {
        var (score, count) = (Float(-1), 0)
        #expect(gesture_stream_copy_scores(stream, &score, 1, &count, &program.error) == GESTURE_TOO_SMALL)
        #expect(count == 13 && score == -1)
        #expect(program.message.contains("13 scores"))
        #expect(gesture_stream_copy_scores(stream, &score, -1, &count, nil) == GESTURE_TOO_SMALL)
        #expect(gesture_stream_copy_scores(stream, nil, 13, &count, nil) == GESTURE_INVALID_ARGUMENT)
        #expect(gesture_stream_copy_scores(stream, &score, 13, nil, nil) == GESTURE_INVALID_ARGUMENT)
    }

    @Test func labels() throws {
        var (count, null) = (0, 0)
        try program.check(gesture_stream_count_labels(stream, &count, &null, &program.error))
        #expect(count == 13)
        var labels: [String] = []
        for index in 0..<count {
            var (characters, needed) = ([CChar](repeating: 1, count: 64), 0)
            try program.check(gesture_stream_copy_label(stream, index, &characters, 64, &needed, &program.error))
            labels.append(String(decoding: characters.prefix(needed - 1).map { UInt8(bitPattern: $0) }, as: UTF8.self))
            #expect(characters[needed - 1] == 0 && characters[needed] == 1)
            #expect(
                gesture_stream_copy_label(stream, index, &characters, needed - 1, &needed, nil) == GESTURE_TOO_SMALL)
        }
        #expect(labels[null] == "null" && labels.contains("swipeLeft") && Set(labels).count == count)
        var needed = 0
        for outside in [13, -1, Int.max] {
            #expect(
                gesture_stream_copy_label(stream, outside, nil, 0, &needed, &program.error) == GESTURE_INVALID_ARGUMENT)
        }
        #expect(program.message.contains("below 13"))
        #expect(gesture_stream_copy_label(stream, 0, nil, 64, &needed, nil) == GESTURE_INVALID_ARGUMENT)
        #expect(gesture_stream_copy_label(stream, 0, nil, 0, nil, nil) == GESTURE_INVALID_ARGUMENT)
        #expect(gesture_stream_count_labels(stream, nil, nil, nil) == GESTURE_INVALID_ARGUMENT)
        #expect(gesture_stream_count_labels(stream, &count, nil, nil) == GESTURE_OK)
    }

    @Test func timesAndStatistics() throws {
        let memory = CFrame()
        let outcomes = try [0, 0, 5, 40_000_000, 30_000_000, -1, .max, .min, 80_000_000].map {
            try program.push(memory.frame, at: $0, to: stream).outcome
        }
        let (encoded, surplus, dropped) = (
            Int32(GESTURE_FRAME_ENCODED), Int32(GESTURE_FRAME_SURPLUS), Int32(GESTURE_FRAME_DROPPED)
        )
        #expect(
            outcomes == [encoded, dropped, surplus, encoded, dropped, dropped, dropped, dropped, encoded])
        let statistics = try program.statistics(of: stream)
        #expect(statistics.admitted == 3 && statistics.surplus == 1 && statistics.dropped == 5)
        #expect(statistics.equal_times == 1 && statistics.backward_times == 2)
        #expect(statistics.beyond_horizon == 2 && statistics.unconfirmed_jumps == 0)
        #expect(statistics.begins == 0 && statistics.ends == 0)
        #expect(statistics.inference.count == 3 && statistics.inference.median > 0)
        #expect(statistics.frame.maximum >= statistics.frame.median)
    }

    @Test func unusableTimesAreReported() throws {
        let memory = CFrame()
        let faults = try (0..<30).map { _ in try program.push(memory.frame, at: -5, to: stream).time_fault }
        #expect(faults.firstIndex { $0 != GESTURE_TIMES_USABLE } == 10)
        #expect(faults.filter { $0 != GESTURE_TIMES_USABLE } == [Int32(GESTURE_TIMES_NEVER_ADVANCE)])
    }

    @Test func everyTimeFaultHasAText() {
        for number in Int32(1)...9 {
            let text = gesture_time_fault_text(number).map { String(cString: $0) }
            #expect(text?.hasSuffix(".") == true)
            #expect(gesture_time_fault_text(number) == gesture_time_fault_text(number))
        }
        for number in [Int32(GESTURE_TIMES_USABLE), -1, 10, .max] { #expect(gesture_time_fault_text(number) == nil) }
    }

    @Test func afterTheEnd() throws {
        _ = try push(0)
        #expect(gesture_stream_finish(stream, &program.error) == GESTURE_OK)
        #expect(gesture_stream_finish(stream, &program.error) == GESTURE_FINISHED)
        let memory = CFrame()
        var frame = memory.frame
        #expect(gesture_stream_push(stream, &frame, 1, nil, 0, &program.error) == GESTURE_FINISHED)
        #expect(program.message.contains("gesture_stream_reset"))
        #expect(try program.statistics(of: stream).admitted == 1)
        #expect(try scores().isEmpty)
        var (event, count) = (gesture_event(), 7)
        #expect(
            gesture_stream_take_events(stream, &event, 1, MemoryLayout<gesture_event>.size, &count, nil) == GESTURE_OK)
        #expect(count == 0)
        #expect(gesture_stream_reset(stream, &program.error) == GESTURE_OK)
        // Any time may follow.
        #expect(try push(0).outcome == GESTURE_FRAME_ENCODED)
        #expect(try program.statistics(of: stream).admitted == 2)
    }

    @Test func outputStructsOfOtherSizes() throws {
        _ = try push(0)
        let size = MemoryLayout<gesture_statistics>.size
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 16, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0xAA)
        let target = memory.baseAddress?.assumingMemoryBound(to: gesture_statistics.self)
        // A caller whose header has eight bytes more gets zeros there, and nothing behind them.
        #expect(gesture_stream_copy_statistics(stream, target, size + 8, &program.error) == GESTURE_OK)
        #expect(target?.pointee.admitted == 1)
        #expect(memory[size..<size + 8].allSatisfy { $0 == 0 } && memory[(size + 8)...].allSatisfy { $0 == 0xAA })
        for wrong in [0, size - 1, -1, 1 << 17] {
            #expect(gesture_stream_copy_statistics(stream, target, wrong, &program.error) == GESTURE_INVALID_ARGUMENT)
        }
        #expect(gesture_stream_copy_statistics(stream, nil, size, nil) == GESTURE_INVALID_ARGUMENT)
        var (event, count) = (gesture_event(), 0)
        #expect(gesture_stream_take_events(stream, &event, 1, 1, &count, nil) == GESTURE_INVALID_ARGUMENT)
        #expect(
            gesture_stream_take_events(stream, nil, 1, MemoryLayout<gesture_event>.size, &count, nil)
                == GESTURE_INVALID_ARGUMENT)
        #expect(
            gesture_stream_take_events(stream, &event, -1, MemoryLayout<gesture_event>.size, &count, nil)
                == GESTURE_INVALID_ARGUMENT)
        #expect(
            gesture_stream_take_events(stream, &event, 1, MemoryLayout<gesture_event>.size, nil, nil)
                == GESTURE_INVALID_ARGUMENT)
        var (frame, result) = (CFrame().frame, gesture_push_result())
        #expect(gesture_stream_push(stream, &frame, 1, &result, 3, nil) == GESTURE_INVALID_ARGUMENT)
        #expect(gesture_stream_push(stream, &frame, 1, nil, 24, nil) == GESTURE_INVALID_ARGUMENT)
        #expect(try program.statistics(of: stream).admitted == 1)
    }
}
