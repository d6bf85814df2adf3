public import Frames
public import HandPointer
public import HandTracking
import Network
import Platform
public import Recognition
public import Scheduling
import Streams
import Synchronization
public import TrackerInference
public import Vocabulary

/// A stream that takes frames from any thread and gives its events as an `AsyncStream`.
///
/// `push` lays the frame on the grid and stages it on the calling thread. Meanwhile the stream's own thread runs the
/// networks over an earlier frame. One frame may wait. A newer frame replaces it: the slot of the older one repeats the
/// column before, and `statistics.superseded` counts it. A slow listener never delays the camera: beyond
/// `bufferedEvents` waiting events the oldest are dropped, `lostEvents` counts them, and the sequence numbers show the
/// gap.
///
/// No call waits for more than two steps of the network. Properties never wait for a step; of all only `keyframes` waits
/// while a frame is staged.
public final class LiveGestureStream: Sendable {
    // There is a lock beside those of `LiveWorker`: that of `GestureOutput`, which guards the copies that properties
    // read. It is taken after `processing` and before `intake`.

    /// The most events that may wait for a listener, and the most changes.
    public static let bufferedEvents = 256

    /// How many frames' hands may wait for a listener.
    public static let bufferedHands = 16

    /// The hands of one frame.
    public struct HandFrame: Sendable, Equatable {
        /// Number among the frames in which hands were looked for, from 0; a gap shows a lost element.
        public let sequence: Int
        /// When the frame was taken, as it was pushed.
        public let time: Duration
        /// Time from `push` to this element.
        public let latency: Duration
        /// The hands, each with landmarks, presence, handedness, pose and identity, those tracked longer first. Empty
        /// in a frame without hands.
        public let hands: [TrackedHand]
        /// The identity of the hand whose gestures are recognised, which
        /// `GestureEngine.Configuration.gesturingHand` chooses; nil without one.
        public let gesturingHand: Int?
        /// Where the hands point, with what they press; nil without `GestureEngine.Configuration.pointer`.
        public let pointer: HandPointer.Result?
    }

    /// The events in their order. Each access makes a new listener, which gets every event from then on; the first
    /// listener also gets the events before it. Listeners do not take events from each other. The sequence ends after
    /// `finish()`, or when the stream is released.
    public var events: AsyncStream<GestureEvent> { output.events.stream() }

    /// The decisions about how the stream runs; listeners as for `events`.
    public var changes: AsyncStream<StreamChange> { output.changes.stream() }

    /// The hands of every frame that was recognised, in their order; listeners as for `events`. Beyond `bufferedHands`
    /// waiting elements the oldest are dropped. A stream of the pixel front end has none.
    public var hands: AsyncStream<HandFrame> { output.hands.stream() }

    /// Events given up because a listener was too slow, summed over all listeners.
    public var lostEvents: Int { output.events.lost }

    /// Changes given up because a listener was too slow, summed over all listeners.
    public var lostChanges: Int { output.changes.lost }

    /// Elements of `hands` given up because a listener was too slow, summed over all listeners.
    public var lostHands: Int { output.hands.lost }

    private let output: GestureOutput
    private let worker: LiveWorker<StreamIntake, SlotRecognition>

    init(
        intake: consuming sending StreamIntake, inference: consuming sending SlotRecognition, sensors: DeviceSensors?,
        clock: StreamClock
    ) throws(EngineError) {
        let output = GestureOutput(inference, clock: clock)
        self.output = output
        do {
            worker = try LiveWorker(
                name: "gesture-stream", intake: LiveIntake(intake), processing: inference, sensors: sensors,
                clock: clock
            ) { work, frame, inference, intake in
                output.run(work, frame, by: &inference, intake)
            } observe: { reading, intake in
                output.observe(reading, intake)
            }
        } catch {
            throw .thread(code: error.code)
        }
    }

    deinit {
        worker.stop()
        output.close()
    }

    /// Takes one frame in.
    ///
    /// - frame: the pixels. They are not read after this returns.
    /// - time: when the frame was taken, as for `GestureStream.push`.
    /// - Returns: the frame's outcome; `.encoded` means that it waits for the network.
    @discardableResult
    public func push(_ frame: borrowing PixelView, at time: Duration) -> FrameResult.Outcome {
        var made: [StreamChange] = []
        let outcome = Self.accept(frame, at: time.saturatedNanoseconds, worker, &made)
        output.send(made)
        switch outcome {
        case .encoded, .skipped: worker.signal()
        case .surplus, .dropped, .closed: break
        }
        return outcome
    }

    private static func accept(
        _ frame: borrowing PixelView, at time: Int64, _ worker: LiveWorker<StreamIntake, SlotRecognition>,
        _ changes: inout [StreamChange]
    ) -> FrameResult.Outcome {
        StageSignpost.interval("intake") {
            worker.withIntake { intake in
                intake.accept(frame, closed: .closed) {
                    $0.accept(frame, at: time, changes: &changes)
                } superseded: {
                    $0.observeSuperseded(at: $1.slotTime, changes: &changes)
                }
            }
        }
    }

    /// Recognises the waiting frame, ends the active gesture, if there is one, and forgets every frame. Call it when
    /// the camera stops or moves. Frames pushed later start anew. Blocks for two steps at most.
    public func reset() { flush(closing: false) }

    /// Does what `reset` does, then ends `events`, `hands` and `changes`. Later pushes return
    /// `FrameResult.Outcome.closed`.
    public func finish() {
        flush(closing: true)
        output.close()
    }

    private func flush(closing: Bool) {
        worker.flush(closing: closing) { inference in
            inference.finish()
            output.show(inference)
        }
    }

    /// Returns when the waiting frame and the one before it have been recognised. Blocks for two steps at most. A frame
    /// that another thread pushes meanwhile may still wait afterwards.
    public func drain() { worker.drain() }

    /// Gives the scheduler a reading of the device's state, for a stream without sensors of its own.
    public func update(_ reading: DeviceReading) { worker.observe(reading) }

    /// The outcomes of all frames so far.
    public var counts: FrameCounts { worker.status.gate.counts }

    /// How the stream runs now, and why.
    public var schedulerState: SchedulerState { worker.status.gate.state }

    /// What the stream has counted and measured.
    public var statistics: SessionStatistics {
        output.withResults { $0.statistics(worker.status.gate, superseded: worker.status.superseded) }
    }

    /// The keyframes in the order of time; see `GestureEngine.Configuration.keyframeCapacity`.
    public var keyframes: [GestureStream.Keyframe] { worker.withIntake { $0.gate.keyframes } }

    /// Faults of the latest frames, such as darkness or blur.
    public var quality: QualityFlags { worker.status.gate.quality }

    /// The leading class of the newest slot; nil before enough frames.
    public var prediction: FrameResult.Prediction? { output.withResults { $0.prediction } }

    /// The labels of the classes that events and predictions name by index: the model's, then the user's, then those of
    /// held poses that the model lacks.
    public var labels: [String] { output.labels }

    /// Writes the probabilities behind `prediction`, as `GestureStream.copyProbabilities` does.
    public func copyProbabilities(to probabilities: inout MutableSpan<Float>) -> Bool {
        output.copyProbabilities(to: &probabilities)
    }

    /// The thresholds in force.
    public var recognition: RecognitionConfiguration { output.withResults { $0.recognition } }

    /// Changes the thresholds, as `GestureStream.setRecognition` does, from the next frame that the network takes.
    /// Waits for the current step.
    public func setRecognition(_ recognition: RecognitionConfiguration?) throws(EngineError) {
        try worker.withProcessing { inference throws(EngineError) in
            try inference.changeRecognition(to: recognition)
            output.takeThresholds(of: inference)
        }
    }

    /// The label of the active gesture, which has begun and not ended; nil without one.
    public var activeGesture: String? { output.withResults { $0.activeGesture } }

    /// Whether gestures count now, as `GestureStream.isArmed`.
    public var isArmed: Bool { output.withResults { $0.isArmed } }

    /// The name of the compute unit whose logits are used.
    public var activeUnit: String { output.withResults { $0.activeUnit } }

    /// The hands of the newest frame that was recognised; none with the pixel front end.
    public var latestHands: [TrackedHand] { output.withResults { $0.hands } }
}

/// The results of the stream's own thread, for listeners and properties. It does not refer to the stream, so the thread
/// does not keep the stream alive.
private final class GestureOutput: Sendable {
    let events = Broadcast<GestureEvent>(limit: LiveGestureStream.bufferedEvents)
    let changes = Broadcast<StreamChange>(limit: LiveGestureStream.bufferedEvents)
    let hands = Broadcast<LiveGestureStream.HandFrame>(limit: LiveGestureStream.bufferedHands)

    let labels: [String]

    private let results: Locked<StreamResults>
    private let clock: StreamClock
    private let latestSlot = Atomic<Int64>(0)
    private let handFrames = Atomic(0)

    init(_ inference: borrowing SlotRecognition, clock: StreamClock) {
        labels = inference.labels
        results = Locked(StreamResults(inference))
        self.clock = clock
    }

    func run(
        _ work: SlotWork, _ frame: StagedFrame?, by inference: inout SlotRecognition,
        _ intake: LockedIntake<StreamIntake>
    ) {
        var made: [StreamChange] = []
        // Only `take` replaces the frame, and only the thread that runs this calls it.
        if let frame {
            frame.withView { inference.run(work, frame: copy $0, changes: &made) }
        } else {
            inference.run(work, frame: nil, changes: &made)
        }
        latestSlot.store(work.slotTime, ordering: .relaxed)
        show(inference)
        if work.hasFrame {
            if inference.landmarks != nil { sendHands(of: work) }
            let (times, activity) = (inference.times, inference.activity)
            intake.withLock { $0.gate.observe(times, activity: activity, at: work.slotTime, changes: &made) }
        }
        send(made)
    }

    /// Copies the results for the properties, and sends the events.
    func show(_ inference: borrowing SlotRecognition) {
        results.withLock { $0.take(inference) }
        guard !inference.events.isEmpty else { return }
        let now = clock.now()
        for index in inference.events.indices {
            var event = inference.events[index]
            if event.kind != .end(.flushed) { event.latency = .nanoseconds(now - inference.arrivals[index]) }
            events.send(event)
        }
    }

    private func sendHands(of work: SlotWork) {
        let (found, gesturing, pointer) = results.withLock { ($0.hands, $0.gesturingHand, $0.pointer) }
        hands.send(
            LiveGestureStream.HandFrame(
                sequence: handFrames.wrappingAdd(1, ordering: .relaxed).oldValue, time: .nanoseconds(work.frameTime),
                latency: .nanoseconds(clock.now() - work.arrival), hands: found, gesturingHand: gesturing,
                pointer: pointer))
    }

    func send(_ made: [StreamChange]) {
        for change in made { changes.send(change) }
    }

    func observe(_ reading: DeviceReading, _ intake: LockedIntake<StreamIntake>) {
        var made: [StreamChange] = []
        let time = latestSlot.load(ordering: .relaxed)
        intake.withLock { $0.gate.observe(reading, at: time, changes: &made) }
        send(made)
    }

    func close() {
        events.finish()
        changes.finish()
        hands.finish()
    }

    func takeThresholds(of inference: borrowing SlotRecognition) {
        results.withLock { $0.take(thresholdsOf: inference) }
    }

    func copyProbabilities(to probabilities: inout MutableSpan<Float>) -> Bool {
        results.withLock { $0.copyProbabilities(to: &probabilities) }
    }

    func withResults<Result>(_ body: (inout StreamResults) -> Result) -> Result { results.withLock { body(&$0) } }
}
