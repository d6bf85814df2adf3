import Scheduling
import Streams
import Testing

@Suite struct ThermalThresholdsTests {
    @Test(arguments: [
        (-40, DeviceReading.ThermalState.nominal), (74.999, .nominal), (75, .fair), (84.999, .fair), (85, .serious),
        (94.999, .serious), (95, .critical), (150, .critical), (.infinity, .critical), (-.infinity, .nominal),
        (.nan, .nominal), (.signalingNaN, .nominal),
    ])
    func aThresholdThatIsReachedCounts(celsius: Double, state: DeviceReading.ThermalState) {
        #expect(ThermalThresholds.die.state(atCelsius: celsius) == state)
    }

    /// Spared from 42 C on, at full rate again below 38 C: the source's, and the same as the pace has.
    @Test func skinThresholdsAreTheSources() {
        let skin = ThermalThresholds.skin
        #expect(skin.state(atCelsius: 41.9, after: .nominal) == .nominal)
        #expect(skin.state(atCelsius: 42, after: .nominal) == .fair)
        #expect(skin.state(atCelsius: 38, after: .fair) == .fair)
        #expect(skin.state(atCelsius: 37.9, after: .fair) == .nominal)
        #expect(SchedulingConfiguration.skinTemperature.upperBound == skin.fair)
        #expect(SchedulingConfiguration.skinTemperature.lowerBound == skin.fair - skin.hysteresis)
    }

    @Test(arguments: [
        (95, DeviceReading.ThermalState.nominal, DeviceReading.ThermalState.critical), (94.9, .critical, .critical),
        (90, .critical, .critical),
        (89.9, .critical, .serious), (79.9, .critical, .fair), (69.9, .critical, .nominal), (85, .critical, .serious),
        (80, .serious, .serious), (79.9, .serious, .fair), (75, .serious, .fair), (70, .fair, .fair),
        (69.9, .fair, .nominal), (70, .nominal, .nominal), (.nan, .critical, .nominal), (60, .serious, .nominal),
    ])
    func aStateLastsToItsHysteresis(
        celsius: Double, previous: DeviceReading.ThermalState, state: DeviceReading.ThermalState
    ) {
        #expect(ThermalThresholds.die.state(atCelsius: celsius, after: previous) == state)
    }

    @Test func aTemperatureAroundAThresholdDoesNotFlap() {
        var state = DeviceReading.ThermalState.nominal
        var states: [DeviceReading.ThermalState] = []
        for celsius in [74.0, 76, 73, 77, 71, 75, 70, 69, 74, 76] {
            state = ThermalThresholds.die.state(atCelsius: celsius, after: state)
            states.append(state)
        }
        #expect(states == [.nominal, .fair, .fair, .fair, .fair, .fair, .fair, .nominal, .nominal, .fair])
    }

    @Test func theWorstStateCountsWhateverTheOrder() {
        let reversed = ThermalThresholds(isOfDie: true, fair: 90, serious: 80, critical: 70, hysteresis: -20)
        #expect(reversed.state(atCelsius: 75) == .critical)
        #expect(reversed.state(atCelsius: 69) == .nominal)
        #expect(reversed.state(atCelsius: 69, after: .serious) == .nominal)
        #expect(reversed.state(atCelsius: 75, after: .nominal) == .critical)
        let broken = ThermalThresholds(isOfDie: true, fair: .nan, serious: 80, critical: .nan, hysteresis: .nan)
        #expect(broken.state(atCelsius: 79) == .nominal)
        #expect(broken.state(atCelsius: 200, after: .fair) == .serious)
    }
}
