package import Scheduling
package import Vocabulary

/// Runs a scenario through the pacing of the engine: its frame grid, scheduler and unit selector, on a simulated clock.
///
/// The surroundings are simulated: camera, device, and a thread with a mailbox of depth one that runs the steps. The
/// stages are called as in the engine's streams. For an admitted frame: its difference, then the decision about its
/// slot. For a step: its duration, at the time of its slot, unless two units shared it. Once a second: the device's
/// reading. The clock advances from event to event in Int64 nanoseconds, so an hour takes a second or two, and all
/// random numbers come from the seed.
package struct Simulation {
    private static let tick: Int64 = 100_000_000
    private static let second: Int64 = 1_000_000_000
    private static let eventLimit = 10_000

    private let scenario: Scenario
    private let seed: UInt64
    private let end: Int64
    /// Times at which conditions change, ascending.
    private let boundaries: [Int64]

    private var grid: FrameGrid
    private var scheduler: Scheduler
    private var selector: UnitSelector

    private var conditions: Conditions
    private var camera: SimulatedCamera
    private var device: SimulatedDevice
    private var worker = SimulatedWorker()
    private var noise: SplitMix64

    private var events: [SimulationEvent] = []
    private var trace: TraceRecorder
    private var totals: SimulationTotals

    /// - seed: of all random numbers; the same scenario and seed give the same report.
    package init(
        _ scenario: Scenario, seed: UInt64 = 1, scheduling: SchedulingConfiguration = SchedulingConfiguration(),
        selection: SchedulingConfiguration.UnitSelection = SchedulingConfiguration.UnitSelection()
    ) throws(SimulationError) {
        do throws(ScenarioError) {
            try scenario.validate()
        } catch {
            throw .scenario(error)
        }
        guard let rate = PacingConfiguration.Rate(rawValue: scenario.rate) else {
            throw .scenario(.rate(scenario.rate))
        }
        do throws(ConfigurationError) {
            grid = try FrameGrid(PacingConfiguration(nominalRate: rate))
            scheduler = try Scheduler(scheduling, slotPeriod: rate.nanoseconds(ofSlots: 1))
            selector = try UnitSelector(selection, unitCount: scenario.device.units.count)
        } catch {
            throw .configuration(error)
        }
        self.scenario = scenario
        self.seed = seed
        end = nanoseconds(scenario.seconds)
        boundaries = Set(scenario.phases.flatMap { [nanoseconds($0.from), nanoseconds($0.to)] }).sorted()
        conditions = Conditions(scenario, at: 0)
        camera = SimulatedCamera(scenario.camera, chance: SplitMix64(seed: seed ^ 0xCA3E))
        device = SimulatedDevice(scenario.device, chance: SplitMix64(seed: seed ^ 0xDE71))
        noise = SplitMix64(seed: seed ^ 0x5CE1)
        trace = TraceRecorder(duration: end)
        totals = SimulationTotals(unitCount: scenario.device.units.count)
    }

    /// Runs the scenario from its start to its end.
    package consuming func run() -> SimulationReport {
        var nextBoundary = boundaries.startIndex
        var nextTick: Int64 = 0
        while true {
            // Events at the same time are handled in this order: end of a step, change of conditions, tick, frame.
            let step = worker.busyUntil ?? .max
            let boundary = nextBoundary < boundaries.endIndex ? boundaries[nextBoundary] : .max
            let now = min(step, boundary, nextTick, camera.arrival)
            guard now <= end else { break }
            if now == step {
                finishStep(at: now)
            } else if now == boundary {
                changeConditions(at: now)
                nextBoundary += 1
            } else if now == nextTick {
                passTime(at: now)
                nextTick += Self.tick
            } else {
                takeFrame(at: now)
            }
        }
        return report
    }

    private mutating func takeFrame(at now: Int64) {
        let timestamp = camera.timestamp
        let delivers = conditions.deliversFrames
        camera.advance(conditions)
        guard delivers else { return }
        totals.framesIn += 1
        switch grid.admit(timestamp) {
        case .surplus: break
        case .dropped(let reason): log(.dropped(reason), at: now)
        case .run(let run):
            if run.reset {
                scheduler.restart()
                selector.restart()
                totals.strideBegins()
                log(.reset, at: now)
            }
            let difference = conditions.isStill ? noise.between(0.2, 0.4) : noise.between(2, 5)
            apply(scheduler.observe(difference: difference, at: run.slotTime), at: now)
            guard scheduler.decide(slot: run.slotIndex) == .run else { return }
            totals.stride(to: run.slotIndex)
            worker.take(.init(slotIndex: run.slotIndex, slotTime: run.slotTime, reset: run.reset))
            worker.begin(at: now, on: &device, conditions)
        }
    }

    private mutating func finishStep(at now: Int64) {
        guard let finished = worker.finish() else { return }
        let job = finished.job
        totals.encoded += 1
        if let unit = finished.answering { log(.unitAnswers(unit), at: now) }
        var isShared = finished.isShared
        if !isShared, let change = selector.observe(latency: finished.step.unit, at: job.slotTime) {
            worker.raise(change.to, after: job.slotIndex)
            totals.unitSwitched(at: now)
            log(.unit(change), at: now)
            isShared = true
        }
        if isShared {
            scheduler.unitChanged()
        } else {
            let misses = scheduler.counts.deadlineMisses
            apply(scheduler.observe(stepLatency: finished.step.whole, at: job.slotTime), at: now)
            if scheduler.counts.deadlineMisses > misses { totals.deadlineMissed(at: now) }
            trace.record(latency: finished.step.whole)
            totals.latencies.record(finished.step.whole)
        }
        worker.begin(at: now, on: &device, conditions)
    }

    private mutating func changeConditions(at now: Int64) {
        for phase in scenario.phases {
            if nanoseconds(phase.to) == now { log(.ends(phase.condition), at: now) }
            if nanoseconds(phase.from) == now { log(.begins(phase.condition), at: now) }
        }
        conditions = Conditions(scenario, at: now)
    }

    /// Handles a tick, every tenth of a second.
    private mutating func passTime(at now: Int64) {
        if now > 0 {
            device.advance(seconds: Double(Self.tick) / 1e9, ambient: conditions.ambient)
            totals.tick(scheduler.state, unit: worker.active, celsius: device.celsius)
        }
        guard now % Self.second == 0 else { return }
        if now > 0, now % trace.interval == 0 {
            trace.sample(
                at: now, counts, scheduler.state, deadline: scheduler.deadline, unit: worker.active, device)
        }
        apply(scheduler.observe(device.reading(at: now), at: now), at: now)
    }

    private mutating func apply(_ changes: SchedulerState.Changes, at now: Int64) {
        if let change = changes.activity { log(.activity(change), at: now) }
        if let change = changes.budget { log(.budget(change), at: now) }
        if let change = changes.pace {
            log(.pace(change), at: now)
            if change.isDown { totals.paceLowered(at: now) } else { totals.paceRaised() }
        }
    }

    private mutating func log(_ kind: SimulationEvent.Kind, at now: Int64) {
        totals.logLines += 1
        guard events.count < Self.eventLimit else { return }
        events.append(
            SimulationEvent(time: now, kind: kind, celsius: device.celsius, gigahertz: device.gigahertz))
    }

    private var counts: TraceCounts {
        TraceCounts(
            encoded: totals.encoded, skipped: scheduler.counts.skips.total, repeats: grid.counts.repeats,
            surplus: grid.counts.surplus, dropped: grid.counts.drops, superseded: worker.superseded,
            misses: scheduler.counts.deadlineMisses)
    }

    private var report: SimulationReport {
        SimulationReport(
            scenario: scenario, seed: seed,
            summary: totals.summary(
                seconds: scenario.seconds, frames: grid.counts, scheduling: scheduler.counts,
                superseded: worker.superseded, unfinished: worker.unfinished),
            trace: trace.samples, events: events)
    }
}

/// Why a simulation cannot run.
package enum SimulationError: Error, Sendable, Equatable {
    case scenario(ScenarioError)
    case configuration(ConfigurationError)
}
