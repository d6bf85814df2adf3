package import Scheduling
package import Vocabulary

/// Chooses between compute units by the time of their steps. The caller passes the time. Units have their index in the
/// order of preference, 0 the preferred one.
///
/// When the 95th percentile of the window is above `threshold`, the next unit in the order takes over that is not known
/// to be as slow: one never tried, one whose own percentile was good, or one whose percentile was better by
/// `improvement`. A fallback that is itself too slow does not make the stream switch back and forth: each unit keeps
/// the percentile with which it was left, and is tried again only after a wait, which doubles each time that it does
/// not do well for `probation`. Switches are at least `cooldown` apart.
///
/// A fallback that does well is replaced by the preferred unit after the same wait, as a probe. A unit that is still
/// slow when it is tried again is left as soon as the window shows it, without cooldown. Such a try needs two switches
/// left in the minute, so that the way back is possible.
package struct UnitSelector: Sendable {
    /// The unit to use.
    package private(set) var current = 0

    private let threshold: Int64
    private let improvement: Double
    private let cooldown: Int64
    private let probation: Int64

    private var latencies: LatencyWindow
    private var records: [Record]
    private var switchTimes: [Int64?]
    private var oldestSwitch = 0
    private var sinceSwitch = Stopwatch()
    private var hasSwitched = false
    /// Whether the unit was slow before and is tried again.
    private var isTrial = false
    private var cameFrom = 0
    /// How long after the switch the percentile was last good.
    private var goodFor: Int64 = 0

    private struct Record {
        /// The percentile when the unit was left; nil before that.
        var percentile: Int64?
        var sinceLeft = Stopwatch()
        var backoff: Backoff
    }

    private static let minute: Int64 = 60_000_000_000
    /// The percentile of a unit that cannot compute.
    private static let failed = Int64.max

    /// - unitCount: 1...64; one unit is never switched.
    package init(
        _ configuration: UnitSelection = UnitSelection(), unitCount: Int
    ) throws(ConfigurationError) {
        try configuration.validate()
        try ConfigurationError.check(unitCount, "unitCount", in: 1...64)
        threshold = configuration.threshold.checkedNanoseconds
        improvement = configuration.improvement
        cooldown = configuration.cooldown.checkedNanoseconds
        probation = configuration.probation.checkedNanoseconds
        latencies = LatencyWindow(
            span: configuration.window.checkedNanoseconds, minimumSamples: configuration.minimumSamples)
        let backoff = Backoff(
            base: configuration.probeAfter.checkedNanoseconds, limit: configuration.probeAfterAtMost.checkedNanoseconds)
        records = Array(repeating: Record(backoff: backoff), count: unitCount)
        switchTimes = Array(repeating: nil, count: configuration.switchesPerMinute)
    }

    /// Takes in the time of a step of the current unit, in nanoseconds; ignored if it is below 0, which no correct
    /// clock gives. If `time` goes back, waits start again. Returns the switch, if one was made.
    package mutating func observe(latency: Int64, at time: Int64) -> SchedulerState.UnitSwitch? {
        guard latency >= 0, records.count > 1 else { return nil }
        latencies.record(latency, at: time)
        guard let percentile = latencies.percentile95(at: time) else { return nil }
        let served = sinceSwitch.elapsed(at: time)
        if percentile > threshold {
            let isFailedTrial = isTrial && served < probation
            guard isFailedTrial || !hasSwitched || served >= cooldown,
                let next = isFailedTrial && isBetter(cameFrom, than: percentile)
                    ? cameFrom : alternative(to: percentile, at: time),
                mayStart(switches: isRetry(next, at: time) ? 2 : 1, at: time)
            else { return nil }
            if goodFor >= probation {
                records[current].backoff.forgive(goodFor / probation)
            } else if hasSwitched {
                records[current].backoff.fail()
            }
            return change(to: next, isFailedTrial ? .probeFailed : .slow, percentile, at: time)
        }
        goodFor = served
        guard current != 0, served >= cooldown, isForgotten(0, at: time), mayStart(switches: 2, at: time) else {
            return nil
        }
        return change(to: 0, .probe, percentile, at: time)
    }

    /// The current unit could not compute a frame: the next usable one takes over at once, unless the minute has no
    /// switch left. From then on the failed one counts as slower than any other.
    package mutating func fail(at time: Int64) -> SchedulerState.UnitSwitch? {
        guard records.count > 1, let next = alternative(to: Self.failed, at: time), mayStart(switches: 1, at: time)
        else {
            return nil
        }
        records[current].backoff.fail()
        return change(to: next, .failed, Self.failed, at: time)
    }

    /// For a stream that starts anew, perhaps with another clock: the unit and the knowledge about the others stay.
    package mutating func restart() {
        latencies.removeAll()
        sinceSwitch.clear()
    }

    /// The next unit in the order that may be faster than a percentile of the current one.
    private mutating func alternative(to percentile: Int64, at time: Int64) -> Int? {
        for offset in 1..<records.count {
            let unit = (current + offset) % records.count
            if isForgotten(unit, at: time) { return unit }
            if isBetter(unit, than: percentile) { return unit }
        }
        return nil
    }

    private func isBetter(_ unit: Int, than percentile: Int64) -> Bool {
        guard let known = records[unit].percentile else { return false }
        return known <= threshold || Double(known) < Double(percentile) * (1 - improvement)
    }

    /// Whether nothing is known about the unit, or only for so long that it should be tried again.
    private mutating func isForgotten(_ unit: Int, at time: Int64) -> Bool {
        guard records[unit].percentile != nil else { return true }
        return records[unit].sinceLeft.elapsed(at: time) >= records[unit].backoff.wait
    }

    /// Whether the unit was slow when it was left, long ago.
    private mutating func isRetry(_ unit: Int, at time: Int64) -> Bool {
        guard let known = records[unit].percentile, known > threshold else { return false }
        return isForgotten(unit, at: time)
    }

    /// Whether that many switches are left in the minute before `time`. Switches at later times, from before the clock
    /// was set back, count as made now.
    private mutating func mayStart(switches: Int, at time: Int64) -> Bool {
        var left = 0
        for index in switchTimes.indices {
            guard let switched = switchTimes[index] else {
                left += 1
                continue
            }
            if switched > time { switchTimes[index] = time }
            if time.subtractingSaturated(switched) >= Self.minute { left += 1 }
        }
        return left >= switches
    }

    private mutating func change(
        to next: Int, _ reason: SchedulerState.UnitSwitch.Reason, _ percentile: Int64, at time: Int64
    ) -> SchedulerState.UnitSwitch {
        let made = SchedulerState.UnitSwitch(
            from: current, to: next, reason: reason, time: .nanoseconds(time),
            p95: reason == .failed ? nil : .nanoseconds(percentile))
        records[current].percentile = percentile
        records[current].sinceLeft.restart(at: time)
        switchTimes[oldestSwitch] = time
        oldestSwitch = (oldestSwitch + 1) % switchTimes.count
        isTrial = isRetry(next, at: time)
        cameFrom = current
        current = next
        hasSwitched = true
        sinceSwitch.restart(at: time)
        goodFor = 0
        latencies.removeAll()
        return made
    }
}
