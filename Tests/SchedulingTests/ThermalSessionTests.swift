import Scheduling
import Testing
import Vocabulary

/// A device that warms towards a temperature that goes with its load, and whose steps take longer when its clock falls.
private struct WarmingDevice {
    static let ambient = 20.0
    /// Degrees that full load adds in the end. From 30 degrees, 42 are reached after 90 s.
    static let rise = 32.74
    static let timeConstant = 120.0

    var celsius = 30.0

    mutating func spend(_ seconds: Double, load: Double) {
        celsius += (Self.ambient + Self.rise * load - celsius) * seconds / Self.timeConstant
    }

    /// 3.2 GHz up to 41 degrees, 2.4 from 43 on, where duty is cut by a tenth besides. 6 ms become 8.8.
    var latency: Int64 {
        let throttled = min(max((celsius - 41) / 2, 0), 1)
        let clock = 3.2 - 0.8 * throttled
        return Int64(6_000_000 * 3.2 / clock * (1 + 0.1 * throttled))
    }
}

/// A session on a virtual clock: 120 slots a second through the scheduler, heat and latency as they follow from it.
private struct ThermalSession {
    struct Entry {
        var time: Int64
        var celsius: Double
        var change: SchedulerState.PaceChange
    }

    var entries: [Entry] = []
    var missTimes: [Int64] = []
    var hottest = 0.0
    var scheduler: Scheduler

    init(seconds: Int, hasSensor: Bool, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var device = WarmingDevice()
        scheduler = try Scheduler(slotPeriod: slot120)
        for slot in 0..<Int64(seconds) * 120 {
            let time = slot * second / 120
            if hasSensor, slot % 120 == 0 {
                let reading = device.celsius + Double.random(in: -0.2...0.2, using: &random)
                note(scheduler.observe(DeviceReading(celsius: reading), at: time), device.celsius, time)
            }
            let runs = scheduler.decide(slot: slot) == .run
            if runs {
                let latency = device.latency + Int64.random(in: -50_000...50_000, using: &random)
                if latency > scheduler.deadline { missTimes.append(time) }
                note(scheduler.observe(stepLatency: latency, at: time), device.celsius, time)
            }
            device.spend(1.0 / 120, load: runs ? 1 : 0)
            hottest = max(hottest, device.celsius)
        }
    }

    private mutating func note(_ changes: SchedulerState.Changes, _ celsius: Double, _ time: Int64) {
        if let change = changes.pace { entries.append(Entry(time: time, celsius: celsius, change: change)) }
    }
}

@Suite struct ThermalSessionTests {
    /// The source's scenario: 90 s to 42 degrees, half pace, stable within 15 s, and full pace again below 38.
    @Test func aDeviceWithASensor() throws {
        for seed: UInt64 in 1...3 {
            let session = try ThermalSession(seconds: 3_600, hasSensor: true, seed: seed)
            let first = try #require(session.entries.first)
            #expect(first.change.reason == .temperatureHigh && first.change.to == .half)
            #expect((85 * second...92 * second).contains(first.time) && (41.7...42.3).contains(first.celsius))
            let next = try #require(session.entries.dropFirst().first)
            #expect(next.change.reason == .temperatureRecovered && next.change.to == .full && next.celsius < 38.2)
            // Stable: nothing changes and no deadline is missed.
            #expect(next.time - first.time > 15 * second)
            #expect(!session.missTimes.contains { $0 > first.time + 15 * second && $0 < next.time })
            // For the rest of the hour a slow thermostat between the two thresholds.
            #expect(
                session.entries.allSatisfy { [.temperatureHigh, .temperatureRecovered].contains($0.change.reason) })
            for (earlier, later) in zip(session.entries, session.entries.dropFirst()) {
                #expect(later.time - earlier.time > 20 * second)
            }
            #expect((20...50).contains(session.entries.count), "\(session.entries.count)")
            #expect(session.hottest < 42.5)
            let counts = session.scheduler.counts
            #expect(counts.run + counts.skips.pace == 3_600 * 120 && counts.skips.total == counts.skips.pace)
            #expect(counts.paceChanges == session.entries.count)
        }
    }

    /// Without a sensor misses force the pace down, and time brings it back.
    @Test func aDeviceWithoutASensor() throws {
        for seed: UInt64 in 1...3 {
            let session = try ThermalSession(seconds: 3_600, hasSensor: false, seed: seed)
            let first = try #require(session.entries.first)
            #expect(first.change.reason == .deadlineMisses && first.time > 90 * second && first.time < 120 * second)
            let next = try #require(session.entries.dropFirst().first)
            #expect(next.change.reason == .probe && next.time - first.time >= 15 * second)
            #expect(!session.missTimes.contains { $0 > first.time && $0 < next.time })
            for (earlier, later) in zip(session.entries, session.entries.dropFirst()) {
                if !later.change.isDown { #expect(later.time - earlier.time >= 15 * second) }
            }
            // No more than a change a minute in the mean, and the frames between are not given away.
            #expect((10...60).contains(session.entries.count), "\(session.entries.count)")
            #expect(session.entries.allSatisfy { [.deadlineMisses, .probe].contains($0.change.reason) })
            #expect(session.missTimes.count == session.scheduler.counts.deadlineMisses)
            #expect(session.missTimes.count < 3_600 * 120 / 1_000)
        }
    }

    @Test func theSameSeedTellsTheSameStory() throws {
        let first = try ThermalSession(seconds: 600, hasSensor: true, seed: 9)
        let second = try ThermalSession(seconds: 600, hasSensor: true, seed: 9)
        #expect(first.entries.map(\.change) == second.entries.map(\.change) && !first.entries.isEmpty)
        #expect(first.scheduler.state == second.scheduler.state)
    }
}
