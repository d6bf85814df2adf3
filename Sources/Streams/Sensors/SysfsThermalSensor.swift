import Platform
import Scheduling

/// The temperature of a Linux device, from its thermal zones and hardware monitors.
///
/// Each reading lists the sensors anew, because their numbers change when drivers come and go. It uses the first rule
/// under which any sensor gives a plausible temperature, and the worst of several sensors (sockets, clusters). Without
/// sysfs, as on other systems and in some containers, there is no reading.
///
/// A state lasts until the temperature is below its threshold by the hysteresis. Invariant: the latest state is the
/// only value that changes, and a lock guards it.
package final class SysfsThermalSensor: ThermalSensor {
    private let root: AttributeDirectory
    private let rules: [SysfsThermalRule]
    private let usesTripPoints: Bool
    private let latest = Locked(DeviceReading.ThermalState.nominal)

    /// - Parameters:
    ///   - root: where sysfs is mounted.
    ///   - rules: kinds of sensors, in the order of preference.
    ///   - usesTripPoints: whether a zone's trip points, at which the kernel slows it down or switches it off, adapt
    ///     its thresholds: the state is serious from the first passive one on, and critical before the last.
    package init(
        root: String = "/sys", rules: [SysfsThermalRule] = SysfsThermalRule.standard, usesTripPoints: Bool = true
    ) {
        self.root = AttributeDirectory(path: root)
        self.rules = rules
        self.usesTripPoints = usesTripPoints
    }

    /// The worst reading of the first rule that gives one.
    package func readThermal() -> DeviceSensors.ThermalReading? {
        latest.withLock { latest in
            guard let reading = read(after: latest) else { return nil }
            latest = reading.state
            return reading
        }
    }

    private func read(after previous: DeviceReading.ThermalState) -> DeviceSensors.ThermalReading? {
        // Temperatures are read for one rule at a time, because some need a request to firmware.
        let zones = devices(root.subdirectory("class/thermal"), prefix: "thermal_zone", nameIn: "type")
        let monitors = devices(root.subdirectory("class/hwmon"), prefix: "hwmon", nameIn: "name")
        for rule in rules {
            let readings =
                switch rule {
                case .zone(let type, let thresholds):
                    zones.matching(type).compactMap { read(zone: $0, thresholds, after: previous) }
                case .monitor(let name, let labels, let thresholds):
                    monitors.matching(name).flatMap { read(monitor: $0, labels, thresholds, after: previous) }
                }
            let worst = readings.max { ($0.state, $0.celsius ?? 0) < ($1.state, $1.celsius ?? 0) }
            if let worst { return worst }
        }
        return nil
    }

    private func devices(_ parent: AttributeDirectory, prefix: String, nameIn attribute: String) -> [NamedDevice] {
        parent.names(startingWith: prefix).compactMap { entry in
            let directory = parent.subdirectory(entry)
            return directory.attribute(attribute).map { NamedDevice(name: $0, directory: directory) }
        }
    }

    private func read(
        zone: NamedDevice, _ thresholds: ThermalThresholds, after previous: DeviceReading.ThermalState
    ) -> DeviceSensors.ThermalReading? {
        guard let celsius = celsius(zone.directory, "temp") else { return nil }
        let thresholds = usesTripPoints ? adapted(thresholds, to: zone.directory) : thresholds
        return DeviceSensors.ThermalReading(thresholds, celsius, after: previous, source: zone.name)
    }

    private func read(
        monitor: NamedDevice, _ labels: [String], _ thresholds: ThermalThresholds,
        after previous: DeviceReading.ThermalState
    ) -> [DeviceSensors.ThermalReading] {
        let files = monitor.directory.names(startingWith: "temp")
        let channels = files.compactMap { file -> (file: String, label: String)? in
            let suffix = "_input"
            guard file.hasSuffix(suffix) else { return nil }
            let channel = String(file.dropLast(suffix.count))
            return (file, monitor.directory.attribute(channel + "_label") ?? channel)
        }
        for label in labels + ["*"] {
            let pattern = NamePattern(label)
            let readings = channels.compactMap { channel -> DeviceSensors.ThermalReading? in
                guard pattern.matches(channel.label), let celsius = celsius(monitor.directory, channel.file)
                else { return nil }
                return DeviceSensors.ThermalReading(
                    thresholds, celsius, after: previous, source: monitor.name + " " + channel.label)
            }
            if !readings.isEmpty { return readings }
        }
        return []
    }

    /// The temperature in a file of millidegrees, if it is plausible: -40...150 C, which includes the specified range
    /// of silicon, and not exactly 0, which sensors without power give. Drivers report unknown values as -274 C or
    /// 2^31.
    private func celsius(_ directory: AttributeDirectory, _ name: String) -> Double? {
        guard let millidegrees = directory.integer(name), millidegrees != 0, (-40_000...150_000).contains(millidegrees)
        else { return nil }
        return Double(millidegrees) / 1_000
    }

    /// Trip points have consecutive numbers; the first 16 are read, more than zones have.
    private func adapted(_ thresholds: ThermalThresholds, to zone: AttributeDirectory) -> ThermalThresholds {
        var (passive, hot, critical): ([Int], [Int], [Int]) = ([], [], [])
        for index in 0..<16 {
            guard let type = zone.attribute("trip_point_\(index)_type") else { break }
            guard let temperature = zone.integer("trip_point_\(index)_temp") else { continue }
            switch type {
            case "passive": passive.append(temperature)
            case "hot": hot.append(temperature)
            case "critical": critical.append(temperature)
            default: break
            }
        }
        return thresholds.adapted(passive: passive, hot: hot, critical: critical)
    }
}

extension DeviceSensors.ThermalReading {
    fileprivate init(
        _ thresholds: ThermalThresholds, _ celsius: Double, after previous: DeviceReading.ThermalState, source: String
    ) {
        self.init(
            state: thresholds.state(atCelsius: celsius, after: previous), celsius: celsius, isOfDie: thresholds.isOfDie,
            source: source)
    }
}

/// A device of sysfs with the name that its driver gave it.
private struct NamedDevice {
    var name: String
    var directory: AttributeDirectory
}

extension [NamedDevice] {
    fileprivate func matching(_ pattern: String) -> [NamedDevice] {
        let pattern = NamePattern(pattern)
        return filter { pattern.matches($0.name) }
    }
}
