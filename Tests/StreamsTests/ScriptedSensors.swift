import Platform
import Scheduling
import Streams

/// Readings written down in advance, for tests and simulations. Nil is a reading that fails.
enum SensorScript<Reading: Sendable & Equatable>: Sendable, Equatable {
    /// One reading at each call; the last one stays. No reading at all when empty.
    case sequence([Reading?])
    /// The reading of the latest step that has begun by the script's time; none before the first step. Steps stand in
    /// the order of their times.
    case schedule([Step])

    /// A reading and from when on it holds.
    struct Step: Sendable, Equatable {
        /// Nanoseconds on the clock of the test.
        var time: Int64
        /// The reading, or a failure.
        var reading: Reading?

        /// A reading from `time` on.
        init(at time: Int64, _ reading: Reading?) {
            self.time = time
            self.reading = reading
        }
    }

    func reading(call: Int, at time: Int64) -> Reading? {
        switch self {
        case .sequence(let readings): readings.isEmpty ? nil : readings[min(call, readings.count - 1)]
        case .schedule(let steps): steps.last { $0.time <= time }?.reading
        }
    }
}

/// Sensors that follow scripts.
///
/// Invariant: what changes, the time and the number of readings taken, lies under one lock, so a reading from any
/// thread is taken exactly once.
final class ScriptedSensors: ThermalSensor, BatterySensor {
    private struct State {
        var time: Int64 = 0
        var thermalCalls = 0
        var batteryCalls = 0
    }

    private let thermal: SensorScript<DeviceSensors.ThermalReading>
    private let battery: SensorScript<DeviceSensors.BatteryReading>
    private let state = Locked(State())

    /// One script for each sensor; without one it never gives a reading.
    init(
        thermal: SensorScript<DeviceSensors.ThermalReading> = .sequence([]),
        battery: SensorScript<DeviceSensors.BatteryReading> = .sequence([])
    ) {
        self.thermal = thermal
        self.battery = battery
    }

    /// The time in nanoseconds at which scheduled readings are taken; 0 at first. It may go back.
    var time: Int64 {
        get { state.withLock { $0.time } }
        set { state.withLock { $0.time = newValue } }
    }

    /// The next reading of the sequence, or the scheduled one.
    func readThermal() -> DeviceSensors.ThermalReading? {
        state.withLock { state in
            defer { state.thermalCalls += 1 }
            return thermal.reading(call: state.thermalCalls, at: state.time)
        }
    }

    /// The next reading of the sequence, or the scheduled one.
    func readBattery() -> DeviceSensors.BatteryReading? {
        state.withLock { state in
            defer { state.batteryCalls += 1 }
            return battery.reading(call: state.batteryCalls, at: state.time)
        }
    }
}
