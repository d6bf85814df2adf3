import Scheduling
import Testing
import Vocabulary

/// What is said about times that cannot be used.
@Suite struct TimeWatchTests {
    /// The faults of a trace with the index of the frame that showed each.
    private func faults(
        _ timestamps: [Int64], _ rate: PacingConfiguration.Rate = .hz30, restartingAt restart: Int? = nil
    ) throws -> [(index: Int, fault: TimeFault)] {
        var grid = try FrameGrid(PacingConfiguration(nominalRate: rate))
        var watch = TimeWatch()
        var found: [(Int, TimeFault)] = []
        for (index, timestamp) in timestamps.enumerated() {
            if index == restart {
                grid.restart()
                watch.restart()
            }
            if let fault = watch.observe(timestamp, grid.admit(timestamp)) { found.append((index, fault)) }
        }
        return found
    }

    /// 120 frames at 30 a second from a time in seconds, each changed in seconds.
    private func frames(from start: Double = 0, _ change: (Double) -> Double) -> [Int64] {
        (0..<120).map { Int64((change(start + Double($0) / 30) * 1e9).rounded()) }
    }

    private static let second: Int64 = 1_000_000_000

    @Test func timesThatWorkSayNothing() throws {
        for start in [0.0, -2, 1.7e9, 1e6] { #expect(try faults(frames(from: start) { $0 }).isEmpty) }
        // A clock that is set, one bad time, a pause, a fast camera.
        var times = frames { $0 }
        times[40] = .max
        for index in 60..<120 { times[index] += 3_600 * Self.second }
        #expect(try faults(times).isEmpty)
        #expect(try faults(Traces.steady(1_000, count: 2_000)).isEmpty)
        #expect(try faults(Traces.steady(2, count: 100)).isEmpty)
    }

    @Test func eachCauseIsNamedOnce() throws {
        typealias Case = (times: [Int64], expected: [TimeFault])
        let cases: [Case] = [
            (frames { _ in 0 }, [.neverAdvances]), (frames { _ in 12.25 }, [.neverAdvances]),
            (frames { _ in -0.04 }, [.neverAdvances]), (frames { _ in 7 }, [.wholeSeconds]),
            (frames(from: 100) { $0.rounded(.down) }, [.wholeSeconds]),
            (frames(from: 1_764_000_003) { $0.rounded(.down) }, [.wholeSeconds]),
            // The first second of a clip is zero.
            (frames { $0.rounded(.down) }, [.neverAdvances, .wholeSeconds]),
            (frames(from: 1_764_000_003) { Double(Float($0)) }, [.lowPrecision]),
            (frames(from: 5_000_000) { Double(Float($0)) }, [.lowPrecision]), (frames { -$0 }, [.runsBackward]),
            (frames { $0 * 1_000 }, [.thousandfold]), (frames { ($0 * 1_000).rounded() }, [.thousandfold]),
            (frames { 5e9 + $0 }, [.beyondHorizon]), (frames { -5e9 - $0 }, [.beyondHorizon]),
            (frames { $0 * 1_000_000 }, [.irregular]), (frames { $0 / 1_000_000 }, [.tooClose]),
            (frames { $0 * 20 }, [.tooSlow]), (frames { $0 * 31.5 }, [.tooSlow]),
        ]
        for (index, (times, expected)) in cases.enumerated() {
            #expect(try faults(times).map(\.fault) == expected, "\(index)")
        }
    }

    @Test func itIsSaidAtTheTenthDrop() throws {
        let found = try faults([Int64](repeating: 5, count: 100))
        #expect(found.map(\.index) == [10])
        // Nine equal times and one that advances, over and over.
        #expect(try faults((0..<300).map { Int64($0 / 10) * 100_000_000 }).isEmpty)
        #expect(try faults((0..<330).map { Int64($0 / 11) * 100_000_000 + 1 }).map(\.index) == [10])
        // Ten slow frames in a row.
        #expect(try faults(Traces.steady(1, count: 30)).map(\.index) == [10])
        #expect(try faults([Int64](0..<300)).map(\.index) == [100])
    }

    @Test func mixedDropsAreIrregular() throws {
        let jumps = (0..<30).map { Int64($0 % 2 == 0 ? 1 : 1_000_000) * Self.second + Int64($0 % 3) * 40 * Self.second }
        #expect(try faults([0] + jumps).map(\.fault) == [.irregular])
    }

    /// A restart ends a row, and what was said stays said.
    @Test func aRestart() throws {
        let times = [Int64](repeating: 0, count: 40)
        #expect(try faults(times, restartingAt: 8).map(\.index) == [18])
        #expect(try faults(times, restartingAt: 20).map(\.index) == [10])
    }

    @Test func stepsBetweenTheEndsOfTimeDoNotTrap() throws {
        let ends: [Int64] = [.min, .max, Traces.earliest, Traces.latest, 0, -1]
        var random = SplitMix64(seed: 3)
        _ = try faults((0..<10_000).map { _ in ends.randomElement(using: &random) ?? 0 })
        let alternating = (0..<40).map { $0 % 2 == 0 ? Int64.min : .max }
        #expect(try faults(alternating).map(\.fault) == [.beyondHorizon])
        let farthest = (0..<40).map { $0 % 2 == 0 ? Traces.latest : Traces.earliest }
        #expect(try faults(farthest).map(\.fault) == [.irregular])
    }

    @Test func everyFaultSaysWhatToDo() {
        #expect(Set(TimeFault.allCases.map(\.sentences)).count == TimeFault.allCases.count)
        for fault in TimeFault.allCases { #expect(fault.sentences.contains(". ") && fault.sentences.hasSuffix(".")) }
    }
}
