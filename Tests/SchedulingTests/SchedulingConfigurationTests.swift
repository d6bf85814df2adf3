import Scheduling
import Testing

@Suite struct SchedulingConfigurationTests {
    private typealias Fault = SchedulingConfigurationError

    @Test func defaults() throws {
        let budget = FrameBudgetConfiguration()
        #expect(budget.throttlesFrom == .fair && budget.batteryLow == 0.2 && budget.batteryHalf == 0.5)
        #expect(budget.seriousLatency == .milliseconds(45) && budget.fairLatency == .milliseconds(30))
        #expect(budget.nominalLatency == .milliseconds(25))
        let pace = PaceConfiguration()
        #expect(pace.missLimit == 3 && pace.temperature == .skin && pace.readingLifetime == .seconds(30))
        #expect(TemperatureThresholds.skin.recoverBelow == 38 && TemperatureThresholds.skin.stepDownAt == 42)
        #expect(TemperatureThresholds.die.recoverBelow == 80 && TemperatureThresholds.die.stepDownAt == 90)
        #expect(pace.minimumDwell == .seconds(10) && pace.probeAfter == .seconds(15))
        #expect(pace.probeAfterAtMost == .seconds(240) && pace.probation == .seconds(60))
        #expect(pace.reserved == .milliseconds(2))
        let activity = ActivityConfiguration()
        #expect(activity.idleAfter == .seconds(3) && activity.idleBelow == 0.45 && activity.wakeAbove == 0.6)
        let units = UnitSelectionConfiguration()
        #expect(units.threshold == .milliseconds(7) && units.window == .seconds(2) && units.minimumSamples == 30)
        #expect(units.improvement == 0.1 && units.cooldown == .seconds(5) && units.probeAfter == .seconds(15))
        #expect(units.probeAfterAtMost == .seconds(300) && units.probation == .seconds(60))
        #expect(units.switchesPerMinute == 6)
        let whole = SchedulingConfiguration()
        #expect(whole.budget == budget && whole.pace == pace && whole.activity == activity)
        let none = SchedulingConfiguration.everySlot
        #expect(none.budget == nil && none.pace == nil && none.activity == nil)
        try whole.validate()
        try none.validate()
        try units.validate()
        try PaceConfiguration(temperature: .die).validate()
    }

    @Test func numbersOutOfRange() {
        func check<Configuration>(
            _ configuration: Configuration, _ path: WritableKeyPath<Configuration, Double>,
            _ parameter: SchedulingParameter,
            _ allowed: ClosedRange<Double>, _ validate: (Configuration) throws -> Void
        ) {
            var configuration = configuration
            for value in [allowed.lowerBound.nextDown, allowed.upperBound.nextUp, .infinity, -.infinity] {
                configuration[keyPath: path] = value
                #expect(throws: Fault.numberOutOfRange(parameter, value, allowed: allowed)) {
                    try validate(configuration)
                }
            }
            configuration[keyPath: path] = .nan
            #expect(throws: Fault.notANumber(parameter)) { try validate(configuration) }
        }
        let budget = FrameBudgetConfiguration()
        check(budget, \.batteryLow, .batteryLow, 0...1) { try $0.validate() }
        check(budget, \.batteryHalf, .batteryHalf, 0...1) { try $0.validate() }
        let activity = ActivityConfiguration()
        check(activity, \.idleBelow, .idleBelow, 0...255) { try $0.validate() }
        check(activity, \.wakeAbove, .wakeAbove, 0...255) { try $0.validate() }
        let units = UnitSelectionConfiguration()
        check(units, \.improvement, .unitImprovement, 0...1) { try $0.validate() }
        let thresholds = TemperatureThresholds.skin
        check(thresholds, \.recoverBelow, .recoverBelow, -50...150) {
            try PaceConfiguration(temperature: $0).validate()
        }
        check(thresholds, \.stepDownAt, .stepDownAt, -50...150) { try PaceConfiguration(temperature: $0).validate() }
    }

    @Test func durationsOutOfRange() {
        func check<Configuration>(
            _ configuration: Configuration, _ path: WritableKeyPath<Configuration, Duration>,
            _ parameter: SchedulingParameter, _ allowed: ClosedRange<Duration>,
            _ validate: (Configuration) throws -> Void
        ) {
            let atto = Duration(secondsComponent: 0, attosecondsComponent: 1)
            var configuration = configuration
            for value in [
                allowed.lowerBound - atto, allowed.upperBound + atto, .seconds(Int64.min), .seconds(Int64.max),
            ] {
                configuration[keyPath: path] = value
                #expect(throws: Fault.durationOutOfRange(parameter, value, allowed: allowed)) {
                    try validate(configuration)
                }
            }
        }
        let day: Duration = .seconds(86_400)
        let budget = FrameBudgetConfiguration()
        let latencies: ClosedRange<Duration> = .milliseconds(1) ... .seconds(10)
        check(budget, \.seriousLatency, .seriousLatency, latencies) { try $0.validate() }
        check(budget, \.fairLatency, .fairLatency, latencies) { try $0.validate() }
        check(budget, \.nominalLatency, .nominalLatency, latencies) { try $0.validate() }
        let pace = PaceConfiguration()
        check(pace, \.readingLifetime, .readingLifetime, .zero...day) { try $0.validate() }
        check(pace, \.minimumDwell, .minimumDwell, .zero...day) { try $0.validate() }
        check(pace, \.probeAfter, .probeAfter, .nanoseconds(1)...day) { try $0.validate() }
        check(pace, \.probeAfterAtMost, .probeAfterAtMost, .nanoseconds(1)...day) { try $0.validate() }
        check(pace, \.probation, .probation, .nanoseconds(1)...day) { try $0.validate() }
        check(pace, \.reserved, .reserved, .zero ... .seconds(1)) { try $0.validate() }
        check(ActivityConfiguration(), \.idleAfter, .idleAfter, .zero...day) { try $0.validate() }
        let units = UnitSelectionConfiguration()
        check(units, \.threshold, .unitThreshold, .microseconds(1) ... .seconds(10)) { try $0.validate() }
        check(units, \.window, .unitWindow, .nanoseconds(1) ... .seconds(60)) { try $0.validate() }
        check(units, \.cooldown, .unitCooldown, .zero...day) { try $0.validate() }
        check(units, \.probeAfter, .unitProbeAfter, .nanoseconds(1)...day) { try $0.validate() }
        check(units, \.probeAfterAtMost, .unitProbeAfterAtMost, .nanoseconds(1)...day) { try $0.validate() }
        check(units, \.probation, .unitProbation, .nanoseconds(1)...day) { try $0.validate() }
    }

    @Test func countsOutOfRange() {
        for count in [.min, -1, 0, 1001, .max] {
            #expect(throws: Fault.countOutOfRange(.missLimit, count, allowed: 1...1000)) {
                try PaceConfiguration(missLimit: count).validate()
            }
        }
        for count in [.min, 0, 301, .max] {
            #expect(throws: Fault.countOutOfRange(.unitMinimumSamples, count, allowed: 1...300)) {
                try UnitSelectionConfiguration(minimumSamples: count).validate()
            }
        }
        for count in [.min, 1, 61, .max] {
            #expect(throws: Fault.countOutOfRange(.unitSwitchesPerMinute, count, allowed: 2...60)) {
                try UnitSelectionConfiguration(switchesPerMinute: count).validate()
            }
        }
        for count in [.min, -1, 0, 65, .max] {
            #expect(throws: Fault.countOutOfRange(.unitCount, count, allowed: 1...64)) {
                try UnitSelector(unitCount: count)
            }
        }
    }

    @Test func pairsThatDoNotAscend() {
        #expect(throws: Fault.notAscending(.batteryLow, .batteryHalf)) {
            try FrameBudgetConfiguration(batteryLow: 0.6).validate()
        }
        #expect(throws: Fault.notAscending(.recoverBelow, .stepDownAt)) {
            try PaceConfiguration(temperature: TemperatureThresholds(recoverBelow: 42, stepDownAt: 42)).validate()
        }
        #expect(throws: Fault.notAscending(.probeAfter, .probeAfterAtMost)) {
            try PaceConfiguration(probeAfter: .seconds(241)).validate()
        }
        #expect(throws: Fault.notAscending(.idleBelow, .wakeAbove)) {
            try ActivityConfiguration(idleBelow: 1.5).validate()
        }
        #expect(throws: Fault.notAscending(.unitProbeAfter, .unitProbeAfterAtMost)) {
            try UnitSelectionConfiguration(probeAfter: .seconds(301)).validate()
        }
        #expect(throws: Fault.notAscending(.reserved, .slotPeriod)) {
            try Scheduler(slotPeriod: 2 * millisecond)
        }
    }

    /// Whoever takes a configuration checks it.
    @Test func everyDoorChecks() {
        let pace = PaceConfiguration(missLimit: 0)
        let wrongPace = Fault.countOutOfRange(.missLimit, 0, allowed: 1...1000)
        #expect(throws: wrongPace) { try pace.validate() }
        #expect(throws: wrongPace) { try PaceController(pace, slotPeriod: slot120) }
        #expect(throws: wrongPace) { try SchedulingConfiguration(pace: pace).validate() }
        #expect(throws: wrongPace) { try Scheduler(SchedulingConfiguration(pace: pace), slotPeriod: slot120) }
        let budget = FrameBudgetConfiguration(batteryLow: .nan)
        #expect(throws: Fault.notANumber(.batteryLow)) {
            try Scheduler(SchedulingConfiguration(budget: budget), slotPeriod: slot120)
        }
        let activity = ActivityConfiguration(idleBelow: .nan)
        #expect(throws: Fault.notANumber(.idleBelow)) { try ActivityMonitor(activity) }
        #expect(throws: Fault.notANumber(.idleBelow)) {
            try Scheduler(SchedulingConfiguration(activity: activity), slotPeriod: slot120)
        }
        #expect(throws: Fault.notANumber(.unitImprovement)) {
            try UnitSelector(UnitSelectionConfiguration(improvement: .nan), unitCount: 2)
        }
        let allowed: ClosedRange<Duration> = .microseconds(100) ... .seconds(10)
        for period in [.min, -1, 0, 99_999, 10 * second + 1, .max] {
            let fault = Fault.durationOutOfRange(.slotPeriod, .nanoseconds(period), allowed: allowed)
            #expect(throws: fault) { try Scheduler(slotPeriod: period) }
            #expect(throws: fault) { try Scheduler(.everySlot, slotPeriod: period) }
            #expect(throws: fault) { try PaceController(slotPeriod: period) }
        }
    }
}
