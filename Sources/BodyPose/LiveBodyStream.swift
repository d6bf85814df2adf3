public import BodyTracking
public import Frames
import Platform
public import Scheduling
import Streams

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
        case skipped(SchedulerState.Budget.Reason)
        /// The stream is finished.
        case closed
    }

    /// The results in their order, for any number of listeners.
    public var results: AsyncStream<Result> { core.results.stream() }

    /// Results dropped because a listener was too slow, summed over all listeners.
    public var lostResults: Int { core.results.lost }

    /// Frames replaced by newer ones before the networks took them.
    public var superseded: Int { core.superseded }

    /// Changes of the budget of heat and battery, for any number of listeners.
    public var changes: AsyncStream<SchedulerState.BudgetChange> { core.changes.stream() }

    /// How the stream runs now, and why.
    public var schedulerState: SchedulerState { core.state }

    /// Frames taken, frames left out by reason, and changes of the budget.
    public var scheduling: SessionStatistics.SchedulingCounts { core.scheduling }

    private let core: BodyCore
    private let worker: WorkerThread

    init(stream: sending BodyStream, sensors: DeviceSensors?, clock: StreamClock) throws(BodyPoseError) {
        let core = BodyCore(stream: stream, sensors: sensors, clock: clock)
        self.core = core
        do {
            worker = try WorkerThread(name: "body-stream") { core.work() }
        } catch {
            throw .thread(code: error.code)
        }
    }

    deinit {
        worker.stop()
        core.finish()
    }

    /// Takes one frame; it keeps nothing of the frame's memory after it returns.
    @discardableResult
    public func push(_ frame: borrowing PixelView, at time: Duration) -> Outcome {
        let outcome = core.accept(frame, at: time)
        if outcome == .taken { worker.signal() }
        return outcome
    }

    /// Returns when the waiting frame and the one before it have been tracked. Blocks for at most two frames' work;
    /// frames that other threads push meanwhile may wait again.
    public func drain() { core.drain() }

    /// Tracks the waiting frame, then ends `results`. Frames pushed later are `closed`.
    public func finish() {
        core.close()
        core.drain()
        core.finish()
    }

    /// Tracks the waiting frame and forgets all bodies, as when the camera stops or moves. Later frames start anew;
    /// frames that other threads push meanwhile may belong to either side. Blocks for at most two frames' work.
    public func reset() { core.reset() }

    /// Takes in the device's state, for a stream without sensors of its own.
    public func update(_ reading: DeviceReading) { core.observe(reading) }
}

/// The state that the caller's threads share with the stream's own thread.
///
/// Invariant of the two locks, taken in this order: `tracking` guards the tracker and the frame that it reads, `intake`
/// the frame that waits. Only the holder of `tracking` publishes the waiting frame.
private final class BodyCore: Sendable {
    let results = Broadcast<LiveBodyStream.Result>(limit: LiveBodyStream.bufferedResults)
    let changes = Broadcast<SchedulerState.BudgetChange>(limit: LiveBodyStream.bufferedResults)

    private struct Intake: ~Copyable {
        var frames = StagedFrames()
        /// Of the frame that waits.
        var waiting: (time: Duration, arrival: Int64)?
        var thinning = FrameThinning()
        var superseded = 0
        var isClosed = false
    }

    private struct Work: ~Copyable {
        let stream: BodyStream
        var sequence = 0
    }

    private let intake = Locked(Intake())
    private let tracking: FairLocked<Work>
    private let sensors: SensorPoll
    private let clock: StreamClock

    init(stream: sending BodyStream, sensors: DeviceSensors?, clock: StreamClock) {
        tracking = FairLocked(Work(stream: stream))
        self.sensors = SensorPoll(sensors, clock: clock)
        self.clock = clock
    }

    func accept(_ frame: borrowing PixelView, at time: Duration) -> LiveBodyStream.Outcome {
        let arrival = clock.now()
        return Self.accept(frame, (time, arrival), intake)
    }

    private static func accept(
        _ frame: borrowing PixelView, _ waiting: (time: Duration, arrival: Int64), _ intake: borrowing Locked<Intake>
    ) -> LiveBodyStream.Outcome {
        intake.withLock { intake in
            guard !intake.isClosed else { return .closed }
            guard intake.thinning.takesNext() else { return .skipped(intake.thinning.budget.reason) }
            intake.frames.keep(copyOf: frame)
            if intake.waiting != nil { intake.superseded += 1 }
            intake.waiting = waiting
            return .taken
        }
    }

    /// Tracks the waiting frame, and all that arrive meanwhile.
    func work() {
        while step() { readSensors() }
    }

    /// Tracks the waiting frame.
    func drain() {
        _ = step()
        readSensors()
    }

    private func step() -> Bool {
        tracking.withLock { work in
            let taken = intake.withLock { intake -> (StagedFrame, Duration, Int64, Int)? in
                guard let waiting = intake.waiting else { return nil }
                intake.waiting = nil
                return (
                    intake.frames.publish(), waiting.time, waiting.arrival, intake.thinning.budget.interfaceDetail
                )
            }
            guard let (frame, time, arrival, detail) = taken else { return false }
            let stream = work.stream
            frame.withView { stream.track($0, at: time) }
            results.send(
                LiveBodyStream.Result(
                    sequence: work.sequence, time: time, latency: .nanoseconds(clock.now() - arrival),
                    bodies: stream.bodies, isBodyLost: stream.isBodyLost, interfaceDetail: detail))
            work.sequence += 1
            return true
        }
    }

    func observe(_ reading: DeviceReading) {
        let now = clock.now()
        if let change = intake.withLock({ $0.thinning.observe(reading, at: now) }) { changes.send(change) }
    }

    private func readSensors() {
        if let reading = sensors.readIfDue() { observe(reading) }
    }

    /// Tracks the waiting frame, then forgets all bodies.
    func reset() {
        _ = step()
        tracking.withLock { $0.stream.reset() }
    }

    func finish() {
        results.finish()
        changes.finish()
    }

    func close() { intake.withLock { $0.isClosed = true } }

    var superseded: Int { intake.withLock { $0.superseded } }
    var scheduling: SessionStatistics.SchedulingCounts { intake.withLock { $0.thinning.counts } }
    var state: SchedulerState { intake.withLock { $0.thinning.state } }
}
