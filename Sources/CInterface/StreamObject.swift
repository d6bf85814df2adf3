import CGesture
import Frames
import GestureEngine
import HandPointer
import Platform
import Recognition
import Scheduling
import TrackerInference
import Vocabulary

/// A stream of a C program.
final class StreamObject: Sendable {
    private struct State: ~Copyable {
        var reader = FrameReader()
        let stream: GestureStream
        var events = WaitingEvents()
        /// The newest pointers, and whether the newest frame made them.
        var pointers = (result: HandPointer.Result(), isNew: false)
        var isFinished = false
    }

    private let state: Locked<State>
    /// The labels of the classes.
    let labels: [String]
    /// The index of the class that means no gesture.
    let nullIndex: Int

    init(_ engine: GestureEngine, _ configuration: GestureEngine.Configuration) throws(CallFailure) {
        let stream = try CallFailure.engine { () throws(EngineError) in try engine.makeStream(configuration) }
        labels = stream.labels
        nullIndex = engine.nullIndex
        state = Locked(State(stream: stream))
    }

    /// Pushes a frame, and keeps its events.
    func push(
        _ frame: UnsafePointer<gesture_frame>?, at time: Int64
    ) throws(CallFailure) -> gesture_push_result {
        try state.withLock { (state: inout State) throws(CallFailure) in
            guard !state.isFinished else { throw Self.finished }
            let stream = state.stream
            let result = unsafe try state.reader.withView(of: frame) { stream.push($0, at: .nanoseconds(time)) }
            state.events.append(result.events)
            state.pointers = (result.pointer ?? state.pointers.result, result.pointer != nil)
            return gesture_push_result(result, waiting: state.events.count, isArmed: stream.isArmed)
        }
    }

    private static var finished: CallFailure {
        CallFailure(.finished, "The stream is finished. gesture_stream_reset begins it anew.")
    }

    /// Moves the oldest events to a caller, as many as fit, and returns how many.
    func takeEvents(to target: CallersArray<gesture_event>) -> Int {
        state.withLock { state in
            let count = min(target.capacity, state.events.count)
            for index in 0..<count { target.write(gesture_event(state.events.removeFirst()), at: index) }
            return count
        }
    }

    var pointers: gesture_pointers {
        state.withLock { gesture_pointers($0.pointers.result, isNew: $0.pointers.isNew) }
    }

    func copyHands(to target: FoundTarget<gesture_hand>) throws(CallFailure) {
        try state.withLock { (state: inout State) throws(CallFailure) in
            try target.write(state.stream.hands.map { gesture_hand($0) })
        }
    }

    /// Writes the probabilities, and returns how many; 0 before the first prediction.
    func copyScores(to scores: UnsafeMutablePointer<Float>?, capacity: Int) -> Int {
        state.withLock { state in
            var span = unsafe MutableSpan<Float>(
                _unsafeElements: UnsafeMutableBufferPointer(start: scores, count: capacity))
            return state.stream.copyProbabilities(to: &span) ? labels.count : 0
        }
    }

    var statistics: SessionStatistics { state.withLock { $0.stream.statistics } }

    /// Begins anew; the active gesture ends.
    func reset() {
        state.withLock { state in
            state.events.append(state.stream.finish())
            state.isFinished = false
        }
    }

    /// Ends the stream; the active gesture ends.
    func finish() throws(CallFailure) {
        try state.withLock { (state: inout State) throws(CallFailure) in
            guard !state.isFinished else { throw Self.finished }
            state.events.append(state.stream.finish())
            state.isFinished = true
        }
    }
}

/// Events that no caller has taken, the oldest first.
private struct WaitingEvents {
    /// More than a minute of the busiest stream; older ones make room.
    private static let limit = 1024

    private var events: [GestureEvent] = []

    var count: Int { events.count }

    mutating func append(_ new: [GestureEvent]) {
        events.append(contentsOf: new)
        if events.count > Self.limit { events.removeFirst(events.count - Self.limit) }
    }

    /// Requires that there is one.
    mutating func removeFirst() -> GestureEvent { events.removeFirst() }
}

extension gesture_push_result {
    fileprivate init(_ result: FrameResult, waiting: Int, isArmed: Bool) {
        self.init()
        let outcome =
            switch result.outcome {
            case .encoded: GESTURE_FRAME_ENCODED
            case .surplus: GESTURE_FRAME_SURPLUS
            case .dropped: GESTURE_FRAME_DROPPED
            // A synchronous stream is never closed.
            case .skipped, .closed: GESTURE_FRAME_SKIPPED
            }
        self.outcome = Int32(outcome)
        class_index = Int32(result.prediction?.classIndex ?? -1)
        confidence = result.prediction?.confidence ?? 0
        quality = UInt32(result.quality.rawValue)
        waiting_events = UInt64(waiting)
        for case .times(let fault) in result.changes { time_fault = fault.code }
        is_armed = isArmed ? 1 : 0
    }
}

extension gesture_event {
    fileprivate init(_ event: GestureEvent) {
        self.init()
        let (kind, cause) =
            switch event.kind {
            case .begin: (GESTURE_EVENT_BEGIN, GESTURE_END_NONE)
            case .end(.released): (GESTURE_EVENT_END, GESTURE_END_RELEASED)
            case .end(.unsure): (GESTURE_EVENT_END, GESTURE_END_UNSURE)
            case .end(.expired): (GESTURE_EVENT_END, GESTURE_END_EXPIRED)
            case .end(.flushed): (GESTURE_EVENT_END, GESTURE_END_FLUSHED)
            }
        self.kind = Int32(kind)
        end_cause = Int32(cause)
        class_index = Int32(event.classIndex)
        confidence = event.confidence
        onset = event.onset.saturatedNanoseconds
        decision = event.decision.saturatedNanoseconds
        sequence = event.sequence
        unsafe withUnsafeMutableBytes(of: &label) { unsafe write(event.label, to: $0) }
    }
}

extension gesture_statistics {
    init(_ statistics: SessionStatistics) {
        self.init()
        let frames = statistics.frames
        admitted = UInt64(frames.run)
        repeats = UInt64(frames.repeats)
        surplus = UInt64(frames.surplus)
        resets = UInt64(frames.resets)
        dropped = UInt64(frames.drops)
        equal_times = UInt64(frames.equalTimestamps)
        backward_times = UInt64(frames.backwardTimestamps)
        beyond_horizon = UInt64(frames.beyondHorizon)
        unconfirmed_jumps = UInt64(frames.unconfirmedJumps)
        begins = UInt64(statistics.begins.reduce(0, +))
        ends = UInt64(statistics.ends.reduce(0, +))
        intake = gesture_latency(statistics.intake)
        inference = gesture_latency(statistics.inference)
        recognition = gesture_latency(statistics.recognition)
        frame = gesture_latency(statistics.frame)
    }
}

extension gesture_latency {
    fileprivate init(_ latency: SessionStatistics.Latency?) {
        self.init()
        guard let latency else { return }
        count = UInt64(latency.count)
        median = latency.p50.saturatedNanoseconds
        percentile95 = latency.p95.saturatedNanoseconds
        percentile99 = latency.p99.saturatedNanoseconds
        maximum = latency.maximum.saturatedNanoseconds
    }
}
