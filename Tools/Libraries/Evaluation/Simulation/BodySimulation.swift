import Scheduling
import Vocabulary

/// Runs a scenario through the decisions of a live stream of bodies: which frames it skips to spare heat and battery.
///
/// Such a stream has no frame grid, no deadlines and one unit, the scenario's first. The decisions are those of
/// `FrameThinning`, and the device is read once a second. The same scenario and seed give the same report on every machine.
package struct BodySimulation {
    /// Nanoseconds between two frames at the declared rate.
    private let period: Int64
    private var session: SimulatedSession
    private var thinning = FrameThinning()
    private var frames = FrameCounts()

    /// - Parameter seed: of all random numbers.
    package init(_ scenario: Scenario, seed: UInt64 = 1) throws(SimulationError) {
        session = try SimulatedSession(scenario, seed: seed)
        period = 1_000_000_000 / Int64(scenario.rate)
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
        return session.report(frames, thinning.counts)
    }

    private mutating func takeFrame(at now: Int64) {
        guard session.takeFrame() != nil else { return }
        let index = Int64(session.totals.framesIn - 1)
        frames.run += 1
        guard thinning.decideNext() == .run else { return }
        session.totals.stride(to: index)
        session.worker.take(.init(slotIndex: index, slotTime: now, reset: false))
        session.beginStep(at: now)
    }

    private mutating func finishStep(at now: Int64) {
        guard let finished = session.worker.finish() else { return }
        session.totals.encoded += 1
        session.record(finished.step)
        session.beginStep(at: now)
    }

    private mutating func passTime(at now: Int64) {
        let counts = TraceCounts(
            encoded: session.totals.encoded, skipped: thinning.counts.skips.total,
            superseded: session.worker.superseded)
        let reading = session.passTime(
            at: now, thinning.state, deadline: period * Int64(thinning.budget.pace.interval), counts: counts)
        if let reading, let change = thinning.observe(reading, at: now) { session.log(.budget(change), at: now) }
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
