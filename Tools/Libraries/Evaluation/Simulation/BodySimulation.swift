import Scheduling
import Vocabulary

/// Runs a scenario through the decisions of a live stream of bodies: which frames it skips to spare heat and battery.
///
/// Such a stream has no frame grid, no deadlines and one unit, the scenario's first. Camera, device and a thread with a
/// mailbox of depth one are simulated as in `Simulation`; the decisions are those of `FrameThinning`, and the device is
/// read once a second. The same scenario and seed give the same report on every machine.
package struct BodySimulation {
    private static let tick: Int64 = 100_000_000
    private static let second: Int64 = 1_000_000_000
    private static let eventLimit = 10_000

    private let scenario: Scenario
    private let seed: UInt64
    private let end: Int64
    /// Nanoseconds between two frames at the declared rate.
    private let period: Int64
    /// Times at which conditions change, ascending.
    private let boundaries: [Int64]

    private var thinning = FrameThinning()
    private var frames = FrameCounts()
    private var conditions: Conditions
    private var camera: SimulatedCamera
    private var device: SimulatedDevice
    private var worker = SimulatedWorker()
    private var events: [SimulationEvent] = []
    private var trace: TraceRecorder
    private var totals = SimulationTotals(unitCount: 1)

    /// - Parameter seed: of all random numbers.
    package init(_ scenario: Scenario, seed: UInt64 = 1) throws(SimulationError) {
        do throws(ScenarioError) {
            try scenario.validate()
        } catch {
            throw .scenario(error)
        }
        self.scenario = scenario
        self.seed = seed
        end = nanoseconds(scenario.seconds)
        period = Self.second / Int64(scenario.rate)
        boundaries = Set(scenario.phases.flatMap { [nanoseconds($0.from), nanoseconds($0.to)] }).sorted()
        conditions = Conditions(scenario, at: 0)
        camera = SimulatedCamera(scenario.camera, chance: SplitMix64(seed: seed ^ 0xCA3E))
        device = SimulatedDevice(scenario.device, chance: SplitMix64(seed: seed ^ 0xDE71))
        trace = TraceRecorder(duration: end)
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
        return SimulationReport(
            scenario: scenario, seed: seed,
            summary: totals.summary(
                seconds: scenario.seconds, frames: frames, scheduling: thinning.counts, superseded: worker.superseded,
                unfinished: worker.unfinished),
            trace: trace.samples, events: events)
    }

    private mutating func takeFrame(at now: Int64) {
        let delivers = conditions.deliversFrames
        camera.advance(conditions)
        guard delivers else { return }
        let index = Int64(totals.framesIn)
        totals.framesIn += 1
        frames.run += 1
        guard thinning.decideNext() == .run else { return }
        totals.stride(to: index)
        worker.take(.init(slotIndex: index, slotTime: now, reset: false))
        worker.begin(at: now, on: &device, conditions)
    }

    private mutating func finishStep(at now: Int64) {
        guard let finished = worker.finish() else { return }
        totals.encoded += 1
        trace.record(latency: finished.step.whole)
        totals.latencies.record(finished.step.whole)
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
            totals.tick(thinning.state, unit: 0, celsius: device.celsius)
        }
        guard now % Self.second == 0 else { return }
        if now > 0, now % trace.interval == 0 {
            trace.sample(
                at: now,
                TraceCounts(
                    encoded: totals.encoded, skipped: thinning.counts.skips.total, superseded: worker.superseded),
                thinning.state, deadline: period * Int64(thinning.budget.pace.interval), unit: 0, device)
        }
        if let change = thinning.observe(device.reading(at: now), at: now) { log(.budget(change), at: now) }
    }

    private mutating func log(_ kind: SimulationEvent.Kind, at now: Int64) {
        totals.logLines += 1
        guard events.count < Self.eventLimit else { return }
        events.append(SimulationEvent(time: now, kind: kind, celsius: device.celsius, gigahertz: device.gigahertz))
    }
}

extension Scenario {
    /// Milliseconds of the body networks for a frame. With the 0.8 ms that a frame takes besides, 30 frames take as
    /// much of a second as 120 frames of a gesture stream at 4.2 + 0.8 ms, so that the device of a scenario warms
    /// alike.
    private static let bodyMilliseconds = 19.2

    /// The same scenario for a stream of bodies: a camera of 30 frames a second, one unit, and contention in
    /// proportion.
    package var ofBodies: Scenario {
        var scenario = paced(at: 30)
        let ratio = Self.bodyMilliseconds / (device.units.first?.milliseconds ?? Self.bodyMilliseconds)
        scenario.device.units = [.init(name: "body", milliseconds: Self.bodyMilliseconds)]
        scenario.phases = scenario.phases.compactMap { phase in
            guard case .contention(let unit, let least, let most) = phase.condition else { return phase }
            guard unit ?? 0 == 0 else { return nil }
            return Phase(
                from: phase.from, to: phase.to, .contention(unit: unit, least: least * ratio, most: most * ratio))
        }
        return scenario
    }
}
