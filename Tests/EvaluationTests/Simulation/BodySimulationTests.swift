import Evaluation
import Scheduling
import Testing

/// Live streams of bodies in the built-in scenarios.
@Suite struct BodySimulationTests {
    private static func report(_ name: String, seed: UInt64 = 1) throws -> SimulationReport {
        try BodySimulation(try #require(Scenario.named(name)).ofBodies, seed: seed).run()
    }

    @Test(arguments: Scenario.builtIn.map(\.name), [1, 7] as [UInt64])
    func everyFrameIsAccountedFor(_ name: String, _ seed: UInt64) throws {
        let report = try Self.report(name, seed: seed)
        let sum = report.summary
        #expect(sum.frames_in == sum.run && sum.surplus + sum.dropped + sum.repeats + sum.resets == 0)
        #expect(sum.run == sum.encoded + sum.superseded + sum.unfinished + sum.skips.total)
        #expect(sum.unfinished <= 2 && sum.skips.pace + sum.skips.idle == 0)
        #expect(report.trace.count == Int(report.scenario.seconds))
        #expect((0...2).contains(sum.encoded - report.trace.map(\.encoded).reduce(0, +)))
        #expect(abs(sum.seconds_at_pace.reduce(0, +) - report.scenario.seconds) < 0.01)
        #expect(abs(sum.seconds_on_unit.reduce(0, +) - report.scenario.seconds) < 0.01)
        #expect(sum.log_lines == report.log.count)
        // Frames are counted one after the other, whatever comes between them.
        let slowest = try #require(report.trace.map(\.pace).max())
        #expect((1...slowest).contains(sum.longest_stride_slots))
    }

    /// The phone of the source warms as under gestures: 30 frames of 20 ms are as much work as 120 of 5.
    @Test(arguments: [1, 2, 3] as [UInt64]) func heatHalvesThePaceAndGivesItBack(_ seed: UInt64) throws {
        let report = try Self.report("heat", seed: seed)
        let changes = report.events.compactMap { event -> (Double, SchedulerState.BudgetChange)? in
            guard case .budget(let change) = event.kind else { return nil }
            return (Double(event.time) / 1e9, change)
        }
        let (time, first) = try #require(changes.first)
        #expect((85...100).contains(time) && first.to.pace == .half && first.to.interfaceDetail == 1)
        #expect(changes.count > 3)
        for (before, after) in zip(changes, changes.dropFirst()) {
            #expect(before.1.to == after.1.from && after.0 - before.0 > 20)
        }
        let sum = report.summary
        #expect(sum.skips.heat == sum.skips.total && sum.skips.total > 1_000)
        #expect((41.5...42.5).contains(sum.hottest_celsius))
        #expect(sum.seconds_at_pace[0] > 200 && sum.seconds_at_pace[1] > 200)
        #expect(sum.seconds_at_pace.count == 4 && sum.seconds_at_pace[2...].allSatisfy { $0 == 0 })
    }

    /// From 60 % to 10 % in half an hour: full pace to a half, half pace to a fifth, then a third.
    @Test func theBatteryLeavesAThird() throws {
        let sum = try Self.report("battery").summary
        for (found, expected) in zip(sum.seconds_at_pace, [360.0, 1_080, 360, 0]) {
            #expect(abs(found - expected) < 2)
        }
        #expect(sum.skips.battery == sum.skips.total && sum.superseded == 0)
        #expect(abs(sum.encoded - (360 * 30 + 1_080 * 15 + 360 * 10)) < 100)
    }

    /// A program that takes the core makes frames give way to newer ones, and nothing else.
    @Test func contentionMakesFramesGiveWay() throws {
        let report = try Self.report("contention")
        #expect(report.summary.superseded > 100 && report.summary.skips.total == 0)
        #expect(
            report.trace.filter { $0.seconds < 29 }.allSatisfy { $0.superseded == 0 && (29...31).contains($0.encoded) })
    }

    @Test func theSameSeedGivesTheSameReport() throws {
        let (first, second, other) = try (
            Self.report("day", seed: 3), Self.report("day", seed: 3), Self.report("day", seed: 4)
        )
        #expect(first.log == second.log && first.trace == second.trace && first.summary == second.summary)
        #expect(first.trace != other.trace)
    }

    /// Scenarios of bodies can be written, read and checked like others, and faults are named.
    @Test func scenariosOfBodies() throws {
        for scenario in Scenario.builtIn {
            try scenario.ofBodies.validate()
            #expect(scenario.ofBodies.rate == 30 && scenario.ofBodies.device.units.count == 1)
        }
        var broken = Scenario(name: "broken", seconds: 0)
        #expect(throws: SimulationError.scenario(.outOfRange(key: "seconds", value: 0, allowed: 1...86_400))) {
            try BodySimulation(broken)
        }
        broken.seconds = 10
        broken.rate = 31
        #expect(throws: SimulationError.scenario(.rate(31))) { try BodySimulation(broken) }
    }
}
