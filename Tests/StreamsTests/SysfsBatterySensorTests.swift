import Streams
import Testing

@Suite struct SysfsBatterySensorTests {
    private func read(_ supplies: KeyValuePairs<String, KeyValuePairs<String, String>>) throws -> DeviceSensors
        .BatteryReading?
    {
        let tree = try SysfsTree()
        for (name, attributes) in supplies { try tree.add("power_supply/" + name, attributes) }
        return SysfsBatterySensor(root: tree.root).readBattery()
    }

    @Test(arguments: [
        ("Discharging", false), ("Charging", true), ("Full", true), ("Not charging", true), ("Unknown", false),
        ("charging?", false),
    ])
    func levelAndExternalPower(status: String, powered: Bool) throws {
        for (capacity, level) in [("0", 0.0), ("1", 0.01), ("19", 0.19), ("50", 0.5), ("100", 1)] {
            let supply: KeyValuePairs = ["type": "Battery", "capacity": capacity, "status": status]
            #expect(
                try read(["BAT0": supply]) == DeviceSensors.BatteryReading(level: level, isExternallyPowered: powered))
        }
    }

    @Test func noBatteryOfTheSystemIsNoBattery() throws {
        #expect(try read([:]) == nil)
        #expect(try read(["AC": ["type": "Mains", "online": "1"]]) == nil)
        #expect(
            try read([
                "AC": ["type": "Mains", "online": "1"], "usb": ["type": "USB", "capacity": "70"],
                "ups": ["type": "UPS", "capacity": "70", "scope": "System"],
                "hidpp_battery_0": ["type": "Battery", "capacity": "10", "scope": "Device"],
                "BAT1": ["type": "Battery", "capacity": "10", "present": "0"],
                "BAT2": ["type": "Battery"], "nothing": [:],
            ]) == nil)
        #expect(SysfsBatterySensor(root: "/nowhere/at/all").readBattery() == nil)
    }

    @Test func otherDevicesDoNotDilute() throws {
        #expect(
            try read([
                "BAT0": ["type": "Battery", "capacity": "80", "scope": "System", "present": "1"],
                "mouse": ["type": "Battery", "capacity": "10", "scope": "Device", "status": "Charging"],
            ]) == DeviceSensors.BatteryReading(level: 0.8, isExternallyPowered: false))
    }

    @Test func severalBatteriesWeighByTheirEnergy() throws {
        let large: KeyValuePairs = [
            "type": "Battery", "capacity": "100", "energy_full": "60000000", "status": "Not charging",
        ]
        let small: KeyValuePairs = [
            "type": "Battery", "capacity": "20", "energy_full": "20000000", "status": "Charging",
        ]
        #expect(
            try read(["BAT0": large, "BAT1": small])
                == DeviceSensors.BatteryReading(level: 0.8, isExternallyPowered: true))
        // Without the energy of each, their mean.
        for unknown in ["", "0", "-5"] {
            let third: KeyValuePairs = [
                "type": "Battery", "capacity": "60", "energy_full": unknown, "status": "Discharging",
            ]
            let reading = try #require(try read(["BAT0": large, "BAT1": small, "BAT2": third]))
            #expect(abs(reading.level - 0.6) < 1e-12)
            #expect(!reading.isExternallyPowered)
        }
    }

    @Test func withoutAPercentageItIsWorkedOut() throws {
        for capacity in ["", "-1", "101", "255", "full"] {
            #expect(
                try read([
                    "BAT0": [
                        "type": "Battery", "capacity": capacity, "energy_now": "15000000", "energy_full": "60000000",
                    ]
                ])?.level == 0.25)
            #expect(
                try read([
                    "BAT0": ["type": "Battery", "capacity": capacity, "charge_now": "3000", "charge_full": "2000"]
                ])?.level == 1)
            for (now, full) in [("-1", "10"), ("1", "0"), ("1", ""), ("", "1")] {
                #expect(
                    try read([
                        "BAT0": ["type": "Battery", "capacity": capacity, "energy_now": now, "energy_full": full]
                    ]) == nil)
            }
        }
    }

    @Test func extremeNumbersStayInRange() throws {
        let most = "9223372036854775807"
        let battery: KeyValuePairs = ["type": "Battery", "energy_now": most, "energy_full": most]
        #expect(try read(["BAT0": battery, "BAT1": battery, "BAT2": battery])?.level == 1)
    }

    @Test(arguments: BrokenAttribute.allCases)
    func brokenAttributesLeaveTheOtherBattery(broken: BrokenAttribute) throws {
        let tree = try SysfsTree()
        for name in ["BAT0", "BAT1"] {
            try tree.add(
                "power_supply/" + name, ["type": "Battery", "capacity": "40", "energy_full": "1000", "present": "1"])
        }
        let sensor = SysfsBatterySensor(root: tree.root)
        try tree.write("power_supply/BAT1/capacity", Array("60\n".utf8))
        #expect(sensor.readBattery()?.level == 0.5)
        for attribute in ["scope", "present", "status", "energy_full"] {
            try broken.place(at: "power_supply/BAT1/" + attribute, in: tree)
            #expect(sensor.readBattery()?.level == 0.5, "\(attribute)")
        }
        try broken.place(at: "power_supply/BAT1/capacity", in: tree)
        #expect(sensor.readBattery()?.level == 0.4)
        try broken.place(at: "power_supply/BAT0/type", in: tree)
        #expect(sensor.readBattery() == nil)
    }
}
