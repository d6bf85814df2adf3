import Scheduling

/// The state of a stream in one interval of the trace; property names are the JSON keys. Counts cover the interval,
/// other values are those at its end.
package struct TraceSample: Encodable, Sendable, Equatable {
    /// From the start to the interval's end.
    package let seconds: Double
    /// Slots from one processed slot to the next: 1, 2, 3 or 6.
    package let pace: Int
    /// Frames whose step was done.
    package let encoded: Int
    package let skipped: Int
    package let repeats: Int
    package let surplus: Int
    package let dropped: Int
    package let superseded: Int
    package let deadline_misses: Int
    package let celsius: Double
    package let gigahertz: Double
    /// Over steps that one unit took alone, by nearest rank; nil without such steps.
    package let p50_ms: Double?
    package let p95_ms: Double?
    package let deadline_ms: Double
    /// 0...1, nil on mains.
    package let battery: Double?
    /// Index of the unit that answers.
    package let unit: Int
    /// The level of detail for the app's drawing, 0...2.
    package let interface_detail: Int
    package let idle: Bool
}

/// Counts of a stream at one time; a trace shows their differences.
struct TraceCounts {
    var encoded = 0
    var skipped = 0
    var repeats = 0
    var surplus = 0
    var dropped = 0
    var superseded = 0
    var misses = 0
}

/// Takes samples at a constant interval that gives at most 3600 of them in a run of any length.
struct TraceRecorder {
    private static let sampleLimit: Int64 = 3600
    private static let second: Int64 = 1_000_000_000

    /// Nanoseconds, whole seconds.
    let interval: Int64
    private(set) var samples: [TraceSample] = []
    private var latencies: [Int64] = []
    private var before = TraceCounts()

    /// - duration: of the run, in nanoseconds.
    init(duration: Int64) {
        let most = Self.sampleLimit * Self.second
        interval = max(1, (duration + most - 1) / most) * Self.second
    }

    mutating func record(latency: Int64) { latencies.append(latency) }

    mutating func sample(
        at time: Int64, _ counts: TraceCounts, _ state: SchedulerState, deadline: Int64, unit: Int,
        _ device: borrowing SimulatedDevice
    ) {
        latencies.sort()
        samples.append(
            TraceSample(
                seconds: seconds(time), pace: state.pace.rawValue, encoded: counts.encoded - before.encoded,
                skipped: counts.skipped - before.skipped, repeats: counts.repeats - before.repeats,
                surplus: counts.surplus - before.surplus, dropped: counts.dropped - before.dropped,
                superseded: counts.superseded - before.superseded, deadline_misses: counts.misses - before.misses,
                celsius: device.celsius, gigahertz: device.gigahertz, p50_ms: milliseconds(percentile: 50),
                p95_ms: milliseconds(percentile: 95),
                deadline_ms: Double(deadline) / 1e6, battery: device.charge(at: time), unit: unit,
                interface_detail: state.budget.interfaceDetail, idle: state.activity == .idle))
        before = counts
        latencies.removeAll(keepingCapacity: true)
    }

    /// Of the interval's sorted latencies, in milliseconds.
    private func milliseconds(percentile percent: Int) -> Double? {
        percentile(percent, ascending: latencies).map { Double($0) / 1e6 }
    }
}
