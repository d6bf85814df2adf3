public import BodyTracking
public import Frames
import GestureEngine
import Platform
public import Scheduling
import Sensors
import Synchronization

/// A stream whose frames may come from any thread; its results are an `AsyncStream`.
///
/// `push` copies the frame; the networks run on a thread of the stream's own. One frame may wait, a newer one takes its place. How
/// many frames are taken follows heat and battery (`SchedulerState.Budget`): all, every second or every third. A listener that is
/// slower than the results loses the oldest, never holds the camera up, and sees the gap in `Result.sequence`.
public final class LiveBodyStream: Sendable {
    /// Results that may wait for a listener.
    public static let bufferedResults = 16

    /// What one frame showed.
    public struct Result: Sendable {
        /// Counts the frames whose bodies were looked for, from 0.
        public let sequence: Int
        /// When the frame was taken, as it was pushed.
        public let time: Duration
        /// From `push` to this result.
        public let latency: Duration
        /// The bodies, those that are held among them; who has been followed longer comes first.
        public let bodies: [TrackedBody]
        /// Whether the user is to be asked to step back into the picture.
        public let isBodyLost: Bool
        /// How much the app should draw: 0 the least that serves, 1 no decoration, 2 everything.
        public let interfaceDetail: Int
    }

    /// What became of a frame that was pushed.
    public enum Outcome: Sendable, Equatable {
        /// It waits for the networks.
        case taken
        /// It was left out; why the budget says so.
        case skipped(SchedulerState.Budget.Reason)
        /// The stream is finished.
        case closed
    }

    /// The results in their order, for any number of listeners.
    public var results: AsyncStream<Result> { core.results.stream() }

    /// Results given up because a listener was too slow, summed over all listeners.
    public var lostResults: Int { core.results.lost }

    /// Frames that gave way to newer ones before the networks took them.
    public var superseded: Int { core.superseded }

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
        core.results.finish()
    }

    /// Takes one frame in; nothing of its memory is kept when this returns.
    @discardableResult
    public func push(_ frame: borrowing PixelView, at time: Duration) -> Outcome {
        let outcome = core.accept(frame, at: time)
        if outcome == .taken { worker.signal() }
        return outcome
    }

    /// Returns when the frame that waits has been looked at, and the one before it. Blocks for two frames' work at most; frames that
    /// other threads push meanwhile may wait again.
    public func drain() { core.drain() }

    /// Looks at the frame that waits, then ends `results`. Frames pushed later are `closed`.
    public func finish() {
        core.close()
        core.drain()
        core.results.finish()
    }

    /// Takes in what the device says about itself, where the stream has no sensors of its own.
    public func update(_ reading: DeviceReading) { core.observe(reading) }
}

/// What the caller's threads and the stream's own thread share.
///
/// Invariant of the two locks, taken in this order: `stream` guards the tracker and the picture that it reads, `intake` the picture
/// that waits. Only the holder of `stream` publishes the one that waits.
private final class BodyCore: Sendable {
    let results = Broadcast<LiveBodyStream.Result>(limit: LiveBodyStream.bufferedResults)

    private struct Intake: ~Copyable {
        var pictures = StagedPictures()
        /// Of the picture that waits.
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
    private let sensors: DeviceSensors?
    private let clock: StreamClock
    private let latestReading: Atomic<Int64>

    /// Nanoseconds between readings of the sensors, which change slowly and take tens of microseconds each.
    private static let readingInterval: Int64 = 1_000_000_000

    init(stream: sending BodyStream, sensors: DeviceSensors?, clock: StreamClock) {
        tracking = FairLocked(Work(stream: stream))
        self.sensors = sensors
        self.clock = clock
        latestReading = Atomic(clock.now() - Self.readingInterval)
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
            intake.pictures.keep(copyOf: frame)
            if intake.waiting != nil { intake.superseded += 1 }
            intake.waiting = waiting
            return .taken
        }
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
        tracking.withLock { work in
            let taken = intake.withLock { intake -> (StagedPicture, Duration, Int64, Int)? in
                guard let waiting = intake.waiting else { return nil }
                intake.waiting = nil
                return (
                    intake.pictures.publish(), waiting.time, waiting.arrival, intake.thinning.budget.interfaceDetail
                )
            }
            guard let (picture, time, arrival, detail) = taken else { return false }
            let stream = work.stream
            picture.withView { stream.track($0, at: time) }
            results.send(
                LiveBodyStream.Result(
                    sequence: work.sequence, time: time, latency: .nanoseconds(clock.now() - arrival),
                    bodies: stream.bodies, isBodyLost: stream.isBodyLost, interfaceDetail: detail))
            work.sequence += 1
            return true
        }
    }

    func observe(_ reading: DeviceReading) {
        intake.withLock { _ = $0.thinning.observe(reading) }
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

    func close() { intake.withLock { $0.isClosed = true } }

    var superseded: Int { intake.withLock { $0.superseded } }
}
