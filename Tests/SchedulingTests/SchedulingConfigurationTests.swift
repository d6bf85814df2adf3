import PixelFrontEnd
import Scheduling
import Testing
import Vocabulary

@Suite struct SchedulingConfigurationTests {
    private typealias Fault = ConfigurationError

    @Test func defaults() throws {
        let budget = SchedulingConfiguration.Budget()
        #expect(budget.throttlesFrom == .fair)
        #expect(budget.batteryEmpty == 0.05 && budget.batteryLow == 0.2 && budget.batteryHalf == 0.5)
        #expect(budget.seriousLatency == .milliseconds(45) && budget.fairLatency == .milliseconds(30))
        #expect(budget.nominalLatency == .milliseconds(25))
        let pace = SchedulingConfiguration.Pace()
        #expect(pace.missLimit == 3 && pace.temperature == 38...42 && pace.readingLifetime == .seconds(30))
        #expect(SchedulingConfiguration.skinTemperature == 38...42)
        #expect(SchedulingConfiguration.dieTemperature == 80...90)
        #expect(pace.minimumDwell == .seconds(10) && pace.probeAfter == .seconds(15))
        #expect(pace.probeAfterAtMost == .seconds(240) && pace.probation == .seconds(60))
        #expect(pace.reserved == .milliseconds(2))
        let activity = SchedulingConfiguration.Activity()
        #expect(activity.idleAfter == .seconds(3) && activity.idleBelow == 0.002 && activity.wakeAbove == 0.004)
        let units = UnitSelection()
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
        try SchedulingConfiguration.Pace(temperature: SchedulingConfiguration.dieTemperature).validate()
    }

    /// Each switch is a part, and the temperature is one of the pace.
    @Test func eachPartCanBeLeftOut() {
        let heat = SchedulingConfiguration(followsDeadlines: false, followsStillness: false)
        #expect(heat == SchedulingConfiguration(pace: nil, activity: nil) && heat.budget != nil)
        let deadlines = SchedulingConfiguration(
            followsDevice: false, followsStillness: false, temperature: SchedulingConfiguration.dieTemperature)
        #expect(deadlines.budget == nil && deadlines.activity == nil && deadlines.pace?.temperature == 80...90)
        let stillness = SchedulingConfiguration(followsDevice: false, followsDeadlines: false)
        #expect(stillness == SchedulingConfiguration(budget: nil, pace: nil) && stillness.activity != nil)
        #expect(SchedulingConfiguration(temperature: nil).pace?.temperature == nil)
    }

    @Test func numbersOutOfRange() {
        func check<Configuration>(
            _ configuration: Configuration, _ path: WritableKeyPath<Configuration, Double>,
            _ parameter: String,
            _ allowed: ClosedRange<Double>, _ validate: (Configuration) throws -> Void
        ) {
            var configuration = configuration
            for value in [allowed.lowerBound.nextDown, allowed.upperBound.nextUp, .infinity, -.infinity] {
                configuration[keyPath: path] = value
                #expect(throws: Fault(parameter, value, allowed: allowed)) {
                    try validate(configuration)
                }
            }
            configuration[keyPath: path] = .nan
            #expect(throws: Fault(parameter, Double.nan, allowed: allowed)) { try validate(configuration) }
        }
        let budget = SchedulingConfiguration.Budget()
        check(budget, \.batteryEmpty, "SchedulingConfiguration.Budget.batteryEmpty", 0...1) { try $0.validate() }
        check(budget, \.batteryLow, "SchedulingConfiguration.Budget.batteryLow", 0...1) { try $0.validate() }
        check(budget, \.batteryHalf, "SchedulingConfiguration.Budget.batteryHalf", 0...1) { try $0.validate() }
        let activity = SchedulingConfiguration.Activity()
        check(activity, \.idleBelow, "SchedulingConfiguration.Activity.idleBelow", 0...1) { try $0.validate() }
        check(activity, \.wakeAbove, "SchedulingConfiguration.Activity.wakeAbove", 0...1) { try $0.validate() }
        let units = UnitSelection()
        check(units, \.improvement, "UnitSelection.improvement", 0...1) { try $0.validate() }
        for (range, wrong) in [
            ((-50.0).nextDown...42, (-50.0).nextDown), (-Double.infinity...42, -.infinity),
            (38...150.0.nextUp, 150.0.nextUp), (38...Double.infinity, .infinity), (151...152, 151), (-52...(-51), -52),
        ] {
            #expect(throws: Fault("SchedulingConfiguration.temperature", wrong, allowed: -50...150)) {
                try SchedulingConfiguration(temperature: range).validate()
            }
        }
    }

    @Test func durationsOutOfRange() {
        func check<Configuration>(
            _ configuration: Configuration, _ path: WritableKeyPath<Configuration, Duration>,
            _ parameter: String, _ allowed: ClosedRange<Duration>,
            _ validate: (Configuration) throws -> Void
        ) {
            let atto = Duration(secondsComponent: 0, attosecondsComponent: 1)
            var configuration = configuration
            for value in [
                allowed.lowerBound - atto, allowed.upperBound + atto, .seconds(Int64.min), .seconds(Int64.max),
            ] {
                configuration[keyPath: path] = value
                #expect(throws: Fault(parameter, value, allowed: allowed)) {
                    try validate(configuration)
                }
            }
        }
        let day: Duration = .seconds(86_400)
        let budget = SchedulingConfiguration.Budget()
        let latencies: ClosedRange<Duration> = .milliseconds(1) ... .seconds(10)
        check(budget, \.seriousLatency, "SchedulingConfiguration.Budget.seriousLatency", latencies) {
            try $0.validate()
        }
        check(budget, \.fairLatency, "SchedulingConfiguration.Budget.fairLatency", latencies) { try $0.validate() }
        check(budget, \.nominalLatency, "SchedulingConfiguration.Budget.nominalLatency", latencies) {
            try $0.validate()
        }
        let pace = SchedulingConfiguration.Pace()
        check(pace, \.readingLifetime, "SchedulingConfiguration.Pace.readingLifetime", .zero...day) {
            try $0.validate()
        }
        check(pace, \.minimumDwell, "SchedulingConfiguration.Pace.minimumDwell", .zero...day) { try $0.validate() }
        check(pace, \.probeAfter, "SchedulingConfiguration.Pace.probeAfter", .nanoseconds(1)...day) {
            try $0.validate()
        }
        check(pace, \.probeAfterAtMost, "SchedulingConfiguration.Pace.probeAfterAtMost", .nanoseconds(1)...day) {
            try $0.validate()
        }
        check(pace, \.probation, "SchedulingConfiguration.Pace.probation", .nanoseconds(1)...day) { try $0.validate() }
        check(pace, \.reserved, "SchedulingConfiguration.Pace.reserved", .zero ... .seconds(1)) { try $0.validate() }
        check(
            SchedulingConfiguration.Activity(), \.idleAfter, "SchedulingConfiguration.Activity.idleAfter", .zero...day
        ) { try $0.validate() }
        let units = UnitSelection()
        check(
            units, \.threshold, "PixelConfiguration.unitLatencyLimit",
            .microseconds(1) ... .seconds(10)
        ) { try $0.validate() }
        check(units, \.window, "UnitSelection.window", .nanoseconds(1) ... .seconds(60)) {
            try $0.validate()
        }
        check(units, \.cooldown, "UnitSelection.cooldown", .zero...day) { try $0.validate() }
        check(units, \.probeAfter, "UnitSelection.probeAfter", .nanoseconds(1)...day) {
            try $0.validate()
        }
        check(
            units, \.probeAfterAtMost, "UnitSelection.probeAfterAtMost", .nanoseconds(1)...day
        ) { try $0.validate() }
        check(units, \.probation, "UnitSelection.probation", .nanoseconds(1)...day) {
            try $0.validate()
        }
    }

    @Test func countsOutOfRange() {
        for count in [.min, -1, 0, 1001, .max] {
            #expect(throws: Fault("SchedulingConfiguration.Pace.missLimit", count, allowed: 1...1000)) {
                try SchedulingConfiguration.Pace(missLimit: count).validate()
            }
        }
        for count in [.min, 0, 301, .max] {
            #expect(throws: Fault("UnitSelection.minimumSamples", count, allowed: 1...300)) {
                try UnitSelection(minimumSamples: count).validate()
            }
        }
        for count in [.min, 1, 61, .max] {
            #expect(throws: Fault("UnitSelection.switchesPerMinute", count, allowed: 2...60)) {
                try UnitSelection(switchesPerMinute: count).validate()
            }
        }
        for count in [.min, -1, 0, 65, .max] {
            #expect(throws: Fault("unitCount", count, allowed: 1...64)) {
                try UnitSelector(unitCount: count)
            }
        }
    }

    @Test func pairsThatDoNotAscend() {
        #expect(throws: Fault("SchedulingConfiguration.Budget.batteryEmpty", 0.3, above: "batteryLow", 0.2)) {
            try SchedulingConfiguration.Budget(batteryEmpty: 0.3).validate()
        }
        #expect(throws: Fault("SchedulingConfiguration.Budget.batteryLow", 0.6, above: "batteryHalf", 0.5)) {
            try SchedulingConfiguration.Budget(batteryLow: 0.6).validate()
        }
        #expect(
            throws: Fault(
                "SchedulingConfiguration.temperature", 42.0...42.0, mustBe: "of two different temperatures")
        ) {
            try SchedulingConfiguration(temperature: 42...42).validate()
        }
        #expect(
            throws: Fault(
                "SchedulingConfiguration.Pace.probeAfter", Duration.seconds(241), above: "probeAfterAtMost",
                .seconds(240))
        ) {
            try SchedulingConfiguration.Pace(probeAfter: .seconds(241)).validate()
        }
        #expect(throws: Fault("SchedulingConfiguration.Activity.idleBelow", 0.5, above: "wakeAbove", 0.004)) {
            try SchedulingConfiguration.Activity(idleBelow: 0.5).validate()
        }
        #expect(
            throws: Fault(
                "UnitSelection.probeAfter", Duration.seconds(301), above: "probeAfterAtMost",
                .seconds(300))
        ) {
            try UnitSelection(probeAfter: .seconds(301)).validate()
        }
        #expect(
            throws: Fault(
                "SchedulingConfiguration.Pace.reserved", Duration.milliseconds(2),
                mustBe: "below the time of a slot, which is \(Duration.milliseconds(2))")
        ) {
            try Scheduler(slotPeriod: 2 * millisecond)
        }
    }

    /// Whoever takes a configuration checks it.
    @Test func everyInitialiserChecks() {
        let pace = SchedulingConfiguration.Pace(missLimit: 0)
        let wrongPace = Fault("SchedulingConfiguration.Pace.missLimit", 0, allowed: 1...1000)
        #expect(throws: wrongPace) { try pace.validate() }
        #expect(throws: wrongPace) { try PaceController(pace, slotPeriod: slot120) }
        #expect(throws: wrongPace) { try SchedulingConfiguration(pace: pace).validate() }
        #expect(throws: wrongPace) { try Scheduler(SchedulingConfiguration(pace: pace), slotPeriod: slot120) }
        let budget = SchedulingConfiguration.Budget(batteryLow: .nan)
        #expect(throws: Fault("SchedulingConfiguration.Budget.batteryLow", Double.nan, allowed: 0...1)) {
            try Scheduler(SchedulingConfiguration(budget: budget), slotPeriod: slot120)
        }
        let activity = SchedulingConfiguration.Activity(idleBelow: .nan)
        #expect(throws: Fault("SchedulingConfiguration.Activity.idleBelow", Double.nan, allowed: 0...1)) {
            try ActivityMonitor(activity)
        }
        #expect(throws: Fault("SchedulingConfiguration.Activity.idleBelow", Double.nan, allowed: 0...1)) {
            try Scheduler(SchedulingConfiguration(activity: activity), slotPeriod: slot120)
        }
        #expect(throws: Fault("UnitSelection.improvement", Double.nan, allowed: 0...1)) {
            try UnitSelector(UnitSelection(improvement: .nan), unitCount: 2)
        }
        let allowed: ClosedRange<Duration> = .microseconds(100) ... .seconds(10)
        for period in [.min, -1, 0, 99_999, 10 * second + 1, .max] {
            let fault = Fault("slotPeriod", Duration.nanoseconds(period), allowed: allowed)
            #expect(throws: fault) { try Scheduler(slotPeriod: period) }
            #expect(throws: fault) { try Scheduler(.everySlot, slotPeriod: period) }
            #expect(throws: fault) { try PaceController(slotPeriod: period) }
        }
    }
}
