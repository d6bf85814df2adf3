import Scheduling
import Vocabulary

/// What surrounds a simulated stream: camera, device, a thread with a mailbox of depth one that runs the steps, and the record of what
/// happens. The clock advances from event to event in Int64 nanoseconds, and all random numbers come from the seed.
struct SimulatedSession {
    /// What happens next, in the order in which events at the same time are handled.
    enum Event {
        /// A step ends.
        case step
        /// A tenth of a second is over.
        case tick
        /// A frame arrives.
        case frame
    }

    private static let tick: Int64 = 100_000_000
    private static let second: Int64 = 1_000_000_000
    private static let eventLimit = 10_000

    private let scenario: Scenario
    private let seed: UInt64
    private let end: Int64
    /// Times at which conditions change, ascending.
    private var boundaries: ArraySlice<Int64>
    private var nextTick: Int64 = 0
    private var events: [SimulationEvent] = []

    private(set) var conditions: Conditions
    private(set) var camera: SimulatedCamera
    private(set) var device: SimulatedDevice
    var worker = SimulatedWorker()
    var trace: TraceRecorder
    var totals: SimulationTotals

    /// - seed: of all random numbers.
    init(_ scenario: Scenario, seed: UInt64) throws(SimulationError) {
        do throws(ScenarioError) {
            try scenario.validate()
        } catch {
            throw .scenario(error)
        }
        self.scenario = scenario
        self.seed = seed
        end = nanoseconds(scenario.seconds)
        boundaries = Set(scenario.phases.flatMap { [nanoseconds($0.from), nanoseconds($0.to)] }).sorted()[...]
        conditions = Conditions(scenario, at: 0)
        camera = SimulatedCamera(scenario.camera, chance: SplitMix64(seed: seed ^ 0xCA3E))
        device = SimulatedDevice(scenario.device, chance: SplitMix64(seed: seed ^ 0xDE71))
        trace = TraceRecorder(duration: end)
        totals = SimulationTotals(unitCount: scenario.device.units.count)
    }

    /// The next event and its time; nil at the end of the scenario. Conditions have changed up to it.
    mutating func next() -> (event: Event, time: Int64)? {
        while true {
            let step = worker.busyUntil ?? .max
            let boundary = boundaries.first ?? .max
            let now = min(step, boundary, nextTick, camera.arrival)
            guard now <= end else { return nil }
            if now == step { return (.step, now) }
            if now == boundary {
                changeConditions(at: now)
                boundaries.removeFirst()
                continue
            }
            guard now == nextTick else { return (.frame, now) }
            nextTick += Self.tick
            return (.tick, now)
        }
    }

    private mutating func changeConditions(at now: Int64) {
        for phase in scenario.phases {
            if nanoseconds(phase.to) == now { log(.ends(phase.condition), at: now) }
            if nanoseconds(phase.from) == now { log(.begins(phase.condition), at: now) }
        }
        conditions = Conditions(scenario, at: now)
    }

    /// The timestamp of the frame that arrives; nil if the camera delivers none.
    mutating func takeFrame() -> Int64? {
        let timestamp = camera.timestamp
        camera.advance(conditions)
        guard conditions.deliversFrames else { return nil }
        totals.framesIn += 1
        return timestamp
    }

    /// Begins the step of the waiting frame, unless a step is running.
    mutating func beginStep(at now: Int64) { worker.begin(at: now, on: &device, conditions) }

    /// Records the duration of a step that one unit took alone.
    mutating func record(_ step: SimulatedDevice.Step) {
        trace.record(latency: step.whole)
        totals.latencies.record(step.whole)
    }

    /// Passes a tenth of a second.
    /// - Parameters:
    ///   - deadline: nanoseconds from a processed slot to the next.
    ///   - counts: of the stream, at the end of the tick.
    /// - Returns: the device's reading, once a second.
    mutating func passTime(
        at now: Int64, _ state: SchedulerState, deadline: Int64, counts: TraceCounts
    ) -> DeviceReading? {
        if now > 0 {
            device.advance(seconds: Double(Self.tick) / 1e9, ambient: conditions.ambient)
            totals.tick(state, unit: worker.active, celsius: device.celsius)
        }
        guard now % Self.second == 0 else { return nil }
        if now > 0, now % trace.interval == 0 {
            trace.sample(at: now, counts, state, deadline: deadline, unit: worker.active, device)
        }
        return device.reading(at: now)
    }

    mutating func log(_ kind: SimulationEvent.Kind, at now: Int64) {
        totals.logLines += 1
        guard events.count < Self.eventLimit else { return }
        events.append(SimulationEvent(time: now, kind: kind, celsius: device.celsius, gigahertz: device.gigahertz))
    }

    func report(_ frames: FrameCounts, _ scheduling: SessionStatistics.SchedulingCounts) -> SimulationReport {
        SimulationReport(
            scenario: scenario, seed: seed,
            summary: totals.summary(
                seconds: scenario.seconds, frames: frames, scheduling: scheduling, superseded: worker.superseded,
                unfinished: worker.unfinished),
            trace: trace.samples, events: events)
    }
}
