import Scheduling
import Testing

@Suite struct FrameBudgetTests {
    private struct Row: Equatable {
        var pace: SchedulerState.Pace
        var latency: Duration
        var detail: Int
        var reason: SchedulerState.Budget.Reason

        init(_ pace: SchedulerState.Pace, _ latency: Int, _ detail: Int, _ reason: SchedulerState.Budget.Reason) {
            self.pace = pace
            self.latency = .milliseconds(latency)
            self.detail = detail
            self.reason = reason
        }

        init(_ budget: SchedulerState.Budget) {
            pace = budget.pace
            latency = budget.latency
            detail = budget.interfaceDetail
            reason = budget.reason
        }
    }

    private static let charges: [Double?] = [nil, .nan, -1, 0, 0.0499, 0.05, 0.1999, 0.2, 0.4999, 0.5, 1]

    @Test func heatDecidesWhateverTheBattery() {
        for battery in Self.charges {
            for activity in SchedulerState.Activity.allCases {
                for (thermal, pace) in [(.serious, .third), (.critical, .sixth)]
                    as [(DeviceReading.ThermalState, SchedulerState.Pace)]
                {
                    let budget = SchedulerState.Budget(thermal: thermal, battery: battery, activity: activity)
                    #expect(Row(budget) == Row(pace, 45, 0, .hot), "\(thermal) \(String(describing: battery))")
                }
                let fair = SchedulerState.Budget(thermal: .fair, battery: battery, activity: activity)
                #expect(Row(fair) == Row(.half, 30, 1, .warm), "\(String(describing: battery))")
            }
        }
    }

    @Test func batteryDecidesWithoutHeat() {
        let table: [(Double?, Row)] = [
            (0, Row(.sixth, 25, 2, .batteryLow)), (0.0499, Row(.sixth, 25, 2, .batteryLow)),
            (0.05, Row(.third, 25, 2, .batteryLow)), (0.1999, Row(.third, 25, 2, .batteryLow)),
            (0.2, Row(.half, 25, 2, .batteryHalf)), (0.4999, Row(.half, 25, 2, .batteryHalf)),
            (0.5, Row(.full, 25, 2, .nominal)), (1, Row(.full, 25, 2, .nominal)),
        ]
        for (battery, row) in table {
            #expect(
                Row(SchedulerState.Budget(thermal: .nominal, battery: battery)) == row, "\(String(describing: battery))"
            )
        }
    }

    /// UIKit says -1 where it does not know the charge; a desktop has no battery.
    @Test func unknownBatteryIsFull() {
        for battery: Double? in [nil, .nan, -.nan, .signalingNaN, -1, -0.0001, -.infinity, 80, .infinity] {
            let budget = SchedulerState.Budget(thermal: .nominal, battery: battery)
            #expect(Row(budget) == Row(.full, 25, 2, .nominal), "\(String(describing: battery))")
        }
        #expect(SchedulerState.Budget(thermal: .nominal, battery: -0.0).pace == .sixth)
    }

    @Test func idlenessHalvesOnlyTheFullPace() {
        #expect(Row(SchedulerState.Budget(thermal: .nominal, battery: 1, activity: .idle)) == Row(.half, 25, 2, .idle))
        let half = SchedulerState.Budget(thermal: .nominal, battery: 0.4, activity: .idle)
        #expect(Row(half) == Row(.half, 25, 2, .batteryHalf))
        let low = SchedulerState.Budget(thermal: .nominal, battery: 0.1, activity: .idle)
        #expect(Row(low) == Row(.third, 25, 2, .batteryLow))
        let empty = SchedulerState.Budget(thermal: .nominal, battery: 0.01, activity: .idle)
        #expect(Row(empty) == Row(.sixth, 25, 2, .batteryLow))
    }

    @Test func statesBelowTheThresholdCountAsNominal() {
        let from: [(DeviceReading.ThermalState, [SchedulerState.Budget.Reason])] = [
            (.nominal, [.warm, .warm, .hot, .hot]), (.fair, [.nominal, .warm, .hot, .hot]),
            (.serious, [.nominal, .nominal, .hot, .hot]), (.critical, [.nominal, .nominal, .nominal, .hot]),
        ]
        for (throttlesFrom, reasons) in from {
            let configuration = SchedulingConfiguration.Budget(throttlesFrom: throttlesFrom)
            let found = DeviceReading.ThermalState.allCases.map {
                SchedulerState.Budget(thermal: $0, battery: nil, configuration: configuration).reason
            }
            #expect(found == reasons, "\(throttlesFrom)")
        }
    }

    @Test func otherThresholdsAndLatencies() {
        let configuration = SchedulingConfiguration.Budget(
            batteryEmpty: 0.02, batteryLow: 0.1, batteryHalf: 0.3, seriousLatency: .milliseconds(50),
            fairLatency: .milliseconds(40), nominalLatency: .milliseconds(20))
        func row(_ thermal: DeviceReading.ThermalState, _ battery: Double) -> Row {
            Row(SchedulerState.Budget(thermal: thermal, battery: battery, configuration: configuration))
        }
        #expect(row(.nominal, 0.0199) == Row(.sixth, 20, 2, .batteryLow))
        #expect(row(.nominal, 0.02) == Row(.third, 20, 2, .batteryLow))
        #expect(row(.nominal, 0.0999) == Row(.third, 20, 2, .batteryLow))
        #expect(row(.nominal, 0.1) == Row(.half, 20, 2, .batteryHalf))
        #expect(row(.nominal, 0.3) == Row(.full, 20, 2, .nominal))
        #expect(row(.fair, 1) == Row(.half, 40, 1, .warm))
        #expect(row(.serious, 1) == Row(.third, 50, 0, .hot))
        #expect(row(.critical, 1) == Row(.sixth, 50, 0, .hot))
    }

    @Test func thermalStatesAreOrdered() {
        #expect(DeviceReading.ThermalState.allCases == [.nominal, .fair, .serious, .critical])
        #expect(DeviceReading.ThermalState.allCases.sorted(by: >) == [.critical, .serious, .fair, .nominal])
        #expect(SchedulerState.Pace.allCases.map(\.interval) == [1, 2, 3, 6])
    }
}
