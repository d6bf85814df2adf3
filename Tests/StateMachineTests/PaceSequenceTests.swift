import Scheduling
import TestSupport
import Testing
import Vocabulary

@Suite struct PaceSequenceTests {
    private enum Step {
        /// So many steps with a latency, `apart` milliseconds one after another.
        case steps(Int, latency: Int64, apart: Int64)
        case temperature(Double?)
        case forget
    }

    private static let millisecond: Int64 = 1_000_000
    private static let slot: Int64 = 8_333_333
    /// A pace's deadline, shorter than its slots. A latency just below that of full pace leaves full pace no headroom.
    private static func deadline(_ interval: Int) -> Int64 { 7 * millisecond * Int64(interval) }

    private static func configuration(_ random: inout SplitMix64) -> SchedulingConfiguration.Pace {
        let probe = random.pick([1, 2, 3])
        return SchedulingConfiguration.Pace(
            missLimit: random.pick(1...4), temperature: random.isOne(in: 3) ? nil : 38...42,
            readingLifetime: .seconds(random.pick([1, 3, 30])), minimumDwell: .milliseconds(random.pick(0...4) * 500),
            probeAfter: .seconds(probe), probeAfterAtMost: .seconds(probe * random.pick([1, 3, 16])),
            probation: .seconds(random.pick([2, 4])), reserved: .milliseconds(2))
    }

    private static func steps(_ random: inout SplitMix64) -> [Step] {
        (0..<random.pick(1...40)).map { _ in
            switch random.next(below: 10) {
            case 0: .forget
            case 1...3:
                .temperature(
                    random.isOne(in: 8)
                        ? random.pick([nil, .nan, -274, 151, -50.1, .infinity])
                        : random.pick([30, 37.9, 38, 39, 41.9, 42, 45]))
            // Misses at full pace, at half, third and sixth.
            case 4, 5: .steps(random.pick(1...4), latency: random.pick([8, 15, 22, 43]) * millisecond, apart: 8)
            default:
                // Among them the last that fit into full, half and third pace and the first that do not, and two deadlines.
                .steps(
                    random.pick([1, 5, 40, 100]),
                    latency: random.pick(
                        [
                            0, 1, 6, 6_333_333, 6_333_334, 7, 14, 14_666_666, 14_666_667, 21, 22_999_999, 23,
                        ].map { $0 < 100 ? $0 * millisecond : $0 }), apart: Int64(random.pick([8, 33, 60])))
            }
        }
    }

    private static func difference(
        _ configuration: SchedulingConfiguration.Pace, _ steps: [Step], _ tally: OutcomeTally
    ) throws -> String? {
        var machine = try PaceController(configuration, slotPeriod: slot)
        var model = PlainPace(configuration, slotPeriod: slot)
        var time: Int64 = 0
        func compare(_ change: SchedulerState.PaceChange?, _ expected: PlainPace.Reason?, _ step: String) -> String? {
            guard change?.reason == expected else {
                return "\(step) at \(time): \(String(describing: change)) instead of \(String(describing: expected))"
            }
            if let change {
                tally.add("\(change.from) to \(change.to) by \(change.reason)")
                let places = [change.from, change.to].map { PlainPace.intervals.firstIndex(of: $0.interval) ?? -9 }
                guard change.time == .nanoseconds(time), places[1] - places[0] == (change.isDown ? 1 : -1),
                    change.to == machine.pace
                else { return "\(step) at \(time): \(change)" }
            }
            return machine.pace.interval == model.interval ? nil : "\(step) at \(time): \(machine.pace)"
        }
        for step in steps {
            switch step {
            case .forget:
                machine.forgetLatencies()
                model.forgetLatencies()
            case .temperature(let celsius):
                let (found, expected) = (
                    machine.observe(celsius: celsius, at: time), model.observe(celsius: celsius, at: time)
                )
                if let difference = compare(found, expected, "\(step)") { return difference }
            case .steps(let count, let latency, let apart):
                for _ in 0..<count {
                    time += apart * millisecond
                    let deadline = deadline(model.interval)
                    let found = machine.observe(latency: latency, deadline: deadline, at: time)
                    let expected = model.observe(latency: latency, deadline: deadline, at: time)
                    if let difference = compare(found, expected, "\(step)") { return difference }
                }
            }
        }
        return nil
    }

    /// The sequences lead to every change: three steps by each of the four reasons.
    @Test func anyLatenciesAndTemperatures() throws {
        let tally = OutcomeTally()
        let property = SequenceProperty<SchedulingConfiguration.Pace, Step>(
            "pacing", sequences: 2_000, cost: 10,
            draw: { random in (Self.configuration(&random), Self.steps(&random)) },
            difference: { try Self.difference($0, $1, tally) })
        #expect(try property.counterexample()?.description == nil)
        let paces: [SchedulerState.Pace] = [.full, .half, .third, .sixth]
        let changes = zip(paces, paces.dropFirst()).flatMap { fast, slow in
            ["deadlineMisses", "temperatureHigh"].map { "\(fast) to \(slow) by \($0)" }
                + ["temperatureRecovered", "probe"].map { "\(slow) to \(fast) by \($0)" }
        }
        #expect(tally.missing(changes, minimum: 10) == [])
    }
}

@Suite struct FrameThinningSequenceTests {
    private enum Step {
        case reading(DeviceReading)
        case frame
    }

    /// The interval of heat and battery, counted from the last frame that was taken.
    @Test func anyReadings() throws {
        let property = SequenceProperty<Int, Step>(
            "frame thinning", sequences: 100_000,
            draw: { random in
                let steps = (0..<random.pick(1...40)).map { _ -> Step in
                    guard random.isOne(in: 5) else { return .frame }
                    let battery = random.pick([nil, .nan, -1, 0, 0.0499, 0.05, 0.1999, 0.2, 0.4999, 0.5, 1])
                    return .reading(
                        DeviceReading(thermal: random.pick(DeviceReading.ThermalState.allCases), battery: battery))
                }
                return (0, steps)
            },
            difference: { _, steps in
                var machine = FrameThinning()
                var interval = 1
                var sinceTaken = Int.max
                for (index, step) in steps.enumerated() {
                    switch step {
                    case .reading(let reading):
                        _ = machine.observe(reading)
                        interval = Self.interval(reading)
                    case .frame:
                        let isTaken = sinceTaken >= interval
                        if (machine.decideNext() == .run) != isTaken { return "step \(index): \(!isTaken)" }
                        sinceTaken = isTaken ? 1 : sinceTaken + 1
                    }
                }
                return nil
            })
        #expect(try property.counterexample()?.description == nil)
    }

    private static func interval(_ reading: DeviceReading) -> Int {
        switch reading.thermal {
        case .critical: return 6
        case .serious: return 3
        case .fair: return 2
        case .nominal:
            // An unknown battery is full.
            guard let battery = reading.battery, battery >= 0 else { return 1 }
            return battery < 0.05 ? 6 : battery < 0.2 ? 3 : battery < 0.5 ? 2 : 1
        }
    }
}
