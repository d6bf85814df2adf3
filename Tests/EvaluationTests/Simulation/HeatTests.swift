import Evaluation
import PixelFrontEnd
import Scheduling
import Testing

/// The source's scenario: ten minutes of a phone in the hand.
@Suite struct HeatTests {
    private static func scenario() throws -> Scenario { try #require(Scenario.named("heat")) }

    /// Every decision of the ten minutes. A change of a policy or of a constant shows here.
    @Test func theLogIsGolden() throws {
        let report = try Simulation(Self.scenario()).run()
        #expect(report.log == Self.golden)
    }

    private static let golden = [
        "    90.000 s  budget   full to half, 30.0 ms, detail 1: warm; 42.0 C, 2.40 GHz",
        "    90.000 s  pace     full to half: temperature high; 42.0 C, 2.40 GHz",
        "   165.000 s  budget   half to full, 25.0 ms, detail 2: nominal; 38.0 C, 3.20 GHz",
        "   165.000 s  pace     half to full: temperature recovered; 38.0 C, 3.20 GHz",
        "   216.000 s  budget   full to half, 30.0 ms, detail 1: warm; 42.0 C, 2.40 GHz",
        "   216.000 s  pace     full to half: temperature high; 42.0 C, 2.40 GHz",
        "   291.000 s  budget   half to full, 25.0 ms, detail 2: nominal; 38.0 C, 3.20 GHz",
        "   291.000 s  pace     half to full: temperature recovered; 38.0 C, 3.20 GHz",
        "   342.000 s  budget   full to half, 30.0 ms, detail 1: warm; 42.0 C, 2.40 GHz",
        "   342.000 s  pace     full to half: temperature high; 42.0 C, 2.40 GHz",
        "   417.000 s  budget   half to full, 25.0 ms, detail 2: nominal; 38.0 C, 3.20 GHz",
        "   417.000 s  pace     half to full: temperature recovered; 38.0 C, 3.20 GHz",
        "   468.000 s  budget   full to half, 30.0 ms, detail 1: warm; 42.0 C, 2.40 GHz",
        "   468.000 s  pace     full to half: temperature high; 42.0 C, 2.40 GHz",
        "   543.000 s  budget   half to full, 25.0 ms, detail 2: nominal; 38.0 C, 3.20 GHz",
        "   543.000 s  pace     half to full: temperature recovered; 38.0 C, 3.20 GHz",
        "   594.000 s  budget   full to half, 30.0 ms, detail 1: warm; 42.0 C, 2.40 GHz",
        "   594.000 s  pace     full to half: temperature high; 42.0 C, 2.40 GHz",
    ]

    /// 42 C at about 90 s, the pace halved before misses force it, stable within 15 s, full pace below 38 C.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func theSourceHoldsForAnySeed(_ seed: UInt64) throws {
        let report = try Simulation(Self.scenario(), seed: seed).run()
        let changes = report.paceChanges
        let down = try #require(changes.first)
        let up = try #require(changes.dropFirst().first)
        #expect(down.change.to == .half && (87...93).contains(down.seconds))
        #expect(down.change.reason == .temperatureHigh)
        #expect((41.9...42.1).contains(down.celsius) && (2.4...2.45).contains(down.gigahertz))
        #expect(up.change.to == .full && up.change.reason == .temperatureRecovered && up.celsius < 38)

        let before = report.trace.filter { $0.seconds > down.seconds - 10 && $0.seconds <= down.seconds }
        // In the last seconds at full pace a step takes the source's 6 to 7 ms.
        #expect(before.count == 10 && before.allSatisfy { (6...7).contains($0.p50_ms ?? 0) })
        let after = report.trace.filter { $0.seconds > down.seconds + 15 && $0.seconds <= up.seconds }
        #expect(after.count > 30)
        // The camera keeps its rate: every second of its frames is left out.
        #expect(after.allSatisfy { $0.encoded + $0.skipped == 120 })
        #expect(after.allSatisfy { (59...61).contains($0.encoded) && $0.deadline_misses == 0 && $0.pace == 2 })
        #expect(try #require(report.summary.stable_after_seconds) <= 15)
        let back = report.trace.filter { $0.seconds > up.seconds + 1 && $0.seconds <= up.seconds + 30 }
        #expect(back.allSatisfy { $0.encoded >= 119 && $0.pace == 1 })
    }

    /// With missed deadlines as the only signal the pace falls later, at a higher temperature.
    @Test func temperatureComesBeforeMisses() throws {
        let scheduling = SchedulingConfiguration(budget: nil, pace: SchedulingConfiguration.Pace(temperature: nil))
        var scenario = try Self.scenario()
        scenario.device.floorGigahertz = 2
        scenario.device.floorAtCelsius = 44
        let blind = try Simulation(scenario, scheduling: scheduling, selection: .init(threshold: .seconds(1))).run()
        let forced = try #require(blind.paceChanges.first)
        #expect(forced.change.reason == .deadlineMisses)
        #expect(forced.seconds > 93 && forced.celsius > 42)
    }

    /// What the model's constants were chosen for, by the law of cooling and not by the scheduler.
    @Test func theModelReaches42AndSettles() throws {
        var scenario = try Self.scenario()
        scenario.device.battery = nil
        let full = try Simulation(scenario, scheduling: .everySlot, selection: .init(threshold: .seconds(1))).run()
        let crossing = try #require(full.trace.first { $0.celsius >= 42 })
        #expect((88...92).contains(crossing.seconds))
        let last = try #require(full.trace.last)
        #expect((43.8...44.2).contains(last.celsius) && last.gigahertz == 2.4)
        // Newton's law: after one time constant 1 - 1/e of the way from 30 to 44 C.
        #expect(abs(full.trace[45].celsius - (30 + 14 * 0.63)) < 0.2)

        scenario.device.battery = .init(charge: 0.4, perHour: 0)
        let half = try Simulation(scenario).run()
        #expect(half.trace.allSatisfy { $0.pace == 2 && $0.celsius < 38 })
        #expect((36.8...37.2).contains(try #require(half.trace.last).celsius))
    }
}

struct PaceMoment {
    let change: SchedulerState.PaceChange
    let seconds: Double
    let celsius: Double
    let gigahertz: Double
}

extension SimulationReport {
    var paceChanges: [PaceMoment] {
        events.compactMap { event in
            guard case .pace(let change) = event.kind else { return nil }
            return PaceMoment(
                change: change, seconds: Double(event.time) / 1e9, celsius: event.celsius, gigahertz: event.gigahertz)
        }
    }

    var unitSwitches: [(change: SchedulerState.UnitSwitch, seconds: Double)] {
        events.compactMap { event in
            guard case .unit(let change) = event.kind else { return nil }
            return (change, Double(event.time) / 1e9)
        }
    }
}
