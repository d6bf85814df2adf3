/// The charge of a Linux device, from its power supplies.
///
/// Only batteries of the system count: those of mice, headsets and pens have the scope `Device`. Each reading lists
/// them anew, because batteries are removed and docks attached.
package struct SysfsBatterySensor: BatterySensor {
    private let root: AttributeDirectory

    /// - Parameter root: where sysfs is mounted.
    package init(root: String = "/sys") {
        self.root = AttributeDirectory(path: root)
    }

    /// The charge of all batteries together; nil without a battery, as on mains only. It is weighted by the energy of
    /// each when full if all of them give it, otherwise it is the mean.
    package func readBattery() -> DeviceSensors.BatteryReading? {
        let supplies = root.subdirectory("class/power_supply")
        let batteries = supplies.names().compactMap { Battery(supplies.subdirectory($0)) }
        guard !batteries.isEmpty else { return nil }

        let energies = batteries.compactMap(\.fullEnergy)
        let weights = energies.count == batteries.count ? energies : batteries.map { _ in 1 }
        let charge = zip(batteries, weights).reduce(0) { $0 + $1.0.level * $1.1 }
        let states = batteries.map(\.status)
        return DeviceSensors.BatteryReading(
            level: charge / weights.reduce(0, +),
            isExternallyPowered: !states.contains("Discharging")
                && states.contains { ["Charging", "Full", "Not charging"].contains($0) })
    }
}

/// A battery of the system whose charge is known.
private struct Battery {
    /// Charge, 0...1.
    var level: Double
    /// Energy when full, in microwatt hours, above 0.
    var fullEnergy: Double?
    /// The kernel's word, such as `Discharging`.
    var status: String?

    init?(_ supply: AttributeDirectory) {
        guard supply.attribute("type") == "Battery", supply.attribute("scope") != "Device",
            supply.attribute("present") != "0", let level = Self.level(supply)
        else { return nil }
        self.level = level
        fullEnergy = supply.integer("energy_full").flatMap { $0 > 0 ? Double($0) : nil }
        status = supply.attribute("status")
    }

    /// The charge by percentage; without a valid one, current energy or charge divided by that when full. A worn
    /// battery can hold more than it was last measured to, which counts as full.
    private static func level(_ supply: AttributeDirectory) -> Double? {
        if let capacity = supply.integer("capacity"), (0...100).contains(capacity) { return Double(capacity) / 100 }
        for quantity in ["energy", "charge"] {
            if let now = supply.integer(quantity + "_now"), let full = supply.integer(quantity + "_full"),
                now >= 0, full > 0
            {
                return min(Double(now) / Double(full), 1)
            }
        }
        return nil
    }
}
