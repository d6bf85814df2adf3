package import Vocabulary

/// Lowers the pace by a step when the device cannot hold it, and raises it again later: full, half, third and sixth. A
/// pure value; the caller passes the time.
///
/// Down, one step at a time:
/// - `missLimit` consecutive steps took longer than their deadline;
/// - or the temperature is at or above the end of `temperature`. It lowers the pace again only after `probation`, because the
///   device takes time to cool.
///
/// Up, one step at a time, each at least `minimumDwell` after the last change and after the last missed deadline:
/// - by temperature, if it was at or above the beginning of `temperature` after the last step down, and is below it now.
///   Between beginning and end the pace does not rise.
/// - otherwise by a timed probe. The probe needs at least 30 steps, no missed deadline for `probeAfter`, and a 95th
///   percentile of that time's latencies that fits the next faster pace. It is used without a sensor, and where the
///   temperature stayed below its beginning, so that heat was not the cause.
///
/// Temperature counts once the sensor has shown a value below the beginning. A sensor that idles above it, such as one
/// on a processor's die, would otherwise hold the pace down for ever. A sensor without readings for `readingLifetime`
/// is ignored.
///
/// A step up has failed if the pace is lowered within `probation`: after a probe for any reason, else by misses. From
/// then on only probes raise the pace. The wait for them doubles with each failure, up to `probeAfterAtMost`. When a
/// raised pace is lowered later, one failure is taken back for each `probation` that it lasted.
package struct PaceController: Sendable {
    package private(set) var pace = SchedulerState.Pace.full

    /// The last change, nil before the first.
    package private(set) var latestChange: SchedulerState.PaceChange?

    private let slotPeriod: Int64
    private let reserved: Int64
    private let missLimit: Int
    private let temperature: ClosedRange<Double>?
    private let readingLifetime: Int64
    private let minimumDwell: Int64
    private let probation: Int64

    private var misses = 0
    private var latencies: LatencyWindow
    private var sinceChange = Stopwatch()
    private var sinceMiss = Stopwatch()
    private var backoff: Backoff
    private var raisedBy: SchedulerState.PaceChange.Reason?

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
        self.slotPeriod = slotPeriod
        reserved = configuration.reserved.checkedNanoseconds
        let probeAfter = configuration.probeAfter.checkedNanoseconds
        backoff = Backoff(base: probeAfter, limit: configuration.probeAfterAtMost.checkedNanoseconds)
        latencies = LatencyWindow(span: probeAfter)
    }

    /// Time that a pace leaves for a step, in nanoseconds: the period of its slots less the reserved part.
    package func headroom(at pace: SchedulerState.Pace) -> Int64 { slotPeriod * Int64(pace.interval) - reserved }

    /// Takes in the time of a step. All values are in nanoseconds.
    ///
    /// - latency: the step's time; ignored if it is below 0, which no correct clock gives.
    /// - deadline: the step's allowed time; a latency above it is a miss.
    /// - time: of any clock. If it goes back, all waits start again.
    package mutating func observe(latency: Int64, deadline: Int64, at time: Int64) -> SchedulerState.PaceChange? {
        guard latency >= 0 else { return nil }
        latencies.record(latency, at: time)
        if latency > deadline {
            misses = min(misses + 1, missLimit)
            sinceMiss.restart(at: time)
        } else {
            misses = 0
        }
        if misses >= missLimit, let slowed = pace.slowed { return stepDown(to: slowed, .deadlineMisses, at: time) }
        return returnIfDue(at: time)
    }

    /// Takes in a temperature in degrees Celsius. Nil, and values that no sensor of a working device shows, change
    /// nothing.
    package mutating func observe(celsius reading: Double?, at time: Int64) -> SchedulerState.PaceChange? {
        guard let temperature, let reading, SchedulingConfiguration.Pace.plausible.contains(reading)
        else { return nil }
        celsius = reading
        sinceReading.restart(at: time)
        if reading < temperature.lowerBound { sensorReachesDown = true } else { wasWarm = true }
        if sensorReachesDown, reading >= temperature.upperBound, let slowed = pace.slowed,
            latestChange?.isDown != true || sinceChange.elapsed(at: time) >= probation
        {
            return stepDown(to: slowed, .temperatureHigh, at: time)
        }
        return returnIfDue(at: time)
    }

    /// Forgets latencies: another compute unit takes over, or the stream starts anew.
    package mutating func forgetLatencies() {
        misses = 0
        latencies.removeAll()
    }

    /// For a stream that starts anew, perhaps with another clock. Pace and knowledge about heat stay, because a restart
    /// does not cool the device; all waits start again.
    package mutating func restart() {
        forgetLatencies()
        sinceChange.clear()
        sinceMiss.clear()
    }

    private mutating func stepDown(
        to slowed: SchedulerState.Pace, _ reason: SchedulerState.PaceChange.Reason, at time: Int64
    ) -> SchedulerState.PaceChange {
        if let raisedBy {
            let held = sinceChange.elapsed(at: time)
            if held >= probation {
                backoff.forgive(held / probation)
            } else if raisedBy == .probe || reason == .deadlineMisses {
                backoff.fail()
            }
        }
        if let temperature, let celsius = freshCelsius(at: time) {
            wasWarm = celsius >= temperature.lowerBound
        } else {
            wasWarm = false
        }
        return change(to: slowed, reason, at: time)
    }

    private mutating func returnIfDue(at time: Int64) -> SchedulerState.PaceChange? {
        guard let raised = pace.raised else { return nil }
        let clean = sinceMiss.elapsed(at: time)
        guard sinceChange.elapsed(at: time) >= minimumDwell, clean >= minimumDwell else { return nil }
        if sensorReachesDown, let temperature, let celsius = freshCelsius(at: time) {
            guard celsius < temperature.lowerBound else { return nil }
            if wasWarm, !backoff.hasFailed { return change(to: raised, .temperatureRecovered, at: time) }
        }
        guard clean >= backoff.wait, let p95 = latencies.percentile95(at: time), p95 <= headroom(at: raised)
        else { return nil }
        return change(to: raised, .probe, at: time)
    }

    private mutating func change(
        to next: SchedulerState.Pace, _ reason: SchedulerState.PaceChange.Reason, at time: Int64
    ) -> SchedulerState.PaceChange {
        let change = SchedulerState.PaceChange(from: pace, to: next, reason: reason, time: .nanoseconds(time))
        pace = next
        latestChange = change
        raisedBy = change.isDown ? nil : reason
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
    /// The pace was lowered or raised by a step.
    package struct PaceChange: Sendable, Equatable {
        /// The pace until then.
        package let from: SchedulerState.Pace
        /// The pace from then on.
        package let to: SchedulerState.Pace
        /// Why it changed.
        package let reason: Reason
        /// When, on the clock that the scheduler was stepped with.
        package let time: Duration

        /// Whether the pace was lowered.
        package var isDown: Bool { to.interval > from.interval }

        /// Why the pace changes.
        package enum Reason: Sendable, Equatable, CaseIterable {
            /// Down: too many consecutive steps missed their deadline.
            case deadlineMisses
            /// Down: the temperature reached the upper threshold.
            case temperatureHigh
            /// Up: the temperature fell below the lower threshold.
            case temperatureRecovered
            /// Up: a time without missed deadlines has passed, and latency leaves room.
            case probe
        }
    }
}
