package import Vocabulary

/// Halves the pace when the device cannot hold it, and finds the way back. A value without a clock.
///
/// Down, to half pace:
/// - `missLimit` consecutive steps took longer than their deadline;
/// - or the temperature is at or above `stepDownAt`, before misses force it.
///
/// Back to full pace, never within `minimumDwell` of the step down nor within it of a missed deadline:
/// - by temperature, as soon as it is below `recoverBelow`, when it was that high or higher since the step down.
///   Between the two thresholds the pace stays what it is.
/// - else by a timed probe: no deadline missed for `probeAfter`, and the 95th percentile of latency fits into the time
///   that a slot leaves at full pace. This is the way without a sensor, and where heat was not the cause: temperature
///   below `recoverBelow` all along.
///
/// A temperature counts only once the sensor has shown one below `recoverBelow`: one that idles above it (a processor's
/// die) would hold the pace down for ever. A sensor that falls silent counts as none after `readingLifetime`.
///
/// Being forced down within `probation` of a probe, or by misses within it of any return, is a failure: from then on
/// only probes lead back, and the wait doubles with each further failure up to `probeAfterAtMost`. Each `probation`
/// spent at full pace takes one failure back.
package struct PaceController: Sendable {
    package private(set) var pace = SchedulerState.Pace.full

    /// The last change, nil before the first.
    package private(set) var latestChange: SchedulerState.PaceChange?

    /// What a slot leaves at full pace for a step, in nanoseconds: its period less what is reserved.
    package let headroom: Int64

    private let missLimit: Int
    private let temperature: SchedulingConfiguration.TemperatureThresholds?
    private let readingLifetime: Int64
    private let minimumDwell: Int64
    private let probation: Int64

    private var misses = 0
    private var latencies: LatencyWindow
    private var sinceChange = Stopwatch()
    private var sinceMiss = Stopwatch()
    private var backoff: Backoff
    private var cameBackBy: SchedulerState.PaceChange.Reason?

    private var celsius: Double?
    private var sinceReading = Stopwatch()
    private var sensorReachesDown = false
    private var wasWarm = false

    /// - slotPeriod: nanoseconds from one slot to the next at full pace, above 0.
    package init(
        _ configuration: SchedulingConfiguration.Pace = SchedulingConfiguration.Pace(), slotPeriod: Int64
    ) throws(ConfigurationError) {
        try configuration.validate()
        let period = Duration.nanoseconds(slotPeriod)
        try ConfigurationError.check(period, "slotPeriod", in: SchedulingConfiguration.Pace.slotPeriods)
        guard configuration.reserved < period else {
            throw ConfigurationError(
                "SchedulingConfiguration.Pace.reserved", configuration.reserved,
                mustBe: "below the time of a slot, which is \(period)")
        }
        missLimit = configuration.missLimit
        temperature = configuration.temperature
        readingLifetime = configuration.readingLifetime.checkedNanoseconds
        minimumDwell = configuration.minimumDwell.checkedNanoseconds
        probation = configuration.probation.checkedNanoseconds
        headroom = slotPeriod - configuration.reserved.checkedNanoseconds
        let probeAfter = configuration.probeAfter.checkedNanoseconds
        backoff = Backoff(base: probeAfter, limit: configuration.probeAfterAtMost.checkedNanoseconds)
        latencies = LatencyWindow(span: probeAfter)
    }

    /// Takes in what a step took. All in nanoseconds.
    ///
    /// - latency: a step's time; below 0, which no sound clock shows, it is ignored.
    /// - deadline: the time that the step had; a latency above it is a miss.
    /// - time: of any clock. Where it goes back, all waits begin anew.
    package mutating func observe(latency: Int64, deadline: Int64, at time: Int64) -> SchedulerState.PaceChange? {
        guard latency >= 0 else { return nil }
        latencies.record(latency, at: time)
        if latency > deadline {
            misses = min(misses + 1, missLimit)
            sinceMiss.restart(at: time)
        } else {
            misses = 0
        }
        if pace == .full { return misses >= missLimit ? stepDown(.deadlineMisses, at: time) : nil }
        return returnIfDue(at: time)
    }

    /// Takes in a temperature in degrees Celsius. None, and values that no sensor of a working device shows, leave
    /// everything as it is.
    package mutating func observe(celsius reading: Double?, at time: Int64) -> SchedulerState.PaceChange? {
        guard let temperature, let reading, SchedulingConfiguration.TemperatureThresholds.plausible.contains(reading)
        else { return nil }
        celsius = reading
        sinceReading.restart(at: time)
        if reading < temperature.recoverBelow { sensorReachesDown = true } else { wasWarm = true }
        guard pace == .full else { return returnIfDue(at: time) }
        return sensorReachesDown && reading >= temperature.stepDownAt ? stepDown(.temperatureHigh, at: time) : nil
    }

    /// Forgets what steps took: another compute unit takes over, or the stream starts anew.
    package mutating func forgetLatencies() {
        misses = 0
        latencies.removeAll()
    }

    /// For a stream that starts anew, perhaps with another time: the pace and what is known about heat stay, since a
    /// device does not cool down by it; all waits begin anew.
    package mutating func restart() {
        forgetLatencies()
        sinceChange.clear()
        sinceMiss.clear()
    }

    private mutating func stepDown(_ reason: SchedulerState.PaceChange.Reason, at time: Int64)
        -> SchedulerState.PaceChange
    {
        if let cameBackBy {
            let held = sinceChange.elapsed(at: time)
            if held >= probation {
                backoff.forgive(held / probation)
            } else if cameBackBy == .probe || reason == .deadlineMisses {
                backoff.fail()
            }
        }
        if let temperature, let celsius = freshCelsius(at: time) {
            wasWarm = celsius >= temperature.recoverBelow
        } else {
            wasWarm = false
        }
        return change(to: .half, reason, at: time)
    }

    private mutating func returnIfDue(at time: Int64) -> SchedulerState.PaceChange? {
        let clean = sinceMiss.elapsed(at: time)
        guard sinceChange.elapsed(at: time) >= minimumDwell, clean >= minimumDwell else { return nil }
        if sensorReachesDown, let temperature, let celsius = freshCelsius(at: time) {
            guard celsius < temperature.recoverBelow else { return nil }
            if wasWarm, !backoff.hasFailed { return change(to: .full, .temperatureRecovered, at: time) }
        }
        guard clean >= backoff.wait, let p95 = latencies.percentile95(at: time), p95 <= headroom else { return nil }
        return change(to: .full, .probe, at: time)
    }

    private mutating func change(
        to next: SchedulerState.Pace, _ reason: SchedulerState.PaceChange.Reason, at time: Int64
    ) -> SchedulerState.PaceChange {
        let change = SchedulerState.PaceChange(from: pace, to: next, reason: reason, time: .nanoseconds(time))
        pace = next
        latestChange = change
        cameBackBy = next == .full ? reason : nil
        sinceChange.restart(at: time)
        sinceMiss.restart(at: time)
        forgetLatencies()
        return change
    }

    private mutating func freshCelsius(at time: Int64) -> Double? {
        guard let celsius, sinceReading.elapsed(at: time) <= readingLifetime else { return nil }
        return celsius
    }
}

extension SchedulerState {
    /// The pace was halved, or given back.
    public struct PaceChange: Sendable, Equatable {
        /// The pace until then.
        public let from: SchedulerState.Pace
        /// The pace from then on.
        public let to: SchedulerState.Pace
        /// What changed it.
        public let reason: Reason
        /// On the clock that the scheduler was stepped with.
        public let time: Duration

        /// What changes the pace.
        public enum Reason: Sendable, Equatable, CaseIterable {
            /// Down: too many consecutive steps missed their deadline.
            case deadlineMisses
            /// Down: the temperature reached the upper threshold.
            case temperatureHigh
            /// Up: the temperature fell below the lower threshold.
            case temperatureRecovered
            /// Up: time passed without a missed deadline, and latency leaves room.
            case probe
        }
    }
}
