import Scheduling
import Testing
import Vocabulary

/// The rule of the source, one repeat where a frame is more than 10 ms after the one before, with its limits.
@Suite struct LiteralPolicyTests {
    @Test func repeatsEveryFrameOfASteadyNinety() throws {
        let log = try TraceLog(Traces.steady(90, count: 100), .hz120, .literal())
        #expect(log.repeats == [0] + [Int](repeating: 1, count: 99))
        // 16 columns are 8 frames, which are 8 intervals of 11.1 ms.
        let window = log.runs.suffix(9)
        let span = try #require(window.last).timestamp - #require(window.first).timestamp
        #expect(window.dropFirst().reduce(0) { $0 + $1.run.repeatsBefore + 1 } == 16)
        #expect((88_888_880...88_888_900).contains(span))
    }

    @Test func neverRepeatsAtExactlyOneHundred() throws {
        let log = try TraceLog(Traces.steady(100, count: 1_000), .hz120, .literal())
        #expect(log.repeats.allSatisfy { $0 == 0 })
        let late = try TraceLog([0, 10_000_000, 20_000_001], .hz120, .literal())
        #expect(late.repeats == [0, 0, 1])
    }

    @Test func repeatsOnceWhateverTheGap() throws {
        let log = try TraceLog([0, 60_000_000, 190_000_000], .hz120, .literal())
        #expect(log.repeats == [0, 1, 1])
    }

    @Test func runsEveryFrameOfAFasterCamera() throws {
        let log = try TraceLog(Traces.steady(240, count: 1_000), .hz120, .literal())
        #expect(log.runs.count == 1_000 && log.surplus == 0 && log.columns == 1_000)
    }

    @Test func thresholdIsTwelveTenthsOfASlotOrAsGiven() throws {
        for (rate, threshold) in [
            (PacingConfiguration.Rate.hz120, Int64(10_000_000)), (.hz60, 20_000_000), (.hz30, 40_000_000),
        ] {
            #expect(try TraceLog([0, threshold], rate, .literal()).repeats == [0, 0])
            #expect(try TraceLog([0, threshold + 1], rate, .literal()).repeats == [0, 1])
        }
        let given = PacingConfiguration.Policy.literal(lateAfter: .microseconds(9_500))
        #expect(try TraceLog([0, 9_500_000, 19_000_001], .hz120, given).repeats == [0, 0, 1])
    }

    @Test func slotTimeIsTheTimestamp() throws {
        let timestamps = Traces.steady(90, count: 50, jitter: 2_000_000)
        let log = try TraceLog(timestamps, .hz120, .literal())
        #expect(log.runs.map(\.run.slotTime) == timestamps)
    }

    @Test func thresholdsOutOfRange() throws {
        for duration: Duration in [
            .zero, .nanoseconds(-1), .seconds(1), .seconds(Int64.max), .seconds(Int64.min),
            Duration(secondsComponent: 0, attosecondsComponent: 999_999_999),
        ] {
            let configuration = PacingConfiguration(policy: .literal(lateAfter: duration))
            let fault = ConfigurationError(
                "PacingConfiguration.Policy.literal(lateAfter:)", duration,
                mustBe: "a nanosecond or more and below a second")
            #expect(throws: fault) { try configuration.validate() }
            #expect(throws: fault) { try FrameGrid(configuration) }
        }
        try PacingConfiguration(policy: .literal(lateAfter: .nanoseconds(1))).validate()
        try PacingConfiguration(policy: .literal(lateAfter: .nanoseconds(999_999_999))).validate()
        try PacingConfiguration().validate()
    }

    @Test func defaults() {
        let configuration = PacingConfiguration()
        #expect(configuration.nominalRate == .hz120)
        #expect(configuration.policy == .grid)
    }
}
