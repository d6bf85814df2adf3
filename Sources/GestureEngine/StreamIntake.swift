import Frames
import KernelInterface
import Kernels
import Network
import Scheduling
import Streams
import Vocabulary

/// The first half of a stream: lays a frame on the grid, stages it for its source, measures it, and either turns it
/// into work or skips it. To stage means to resize into the ring for pixels, and to copy for a live stream of
/// landmarks. Measurements, stillness and keyframes need the resized frame too; without them a landmark stream resizes
/// nothing.
///
/// Work that has not been taken is merged with the work that follows. This half uses the ring's next two cells: one
/// holds the waiting frame, and the other takes the next frame. `take` makes the waiting frame the newest; this half
/// never writes to the newest frame.
struct StreamIntake: LiveIntake, ~Copyable {
    private var grid: FrameGrid
    private var times = TimeWatch()
    private var input: FrameInput
    /// Copies of frames for landmarks in a live stream, which reads them after the push; nil otherwise.
    private var copies: StagedFrames?
    private var scheduler: Scheduler
    private let source: FrontEnd
    private let watchesActivity: Bool
    /// Whether the stream has told that its frames have no colour.
    private var hasToldGray = false
    private let clock: StreamClock
    private var sample: KeyframeSample?
    private var mailbox = Mailbox<SlotWork>()

    /// - source: the stream's front end.
    init(
        configuration: GestureEngine.Configuration, scheduling: SchedulingConfiguration, source: FrontEnd,
        copyingFrames: Bool = false, clock: StreamClock
    ) throws(GestureEngineError) {
        let grid = try GestureEngineError.checked(FrameGrid(configuration.pacing))
        let schedule = try GestureEngineError.checked(
            Scheduler(scheduling, slotPeriod: grid.rate.nanoseconds(ofSlots: 1)))
        let capacity = configuration.keyframeCapacity
        let sample = capacity == 0 ? nil : try GestureEngineError.checked(KeyframeSample(capacity: capacity))
        input = try Self.input(configuration)
        self.grid = grid
        copies = copyingFrames ? StagedFrames() : nil
        scheduler = schedule
        self.source = source
        self.sample = sample
        watchesActivity = scheduling.activity != nil
        self.clock = clock
    }

    private static func input(_ configuration: GestureEngine.Configuration) throws(GestureEngineError) -> FrameInput {
        let conditions = try GestureEngineError.checked(
            FrameConditions(exposure: configuration.exposure, quality: configuration.quality))
        do {
            return try FrameInput(
                geometry: configuration.geometry,
                kernels: KernelRegistry.select(excluding: configuration.excludedTiers), conditions: conditions)
        } catch {
            throw .frameRing(error.description)
        }
    }

    var counts: FrameCounts { grid.counts }
    var scheduling: SessionStatistics.SchedulingCounts { scheduler.counts }
    var state: SchedulerState { scheduler.state }
    var quality: QualityFlags { input.quality }
    /// Frames that were dropped while they waited.
    var superseded: Int { mailbox.superseded }

    /// The keyframes in the order of time.
    var keyframes: [GestureStream.Keyframe] { sample?.frames ?? [] }

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
        case .run(let run):
            if run.reset { scheduler.restart() }
            if source == .landmarks, !hasToldGray, !frame.isColor {
                hasToldGray = true
                changes.append(.grayFrames(at: .nanoseconds(run.slotTime)))
            }
            let isResized =
                source == .pixels || watchesActivity || sample != nil || input.isMeasured(at: run.slotTime)
            if isResized { input.stage(frame, at: run.slotTime) }
            if watchesActivity, let difference = input.difference {
                changes.append(scheduler.observe(difference: difference.energy, at: run.slotTime))
            }
            let decision = scheduler.decide(slot: run.slotIndex)
            if decision == .run {
                if isResized { input.keep() }
                if source == .landmarks { copies?.keep(copyOf: frame) }
                if sample != nil { input.withKept { sample?.offer($0, at: run.slotTime) } }
            }
            add(
                SlotWork(
                    run, hasFrame: decision == .run, frameTime: time, arrival: arrival,
                    intake: clock.now() - arrival),
                changes: &changes)
            switch decision {
            case .run: return .encoded(repeats: run.repeats, afterReset: run.reset)
            case .skip(let reason): return .skipped(reason)
            }
        }
    }

    private mutating func add(_ work: SlotWork, changes: inout [StreamChange]) {
        guard mailbox.add(work) else { return }
        changes.append(scheduler.observeSuperseded(at: work.slotTime))
    }

    /// Returns the waiting work with its frame, which stays unchanged until the next call; nil without work.
    mutating func take() -> TakenWork? {
        guard let work = mailbox.take() else { return nil }
        guard work.hasFrame else { return TakenWork(work: work, luma: nil, copy: nil) }
        input.publish()
        switch source {
        case .pixels: return TakenWork(work: work, luma: input.newestView, copy: nil)
        case .landmarks: return TakenWork(work: work, luma: nil, copy: copies?.publish())
        }
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

    /// Forgets every frame and the timeline.
    mutating func forget() {
        mailbox.discard()
        // All work has been done, so no frame is read.
        copies?.release()
        input.reset()
        grid.restart()
        times.restart()
        scheduler.restart()
    }
}

/// Work that was taken for the network.
struct TakenWork {
    let work: SlotWork
    /// With pixels, its frame in the ring, unchanged until the next work is taken.
    let luma: FrameView?
    /// With landmarks in a live stream, the copy of its frame, unchanged until the next work is taken.
    let copy: StagedFrame?
}

extension [StreamChange] {
    fileprivate mutating func append(_ changes: SchedulerState.Changes) {
        if let change = changes.activity { append(.activity(change)) }
        if let change = changes.budget { append(.budget(change)) }
        if let change = changes.pace { append(.pace(change)) }
    }
}
