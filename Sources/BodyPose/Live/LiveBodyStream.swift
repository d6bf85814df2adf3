public import BodyTracking
public import Frames
import Platform
public import Scheduling
import Streams
import TrackerInference
import Vocabulary

/// A stream whose frames may come from any thread and whose results are an `AsyncStream`.
///
/// `push` copies the frame; the networks run on the stream's own thread. One frame may wait, and a newer one replaces
/// it. Heat and battery determine whether every frame is taken, every second or every third (`SchedulerState.Budget`).
/// A listener that is slower than the results loses the oldest of them and sees the gap in `Result.sequence`; it never
/// holds up the camera.
public final class LiveBodyStream: Sendable {
    /// How many results may wait for a listener.
    public static let bufferedResults = 16

    /// The result of one frame.
    public struct Result: Sendable {
        /// Number among the frames that were tracked, from 0.
        public let sequence: Int
        /// When the frame was taken, as it was pushed.
        public let time: Duration
        /// Time from `push` to this result.
        public let latency: Duration
        /// The bodies, held ones included, those followed longest first.
        public let bodies: [TrackedBody]
        /// Whether the user should be asked to step back into the frame.
        public let isBodyLost: Bool
        /// How much the app should draw: 0 the least that serves, 1 no decoration, 2 everything.
        public let interfaceDetail: Int
    }

    /// What happened to a pushed frame.
    public enum Outcome: Sendable, Equatable {
        /// It waits for the networks.
        case taken
        /// It was left out, for the budget's reason.
        case skipped(SchedulerState.SkipReason)
        /// The stream is finished.
        case closed
    }

    /// The results in their order. Each access makes a new listener, which gets every result from then on; the first
    /// listener also gets the results before it. The sequence ends after `finish()`, or when the stream is released.
    public var results: AsyncStream<Result> { output.results.stream() }

    /// Changes of the budget of heat and battery; listeners as for `results`.
    public var changes: AsyncStream<StreamChange> { output.changes.stream() }

    /// Results dropped because a listener was too slow, summed over all listeners.
    public var lostResults: Int { output.results.lost }

    /// Changes dropped because a listener was too slow, summed over all listeners.
    public var lostChanges: Int { output.changes.lost }

    private let output: BodyOutput
    private let worker: LiveWorker<BodyGate, BodyProcessing>

    init(stream: sending BodyStream, sensors: DeviceSensors?, clock: StreamClock) throws(EngineError) {
        let output = BodyOutput(clock: clock)
        self.output = output
        do {
            worker = try LiveWorker(
                name: "body-stream", intake: LiveIntake(BodyGate()), processing: BodyProcessing(stream: stream),
                sensors: sensors, clock: clock
            ) { work, frame, processing, intake in
                if let frame { output.track(work, frame, by: &processing, intake) }
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

    /// Takes one frame; it keeps nothing of the frame's memory after it returns.
    @discardableResult
    public func push(_ frame: borrowing PixelView, at time: Duration) -> Outcome {
        let outcome = Self.accept(frame, BodyWork(time: time, arrival: output.now), worker)
        if outcome == .taken { worker.signal() }
        return outcome
    }

    private static func accept(
        _ frame: borrowing PixelView, _ work: BodyWork, _ worker: LiveWorker<BodyGate, BodyProcessing>
    ) -> Outcome {
        worker.withIntake {
            $0.accept(frame, closed: .closed) {
                $0.accept(work)
            } superseded: { _, _ in
            }
        }
    }

    /// Tracks the waiting frame and forgets all bodies and frames, as when the camera stops or moves. Later frames start
    /// anew. Blocks for at most two frames' work; a frame that another thread pushes meanwhile counts as superseded.
    public func reset() { worker.flush(closing: false) { output.reset(&$0) } }

    /// Does what `reset` does, then ends `results` and `changes`. Frames pushed later are `closed`.
    public func finish() {
        worker.flush(closing: true) { output.reset(&$0) }
        output.close()
    }

    /// Returns when the waiting frame and the one before it have been tracked. Blocks for at most two frames' work;
    /// frames that other threads push meanwhile may wait again.
    public func drain() { worker.drain() }

    /// Takes in the device's state, for a stream without sensors of its own.
    public func update(_ reading: DeviceReading) { worker.observe(reading) }

    /// How the stream runs now, and why.
    public var schedulerState: SchedulerState { worker.status.gate.state }

    /// What the stream has counted and measured. `inference` is the time of the networks, `frame` the time from `push`
    /// to the result; there is no recognition, and the intake is not measured.
    public var statistics: SessionStatistics {
        output.withResults { $0.statistics(worker.status.gate, superseded: worker.status.superseded) }
    }

    /// Frames taken, frames left out by reason, and changes of the budget.
    public var scheduling: SessionStatistics.SchedulingCounts { worker.status.gate.scheduling }

    /// Frames replaced by newer ones before the networks took them.
    public var superseded: Int { worker.status.superseded }

    /// The bodies of the newest frame that was tracked, held ones included.
    public var latestBodies: [TrackedBody] { output.withResults { $0.bodies } }
}

/// A frame that waits for the networks.
private struct BodyWork: MergedWork {
    let time: Duration
    /// When it was pushed, by the stream's clock.
    let arrival: Int64

    var hasFrame: Bool { true }

    mutating func merge(_ next: BodyWork) -> Bool {
        self = next
        return true
    }
}

/// Makes work of every frame, or of fewer by the budget.
private struct BodyGate: FrameGate {
    typealias Work = BodyWork

    /// The state that properties of a stream report.
    struct Status: Sendable {
        var state: SchedulerState
        var scheduling: SessionStatistics.SchedulingCounts
    }

    private var thinning = FrameThinning()

    var status: Status { Status(state: thinning.state, scheduling: thinning.counts) }
    var interfaceDetail: Int { thinning.budget.interfaceDetail }

    mutating func accept(_ work: BodyWork) -> (outcome: LiveBodyStream.Outcome, work: BodyWork?) {
        if case .skip(let reason) = thinning.decideNext() { return (.skipped(reason), nil) }
        return (.taken, work)
    }

    mutating func observe(_ reading: DeviceReading, at time: Int64) -> StreamChange? {
        thinning.observe(reading, at: time).map { .budget($0) }
    }

    mutating func forget() {}
}

/// The half of a live stream that runs the networks.
private struct BodyProcessing: ~Copyable {
    let stream: BodyStream
    var sequence = 0
}

/// Copies of the results, so that a reader never waits for the networks.
private struct BodyResults {
    private var recorder = SessionRecorder(classCount: 0)
    /// The bodies of the newest frame.
    private(set) var bodies: [TrackedBody] = []

    mutating func take(_ bodies: [TrackedBody]) { self.bodies = bodies }

    mutating func record(inference: Int64, frame: Int64) {
        recorder.record(.inference, nanoseconds: inference)
        recorder.record(.frame, nanoseconds: frame)
    }

    func statistics(_ gate: BodyGate.Status, superseded: Int) -> SessionStatistics {
        let scheduling = gate.scheduling
        var frames = FrameCounts()
        frames.run = scheduling.run + scheduling.skips.total
        return recorder.snapshot(frames: frames, scheduling: scheduling, superseded: superseded)
    }
}

/// The results of the stream's own thread, for listeners and properties. It does not refer to the stream, so
/// the thread does not keep the stream alive.
private final class BodyOutput: Sendable {
    let results = Broadcast<LiveBodyStream.Result>(limit: LiveBodyStream.bufferedResults)
    let changes = Broadcast<StreamChange>(limit: LiveBodyStream.bufferedResults)

    private let latest = Locked(BodyResults())
    private let clock: StreamClock

    init(clock: StreamClock) { self.clock = clock }

    /// The time by the stream's clock.
    var now: Int64 { clock.now() }

    func track(
        _ work: BodyWork, _ frame: StagedFrame, by processing: inout BodyProcessing, _ intake: LockedIntake<BodyGate>
    ) {
        let stream = processing.stream
        frame.withView { stream.track($0, at: work.time) }
        let latency = clock.now() - work.arrival
        let (bodies, times) = (stream.bodies, stream.networkTimes)
        latest.withLock { latest in
            latest.take(bodies)
            latest.record(inference: times.detection + times.landmarks, frame: latency)
        }
        results.send(
            LiveBodyStream.Result(
                sequence: processing.sequence, time: work.time, latency: .nanoseconds(latency), bodies: bodies,
                isBodyLost: stream.isBodyLost, interfaceDetail: intake.withLock { $0.gate.interfaceDetail }))
        processing.sequence += 1
    }

    func reset(_ processing: inout BodyProcessing) {
        processing.stream.reset()
        latest.withLock { $0.take([]) }
    }

    func observe(_ reading: DeviceReading, _ intake: LockedIntake<BodyGate>) {
        let now = clock.now()
        if let change = intake.withLock({ $0.gate.observe(reading, at: now) }) { changes.send(change) }
    }

    func withResults<Result>(_ body: (inout BodyResults) -> Result) -> Result { latest.withLock { body(&$0) } }

    func close() {
        results.finish()
        changes.finish()
    }
}
