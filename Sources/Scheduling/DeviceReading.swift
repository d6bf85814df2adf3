extension DeviceReading {
    /// The operating system's thermal state, with the four levels of Apple's platforms.
    public enum ThermalState: Int, Codable, Sendable, Hashable, Comparable, CaseIterable {
        /// No action needed.
        case nominal
        /// Warm: on iOS an app should postpone what can wait.
        case fair
        /// Hot: the system slows down.
        case serious
        /// Too hot: the device has to cool.
        case critical

        /// Cooler states are less.
        public static func < (left: DeviceReading.ThermalState, right: DeviceReading.ThermalState) -> Bool {
            left.rawValue < right.rawValue
        }
    }
}

/// The device's own readings at one moment. `DeviceReading()` has no reading.
public struct DeviceReading: Sendable, Equatable {
    /// The system's thermal state.
    public var thermal: DeviceReading.ThermalState

    /// Temperature in degrees Celsius, nil without a sensor. Readers ignore values that no sensor of a working device
    /// shows: NaN, below -50 and above 150.
    public var celsius: Double?

    /// Charge of the battery, 0...1; nil for a device without one. Values below 0, such as UIKit's -1 for "unknown",
    /// and NaN count as no battery.
    public var battery: Double?

    /// Makes a reading; arguments that are left out are unknown.
    public init(thermal: DeviceReading.ThermalState = .nominal, celsius: Double? = nil, battery: Double? = nil) {
        self.thermal = thermal
        self.celsius = celsius
        self.battery = battery
    }

    /// The charge for schedules. A device without a battery, or with a reading below 0 or NaN, counts as full.
    var charge: Double {
        guard let battery, battery >= 0 else { return 1 }
        return battery
    }
}

extension SchedulerState {
    /// Which slots of the frame grid run.
    public enum Pace: Int, Sendable, CaseIterable {
        /// Every slot.
        case full = 1
        /// Every second slot.
        case half = 2
        /// Every third slot.
        case third = 3
        /// Every sixth slot.
        case sixth = 6

        /// Number of slots from one that runs to the next.
        public var interval: Int { rawValue }

        /// The next slower pace; nil for the slowest.
        var slowed: SchedulerState.Pace? { Self.allCases.first { $0.interval > interval } }

        /// The next faster pace; nil for full pace.
        var raised: SchedulerState.Pace? { Self.allCases.last { $0.interval < interval } }

        func slower(_ other: SchedulerState.Pace) -> SchedulerState.Pace { other.rawValue > rawValue ? other : self }
    }
}

extension SchedulerState {
    /// Whether anything moves before the camera.
    package enum Activity: Sendable, Equatable, CaseIterable {
        /// Something moves.
        case active
        /// Nothing has moved for a while.
        case idle
    }
}
