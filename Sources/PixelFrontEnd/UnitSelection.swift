import Scheduling
package import Vocabulary

/// When another compute unit takes over.
package struct UnitSelection: Codable, Sendable, Hashable {
    /// A unit is replaced if its 95th percentile of step latency is above this, 1 us...10 s.
    package var threshold: Duration

    /// Length of that percentile's sliding window, up to a minute; at most its latest 300 steps count.
    package var window: Duration

    /// Fewest steps in the window for a percentile, 1...300.
    package var minimumSamples: Int

    /// How much lower, as a share, a slow unit's percentile must be to count as better than another slow one's,
    /// 0...1.
    package var improvement: Double

    /// Shortest time between two switches, except for the end of a failed probe; at most a day.
    package var cooldown: Duration

    /// How long a unit's measurement is valid before the unit is tried again; at most a day.
    package var probeAfter: Duration

    /// Upper limit of that time after failed tries; from `probeAfter` to a day.
    package var probeAfterAtMost: Duration

    /// A try fails if the unit is too slow within this time; at most a day.
    package var probation: Duration

    /// Most switches in any minute, 2...60; a probe and its end are two.
    package var switchesPerMinute: Int

    /// Takes any values; `validate()` reports those that cannot be used.
    package init(
        threshold: Duration = .milliseconds(7),
        window: Duration = .seconds(2),
        minimumSamples: Int = 30,
        improvement: Double = 0.1,
        cooldown: Duration = .seconds(5),
        probeAfter: Duration = .seconds(15),
        probeAfterAtMost: Duration = .seconds(300),
        probation: Duration = .seconds(60),
        switchesPerMinute: Int = 6
    ) {
        self.threshold = threshold
        self.window = window
        self.minimumSamples = minimumSamples
        self.improvement = improvement
        self.cooldown = cooldown
        self.probeAfter = probeAfter
        self.probeAfterAtMost = probeAfterAtMost
        self.probation = probation
        self.switchesPerMinute = switchesPerMinute
    }

    /// Checks every value and throws the first fault, in the order of declaration.
    package func validate() throws(ConfigurationError) {
        try ConfigurationError.check(
            threshold, "PixelConfiguration.unitLatencyLimit",
            in: .microseconds(1) ... .seconds(10))
        try ConfigurationError.check(
            window, "UnitSelection.window", in: .nanoseconds(1) ... .seconds(60))
        try ConfigurationError.check(
            minimumSamples, "UnitSelection.minimumSamples",
            in: 1...LatencyWindow.standardCapacity)
        try ConfigurationError.check(improvement, "UnitSelection.improvement", in: 0...1)
        try ConfigurationError.check(cooldown, "UnitSelection.cooldown", in: .waits)
        try ConfigurationError.check(
            probeAfter, "UnitSelection.probeAfter", in: .positiveWaits)
        try ConfigurationError.check(
            probeAfterAtMost, "UnitSelection.probeAfterAtMost", in: .positiveWaits)
        guard probeAfter <= probeAfterAtMost else {
            throw ConfigurationError(
                "UnitSelection.probeAfter", probeAfter, above: "probeAfterAtMost",
                probeAfterAtMost)
        }
        try ConfigurationError.check(
            probation, "UnitSelection.probation", in: .positiveWaits)
        try ConfigurationError.check(
            switchesPerMinute, "UnitSelection.switchesPerMinute", in: 2...60)
    }
}
