public import Scheduling

extension DeviceSensors {
    /// Heat as a sensor tells it.
    public struct ThermalReading: Sendable, Equatable {
        /// How hot the device is, by the operating system's word or by the thresholds of the sensor that was read.
        public var state: DeviceReading.ThermalState
        /// The temperature behind it in degrees Celsius; nil where the system tells a state only.
        public var celsius: Double?
        /// What the temperature is of.
        public var part: Part
        /// The name of the sensor that was read, as the system spells it.
        public var source: String?

        /// Where a temperature is measured.
        public enum Part: Sendable, Equatable {
            /// On a processor, which is tens of degrees warmer than the device around it.
            case die
            /// At the outside of the device.
            case skin
        }

        /// A reading with or without a temperature.
        public init(
            state: DeviceReading.ThermalState, celsius: Double? = nil, part: Part = .skin, source: String? = nil
        ) {
            self.state = state
            self.celsius = celsius
            self.part = part
            self.source = source
        }
    }
}

extension DeviceSensors {
    /// Charge as a sensor tells it.
    public struct BatteryReading: Sendable, Equatable {
        /// Charge left, 0...1.
        public var level: Double
        /// The device runs from the mains or a charger: the battery charges, is full, or is held where it is.
        public var isExternallyPowered: Bool

        /// A reading of a level in 0...1.
        public init(level: Double, isExternallyPowered: Bool = false) {
            self.level = level
            self.isExternallyPowered = isExternallyPowered
        }
    }
}

/// Tells how hot the device is.
///
/// A reading may take milliseconds and allocate: behind a file of sysfs stands a driver that asks firmware or an
/// embedded controller. So it is taken about once a second, which is often enough for heat, by a thread that has no
/// frame waiting; what travels to the frames is the `DeviceReading`. Sensors may be read from any thread.
public protocol ThermalSensor: Sendable {
    /// The heat now; nil when there is no sensor or it gives nothing plausible at the moment.
    func readThermal() -> DeviceSensors.ThermalReading?
}

/// Tells how full the battery is. The same holds for its readings as for those of `ThermalSensor`.
public protocol BatterySensor: Sendable {
    /// The charge now; nil when there is no battery or its charge is unknown at the moment.
    func readBattery() -> DeviceSensors.BatteryReading?
}

/// The sensors of a device together.
public struct DeviceSensors: Sendable {
    /// Tells the heat; nil where nothing does.
    public var thermal: (any ThermalSensor)?
    /// Tells the charge; nil where nothing does.
    public var battery: (any BatterySensor)?
    /// True: the charge counts at the mains too, as the rule of the frame budget has it. False: at the mains there is
    /// no battery to spare, and `DeviceReading.battery` is nil.
    public var countsBatteryOnExternalPower: Bool
    /// False: only the temperature of a skin becomes `DeviceReading.celsius`, and a die tells its heat by its state alone.
    /// By default the pace falls at 42 C and recovers below 38 C, which a die may cross at any load. True: a die's counts
    /// too, for a pace with `SchedulingConfiguration.TemperatureThresholds.die`.
    public var reportsDieTemperature: Bool

    /// Sensors of one's own, or none.
    public init(
        thermal: (any ThermalSensor)? = nil, battery: (any BatterySensor)? = nil,
        countsBatteryOnExternalPower: Bool = true, reportsDieTemperature: Bool = false
    ) {
        self.thermal = thermal
        self.battery = battery
        self.countsBatteryOnExternalPower = countsBatteryOnExternalPower
        self.reportsDieTemperature = reportsDieTemperature
    }

    /// What this system has: sysfs on Linux; on Apple's systems the thermal state of the process, without a battery,
    /// because the battery of a `UIDevice` is the main actor's (`UIDeviceBatterySensor`). New ones each time, with a
    /// thermal state of their own that starts nominal.
    public static var system: DeviceSensors {
        #if canImport(os)
            DeviceSensors(thermal: ProcessThermalSensor())
        #else
            DeviceSensors(thermal: SysfsThermalSensor(), battery: SysfsBatterySensor())
        #endif
    }

    /// One reading of all. What a sensor cannot tell reads as cool and without battery: nominal, nil, nil. A
    /// temperature that is not finite and a level outside 0...1 are unknown.
    public func read() -> DeviceReading {
        let heat = thermal?.readThermal()
        let charge = battery?.readBattery()
        var celsius: Double?
        if let heat, heat.part == .skin || reportsDieTemperature, let reading = heat.celsius, reading.isFinite {
            celsius = reading
        }
        var level: Double?
        if let charge, countsBatteryOnExternalPower || !charge.isExternallyPowered, (0...1).contains(charge.level) {
            level = charge.level
        }
        return DeviceReading(thermal: heat?.state ?? .nominal, celsius: celsius, battery: level)
    }
}
