import Scheduling
import Vocabulary

/// The rules of the comments of `PaceController`. What was observed is kept, and looked through anew each time.
struct PlainPace {
    /// Nanoseconds.
    struct Times {
        var readingLifetime, minimumDwell, probeAfter, probeAfterAtMost, probation: Int64
    }

    /// Slots from one that runs to the next, at each pace.
    static let intervals = [1, 2, 3, 6]

    let missLimit: Int
    let recoverBelow, stepDownAt: Double
    let usesTemperature: Bool
    let times: Times
    let slotPeriod, reserved: Int64

    /// Steps below full pace.
    private var depth = 0
    /// The latest 300 latencies since they were forgotten, with their times.
    private var latencies: [(latency: Int64, time: Int64)] = []
    private var misses = 0
    /// The newest of: changes of the pace and missed deadlines.
    private var disturbed: Int64 = 0
    /// Whether the sensor has shown a value below `recoverBelow`.
    private var isTrusted = false
    private var reading: (celsius: Double, time: Int64)?
    /// Whether a reading since the step down, or the one behind it, was `recoverBelow` or more.
    private var wasHot = false
    private var failures = 0
    /// The last change, if it was a step down: when.
    private var lowered: Int64?
    /// The last change, if it was a step up: when, and whether by a probe.
    private var raised: (time: Int64, isProbe: Bool)?

    init(_ configuration: SchedulingConfiguration.Pace, slotPeriod: Int64) {
        missLimit = configuration.missLimit
        usesTemperature = configuration.temperature != nil
        recoverBelow = configuration.temperature?.lowerBound ?? 0
        stepDownAt = configuration.temperature?.upperBound ?? 0
        times = Times(
            readingLifetime: configuration.readingLifetime.saturatedNanoseconds,
            minimumDwell: configuration.minimumDwell.saturatedNanoseconds,
            probeAfter: configuration.probeAfter.saturatedNanoseconds,
            probeAfterAtMost: configuration.probeAfterAtMost.saturatedNanoseconds,
            probation: configuration.probation.saturatedNanoseconds)
        self.slotPeriod = slotPeriod
        reserved = configuration.reserved.saturatedNanoseconds
    }

    typealias Reason = SchedulerState.PaceChange.Reason

    var interval: Int { Self.intervals[depth] }

    private var isSlowest: Bool { depth == Self.intervals.count - 1 }

    mutating func observe(latency: Int64, deadline: Int64, at time: Int64) -> Reason? {
        guard latency >= 0 else { return nil }
        if latencies.count == 300 { latencies.removeFirst() }
        latencies.append((latency, time))
        if latency > deadline {
            misses += 1
            disturbed = max(disturbed, time)
        } else {
            misses = 0
        }
        if !isSlowest, misses >= missLimit { return stepDown(.deadlineMisses, at: time) }
        return recover(at: time)
    }

    mutating func observe(celsius: Double?, at time: Int64) -> Reason? {
        guard usesTemperature, let celsius, (-50...150).contains(celsius) else { return nil }
        if celsius < recoverBelow { isTrusted = true }
        reading = (celsius, time)
        if depth > 0, celsius >= recoverBelow { wasHot = true }
        let isCooling = lowered.map { time - $0 < times.probation } ?? false
        if isTrusted, !isSlowest, !isCooling, celsius >= stepDownAt { return stepDown(.temperatureHigh, at: time) }
        return recover(at: time)
    }

    mutating func forgetLatencies() {
        latencies = []
        misses = 0
    }

    private mutating func stepDown(_ reason: Reason, at time: Int64) -> Reason {
        if let raised {
            let lasted = time - raised.time
            if lasted >= times.probation {
                failures = max(0, failures - Int(lasted / times.probation))
            } else if raised.isProbe || reason == .deadlineMisses, wait < times.probeAfterAtMost {
                failures += 1
            }
        }
        depth += 1
        forgetLatencies()
        disturbed = time
        wasHot = reading.map { $0.celsius >= recoverBelow && time - $0.time <= times.readingLifetime } ?? false
        (lowered, raised) = (time, nil)
        return reason
    }

    private mutating func recover(at time: Int64) -> Reason? {
        guard depth > 0, time - disturbed >= times.minimumDwell else { return nil }
        let current = reading.flatMap { isTrusted && time - $0.time <= times.readingLifetime ? $0.celsius : nil }
        if let current, wasHot, failures == 0 {
            guard current < recoverBelow else { return nil }
            return stepUp(.temperatureRecovered, at: time)
        }
        if let current, current >= recoverBelow { return nil }
        guard time - disturbed >= wait, fits(at: time) else { return nil }
        return stepUp(.probe, at: time)
    }

    private mutating func stepUp(_ reason: Reason, at time: Int64) -> Reason {
        depth -= 1
        forgetLatencies()
        disturbed = time
        (lowered, raised) = (nil, (time, reason == .probe))
        return reason
    }

    /// The wait before a probe.
    private var wait: Int64 {
        (0..<failures).reduce(times.probeAfter) { wait, _ in min(2 * wait, times.probeAfterAtMost) }
    }

    /// Whether 95 of 100 of the latest 300 latencies within the time of a probe fit into the next faster pace; false with
    /// fewer than 30.
    private func fits(at time: Int64) -> Bool {
        let headroom = slotPeriod * Int64(Self.intervals[depth - 1]) - reserved
        let window = latencies.filter { $0.time > time - times.probeAfter }
        return window.count >= 30 && 100 * window.count { $0.latency <= headroom } >= 95 * window.count
    }
}
