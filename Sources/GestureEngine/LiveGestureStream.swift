public import Frames
public import HandTracking
import Network
import Platform
public import Recognition
public import Scheduling
import Streams
import Synchronization
public import Vocabulary

/// A stream that takes frames from any thread and gives its events as an `AsyncStream`.
///
/// `push` lays the frame on the grid and stages it on the calling thread. Meanwhile the stream's own thread runs the
/// networks over an earlier frame. One frame may wait. A newer frame replaces it: the slot of the older one repeats the
/// column before, and `statistics.superseded` counts it. A slow listener never delays the camera: beyond
/// `bufferedEvents` waiting events the oldest are dropped, `lostEvents` counts them, and the sequence numbers show the
/// gap.
///
/// No call waits for more than two steps of the network. Properties never wait for a step.
///
/// There are three locks, taken in this order. `inference` guards the network and recognition; it is released after
/// each step and goes to the thread that asked first. `results` guards the copies that properties read. `intake` guards
/// the grid, the schedule and the ring's next two cells. Only the holder of `inference` takes work, so the frame of
/// that work stays in place until the work is done.
public final class LiveGestureStream: Sendable {
    /// The most events that may wait for a listener, and the most changes.
    public static let bufferedEvents = 256

    /// The events in their order. Each access makes a new listener, which gets every event from then on; the first
    /// listener also gets the events before it. Listeners do not take events from each other. The sequence ends after
    /// `finish()`, or when the stream is released.
    public var events: AsyncStream<GestureEvent> { core.events.stream() }

    /// The decisions about how the stream runs; listeners as for `events`.
    public var changes: AsyncStream<StreamChange> { core.changes.stream() }

    /// Events given up because a listener was too slow, summed over all listeners.
    public var lostEvents: Int { core.events.lost }

    /// Changes given up because a listener was too slow, summed over all listeners.
    public var lostChanges: Int { core.changes.lost }

    private let core: LiveCore
    private let worker: WorkerThread

    init(
        intake: consuming sending StreamIntake, inference: consuming sending StreamInference, sensors: DeviceSensors?,
        clock: StreamClock
    ) throws(GestureEngineError) {
        let core = LiveCore(intake: intake, inference: inference, sensors: sensors, clock: clock)
        self.core = core
        do {
            worker = try WorkerThread(name: "gesture-stream") { core.work() }
        } catch {
            throw .thread(code: error.code)
        }
    }

    deinit {
        worker.stop()
        core.close()
    }

    /// Takes one frame in.
    ///
    /// - frame: the pixels. They are not read after this returns.
    /// - time: when the frame was taken, as for `GestureStream.push`.
    /// - Returns: the frame's outcome; `.encoded` means that it waits for the network.
    @discardableResult
    public func push(_ frame: borrowing PixelView, at time: Duration) -> FrameResult.Outcome {
        let outcome = core.accept(frame, at: time.saturatedNanoseconds)
        switch outcome {
        case .encoded, .skipped: worker.signal()
        case .surplus, .dropped, .closed: break
        }
        return outcome
    }

    /// Recognises the waiting frame, ends the active gesture, if there is one, and forgets every frame. Call it when
    /// the camera stops or moves. Frames pushed later start anew. Blocks for two steps at most.
    public func reset() { core.flush(closing: false) }

    /// Does what `reset` does, then ends `events` and `changes`. Later pushes return `FrameResult.Outcome.closed`.
    public func finish() {
        core.flush(closing: true)
        core.close()
    }

    /// Returns when the waiting frame and the one before it have been recognised. Blocks for two steps at most. A frame
    /// that another thread pushes meanwhile may still wait afterwards.
    public func drain() { core.drain() }

    /// Gives the scheduler a reading of the device's state, for a stream without sensors of its own.
    public func update(_ reading: DeviceReading) { core.observe(reading) }

    /// The outcomes of all frames so far.
    public var counts: FrameCounts { core.counts }

    /// How the stream runs now, and why.
    public var schedulerState: SchedulerState { core.schedulerState }

    /// What the stream has counted and measured.
    public var statistics: SessionStatistics { core.statistics }

    /// The keyframes in the order of time; see `GestureEngine.Configuration.keyframeCapacity`.
    public var keyframes: [GestureStream.Keyframe] { core.keyframes }

    /// Faults of the latest frames, such as darkness or blur.
    public var quality: QualityFlags { core.quality }

    /// The leading class of the newest slot; nil before a full window.
    public var prediction: FrameResult.Prediction? { core.prediction }

    /// The labels of the classes that events and predictions name by index: the model's, then the user's, then those of
    /// held poses that the model lacks.
    public var labels: [String] { core.labels }

    /// Writes the probabilities behind `prediction`, as `GestureStream.copyProbabilities` does.
    public func copyProbabilities(to probabilities: inout MutableSpan<Float>) -> Bool {
        core.copyProbabilities(to: &probabilities)
    }

    /// The thresholds in force, those of the front end in use.
    public var recognition: RecognitionConfiguration { core.recognition }

    /// Changes the thresholds, as `GestureStream.setRecognition` does, from the next frame that the network takes.
    /// Waits for the current step.
    public func setRecognition(_ recognition: RecognitionConfiguration?) throws(GestureEngineError) {
        try core.setRecognition(recognition)
    }

    /// The label of the active gesture, which has begun and not ended; nil without one.
    public var activeGesture: String? { core.activeGesture }

    /// The name of the compute unit whose logits are used.
    public var activeUnit: String { core.activeUnit }

    /// The hands of the newest frame that was recognised; none with the pixel front end.
    public var hands: [TrackedHand] { core.hands }
}

/// The state that the caller's threads and the stream's own thread share. It does not refer to the stream, so the
/// stream's thread does not keep the stream alive.
private final class LiveCore: Sendable {
    let events = Broadcast<GestureEvent>(limit: LiveGestureStream.bufferedEvents)
    let changes = Broadcast<StreamChange>(limit: LiveGestureStream.bufferedEvents)

    let labels: [String]

    private let inference: FairLocked<StreamInference>
    private let results: Locked<StreamResults>
    private let intake: Locked<StreamIntake>
    private let sensors: SensorPoll
    private let latestSlot = Atomic<Int64>(0)

    init(
        intake: consuming sending StreamIntake, inference: consuming sending StreamInference, sensors: DeviceSensors?,
        clock: StreamClock
    ) {
        labels = inference.labels
        results = Locked(StreamResults(inference))
        self.intake = Locked(intake)
        self.inference = FairLocked(inference)
        self.sensors = SensorPoll(sensors, clock: clock)
    }

    func accept(_ frame: borrowing PixelView, at time: Int64) -> FrameResult.Outcome {
        var made: [StreamChange] = []
        let outcome = Self.accept(frame, at: time, in: intake, &made)
        publish(made)
        return outcome
    }

    private static func accept(
        _ frame: borrowing PixelView, at time: Int64, in intake: Locked<StreamIntake>,
        _ changes: inout [StreamChange]
    ) -> FrameResult.Outcome {
        StageSignpost.interval("intake") { intake.withLock { $0.accept(frame, at: time, changes: &changes) } }
    }

    /// Does the waiting work, and all that arrives meanwhile.
    func work() {
        while step() { readSensors() }
    }

    /// Does the waiting work.
    func drain() {
        _ = step()
        readSensors()
    }

    private func step() -> Bool {
        inference.withLock { inference in
            guard let taken = intake.withLock({ $0.take() }) else { return false }
            run(taken, by: &inference)
            return true
        }
    }

    private func run(_ taken: TakenWork, by inference: inout StreamInference) {
        var made: [StreamChange] = []
        let work = taken.work
        // The frame is the ring's newest cell or the newest copy. Only `take` replaces these, and only the holder of
        // `inference` calls it.
        if let copy = taken.copy {
            copy.withView { inference.run(work, frame: .camera($0), changes: &made) }
        } else if let luma = taken.luma {
            inference.run(work, frame: .luma(luma.luma), changes: &made)
        } else {
            inference.run(work, frame: nil, changes: &made)
        }
        latestSlot.store(work.slotTime, ordering: .relaxed)
        show(inference)
        if work.hasFrame {
            intake.withLock { $0.observe(inference.times, at: work.slotTime, changes: &made) }
        }
        publish(made)
    }

    private func show(_ inference: borrowing StreamInference) {
        results.withLock { $0.take(inference) }
        for event in inference.events { events.send(event) }
    }

    /// Does the waiting work, ends the active gesture and forgets every frame.
    /// - closing: whether later frames are refused, so that this work is the last.
    func flush(closing: Bool) {
        inference.withLock { inference in
            let taken = intake.withLock { intake in
                if closing { intake.close() }
                return intake.take()
            }
            if let taken { run(taken, by: &inference) }
            intake.withLock { $0.forget() }
            inference.finish()
            show(inference)
        }
    }

    func close() {
        events.finish()
        changes.finish()
    }

    func setRecognition(_ recognition: RecognitionConfiguration?) throws(GestureEngineError) {
        try inference.withLock { inference throws(GestureEngineError) in
            try inference.changeRecognition(to: recognition)
            results.withLock { $0.take(thresholdsOf: inference) }
        }
    }

    func copyProbabilities(to probabilities: inout MutableSpan<Float>) -> Bool {
        results.withLock { $0.copyProbabilities(to: &probabilities) }
    }

    func observe(_ reading: DeviceReading) {
        var made: [StreamChange] = []
        let time = latestSlot.load(ordering: .relaxed)
        intake.withLock { $0.observe(reading, at: time, changes: &made) }
        publish(made)
    }

    private func readSensors() {
        if let reading = sensors.readIfDue() { observe(reading) }
    }

    private func publish(_ made: [StreamChange]) {
        for change in made { changes.send(change) }
    }

    var counts: FrameCounts { intake.withLock { $0.counts } }
    var schedulerState: SchedulerState { intake.withLock { $0.state } }
    var keyframes: [GestureStream.Keyframe] { intake.withLock { $0.keyframes } }
    var quality: QualityFlags { intake.withLock { $0.quality } }
    var statistics: SessionStatistics {
        results.withLock { results in intake.withLock { results.statistics($0) } }
    }
    var prediction: FrameResult.Prediction? { results.withLock { $0.prediction } }
    var recognition: RecognitionConfiguration { results.withLock { $0.recognition } }
    var activeGesture: String? { results.withLock { $0.activeGesture } }
    var activeUnit: String { results.withLock { $0.activeUnit } }
    var hands: [TrackedHand] { results.withLock { $0.hands } }
}
