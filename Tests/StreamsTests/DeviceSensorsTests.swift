import Scheduling
import Streams
import Testing

@Suite struct DeviceSensorsTests {
    private func reading(
        _ thermal: DeviceSensors.ThermalReading?, _ battery: DeviceSensors.BatteryReading?,
        countsBatteryOnExternalPower: Bool = true
    ) -> DeviceReading {
        let sensors = ScriptedSensors(thermal: .sequence([thermal]), battery: .sequence([battery]))
        return DeviceSensors(
            thermal: sensors, battery: sensors, countsBatteryOnExternalPower: countsBatteryOnExternalPower
        ).read()
    }

    @Test func withoutSensorsTheDeviceIsCool() {
        let cool = DeviceReading(thermal: .nominal, celsius: nil, battery: nil)
        #expect(DeviceSensors().read() == cool)
        #expect(reading(nil, nil) == cool)
    }

    @Test func heatAndChargeTogether() {
        #expect(
            reading(
                DeviceSensors.ThermalReading(state: .serious, celsius: 42.5), DeviceSensors.BatteryReading(level: 0.19))
                == DeviceReading(thermal: .serious, celsius: 42.5, battery: 0.19))
        #expect(
            reading(DeviceSensors.ThermalReading(state: .fair), nil)
                == DeviceReading(thermal: .fair, celsius: nil, battery: nil))
    }

    /// UIKit tells -1 for a level that it does not know.
    @Test(arguments: [-1, -0.001, 1.001, .nan, .infinity, -.infinity]) func levelsOutOfRangeAreUnknown(level: Double) {
        #expect(reading(nil, DeviceSensors.BatteryReading(level: level)).battery == nil)
    }

    @Test func boundsOfTheLevelAreKnown() {
        #expect(reading(nil, DeviceSensors.BatteryReading(level: 0)).battery == 0)
        #expect(reading(nil, DeviceSensors.BatteryReading(level: 1)).battery == 1)
    }

    @Test(arguments: [.nan, .infinity, -.infinity] as [Double])
    func temperaturesThatAreNoNumbersAreUnknown(celsius: Double) {
        #expect(
            reading(DeviceSensors.ThermalReading(state: .fair, celsius: celsius), nil)
                == DeviceReading(thermal: .fair, celsius: nil, battery: nil))
    }

    /// 60 C is nothing for a die, and far beyond the 42 C at which the pace falls.
    @Test func aDieTellsItsHeatByItsState() {
        let warm = DeviceSensors.ThermalReading(state: .fair, celsius: 60, isOfDie: true)
        #expect(reading(warm, nil) == DeviceReading(thermal: .fair, celsius: nil, battery: nil))
        let sensors = DeviceSensors(thermal: ScriptedSensors(thermal: .sequence([warm])), reportsDieTemperature: true)
        #expect(sensors.read() == DeviceReading(thermal: .fair, celsius: 60, battery: nil))
    }

    @Test func chargeAtTheMainsMayBeLeftAside() {
        for (powered, counts, level) in [
            (true, true, 0.1), (true, false, nil), (false, true, 0.1), (false, false, 0.1),
        ] {
            let battery = DeviceSensors.BatteryReading(level: 0.1, isExternallyPowered: powered)
            #expect(reading(nil, battery, countsBatteryOnExternalPower: counts).battery == level)
        }
    }

    /// Whatever this machine has, reading it does no harm.
    @Test func theSystemsOwnSensorsAreInRange() {
        let reading = DeviceSensors.system.read()
        #expect(reading.celsius.map { (-40...150).contains($0) } ?? true)
        #expect(reading.battery.map { (0...1).contains($0) } ?? true)
    }
}

@Suite struct ScriptedSensorsTests {
    private let warm = DeviceSensors.ThermalReading(state: .fair, celsius: 39)
    private let hot = DeviceSensors.ThermalReading(state: .serious, celsius: 43)

    @Test func aSequenceGoesOnWithEachReadingAndStaysAtItsEnd() {
        let sensors = ScriptedSensors(
            thermal: .sequence([warm, nil, hot]), battery: .sequence([DeviceSensors.BatteryReading(level: 0.4)]))
        #expect((0..<5).map { _ in sensors.readThermal() } == [warm, nil, hot, hot, hot])
        #expect((0..<2).map { _ in sensors.readBattery()?.level } == [0.4, 0.4])
    }

    @Test func aScheduleFollowsTheTime() {
        let sensors = ScriptedSensors(
            thermal: .schedule([.init(at: 10, warm), .init(at: 20, nil), .init(at: 30, hot)]))
        #expect(sensors.readThermal() == nil)
        for (time, reading) in [
            (9, nil), (10, warm), (19, warm), (20, nil), (29, nil), (30, hot), (.max, hot), (15, warm), (.min, nil),
        ] as [(Int64, DeviceSensors.ThermalReading?)] {
            sensors.time = time
            #expect(sensors.readThermal() == reading)
            #expect(sensors.readThermal() == reading)
        }
        #expect(sensors.readBattery() == nil)
    }

    @Test func readingsFromManyThreadsAreTakenOnce() async {
        let count = 1_000
        let levels = (0..<count).map { DeviceSensors.BatteryReading(level: Double($0) / Double(count)) }
        let sensors = ScriptedSensors(battery: .sequence(levels))
        let taken = await withTaskGroup(of: [Double].self) { group in
            for _ in 0..<4 {
                group.addTask { (0..<count / 4).compactMap { _ in sensors.readBattery()?.level } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(taken.sorted() == levels.map(\.level))
    }
}
