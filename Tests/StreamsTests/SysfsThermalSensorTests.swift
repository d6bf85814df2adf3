import Foundation
import Scheduling
import Streams
import Testing

@Suite struct SysfsThermalSensorTests {
    @Test func millidegreesBecomeDegreesAndAState() throws {
        let tree = try SysfsTree()
        for (written, celsius, state) in [
            ("45000", 45.0, DeviceReading.ThermalState.nominal), ("-40000", -40, .nominal), ("-1", -0.001, .nominal),
            ("1", 0.001, .nominal), ("75000", 75, .fair), ("84999", 84.999, .fair), ("85000", 85, .serious),
            ("95000", 95, .critical), ("150000", 150, .critical), (" 51500 ", 51.5, .nominal),
        ] {
            try tree.zone(0, "x86_pkg_temp", written)
            #expect(
                SysfsThermalSensor(root: tree.root).readThermal()
                    == DeviceSensors.ThermalReading(
                        state: state, celsius: celsius, isOfDie: true, source: "x86_pkg_temp"),
                "\(written)")
        }
    }

    /// Each sensor alone, and each with all the less preferred ones beside it.
    @Test func sensorsAreChosenByNameInOrderOfPreference() throws {
        let order = [
            "x86_pkg_temp", "cpu-thermal", "package-thermal", "bigcore0-thermal", "soc0-thermal", "TCPU",
            "coretemp Package id 0", "k10temp Tctl", "zenpower Tdie", "quiet-skin-therm", "TSKN",
        ]
        let both = try SysfsTree()
        for (index, source) in order.enumerated().reversed() {
            let alone = try SysfsTree()
            for tree in [alone, both] {
                let celsius = "\(30_000 + index)"
                if let space = source.firstIndex(of: " ") {
                    let label = String(source[source.index(after: space)...])
                    try tree.add(
                        "hwmon/hwmon\(index)",
                        ["name": String(source[..<space]), "temp1_input": celsius, "temp1_label": label])
                } else {
                    try tree.zone(order.count - index, source, celsius)
                }
                let reading = SysfsThermalSensor(root: tree.root).readThermal()
                #expect(reading?.source == source)
                #expect(reading?.celsius == Double(30_000 + index) / 1_000)
                #expect(reading?.isOfDie == (index < 9))
            }
        }
    }

    @Test(arguments: [
        "cpu-thermal", "cpu_thermal", "cpu0-thermal", "CPU-therm", "cpuss1-thermal", "cpu-0-3-thermal", "cpu-little0",
        "soc-thermal", "soc_thermal", "bigcore1-thermal", "TCPU_PCI",
    ])
    func spellingsOfProcessors(type: String) throws {
        let tree = try SysfsTree()
        try tree.zone(7, type, "61000")
        #expect(SysfsThermalSensor(root: tree.root).readThermal()?.celsius == 61)
    }

    @Test(arguments: [
        "acpitz", "ambient", "battery", "BAT0", "soc", "iwlwifi_1", "nvme", "gpu-thermal", "INT3400 Thermal",
        "pch_cannonlake",
        "modem-thermal", "pmic", "x86_pkg_temp2", "", "thermal-cpu", "*",
    ])
    func otherZonesAreNeverRead(type: String) throws {
        let tree = try SysfsTree()
        try tree.zone(0, type, "90000")
        try tree.add("hwmon/hwmon0", ["name": type, "temp1_input": "90000"])
        try tree.add("hwmon/hwmon1", ["name": "nvme", "temp1_input": "90000", "temp1_label": "Composite"])
        #expect(SysfsThermalSensor(root: tree.root).readThermal() == nil)
    }

    @Test func theHottestOfSeveralCounts() throws {
        let tree = try SysfsTree()
        for (zone, celsius) in [44_000, 71_000, -20_000, 58_000].enumerated() {
            try tree.zone(zone, "cpu\(zone)-thermal", "\(celsius)")
        }
        #expect(
            SysfsThermalSensor(root: tree.root).readThermal()
                == DeviceSensors.ThermalReading(state: .nominal, celsius: 71, isOfDie: true, source: "cpu1-thermal"))
        try tree.zone(2, "cpu2-thermal", "88000")
        #expect(SysfsThermalSensor(root: tree.root).readThermal()?.state == .serious)
    }

    @Test(arguments: BrokenAttribute.allCases) func brokenTemperaturesAreIgnored(broken: BrokenAttribute) throws {
        let tree = try SysfsTree()
        try tree.zone(0, "x86_pkg_temp", "50000")
        try broken.place(at: "thermal/thermal_zone0/temp", in: tree)
        let sensor = SysfsThermalSensor(root: tree.root)
        #expect(sensor.readThermal() == nil)
        // The next sensor stands in, and gives way when the first is whole again.
        try tree.zone(1, "soc-thermal", "40000")
        #expect(sensor.readThermal()?.source == "soc-thermal")
        try tree.zone(0, "x86_pkg_temp", "50000")
        #expect(sensor.readThermal()?.source == "x86_pkg_temp")
    }

    @Test(arguments: BrokenAttribute.allCases) func brokenNamesAreIgnored(broken: BrokenAttribute) throws {
        let tree = try SysfsTree()
        try tree.zone(0, "cpu-thermal", "50000")
        try tree.add("hwmon/hwmon0", ["name": "coretemp", "temp1_input": "60000"])
        try broken.place(at: "thermal/thermal_zone0/type", in: tree)
        try broken.place(at: "hwmon/hwmon0/name", in: tree)
        #expect(SysfsThermalSensor(root: tree.root).readThermal() == nil)
    }

    @Test(arguments: ["0", "-0", "-40001", "150001", "-274000", "-273150", "2147483647", "-2147483648", "255875"])
    func implausibleTemperaturesAreIgnored(written: String) throws {
        let tree = try SysfsTree()
        try tree.zone(0, "cpu-thermal", written)
        try tree.add("hwmon/hwmon0", ["name": "k10temp", "temp1_input": written, "temp1_label": "Tctl"])
        #expect(SysfsThermalSensor(root: tree.root).readThermal() == nil)
    }

    @Test func whatIsNoSysfsHasNoTemperature() throws {
        let tree = try SysfsTree()
        #expect(SysfsThermalSensor(root: tree.root).readThermal() == nil)
        try tree.directory("thermal")
        #expect(SysfsThermalSensor(root: tree.root).readThermal() == nil)
        try tree.write("thermal/thermal_zone0", [1, 2, 3])
        try tree.link("thermal/thermal_zone1", to: "thermal_zone1")
        try tree.link("thermal/thermal_zone2", to: "..")
        #expect(SysfsThermalSensor(root: tree.root).readThermal() == nil)
        try tree.zone(3, "cpu-thermal", "50000")
        #expect(SysfsThermalSensor(root: tree.root).readThermal()?.celsius == 50)
        for root in ["", "/nowhere/at/all", "\0", tree.root + "\0/more", String(repeating: "a/", count: 5_000)] {
            #expect(SysfsThermalSensor(root: root).readThermal() == nil)
        }
        try tree.link("thermal", to: "thermal")
        #expect(SysfsThermalSensor(root: tree.root).readThermal() == nil)
    }

    /// sysfs keeps devices elsewhere and links to them.
    @Test func devicesBehindLinksAreRead() throws {
        let tree = try SysfsTree()
        try tree.add("devices/virtual", ["type": "cpu-thermal", "temp": "47000"])
        try tree.directory("thermal")
        try tree.link("thermal/thermal_zone12", to: "../devices/virtual")
        #expect(SysfsThermalSensor(root: tree.root).readThermal()?.celsius == 47)
    }

    @Test func manyZonesAndNamesThatAreNoText() throws {
        let tree = try SysfsTree()
        for index in 0..<200 { try tree.zone(index, "gpu-thermal", "99000") }
        try tree.zone(200, "cpu-thermal", "52000")
        let name = Array((tree.root + "/class/thermal/thermal_zone").utf8CString.dropLast()) + [-1, 0]
        #expect(unsafe mkdir(name, 0o700) == 0)
        #expect(SysfsThermalSensor(root: tree.root).readThermal()?.celsius == 52)
    }

    @Test func aStateLastsToItsHysteresis() throws {
        let tree = try SysfsTree()
        let sensor = SysfsThermalSensor(root: tree.root)
        var states: [DeviceReading.ThermalState?] = []
        for written in ["74000", "75000", "70000", "-274000", "70000", "69999", "74000", "96000", "89000", "60000"] {
            try tree.zone(0, "cpu-thermal", written)
            states.append(sensor.readThermal()?.state)
        }
        #expect(states == [.nominal, .fair, .fair, nil, .fair, .nominal, .nominal, .critical, .serious, .nominal])
    }

    /// Drivers that come and go number their zones anew.
    @Test func renumberedZonesAreFollowed() throws {
        let tree = try SysfsTree()
        try tree.zone(0, "cpu-thermal", "52000")
        try tree.zone(1, "gpu-thermal", "90000")
        let sensor = SysfsThermalSensor(root: tree.root)
        #expect(sensor.readThermal()?.celsius == 52)
        try tree.zone(0, "gpu-thermal", "90000")
        try tree.zone(1, "cpu-thermal", "53000")
        #expect(sensor.readThermal()?.celsius == 53)
        try tree.remove("thermal/thermal_zone1")
        #expect(sensor.readThermal() == nil)
    }

    @Test func rulesAreConfiguration() throws {
        let tree = try SysfsTree()
        try tree.zone(0, "x86_pkg_temp", "50000")
        try tree.zone(1, "acpitz", "60000")
        try tree.add("hwmon/hwmon0", ["name": "MyChip", "temp1_input": "70000"])
        let thresholds = ThermalThresholds(isOfDie: true, fair: 10, serious: 65, critical: 80, hysteresis: 0)
        for (rule, state) in [
            (SysfsThermalRule.zone(type: "ACPI*", thresholds: thresholds), DeviceReading.ThermalState.fair),
            (.monitor(name: "mychip", labels: [], thresholds: thresholds), .serious),
            (.zone(type: "**_pk*t*p", thresholds: thresholds), .fair),
        ] {
            #expect(SysfsThermalSensor(root: tree.root, rules: [rule]).readThermal()?.state == state)
        }
        for type in ["acpi", "*_pkg", "x86*x86*", "", "?cpitz"] {
            let rule = SysfsThermalRule.zone(type: type, thresholds: thresholds)
            #expect(SysfsThermalSensor(root: tree.root, rules: [rule]).readThermal() == nil, "\(type)")
        }
        #expect(SysfsThermalSensor(root: tree.root, rules: []).readThermal() == nil)
    }
}
