package import Scheduling
import Synchronization

/// Reads a device's sensors once a second, on whichever thread asks first.
package final class SensorPoll: Sendable {
    /// Nanoseconds between readings: sensors change slowly and take tens of microseconds each.
    private static let interval: Int64 = 1_000_000_000

    private let sensors: DeviceSensors?
    private let clock: StreamClock
    private let latest: Atomic<Int64>

    /// - Parameter sensors: nil reads nothing.
    package init(_ sensors: DeviceSensors?, clock: StreamClock) {
        self.sensors = sensors
        self.clock = clock
        latest = Atomic(clock.now() - Self.interval)
    }

    /// A new reading; nil without sensors and if the latest reading is less than a second old.
    package func readIfDue() -> DeviceReading? {
        guard let sensors else { return nil }
        let now = clock.now()
        let before = latest.load(ordering: .relaxed)
        guard now - before >= Self.interval,
            latest.compareExchange(expected: before, desired: now, ordering: .relaxed).exchanged
        else { return nil }
        return sensors.read()
    }
}
