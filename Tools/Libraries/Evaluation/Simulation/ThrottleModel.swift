/// A device that heats up as it computes, and slows down as it gets hotter.
///
/// Its temperature T follows dT/dt = (ambient - T) / timeConstant + heat * w, where w is the work done in a second, in
/// seconds at full clock: a body of one temperature (Newton's law of cooling). The work of a step does not depend on
/// the clock, so each pace settles at one temperature: ambient + timeConstant * heat * w.
///
/// The defaults are a phone that behaves like the source's: from 30 C, full pace at 120 steps of 5.0 ms (w = 0.6)
/// reaches 42 C at 90 s and would settle at 44 C; half pace settles at 37 C, below the 38 C at which full pace returns.
/// Two conditions give two constants: timeConstant = 90 s / ln(14 / 2) = 46.25 s, heat = 14 C / (46.25 s * 0.6). From
/// 38 to 42 C the clock falls from 3.2 to 2.4 GHz, so that a step of 5.0 ms then takes 6.7 ms; the source says 6...7
/// ms.
package struct ThrottleModel: Codable, Sendable, Equatable {
    package var ambientCelsius = 30.0
    /// Temperature at the start.
    package var startCelsius = 30.0
    package var timeConstantSeconds = 46.25
    /// The warming by a second of work at full clock.
    package var celsiusPerBusySecond = 0.5045

    package var fullGigahertz = 3.2
    package var floorGigahertz = 2.4
    /// Up to this temperature the clock is full; above it the clock falls with the temperature.
    package var throttlesFromCelsius = 38.0
    /// From this temperature on the clock is at its floor.
    package var floorAtCelsius = 42.0

    /// Whether the device reports its temperature; the clock falls either way.
    package var hasSensor = true
    /// The temperatures at which its system reports fair, serious and critical; with nil it always reports nominal.
    package var thermal: ThermalSteps? = ThermalSteps()
    /// Nil runs on mains.
    package var battery: Battery?

    /// The compute units in their order of preference. The average times of a step, and the contention, are the
    /// source's for its two units.
    package var units = [
        UnitModel(name: "preferred", milliseconds: 4.2), UnitModel(name: "fallback", milliseconds: 7.1),
    ]
    /// The time that a frame takes besides its unit, at full clock.
    package var surroundMilliseconds = 0.8

    package init() {}

    package struct UnitModel: Codable, Sendable, Equatable {
        package var name: String
        /// A step's average at full clock.
        package var milliseconds: Double

        package init(name: String, milliseconds: Double) {
            self.name = name
            self.milliseconds = milliseconds
        }
    }

    /// The temperatures from which on a system reports fair, serious and critical: by default those of a device that is
    /// held in the hand.
    package struct ThermalSteps: Codable, Sendable, Equatable {
        package var fair = 42.0
        package var serious = 45.0
        package var critical = 48.0
        /// How far below its threshold a state ends.
        package var hysteresis = 4.0

        package init() {}
    }

    package struct Battery: Codable, Sendable, Equatable {
        /// At the start, 0...1.
        package var charge: Double
        /// The charge that an hour takes.
        package var perHour: Double

        package init(charge: Double, perHour: Double) {
            self.charge = charge
            self.perHour = perHour
        }
    }

    /// The clock at a temperature.
    func gigahertz(atCelsius celsius: Double) -> Double {
        let share = (celsius - throttlesFromCelsius) / (floorAtCelsius - throttlesFromCelsius)
        return fullGigahertz - (fullGigahertz - floorGigahertz) * min(max(share, 0), 1)
    }

    func validate() throws(ScenarioError) {
        try check("device.ambientCelsius", ambientCelsius, -50...100)
        try check("device.startCelsius", startCelsius, -50...150)
        try check("device.timeConstantSeconds", timeConstantSeconds, 1...86_400)
        try check("device.celsiusPerBusySecond", celsiusPerBusySecond, 0...100)
        try check("device.fullGigahertz", fullGigahertz, 0.1...10)
        try check("device.floorGigahertz", floorGigahertz, 0.1...fullGigahertz)
        try check("device.throttlesFromCelsius", throttlesFromCelsius, -50...150)
        try check("device.floorAtCelsius", floorAtCelsius, -50...150)
        guard throttlesFromCelsius < floorAtCelsius else {
            throw .notAscending("device.throttlesFromCelsius", "device.floorAtCelsius")
        }
        if let thermal {
            try check("device.thermal.fair", thermal.fair, -50...150)
            try check("device.thermal.serious", thermal.serious, thermal.fair...max(150, thermal.fair))
            try check("device.thermal.critical", thermal.critical, thermal.serious...max(150, thermal.serious))
            try check("device.thermal.hysteresis", thermal.hysteresis, 0...100)
        }
        if let battery {
            try check("device.battery.charge", battery.charge, 0...1)
            try check("device.battery.perHour", battery.perHour, 0...100)
        }
        try check("device.units", Double(units.count), 1...8)
        for (index, unit) in units.enumerated() {
            try check("device.units[\(index)].milliseconds", unit.milliseconds, 0.001...10_000)
        }
        try check("device.surroundMilliseconds", surroundMilliseconds, 0...10_000)
    }
}
