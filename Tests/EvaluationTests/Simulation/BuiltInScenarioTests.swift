import Evaluation
import Scheduling
import Testing

/// What holds in every scenario, whatever happens in it.
@Suite struct BuiltInScenarioTests {
    @Test(arguments: Scenario.builtIn.map(\.name), [1, 7] as [UInt64])
    func everyFrameIsAccountedFor(_ name: String, _ seed: UInt64) throws {
        let scenario = try #require(Scenario.named(name))
        let report = try Simulation(scenario, seed: seed).run()
        let sum = report.summary
        #expect(sum.frames_in == sum.run + sum.surplus + sum.dropped)
        #expect(sum.run == sum.encoded + sum.superseded + sum.unfinished + sum.skips.total)
        #expect(sum.unfinished <= 2)
        #expect(abs(sum.frames_in - Self.expectedFrames(scenario)) <= 1 + 2 * scenario.phases.count)

        #expect(report.trace.count == Int(scenario.seconds))
        let traced = report.trace.map(\.encoded).reduce(0, +)
        #expect((0...2).contains(sum.encoded - traced))
        #expect(report.trace.map(\.repeats).reduce(0, +) == sum.repeats)
        #expect(report.trace.map(\.deadline_misses).reduce(0, +) == sum.deadline_misses)
        #expect(abs(sum.seconds_at_pace.reduce(0, +) - scenario.seconds) < 0.01)
        #expect(abs(sum.seconds_on_unit.reduce(0, +) - scenario.seconds) < 0.01)
        #expect(sum.log_lines == report.log.count)
    }

    /// The area under the camera's rate.
    private static func expectedFrames(_ scenario: Scenario) -> Int {
        var frames = scenario.seconds * scenario.camera.framesPerSecond
        for phase in scenario.phases {
            switch phase.condition {
            case .camera(let rate): frames += (phase.to - phase.from) * (rate - scenario.camera.framesPerSecond)
            case .stalled, .background:
                // One phase of another rate and stalls within it: the rate of the moment counts.
                let rate = scenario.phases.reduce(scenario.camera.framesPerSecond) { rate, other in
                    guard case .camera(let its) = other.condition, other.from <= phase.from, phase.from < other.to
                    else { return rate }
                    return its
                }
                frames -= (phase.to - phase.from) * rate
            case .contention, .still, .ambient: break
            }
        }
        return Int(frames.rounded())
    }

    @Test(arguments: Scenario.builtIn.map(\.name), [1, 7] as [UInt64])
    func nothingFlapsAndNothingStarves(_ name: String, _ seed: UInt64) throws {
        let scenario = try #require(Scenario.named(name))
        let report = try Simulation(scenario, seed: seed).run()
        // Each change begins where the last ended. A faster pace is never tried within 10 s of a change, and heat lowers
        // the pace again after a minute at the earliest.
        let changes = report.paceChanges
        for (before, after) in zip(changes, changes.dropFirst()) {
            #expect(before.change.to == after.change.from)
            if !after.change.isDown { #expect(after.seconds - before.seconds >= 10) }
            if before.change.isDown, after.change.reason == .temperatureHigh {
                #expect(after.seconds - before.seconds >= 59.9)
            }
        }
        #expect(report.summary.most_switches_a_minute <= 6)
        for (before, after) in zip(report.unitSwitches, report.unitSwitches.dropFirst())
        where after.change.reason != .probeFailed {
            #expect(after.seconds - before.seconds >= 4.9)
        }
        // The slowest pace, and a gap as long as the grid fills.
        let slowest = try #require(report.trace.map(\.pace).max())
        #expect(report.summary.longest_stride_slots <= slowest + 15)
        // In a second in which the camera delivers, something is encoded.
        for (index, sample) in report.trace.enumerated() where sample.encoded + sample.superseded == 0 {
            #expect(Self.isDark(scenario, from: Double(index), to: sample.seconds))
        }
    }

    private static func isDark(_ scenario: Scenario, from: Double, to: Double) -> Bool {
        scenario.phases.contains { phase in
            switch phase.condition {
            case .stalled, .background: phase.from <= from && to <= phase.to
            default: false
            }
        }
    }

    @Test func theSameSeedGivesTheSameReport() throws {
        let scenario = try #require(Scenario.named("day"))
        let first = try Simulation(scenario, seed: 3).run()
        let second = try Simulation(scenario, seed: 3).run()
        let other = try Simulation(scenario, seed: 4).run()
        #expect(first.log == second.log && first.trace == second.trace && first.summary == second.summary)
        #expect(first.trace != other.trace)
    }

    @Test func aDayHasNoLongerTraceThanAnHour() throws {
        var scenario = Scenario(name: "long", seconds: 86_400)
        scenario.rate = 30
        scenario.camera.framesPerSecond = 30
        let report = try Simulation(scenario).run()
        #expect(report.trace.count == 3600)
        #expect(report.trace.last?.seconds == 86_400)
        #expect(report.trace.map(\.encoded).reduce(0, +) >= report.summary.encoded - 2)
        #expect((2_591_998...2_592_002).contains(report.summary.frames_in))
    }

    @Test func theLogIsBounded() throws {
        var scenario = Scenario(name: "jumps", seconds: 200)
        // Timestamps 100 ms to either side of their place go back every other frame.
        scenario.camera.jitterMilliseconds = 100
        let report = try Simulation(scenario).run()
        #expect(report.summary.dropped > 10_000)
        #expect(report.log.count == 10_000)
        #expect(report.summary.log_lines >= report.summary.dropped)
        #expect(report.summary.frames_in == report.summary.run + report.summary.surplus + report.summary.dropped)
    }
}
