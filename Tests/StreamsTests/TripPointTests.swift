import Scheduling
import Streams
import Testing

@Suite struct TripPointTests {
    /// The state at a temperature of a zone with trip points, each a type and millidegrees.
    private func state(
        _ celsius: Double, _ trips: [(String, String)], usesTripPoints: Bool = true
    ) throws -> DeviceReading.ThermalState? {
        let tree = try SysfsTree()
        try tree.zone(0, "cpu-thermal", "\(Int(celsius * 1_000))")
        for (index, trip) in trips.enumerated() {
            try tree.add(
                "thermal/thermal_zone0",
                ["trip_point_\(index)_type": trip.0, "trip_point_\(index)_temp": trip.1])
        }
        return SysfsThermalSensor(root: tree.root, usesTripPoints: usesTripPoints).readThermal()?.state
    }

    private func expectThresholds(
        _ fair: Double, _ serious: Double, _ critical: Double, _ trips: [(String, String)],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try state(fair - 0.001, trips) == .nominal, sourceLocation: location)
        #expect(try state(fair, trips) == .fair, sourceLocation: location)
        #expect(try state(serious - 0.001, trips) == .fair, sourceLocation: location)
        #expect(try state(serious, trips) == .serious, sourceLocation: location)
        #expect(try state(critical - 0.001, trips) == .serious, sourceLocation: location)
        #expect(try state(critical, trips) == .critical, sourceLocation: location)
    }

    @Test func theLowestPassiveTripIsSerious() throws {
        try expectThresholds(60, 70, 80, [("passive", "80000"), ("passive", "70000"), ("critical", "115000")])
        try expectThresholds(90, 100, 110, [("passive", "100000")])
    }

    @Test func hotAndFatalTripsBoundTheCriticalState() throws {
        try expectThresholds(75, 85, 88, [("hot", "88000")])
        try expectThresholds(75, 85, 90, [("critical", "95000"), ("critical", "105000")])
        try expectThresholds(75, 85, 95, [("hot", "110000"), ("critical", "120000")])
        try expectThresholds(90, 100, 103, [("passive", "100000"), ("hot", "103000"), ("critical", "110000")])
    }

    @Test func statesBelowABoundMoveWithIt() throws {
        let trips = [("hot", "70000")]
        #expect(try state(69.999, trips) == .nominal)
        #expect(try state(70, trips) == .critical)
    }

    @Test func tripsThatAreUnsetOrMeantForOthersDoNotCount() throws {
        try expectThresholds(
            75, 85, 95,
            [
                ("passive", "-274000"), ("passive", "0"), ("passive", "44999"), ("passive", "150001"),
                ("active", "50000"), ("critical", "2147483647"), ("hot", "hot"), ("", "60000"),
            ])
    }

    @Test func tripsEndAtTheFirstGap() throws {
        let tree = try SysfsTree()
        try tree.zone(0, "cpu-thermal", "60000")
        try tree.add(
            "thermal/thermal_zone0", ["trip_point_1_type": "passive", "trip_point_1_temp": "50000"])
        #expect(SysfsThermalSensor(root: tree.root).readThermal()?.state == .nominal)
        try tree.add("thermal/thermal_zone0", ["trip_point_0_type": "active"])
        #expect(SysfsThermalSensor(root: tree.root).readThermal()?.state == .critical)
    }

    /// The seventeenth and later ones are not read.
    @Test func sixteenTripsAreRead() throws {
        let unused = [(String, String)](repeating: ("active", "40000"), count: 15)
        #expect(try state(50, unused + [("passive", "50000")]) == .serious)
        #expect(try state(50, unused + [("active", "40000"), ("passive", "50000")]) == .nominal)
    }

    @Test func tripsMayBeLeftAside() throws {
        #expect(try state(72, [("passive", "70000")]) == .serious)
        #expect(try state(72, [("passive", "70000")], usesTripPoints: false) == .nominal)
    }

    /// A cooler zone nearer to its own limit is the worse one.
    @Test func theWorstStateCountsBeforeTheHigherTemperature() throws {
        let tree = try SysfsTree()
        try tree.zone(0, "cpu0-thermal", "70000")
        try tree.add(
            "thermal/thermal_zone0", ["trip_point_0_type": "passive", "trip_point_0_temp": "65000"])
        try tree.zone(1, "cpu1-thermal", "74000")
        #expect(
            SysfsThermalSensor(root: tree.root).readThermal()
                == DeviceSensors.ThermalReading(state: .serious, celsius: 70, isOfDie: true, source: "cpu0-thermal"))
    }
}
