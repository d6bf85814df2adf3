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
/// `push` lays the frame on the grid and stages it on the calling thread. The networks run over the frame before it on a
/// thread of the stream's own. One frame may wait. A newer frame takes its place; the slot of the older one then repeats the
/// column before, and `statistics.superseded` counts it. A slow listener never holds the camera up: beyond
/// `bufferedEvents` waiting events the oldest are dropped, `lostEvents` counts them, and the sequence numbers show the gap.
///
/// No call waits for more than two steps of the network. Properties never wait for one.
///
/// Three locks, taken in this order. `inference` guards the network and recognition; it is released after each step and
/// goes to the thread that asked first. `results` guards the copies that properties read. `intake` guards the grid, the
/// schedule and the ring's next two cells. Only the holder of `inference` takes work, so the frame of that work stays in
/// the ring until the work is done.
public final class LiveGestureStream: Sendable {
    /// Events, and changes, that may wait for a listener.
    public static let bufferedEvents = 256

    /// The events in their order. Each access makes a new listener, which gets every event from then on; the first listener
    /// also gets the events before it. Listeners do not take events from each other. Ends after `finish()`, or when the
    /// stream is released.
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
    /// - frame: the pixels; nothing of them is kept when this returns.
    /// - time: when it was taken, as `GestureStream.push`.
    /// - Returns: what becomes of the frame; `.encoded` means that it waits for the network.
    @discardableResult
    public func push(_ frame: borrowing PixelView, at time: Duration) -> FrameResult.Outcome {
        let outcome = core.accept(frame, at: time.saturatedNanoseconds)
        switch outcome {
        case .encoded, .skipped: worker.signal()
        case .surplus, .dropped, .closed: break
        }
        return outcome
    }

    /// Recognises the frame that waits, ends the active gesture, if there is one, and forgets every frame: for a camera that
    /// stops or moves. Frames pushed later start anew. Blocks for two steps at most.
    public func reset() { core.flush(closing: false) }

    /// Does what `reset` does, then ends `events` and `changes`. Frames pushed later are `FrameResult.Outcome.closed`.
    public func finish() {
        core.flush(closing: true)
        core.close()
    }

    /// Returns when the frame that waits and the one before it have been recognised. Blocks for two steps at most. Frames
    /// that other threads push meanwhile may wait again.
    public func drain() { core.drain() }

    /// Takes in what the device says about itself, where the stream has no sensors of its own.
    public func update(_ reading: DeviceReading) { core.observe(reading) }

    /// What became of all frames so far.
    public var counts: FrameCounts { core.counts }

    /// How the stream runs now, and why.
    public var schedulerState: SchedulerState { core.schedulerState }

    /// What the stream has counted and measured.
    public var statistics: SessionStatistics { core.statistics }

    /// The frames that were kept, in the order of time; see `GestureEngine.Configuration.keyframeCapacity`.
    public var keyframes: [GestureStream.Keyframe] { core.keyframes }

    /// What the frames of late suffer from.
    public var quality: QualityFlags { core.quality }

    /// The leading class of the newest frame, nil before a full window.
    public var prediction: FrameResult.Prediction? { core.prediction }

    /// The classes that events and predictions name by index: the model's and then the user's.
    public var labels: [String] { core.labels }

    /// Writes the probabilities behind `prediction`, as `GestureStream.copyProbabilities` does.
    public func copyProbabilities(to probabilities: inout MutableSpan<Float>) -> Bool {
        core.copyProbabilities(to: &probabilities)
    }

    /// The thresholds in force, of the front end that serves.
    public var recognition: RecognitionConfiguration { core.recognition }

    /// Goes on by other thresholds, as `GestureStream.setRecognition` does, from the next frame that the network takes on.
    /// Waits for the step that is being done.
    public func setRecognition(_ recognition: RecognitionConfiguration?) throws(GestureEngineError) {
        try core.setRecognition(recognition)
    }

    /// Label of the gesture that has begun and not ended.
    public var activeGesture: String? { core.activeGesture }

    /// Name of the compute unit whose logits count.
    public var activeUnit: String { core.activeUnit }

    /// The hands of the newest frame that was recognised, as `GestureStream.hands`; none with pixels.
    public var hands: [TrackedHand] { core.hands }
}

/// The state that the caller's threads and the stream's own thread share. It refers to neither, so only its owner keeps a
/// stream alive.
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

    /// Does the work there is, and what comes meanwhile.
    func work() {
        while step() { readSensors() }
    }

    /// Does the work there is.
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
        // The ring's newest cell and the newest copy: only `take` moves on from them, and only the holder of `inference`
        // calls that.
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

    /// Ends the active gesture after the work there is, and forgets every frame.
    /// - closing: lets no frame in any more, so that nothing comes after that work.
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
