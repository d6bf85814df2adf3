public import Frames
import Network
public import Pacing
public import Scheduling
import Sensors
import Synchronization

/// A stream whose frames may come from any thread; its events are an `AsyncStream`.
///
/// `push` lays the frame on the grid and resizes it into the ring on the calling thread, while the network runs over the
/// frame before it on a thread of the stream's own. One frame may wait: a newer one takes its place and its slot repeats the
/// column before, which `statistics.superseded` counts. A consumer that is slower than the gestures never holds the camera
/// up: beyond `bufferedEvents` waiting events the oldest are given up, and the gap shows in the sequence numbers.
///
/// Invariant of the two locks: `intake` guards the grid, the schedule and the ring's next slot; `inference` guards the network
/// and recognition. `inference` is taken first where both are needed, and only its holder takes work, so the frame of the
/// work being done stays in the ring until it is done.
public final class LiveGestureStream: Sendable {
    /// Events, and changes, that may wait for the consumer.
    public static let bufferedEvents = 256

    /// The events in their order, for one consumer. Ends after `finish()` or when the stream is released; a consumer
    /// that goes away does not stop the stream.
    public var events: AsyncStream<GestureEvent> { core.events.stream }

    /// The decisions about how the stream runs, for one consumer; ends with `events`.
    public var changes: AsyncStream<StreamChange> { core.changes.stream }

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
            throw .thread(error)
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
    public func push(_ frame: borrowing PixelView, at time: Duration) -> FrameOutcome {
        let outcome = core.accept(frame, at: time.saturatedNanoseconds)
        switch outcome {
        case .encoded, .skipped: worker.signal()
        case .surplus, .dropped: break
        }
        return outcome
    }

    /// Ends the gesture that is active, if one is, and forgets every frame, after the one that waits has been recognised:
    /// when the camera stops or loses its place. Frames pushed later start anew.
    public func reset() { core.flush() }

    /// As `reset`, and then ends `events` and `changes`. Frames pushed later bring no events there.
    public func finish() {
        core.flush()
        core.close()
    }

    /// Returns when no frame waits any more and none is being worked on. Blocks the calling thread for a step at most, unless
    /// other threads go on pushing.
    public func drain() { core.work() }

    /// Takes in what the device says about itself, where the stream has no sensors of its own.
    public func update(_ reading: DeviceReading) { core.observe(reading) }

    /// What became of all frames so far.
    public var counts: FrameCounts { core.counts }

    /// How the stream runs now, and why.
    public var schedulerState: SchedulerState { core.schedulerState }

    /// What the stream has counted and measured.
    public var statistics: StreamStatistics { core.statistics }

    /// The frames that were kept, in the order of time; see `Configuration.keyframeCapacity`.
    public var keyframes: [Keyframe] { core.keyframes }

    /// What the frames of late suffer from.
    public var quality: QualityFlags { core.quality }

    /// The leading class of the newest frame, nil before a full window.
    public var prediction: Prediction? { core.prediction }

    /// Label of the gesture that has begun and not ended.
    public var activeGesture: String? { core.activeGesture }

    /// Name of the compute unit whose logits count.
    public var activeUnit: String { core.activeUnit }
}

/// What the caller's threads and the stream's own thread share. It knows neither, so nothing keeps a stream alive but its
/// owner.
private final class LiveCore: Sendable {
    let events = AsyncStream<GestureEvent>.makeStream(
        bufferingPolicy: .bufferingNewest(LiveGestureStream.bufferedEvents))
    let changes = AsyncStream<StreamChange>.makeStream(
        bufferingPolicy: .bufferingNewest(LiveGestureStream.bufferedEvents))

    private let intake: Locked<StreamIntake>
    private let inference: Locked<StreamInference>
    private let sensors: DeviceSensors?
    private let clock: StreamClock
    private let latestReading: Atomic<Int64>
    private let latestSlot = Atomic<Int64>(0)

    /// Nanoseconds between readings of the sensors, which change slowly and take tens of microseconds each.
    private static let readingInterval: Int64 = 1_000_000_000

    init(
        intake: consuming sending StreamIntake, inference: consuming sending StreamInference, sensors: DeviceSensors?,
        clock: StreamClock
    ) {
        self.intake = Locked(intake)
        self.inference = Locked(inference)
        self.sensors = sensors
        self.clock = clock
        latestReading = Atomic(clock.now() - Self.readingInterval)
    }

    func accept(_ frame: borrowing PixelView, at time: Int64) -> FrameOutcome {
        var made: [StreamChange] = []
        let outcome = Self.accept(frame, at: time, in: intake, &made)
        publish(made)
        return outcome
    }

    private static func accept(
        _ frame: borrowing PixelView, at time: Int64, in intake: Locked<StreamIntake>,
        _ changes: inout [StreamChange]
    ) -> FrameOutcome {
        StageSignpost.interval("intake") { intake.withLock { $0.accept(frame, at: time, changes: &changes) } }
    }

    /// Does the work there is, and what comes meanwhile.
    func work() {
        inference.withLock { while step(&$0) {} }
        readSensors()
    }

    private func step(_ inference: inout StreamInference) -> Bool {
        guard let (work, address) = unsafe intake.withLock({ unsafe $0.take() }) else { return false }
        var made: [StreamChange] = []
        // The ring's newest slot: only `take` moves on from it, and only the holder of `inference` calls that.
        let latency = unsafe inference.run(work, frame: address, changes: &made)
        latestSlot.store(work.slotTime, ordering: .relaxed)
        for event in inference.events { events.continuation.yield(event) }
        if work.hasFrame {
            intake.withLock { $0.observe(stepLatency: latency, at: work.slotTime, changes: &made) }
        }
        publish(made)
        return true
    }

    /// Ends the active gesture after the work there is, and forgets every frame.
    func flush() {
        inference.withLock { inference in
            while step(&inference) {}
            intake.withLock { $0.forget() }
            inference.finish()
            for event in inference.events { events.continuation.yield(event) }
        }
    }

    func close() {
        events.continuation.finish()
        changes.continuation.finish()
    }

    func observe(_ reading: DeviceReading) {
        var made: [StreamChange] = []
        let time = latestSlot.load(ordering: .relaxed)
        intake.withLock { $0.observe(reading, at: time, changes: &made) }
        publish(made)
    }

    private func readSensors() {
        guard let sensors else { return }
        let now = clock.now()
        let latest = latestReading.load(ordering: .relaxed)
        guard now - latest >= Self.readingInterval,
            latestReading.compareExchange(expected: latest, desired: now, ordering: .relaxed).exchanged
        else { return }
        observe(sensors.read())
    }

    private func publish(_ made: [StreamChange]) {
        for change in made { changes.continuation.yield(change) }
    }

    var counts: FrameCounts { intake.withLock { $0.counts } }
    var schedulerState: SchedulerState { intake.withLock { $0.state } }
    var keyframes: [Keyframe] { intake.withLock { $0.keyframes } }
    var quality: QualityFlags { intake.withLock { $0.quality } }
    var statistics: StreamStatistics {
        inference.withLock { inference in intake.withLock { inference.statistics($0) } }
    }
    var prediction: Prediction? { inference.withLock { $0.prediction } }
    var activeGesture: String? { inference.withLock { $0.activeGesture } }
    var activeUnit: String { inference.withLock { $0.activeUnit } }
}
