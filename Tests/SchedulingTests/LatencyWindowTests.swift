import Scheduling
import Testing
import Vocabulary

@Suite struct LatencyWindowTests {
    /// The nearest-rank percentile by its definition, of samples in (now - span, now].
    private func oracle(_ samples: [(time: Int64, latency: Int64)], span: Int64, now: Int64, minimum: Int) -> Int64? {
        let inside = samples.filter { $0.time > now - span }.map(\.latency)
        guard inside.count >= minimum else { return nil }
        return inside.sorted().first { candidate in
            inside.count { $0 <= candidate } * 100 >= 95 * inside.count
        }
    }

    @Test func agreesWithSorting() {
        var random = SplitMix64(seed: 1)
        for minimum in [1, 2, 19, 20, 21, 30] {
            for spread in [3, 10 * millisecond] {
                var window = LatencyWindow(span: 2 * second, minimumSamples: minimum)
                var samples: [(time: Int64, latency: Int64)] = []
                var time: Int64 = -5 * second
                for _ in 0..<700 {
                    time += Int64.random(in: 0...30 * millisecond, using: &random)
                    if Int.random(in: 0..<100, using: &random) == 0 { time += 3 * second }
                    let latency = Int64.random(in: 0...spread, using: &random)
                    window.record(latency, at: time)
                    samples.append((time, latency))
                    let expected = oracle(samples, span: 2 * second, now: time, minimum: minimum)
                    #expect(window.percentile95(at: time) == expected)
                }
            }
        }
    }

    @Test func countsByRank() {
        for count in 1...300 {
            var window = LatencyWindow(span: second, minimumSamples: 1)
            for latency in 1...count { window.record(Int64(latency), at: 0) }
            let rank = (1...count).first { $0 * 100 >= 95 * count }
            #expect(window.percentile95(at: 0) == rank.map(Int64.init))
        }
    }

    @Test func aWindowOfOneSampleHoldsTheNewest() {
        var window = LatencyWindow(span: second, minimumSamples: 1, capacity: 1)
        for _ in 0..<2 {
            for latency in 1...3 as ClosedRange<Int64> {
                window.record(latency, at: latency)
                #expect(window.count == 1 && window.percentile95(at: latency) == latency)
            }
            window.removeAll()
            #expect(window.count == 0 && window.percentile95(at: 3) == nil)
        }
    }

    @Test func thirtySamplesAreNeeded() {
        var window = LatencyWindow(span: 2 * second)
        for index in 0..<29 { window.record(millisecond, at: Int64(index) * millisecond) }
        #expect(window.percentile95(at: 29 * millisecond) == nil)
        window.record(millisecond, at: 29 * millisecond)
        #expect(window.percentile95(at: 29 * millisecond) == millisecond)
        // The first of them is out of the window two seconds after it came, and not before.
        #expect(window.percentile95(at: 2 * second - 1) == millisecond)
        #expect(window.percentile95(at: 2 * second) == nil)
        #expect(window.count == 29)
    }

    @Test func twoSecondsAt120HzAreAllKept() {
        var window = LatencyWindow(span: 2 * second)
        for index in 0..<10_000 { window.record(Int64(index), at: Int64(index) * second / 120) }
        #expect(window.count == 240)
        // 9,760...9,999: the 228th of 240.
        #expect(window.percentile95(at: 9_999 * second / 120) == 9_987)
    }

    @Test func beyondCapacityTheOldestGiveWay() {
        var window = LatencyWindow(span: 1_000 * second, minimumSamples: 1, capacity: 20)
        for index in 1...1_000 {
            window.record(Int64(index), at: Int64(index))
            #expect(window.count == min(index, 20))
        }
        // 981...1,000: the 19th.
        #expect(window.percentile95(at: 1_000) == 999)
    }

    @Test func aClockSetBack() {
        var window = LatencyWindow(span: 2 * second, minimumSamples: 1)
        window.record(5, at: 10 * second)
        // By less than the window: counts as now.
        window.record(7, at: 9 * second)
        #expect(window.count == 2)
        #expect(window.percentile95(at: 11_999 * millisecond) == 7)
        #expect(window.percentile95(at: 12 * second) == nil)
        window.record(5, at: 20 * second)
        // By the window or more: everything begins anew.
        window.record(3, at: 18 * second)
        #expect(window.count == 1)
        #expect(window.percentile95(at: 18 * second) == 3)
    }

    @Test func noTimeTraps() {
        var random = SplitMix64(seed: 3)
        var window = LatencyWindow(span: 2 * second, minimumSamples: 1, capacity: 40)
        for _ in 0..<20_000 {
            let latency = random.anyInt64()
            window.record(latency, at: random.anyInt64())
            #expect((1...40).contains(window.count))
            _ = window.percentile95(at: random.anyInt64())
        }
        window.removeAll()
        #expect(window.count == 0)
        #expect(window.percentile95(at: 0) == nil)
        window.record(9, at: .min)
        #expect(window.percentile95(at: .min) == 9)
    }
}
