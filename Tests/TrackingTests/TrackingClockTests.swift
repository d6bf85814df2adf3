import Testing
import Tracking

@Suite struct TrackingClockTests {
    private static let second: Int64 = 1_000_000_000

    /// Twenty seconds of a gap count, whatever its length.
    @Test(arguments: [
        (1, 1), (20 * second - 1, 20 * second - 1), (20 * second, 20 * second), (20 * second + 1, 20 * second),
        (.max, 20 * second),
    ])
    func aGapCountsForAtMostTwentySeconds(_ gap: Int64, _ expected: Int64) {
        var clock = TrackingClock()
        clock.advance(to: 0)
        clock.advance(to: gap)
        #expect(clock.now == expected)
    }

    /// The difference of these times is no Int64.
    @Test func aGapThatOverflowsCountsForTwentySeconds() {
        var clock = TrackingClock()
        clock.advance(to: .min)
        clock.advance(to: .max)
        #expect(clock.now == 20 * Self.second)
    }

    @Test func timeNeverRunsBackwards() {
        var clock = TrackingClock()
        for time: Int64 in [5, 8, 8, 2] { clock.advance(to: time) }
        #expect(clock.now == 3)
        clock.advance(to: 4)
        #expect(clock.now == 5)
        clock.restart()
        clock.advance(to: 1_000)
        #expect(clock.now == 5)
    }
}
