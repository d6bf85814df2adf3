import Scheduling
import Streams
import Testing

@Suite struct SysfsMonitorTests {
    @Test func thePackageStandsForItsCores() throws {
        let tree = try SysfsTree()
        try tree.add(
            "hwmon/hwmon3",
            [
                "name": "coretemp", "temp1_input": "60000", "temp1_label": "Package id 0", "temp2_input": "97000",
                "temp2_label": "Core 0",
            ])
        try tree.add(
            "hwmon/hwmon4", ["name": "coretemp", "temp1_input": "64000", "temp1_label": "Package id 1"])
        #expect(
            SysfsThermalSensor(root: tree.root).readThermal()
                == DeviceSensors.ThermalReading(
                    state: .nominal, celsius: 64, isOfDie: true, source: "coretemp Package id 1"))
    }

    @Test func withoutALabelThatIsKnownTheHottestInputCounts() throws {
        let tree = try SysfsTree()
        try tree.add(
            "hwmon/hwmon0",
            [
                "name": "coretemp", "temp2_input": "60000", "temp2_label": "Core 0", "temp10_input": "88000",
                "temp3_input": "70000", "temp3_max": "100000", "temp4_label": "Core 2", "in0_input": "99000",
            ])
        #expect(
            SysfsThermalSensor(root: tree.root).readThermal()
                == DeviceSensors.ThermalReading(state: .serious, celsius: 88, isOfDie: true, source: "coretemp temp10"))
    }

    /// The control temperature of some processors has 27 C added for their fans.
    @Test func theDieIsPreferredToTheControlTemperature() throws {
        let tree = try SysfsTree()
        try tree.add(
            "hwmon/hwmon0",
            [
                "name": "k10temp", "temp1_input": "90000", "temp1_label": "Tctl", "temp2_input": "63000",
                "temp2_label": "Tdie", "temp3_input": "66000", "temp3_label": "Tccd1",
            ])
        let sensor = SysfsThermalSensor(root: tree.root)
        #expect(
            sensor.readThermal()
                == DeviceSensors.ThermalReading(state: .nominal, celsius: 63, isOfDie: true, source: "k10temp Tdie"))
        try tree.write("hwmon/hwmon0/temp2_input", Array("-274000\n".utf8))
        #expect(
            sensor.readThermal()
                == DeviceSensors.ThermalReading(state: .serious, celsius: 90, isOfDie: true, source: "k10temp Tctl"))
        try tree.remove("hwmon/hwmon0/temp1_input")
        #expect(
            sensor.readThermal()
                == DeviceSensors.ThermalReading(state: .nominal, celsius: 66, isOfDie: true, source: "k10temp Tccd1"))
    }
}
