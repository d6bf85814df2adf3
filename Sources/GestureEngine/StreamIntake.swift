import Frames
import Scheduling
import Streams
import TrackerInference
import Vocabulary

/// The first half of a stream: assigns a frame to a slot of the grid, measures its quality, and makes it work or skips it.
struct StreamIntake: ~Copyable {
    /// The state that properties of a stream report.
    struct Status: Sendable {
        /// The outcomes of all frames so far.
        var counts: FrameCounts
        var scheduling: SessionStatistics.SchedulingCounts
        var state: SchedulerState
        var quality: QualityFlags
    }

    private let orientation: ImageOrientation
    private var grid: FrameGrid
    private var times = TimeWatch()
    private var scheduler: Scheduler
    private var frameQuality: FrameQuality
    private var keyframeSample: KeyframeSample?
    /// Whether frames without colour are to be reported.
    private var reportsGray: Bool
    private let clock: StreamClock

    init(
        _ configuration: GestureEngine.Configuration, for frontEnd: FrontEnd, scheduling: SchedulingConfiguration,
        clock: StreamClock
    ) throws(EngineError) {
        let grid = try EngineError.checked(FrameGrid(configuration.pacing))
        let scheduler = try EngineError.checked(
            Scheduler(scheduling, slotPeriod: grid.rate.nanoseconds(ofSlots: 1)))
        let frameQuality = try EngineError.checked(FrameQuality(configuration.advanced.quality))
        let capacity = configuration.advanced.keyframeCapacity
        keyframeSample = capacity == 0 ? nil : try EngineError.checked(KeyframeSample(capacity: capacity))
        self.grid = grid
        self.scheduler = scheduler
        self.frameQuality = frameQuality
        orientation = configuration.orientation
        reportsGray = frontEnd == .landmarks
        self.clock = clock
    }

    var status: Status {
        Status(counts: grid.counts, scheduling: scheduler.counts, state: scheduler.state, quality: frameQuality.flags)
    }

    var quality: QualityFlags { frameQuality.flags }
    var interfaceDetail: Int { scheduler.state.budget.interfaceDetail }

    /// The keyframes in the order of time.
    var keyframes: [GestureStream.Keyframe] { keyframeSample?.frames ?? [] }

    /// Takes one frame in, with its time in nanoseconds, and appends the changes of the schedule to `changes`.
    /// - Returns: its outcome, and its work, if it or a slot before it has any.
    @inline(never)
    mutating func accept(
        _ frame: borrowing PixelView, at time: Int64, changes: inout [StreamChange]
    ) -> (outcome: FrameResult.Outcome, work: SlotWork?) {
        let arrival = clock.now()
        let admission = grid.admit(time)
        if let fault = times.observe(time, admission) { changes.append(.times(fault)) }
        switch admission {
        case .dropped(let reason): return (.dropped(reason), nil)
        case .surplus: return (.surplus, nil)
        case .run(var work):
            let (repeats, reset) = (work.repeatsBefore, work.reset)
            if reset { scheduler.restart() }
            if reportsGray, !frame.isColor {
                reportsGray = false
                changes.append(.grayFrames(at: .nanoseconds(work.slotTime)))
            }
            frameQuality.examine(frame, orientation, at: work.slotTime)
            let decision = scheduler.decide(slot: work.slotIndex)
            if decision == .run {
                keyframeSample?.offer(frame, orientation, at: work.slotTime)
            } else {
                work.leaveOutFrame()
            }
            work.arrival = arrival
            work.intake = clock.now() - arrival
            switch decision {
            case .run: return (.encoded(repeats: repeats, afterReset: reset), work)
            case .skip(let reason): return (.skipped(reason), work)
            }
        }
    }

    /// Gives the scheduler the times of a piece of work, and how much its frame differs from the one before, if that is
    /// known. Work without a frame says nothing about the pace.
    mutating func observe(_ times: StepTimes, activity: Float?, at time: Int64, changes: inout [StreamChange]) {
        guard let latency = times.frame else { return }
        if let activity { changes.append(scheduler.observe(activity: Double(activity), at: time)) }
        if times.isShared { return scheduler.unitChanged() }
        changes.append(scheduler.observe(stepLatency: latency, at: time))
    }

    mutating func observe(_ reading: DeviceReading, at time: Int64, changes: inout [StreamChange]) {
        changes.append(scheduler.observe(reading, at: time))
    }

    /// Counts a frame that a newer one replaced as a missed deadline.
    mutating func observeSuperseded(at time: Int64, changes: inout [StreamChange]) {
        changes.append(scheduler.observeSuperseded(at: time))
    }

    /// Forgets every frame and the timeline.
    mutating func forget() {
        frameQuality.reset()
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
