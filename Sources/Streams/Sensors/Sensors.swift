public import Scheduling

extension DeviceSensors {
    /// A thermal state from a sensor.
    public struct ThermalReading: Sendable, Equatable {
        /// The thermal state, from the operating system or from the sensor's thresholds.
        public var state: DeviceReading.ThermalState
        /// The temperature in degrees Celsius; nil if the system gives only a state.
        public var celsius: Double?
        /// Whether the temperature is that of a processor's die, which is tens of degrees warmer than the outside of the
        /// device.
        public var isOfDie: Bool
        /// The name of the sensor, as the system spells it.
        public var source: String?

        /// Makes a reading with or without a temperature.
        public init(
            state: DeviceReading.ThermalState, celsius: Double? = nil, isOfDie: Bool = false, source: String? = nil
        ) {
            self.state = state
            self.celsius = celsius
            self.isOfDie = isOfDie
            self.source = source
        }
    }
}

extension DeviceSensors {
    /// A battery's charge from a sensor.
    public struct BatteryReading: Sendable, Equatable {
        /// Charge left, 0...1.
        public var level: Double
        /// Whether the device runs from mains or a charger: the battery charges, is full, or is held at its level.
        public var isExternallyPowered: Bool

        /// Makes a reading of a level in 0...1.
        public init(level: Double, isExternallyPowered: Bool = false) {
            self.level = level
            self.isExternallyPowered = isExternallyPowered
        }
    }
}

/// A sensor of the device's heat.
///
/// A reading may take milliseconds and allocate, because a driver behind a file of sysfs may ask firmware or an
/// embedded controller. So a thread without a waiting frame takes one about once a second, which is often enough for
/// heat, and frames see only the `DeviceReading`. Sensors may be read from any thread.
public protocol ThermalSensor: Sendable {
    /// The current heat; nil without a sensor or a plausible value.
    func readThermal() -> DeviceSensors.ThermalReading?
}

/// A sensor of the battery's charge, to be read like a `ThermalSensor`.
public protocol BatterySensor: Sendable {
    /// The current charge; nil without a battery or a known charge.
    func readBattery() -> DeviceSensors.BatteryReading?
}

/// All sensors of a device.
public struct DeviceSensors: Sendable {
    /// Sensor of heat; nil without one.
    public var thermal: (any ThermalSensor)?
    /// Sensor of charge; nil without one.
    public var battery: (any BatterySensor)?
    /// Whether the charge also counts on external power, as in the frame budget's rule. If false, there is no battery
    /// to spare on external power, and `DeviceReading.battery` is nil.
    public var countsBatteryOnExternalPower: Bool
    /// Whether a die's temperature becomes `DeviceReading.celsius`, for a schedule with
    /// `SchedulingConfiguration.dieTemperature`. If false, only a skin's temperature does, and a die gives
    /// only its state. By default the pace falls at 42 C and recovers below 38 C, which a die may cross at any load.
    public var reportsDieTemperature: Bool

    /// Makes sensors of one's own, or none.
    public init(
        thermal: (any ThermalSensor)? = nil, battery: (any BatterySensor)? = nil,
        countsBatteryOnExternalPower: Bool = true, reportsDieTemperature: Bool = false
    ) {
        self.thermal = thermal
        self.battery = battery
        self.countsBatteryOnExternalPower = countsBatteryOnExternalPower
        self.reportsDieTemperature = reportsDieTemperature
    }

    /// New sensors of this system, with a thermal state of their own that starts nominal.
    ///
    /// On Linux they read sysfs. On Apple's systems they give the thermal state of the process and no battery, because
    /// the battery of a `UIDevice` belongs to the main actor (`UIDeviceBatterySensor`).
    public static var system: DeviceSensors {
        #if canImport(os)
            DeviceSensors(thermal: ProcessThermalSensor())
        #else
            DeviceSensors(thermal: SysfsThermalSensor(), battery: SysfsBatterySensor())
        #endif
    }

    /// One reading of all sensors. Values that a sensor does not give are nominal, nil and nil. A temperature that is
    /// not finite and a level outside 0...1 are unknown.
    public func read() -> DeviceReading {
        let heat = thermal?.readThermal()
        let charge = battery?.readBattery()
        var celsius: Double?
        if let heat, !heat.isOfDie || reportsDieTemperature, let reading = heat.celsius, reading.isFinite {
            celsius = reading
        }
        var level: Double?
        if let charge, countsBatteryOnExternalPower || !charge.isExternallyPowered, (0...1).contains(charge.level) {
            level = charge.level
        }
        return DeviceReading(thermal: heat?.state ?? .nominal, celsius: celsius, battery: level)
    }
}
