package import Scheduling

/// Temperatures in degrees Celsius from which a device counts as fair, serious and critical.
///
/// They belong to the measured part: a die idles at temperatures at which a skin would burn the hand.
package struct ThermalThresholds: Sendable, Equatable {
    /// Whether they are of a processor's die, which is tens of degrees warmer than the outside of the device.
    package var isOfDie: Bool
    /// Where `DeviceReading.ThermalState.fair` begins.
    package var fair: Double
    /// Where `DeviceReading.ThermalState.serious` begins.
    package var serious: Double
    /// Where `DeviceReading.ThermalState.critical` begins.
    package var critical: Double
    /// How far below its beginning a state ends, 0 or more.
    package var hysteresis: Double

    /// Makes thresholds, usually rising.
    package init(
        isOfDie: Bool, fair: Double, serious: Double, critical: Double, hysteresis: Double
    ) {
        self.isOfDie = isOfDie
        self.fair = fair
        self.serious = serious
        self.critical = critical
        self.hysteresis = hysteresis
    }

    /// For the die of a processor: 75, 85 and 95, each left 5 below.
    ///
    /// Dies are specified up to 95...105 C, where their firmware cuts the clocks, and idle at 35...60 C. Critical is
    /// the low end of that range, serious and fair are 10 and 20 below it, so that the pace falls before the clocks do.
    /// A die follows its load by some degrees within a second, hence 5.
    package static let die = ThermalThresholds(isOfDie: true, fair: 75, serious: 85, critical: 95, hysteresis: 5)

    /// For the outside of a hand-held device: 42, 45 and 48, each left 4 below.
    ///
    /// 42 and 38 C are from the source: a phone throttles and is spared at the first, and is back at full rate below
    /// the second. The higher thresholds are this project's choice.
    package static let skin = ThermalThresholds(isOfDie: false, fair: 42, serious: 45, critical: 48, hysteresis: 4)

    /// The worst state whose threshold `celsius` has reached, whatever the order of the thresholds; nominal for NaN.
    package func state(atCelsius celsius: Double) -> DeviceReading.ThermalState {
        if celsius >= critical { return .critical }
        if celsius >= serious { return .serious }
        if celsius >= fair { return .fair }
        return .nominal
    }

    /// The state after a state of `previous`, which lasts until the temperature is below its threshold by the
    /// hysteresis.
    package func state(atCelsius celsius: Double, after previous: DeviceReading.ThermalState)
        -> DeviceReading.ThermalState
    {
        max(state(atCelsius: celsius), min(previous, state(atCelsius: celsius + max(0, hysteresis))))
    }

    /// The thresholds for a zone with trip points, in millidegrees.
    ///
    /// At the lowest passive trip the kernel starts to slow the zone's devices: there the state becomes serious, and
    /// fair and critical keep their distance from it. Critical begins at a hot trip at the latest, and 5 C below a
    /// critical trip, at which the kernel switches the machine off. Trips outside 45...150 C are unset or meant for
    /// something else, such as fans, and do not count.
    func adapted(passive: [Int], hot: [Int], critical fatal: [Int]) -> ThermalThresholds {
        func lowest(_ trips: [Int]) -> Double? {
            trips.filter { (45_000...150_000).contains($0) }.min().map { Double($0) / 1_000 }
        }
        var adapted = self
        if let trip = lowest(passive) {
            adapted.fair = trip - (serious - fair)
            adapted.serious = trip
            adapted.critical = trip + (critical - serious)
        }
        if let trip = lowest(hot) { adapted.critical = min(adapted.critical, trip) }
        if let trip = lowest(fatal) { adapted.critical = min(adapted.critical, trip - 5) }
        adapted.serious = min(adapted.serious, adapted.critical)
        adapted.fair = min(adapted.fair, adapted.serious)
        return adapted
    }
}
