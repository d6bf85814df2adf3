extension DeviceReading {
    /// How hot the operating system says the device is, in the four steps that Apple's platforms use.
    public enum ThermalState: Int, Codable, Sendable, Hashable, Comparable, CaseIterable {
        /// Nothing to do.
        case nominal
        /// Warm: where iOS says so, an app is to put off what can wait.
        case fair
        /// Hot: the system slows down.
        case serious
        /// Too hot: the device has to cool.
        case critical

        /// Cooler is less.
        public static func < (left: DeviceReading.ThermalState, right: DeviceReading.ThermalState) -> Bool {
            left.rawValue < right.rawValue
        }
    }
}

/// What the device says about itself at one moment. Nothing known is `DeviceReading()`.
public struct DeviceReading: Sendable, Equatable {
    /// The system's own verdict.
    public var thermal: DeviceReading.ThermalState

    /// Temperature in degrees Celsius, nil without a sensor. Values that no sensor of a working device shows (not a
    /// number, below -50, above 150) are ignored by whoever reads them.
    public var celsius: Double?

    /// Charge of the battery, 0...1; nil for a device without one. Anything else, and so the -1 by which UIKit says
    /// "unknown", counts as no battery.
    public var battery: Double?

    /// A reading; what is not named is not known.
    public init(thermal: DeviceReading.ThermalState = .nominal, celsius: Double? = nil, battery: Double? = nil) {
        self.thermal = thermal
        self.celsius = celsius
        self.battery = battery
    }

    /// The charge as schedules take it. A device without a battery, or with a reading below 0 or NaN, counts as full.
    var charge: Double {
        guard let battery, battery >= 0 else { return 1 }
        return battery
    }
}

extension SchedulerState {
    /// Which slots of the frame grid are encoded.
    public enum Pace: Int, Sendable, CaseIterable {
        /// Every slot.
        case full = 1
        /// Every second slot.
        case half = 2
        /// Every third slot.
        case third = 3

        /// Slots from one encoded slot to the next.
        public var interval: Int { rawValue }

        func slower(_ other: SchedulerState.Pace) -> SchedulerState.Pace { other.rawValue > rawValue ? other : self }
    }
}

extension SchedulerState {
    /// Whether anything moves before the camera.
    public enum Activity: Sendable, Equatable, CaseIterable {
        /// Something moves.
        case active
        /// Nothing has moved for a while.
        case idle
    }
}
