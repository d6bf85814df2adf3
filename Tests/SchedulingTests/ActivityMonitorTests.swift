import Scheduling
import Testing
import Vocabulary

@Suite struct ActivityMonitorTests {
    private func monitor(idleAfter: Duration = .seconds(3)) throws -> ActivityMonitor {
        try ActivityMonitor(SchedulingConfiguration.Activity(idleAfter: idleAfter, idleBelow: 0.6, wakeAbove: 1))
    }

    @Test func idleAfterThreeSecondsOfStillness() throws {
        var monitor = try monitor()
        for time in stride(from: 0, to: 3 * second, by: 100 * Int(millisecond)) {
            #expect(monitor.observe(amount: 0.59, at: Int64(time)) == nil)
        }
        let change = monitor.observe(amount: 0.59, at: 3 * second)
        #expect(change?.from == .active && change?.to == .idle && change?.time == .seconds(3))
        #expect(monitor.activity == .idle)
        #expect(monitor.observe(amount: 0, at: 4 * second) == nil)
    }

    @Test func oneMovingFrameRestartsTheWait() throws {
        for moving in [0.6, 5, 255, .nan, .infinity, -1, -.infinity] {
            var monitor = try monitor()
            #expect(monitor.observe(amount: 0, at: 0) == nil)
            #expect(monitor.observe(amount: moving, at: 2 * second) == nil)
            #expect(monitor.observe(amount: 0, at: 3 * second) == nil, "\(moving)")
            #expect(monitor.observe(amount: 0, at: 5_999 * millisecond) == nil, "\(moving)")
            #expect(monitor.observe(amount: 0, at: 6 * second)?.to == .idle, "\(moving)")
        }
    }

    @Test func oneFrameWakes() throws {
        for moving in [1.000_001, 5, 255, .nan, .infinity, -1] {
            var monitor = try monitor(idleAfter: .zero)
            #expect(monitor.observe(amount: 0, at: 7)?.to == .idle)
            let change = monitor.observe(amount: moving, at: 9)
            #expect(change?.from == .idle && change?.to == .active && change?.time == .nanoseconds(9), "\(moving)")
        }
    }

    @Test func betweenTheThresholdsNothingChanges() throws {
        var monitor = try monitor()
        for difference in [0.6, 0.8, 1] {
            for time in 0..<20 { #expect(monitor.observe(amount: difference, at: Int64(time) * second) == nil) }
        }
        #expect(monitor.activity == .active)
        for time in 20...23 { _ = monitor.observe(amount: 0.1, at: Int64(time) * second) }
        #expect(monitor.activity == .idle)
        for difference in [0.6, 0.8, 1] {
            for time in 30..<50 { #expect(monitor.observe(amount: difference, at: Int64(time) * second) == nil) }
        }
        #expect(monitor.activity == .idle)
    }

    @Test func aClockSetBackStartsTheWaitAnew() throws {
        var monitor = try monitor()
        _ = monitor.observe(amount: 0, at: 100 * second)
        #expect(monitor.observe(amount: 0, at: 10 * second) == nil)
        #expect(monitor.observe(amount: 0, at: 12_999 * millisecond) == nil)
        #expect(monitor.observe(amount: 0, at: 13 * second)?.to == .idle)
        var extreme = try self.monitor()
        #expect(extreme.observe(amount: 0, at: .min) == nil)
        #expect(extreme.observe(amount: 0, at: .max)?.to == .idle)
    }

    @Test func restartIsActive() throws {
        var monitor = try monitor(idleAfter: .seconds(1))
        _ = monitor.observe(amount: 0, at: 0)
        #expect(monitor.observe(amount: 0, at: second)?.to == .idle)
        monitor.restart()
        #expect(monitor.activity == .active)
        #expect(monitor.observe(amount: 0, at: 2 * second) == nil)
        #expect(monitor.observe(amount: 0, at: 3 * second)?.to == .idle)
    }

    /// Against the definition: active frames until every difference of the last three seconds was still.
    @Test func agreesWithTheDefinition() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<50 {
            var monitor = try monitor()
            var expected = SchedulerState.Activity.active
            var stillSince: Int64?
            var time: Int64 = 0
            for _ in 0..<2_000 {
                time += Int64.random(in: 1...100 * millisecond, using: &random)
                let calm = Int.random(in: 0..<40, using: &random) > 0
                let difference =
                    calm ? Double.random(in: 0..<0.6, using: &random) : Double.random(in: 0...3, using: &random)
                if expected == .active {
                    stillSince = difference < 0.6 ? stillSince ?? time : nil
                    if let since = stillSince, time - since >= 3 * second { expected = .idle }
                } else if difference > 1 {
                    expected = .active
                    stillSince = nil
                }
                _ = monitor.observe(amount: difference, at: time)
                #expect(monitor.activity == expected)
            }
        }
    }
}
