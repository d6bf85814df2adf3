import Frames
import Network
import Preprocessing
import Scheduling
import Streams
import Vocabulary

extension SlotWork: MergedWork {}

/// The first half of a stream: lays a frame on the grid, stages and measures it, and either turns it into work or skips
/// it.
///
/// Work that has not been taken is merged with the work that follows. `take` makes the waiting frame the newest; nothing
/// else writes to the newest frame.
struct StreamIntake: ~Copyable {
    /// What properties of a stream tell.
    struct Status: Sendable {
        /// The outcomes of all frames so far.
        var counts: FrameCounts
        var scheduling: SessionStatistics.SchedulingCounts
        var state: SchedulerState
        var quality: QualityFlags
        /// Frames that were dropped while they waited.
        var superseded: Int
    }

    private var grid: FrameGrid
    private var times = TimeWatch()
    private var stage: FrameStage
    private var scheduler: Scheduler
    private var mailbox = Mailbox<SlotWork>()
    /// Whether frames without colour are to be reported.
    private var tellsGray: Bool
    private let clock: StreamClock

    /// - copyingFrames: whether frames are read after the push that brought them.
    init(
        _ configuration: GestureEngine.Configuration, for frontEnd: FrontEnd, scheduling: SchedulingConfiguration,
        copyingFrames: Bool = false, clock: StreamClock
    ) throws(GestureEngineError) {
        let grid = try GestureEngineError.checked(FrameGrid(configuration.pacing))
        let scheduler = try GestureEngineError.checked(
            Scheduler(scheduling, slotPeriod: grid.rate.nanoseconds(ofSlots: 1)))
        stage = try FrameStage(
            configuration, for: frontEnd, watchingActivity: scheduling.activity != nil, copyingFrames: copyingFrames)
        self.grid = grid
        self.scheduler = scheduler
        tellsGray = frontEnd == .landmarks
        self.clock = clock
    }

    var status: Status {
        Status(
            counts: grid.counts, scheduling: scheduler.counts, state: scheduler.state, quality: stage.quality,
            superseded: mailbox.superseded)
    }

    var quality: QualityFlags { stage.quality }
    var interfaceDetail: Int { scheduler.state.budget.interfaceDetail }

    /// The keyframes in the order of time.
    var keyframes: [GestureStream.Keyframe] { stage.keyframes }

    /// Takes one frame in, with its time in nanoseconds, and appends the changes of the schedule to `changes`.
    @inline(never)
    mutating func accept(
        _ frame: borrowing PixelView, at time: Int64, changes: inout [StreamChange]
    ) -> FrameResult.Outcome {
        guard !mailbox.isClosed else { return .closed }
        let arrival = clock.now()
        let admission = grid.admit(time)
        if let fault = times.observe(time, admission) { changes.append(.times(fault)) }
        switch admission {
        case .dropped(let reason): return .dropped(reason)
        case .surplus: return .surplus
        case .run(var work):
            let (repeats, reset) = (work.repeatsBefore, work.reset)
            if reset { scheduler.restart() }
            if tellsGray, !frame.isColor {
                tellsGray = false
                changes.append(.grayFrames(at: .nanoseconds(work.slotTime)))
            }
            if let difference = stage.stage(frame, at: work.slotTime) {
                changes.append(scheduler.observe(difference: difference.energy, at: work.slotTime))
            }
            let decision = scheduler.decide(slot: work.slotIndex)
            if decision == .run { stage.keep(frame, at: work.slotTime) } else { work.leaveOutFrame() }
            work.arrival = arrival
            work.intake = clock.now() - arrival
            if mailbox.add(work) { changes.append(scheduler.observeSuperseded(at: work.slotTime)) }
            switch decision {
            case .run: return .encoded(repeats: repeats, afterReset: reset)
            case .skip(let reason): return .skipped(reason)
            }
        }
    }

    /// The waiting work and its staged frame, unchanged until the next call; nil without work.
    mutating func take() -> (work: SlotWork, frame: StagedFrame?)? {
        guard let work = mailbox.take() else { return nil }
        return (work, work.hasFrame ? stage.publish() : nil)
    }

    /// Gives the scheduler the times of a piece of work. Work without a frame says nothing about the pace.
    mutating func observe(_ times: StepTimes, at time: Int64, changes: inout [StreamChange]) {
        guard let latency = times.frame else { return }
        if times.isShared { return scheduler.unitChanged() }
        changes.append(scheduler.observe(stepLatency: latency, at: time))
    }

    mutating func observe(_ reading: DeviceReading, at time: Int64, changes: inout [StreamChange]) {
        changes.append(scheduler.observe(reading, at: time))
    }

    /// Refuses all later frames. Waiting work can still be taken.
    mutating func close() { mailbox.close() }

    /// Forgets every frame and the timeline. All work must be done, so that no frame is read.
    mutating func forget() {
        mailbox.discard()
        stage.reset()
        grid.restart()
        times.restart()
        scheduler.restart()
    }
}

extension [StreamChange] {
    fileprivate mutating func append(_ changes: SchedulerState.Changes) {
        if let change = changes.activity { append(.activity(change)) }
        if let change = changes.budget { append(.budget(change)) }
        if let change = changes.pace { append(.pace(change)) }
    }
}
