package import PixelFrontEnd
package import Scheduling
package import Vocabulary

/// Runs a scenario through the pacing of the engine: its frame grid, scheduler and unit selector, on a simulated clock.
///
/// The surroundings are simulated (`SimulatedSession`). The stages are called as in the engine's streams. For an admitted
/// frame: the decision about its slot, then how much it changes. For a step: its duration, at the time of its slot, unless
/// two units shared it. Once a second: the device's reading. An hour takes a second or two.
package struct Simulation {
    private var session: SimulatedSession
    private var grid: FrameGrid
    private var scheduler: Scheduler
    private var selector: UnitSelector
    private var noise: SplitMix64

    /// - seed: of all random numbers; the same scenario and seed give the same report.
    package init(
        _ scenario: Scenario, seed: UInt64 = 1, scheduling: SchedulingConfiguration = SchedulingConfiguration(),
        selection: UnitSelection = UnitSelection()
    ) throws(SimulationError) {
        session = try SimulatedSession(scenario, seed: seed)
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
        noise = SplitMix64(seed: seed ^ 0x5CE1)
    }

    /// Runs the scenario from its start to its end.
    package consuming func run() -> SimulationReport {
        while let (event, now) = session.next() {
            switch event {
            case .step: finishStep(at: now)
            case .tick: passTime(at: now)
            case .frame: takeFrame(at: now)
            }
        }
        return session.report(grid.counts, scheduler.counts)
    }

    private mutating func takeFrame(at now: Int64) {
        guard let timestamp = session.takeFrame() else { return }
        switch grid.admit(timestamp) {
        case .surplus: break
        case .dropped(let reason): session.log(.dropped(reason), at: now)
        case .run(let run):
            if run.reset {
                scheduler.restart()
                selector.restart()
                session.totals.strideBegins()
                session.log(.reset, at: now)
            }
            guard scheduler.decide(slot: run.slotIndex) == .run else { return }
            let activity = session.conditions.isStill ? noise.between(0, 0.001) : noise.between(0.01, 0.1)
            apply(scheduler.observe(activity: activity, at: run.slotTime), at: now)
            session.totals.stride(to: run.slotIndex)
            session.worker.take(.init(slotIndex: run.slotIndex, slotTime: run.slotTime, reset: run.reset))
            session.beginStep(at: now)
        }
    }

    private mutating func finishStep(at now: Int64) {
        guard let finished = session.worker.finish() else { return }
        let job = finished.job
        session.totals.encoded += 1
        if let unit = finished.answering { session.log(.unitAnswers(unit), at: now) }
        var isShared = finished.isShared
        if !isShared, let change = selector.observe(latency: finished.step.unit, at: job.slotTime) {
            session.worker.raise(change.to, after: job.slotIndex)
            session.totals.unitSwitched(at: now)
            session.log(.unit(change), at: now)
            isShared = true
        }
        if isShared {
            scheduler.unitChanged()
        } else {
            let misses = scheduler.counts.deadlineMisses
            apply(scheduler.observe(stepLatency: finished.step.whole, at: job.slotTime), at: now)
            if scheduler.counts.deadlineMisses > misses { session.totals.deadlineMissed(at: now) }
            session.record(finished.step)
        }
        session.beginStep(at: now)
    }

    private mutating func passTime(at now: Int64) {
        let counts = TraceCounts(
            encoded: session.totals.encoded, skipped: scheduler.counts.skips.total, repeats: grid.counts.repeats,
            surplus: grid.counts.surplus, dropped: grid.counts.drops, superseded: session.worker.superseded,
            misses: scheduler.counts.deadlineMisses)
        let reading = session.passTime(at: now, scheduler.state, deadline: scheduler.deadline, counts: counts)
        if let reading { apply(scheduler.observe(reading, at: now), at: now) }
    }

    private mutating func apply(_ changes: SchedulerState.Changes, at now: Int64) {
        if let change = changes.activity { session.log(.activity(change), at: now) }
        if let change = changes.budget { session.log(.budget(change), at: now) }
        if let change = changes.pace {
            session.log(.pace(change), at: now)
            if change.isDown { session.totals.paceLowered(at: now) } else { session.totals.paceRaised() }
        }
    }
}

/// Why a simulation cannot run.
package enum SimulationError: Error, Sendable, Equatable {
    case scenario(ScenarioError)
    case configuration(ConfigurationError)
}
