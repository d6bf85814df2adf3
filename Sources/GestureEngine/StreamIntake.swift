import Frames
import KernelInterface
import Kernels
import Network
import Scheduling
import Streams
import Vocabulary

/// The first half of a stream: a frame is laid on the grid, staged as its source reads it, measured, and either given on as
/// work or left out. Staged means resized into the ring for pixels, and copied for a live stream of landmarks. Measurements
/// and keyframes need the resized frame too; without them a stream of landmarks resizes nothing.
///
/// Work that has not been taken is merged with what follows. The ring's next two cells are this half's own: one holds the
/// frame that waits, in the other the next one is looked at, until `take` makes the frame that waits the newest, which this
/// half never touches.
struct StreamIntake: ~Copyable {
    private var grid: FrameGrid
    private var input: FrameInput
    /// Where frames wait for landmarks that read them after the push; nil where none does.
    private var copies: StagedFrames?
    private var scheduler: Scheduler
    /// What the work before was made into.
    private var latestSource: FrontEnd
    private let watchesActivity: Bool
    private let clock: StreamClock
    private var sample: KeyframeSample?
    private var pending: SlotWork?
    private var isClosed = false
    private(set) var superseded = 0

    /// - source: what columns are made of; nil where it is to be chosen.
    init(
        configuration: GestureEngine.Configuration, scheduling: SchedulingConfiguration, source: FrontEnd?,
        copyingFrames: Bool = false, clock: StreamClock
    ) throws(GestureEngineError) {
        let grid = try GestureEngineError.checked(FrameGrid(configuration.pacing))
        let schedule = try GestureEngineError.checked(
            Scheduler(scheduling, slotPeriod: grid.rate.nanoseconds(ofSlots: 1), source: source))
        let capacity = configuration.keyframeCapacity
        let sample = capacity == 0 ? nil : try GestureEngineError.checked(KeyframeSample(capacity: capacity))
        input = try Self.input(configuration)
        self.grid = grid
        copies = copyingFrames ? StagedFrames() : nil
        scheduler = schedule
        latestSource = schedule.source
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

    /// The frames that were kept.
    var keyframes: [GestureStream.Keyframe] { sample?.frames ?? [] }

    /// Takes one frame in, with its time in nanoseconds; changes of the schedule that it brings are added to `changes`.
    @inline(never)
    mutating func accept(
        _ frame: borrowing PixelView, at time: Int64, changes: inout [StreamChange]
    ) -> FrameResult.Outcome {
        guard !isClosed else { return .closed }
        let arrival = clock.now()
        switch grid.admit(time) {
        case .dropped(let reason): return .dropped(reason)
        case .surplus: return .surplus
        case .run(let run):
            if run.reset { scheduler.restart() }
            changes.append(scheduler.observe(hasColor: frame.isColor, at: run.slotTime))
            let source = scheduler.source
            let isResized =
                source == .pixels || watchesActivity || sample != nil || input.isMeasured(at: run.slotTime)
            if isResized { input.stage(frame, at: run.slotTime) }
            if watchesActivity, let difference = input.difference {
                changes.append(scheduler.observe(difference: difference.energy, at: run.slotTime))
            }
            let decision = scheduler.decide(slot: run.slotIndex)
            let startsAnew = source != latestSource
            latestSource = source
            if decision == .run {
                if isResized { input.keep() }
                if source == .landmarks { copies?.keep(copyOf: frame) }
                if sample != nil { input.withKept { sample?.offer($0, at: run.slotTime) } }
            }
            add(
                SlotWork(
                    run, hasFrame: decision == .run, source: source, startsAnew: startsAnew, arrival: arrival,
                    intake: clock.now() - arrival),
                changes: &changes)
            switch decision {
            case .run: return .encoded(repeats: run.repeats, afterReset: run.reset || startsAnew)
            case .skip(let reason): return .skipped(reason)
            }
        }
    }

    private mutating func add(_ work: SlotWork, changes: inout [StreamChange]) {
        if pending == nil {
            pending = work
        } else if pending?.merge(work) == true {
            superseded += 1
            if pending?.hasFrame == false { input.discard() }
            changes.append(scheduler.observeSuperseded(at: work.slotTime))
        }
    }

    /// Gives the work on, and the frame in it, which stays as it is until the next call.
    mutating func take() -> TakenWork? {
        guard let work = pending else { return nil }
        pending = nil
        guard work.hasFrame else { return TakenWork(work: work, luma: nil, copy: nil) }
        input.publish()
        switch work.source {
        case .pixels: return TakenWork(work: work, luma: input.newestView, copy: nil)
        case .landmarks: return TakenWork(work: work, luma: nil, copy: copies?.publish())
        }
    }

    /// Takes in what a piece of work took; without a frame it says nothing about the pace.
    mutating func observe(_ times: StepTimes, at time: Int64, changes: inout [StreamChange]) {
        guard let latency = times.frame else { return }
        if times.isShared { return scheduler.unitChanged() }
        changes.append(scheduler.observe(stepLatency: latency, at: time))
    }

    mutating func observe(_ reading: DeviceReading, at time: Int64, changes: inout [StreamChange]) {
        changes.append(scheduler.observe(reading, at: time))
    }

    /// Takes no more frames. Work that waits can still be taken.
    mutating func close() { isClosed = true }

    /// Forgets every frame, and the timeline if the stream stops here.
    mutating func forget() {
        if pending?.hasFrame == true { superseded += 1 }
        pending = nil
        input.reset()
        grid.restart()
        scheduler.restart()
    }
}

/// Work that was given on.
struct TakenWork {
    let work: SlotWork
    /// Its frame in the ring, with pixels; stays as it is until the next work is taken.
    let luma: FrameView?
    /// The copy of its frame, likewise, with landmarks in a live stream.
    let copy: StagedFrame?
}

extension [StreamChange] {
    fileprivate mutating func append(_ changes: SchedulerState.Changes) {
        if let change = changes.frontEnd { append(.frontEnd(change)) }
        if let change = changes.activity { append(.activity(change)) }
        if let change = changes.budget { append(.budget(change)) }
        if let change = changes.pace { append(.pace(change)) }
    }
}
