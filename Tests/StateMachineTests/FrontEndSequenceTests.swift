import Scheduling
import TestSupport
import Testing
import Vocabulary

/// The rules of the public comments of `FrontEndController`: the causes for pixels, each with its own memory.
private struct PlainFrontEnd {
    let stepping: SchedulingConfiguration.FrontEndStepping?
    private(set) var isPixels = false
    private var latestGray: Int64?
    private var isGray = false
    private var isHot = false
    private var isLow = false
    private var isLate = false
    private var misses = 0
    private var latestMiss: Int64 = 0
    private var failures = 0
    private enum Cause { case gray, device, deadlines }
    /// Why and when landmarks gave way, and when they came back.
    private var cause = Cause.gray
    private var lastEnded = Cause.device
    private var left: Int64 = 0
    private var returned: (time: Int64, isProbe: Bool)?

    init(_ stepping: SchedulingConfiguration.FrontEndStepping?) { self.stepping = stepping }

    mutating func observe(hasColor: Bool, at time: Int64) {
        if !hasColor {
            (latestGray, isGray) = (time, true)
        } else if let latestGray, time - latestGray >= 500_000_000 {
            if isGray { lastEnded = .gray }
            isGray = false
        }
        settle(at: time)
    }

    mutating func observe(_ reading: DeviceReading, at time: Int64) {
        guard let stepping else { return }
        let wasBurdened = isHot || isLow
        if reading.thermal >= stepping.stepsDownFrom { isHot = true }
        if reading.thermal <= stepping.recoversAt { isHot = false }
        let charge = reading.battery.flatMap { $0 >= 0 ? $0 : nil } ?? 1
        if charge < stepping.batteryLow { isLow = true }
        if charge >= stepping.batteryRecovered { isLow = false }
        if wasBurdened, !isHot, !isLow { lastEnded = .device }
        settle(at: time)
    }

    mutating func observe(latency: Int64, deadline: Int64, isPaceLowered: Bool, at time: Int64) {
        guard let stepping, latency >= 0 else { return }
        if isPixels {
            if latency > deadline { latestMiss = time }
            if isLate, time - latestMiss >= wait { (isLate, lastEnded) = (false, .deadlines) }
        } else {
            let isTooSlow = latency > deadline && latency > stepping.toleratedLatency.saturatedNanoseconds
            misses = isTooSlow && isPaceLowered ? misses + 1 : 0
            if misses >= stepping.missLimit { isLate = true }
        }
        settle(at: time)
    }

    /// The wait before a probe.
    private var wait: Int64 {
        let limit = stepping?.probeAfterAtMost.saturatedNanoseconds ?? 0
        return (0..<failures).reduce(stepping?.probeAfter.saturatedNanoseconds ?? 0) { wait, _ in min(2 * wait, limit) }
    }

    private mutating func settle(at time: Int64) {
        let isWanted = isGray || isHot || isLow || isLate
        guard isWanted != isPixels else { return }
        let probation = stepping?.probation.saturatedNanoseconds ?? 0
        if isWanted {
            if let returned {
                let lasted = time - returned.time
                if probation > 0, lasted >= probation {
                    failures = max(0, failures - Int(lasted / probation))
                } else if !isGray, !isHot, !isLow, returned.isProbe,
                    wait < stepping?.probeAfterAtMost.saturatedNanoseconds ?? 0
                {
                    failures += 1
                }
            }
            cause = isGray ? .gray : isHot || isLow ? .device : .deadlines
            left = time
            misses = 0
            latestMiss = time
        } else {
            let dwell = stepping?.minimumDwell.saturatedNanoseconds ?? 0
            if cause != .gray, time - left < dwell { return }
            returned = (time, lastEnded == .deadlines)
        }
        isPixels = isWanted
    }
}

@Suite struct FrontEndSequenceTests {
    private enum Step {
        case color(Bool)
        case reading(DeviceReading)
        /// So many steps, in milliseconds.
        case steps(Int, latency: Int64, deadline: Int64, isPaceLowered: Bool)
        case wait(Int64)
    }

    private static let millisecond: Int64 = 1_000_000

    private static func setup(_ random: inout SplitMix64) -> SchedulingConfiguration.FrontEndStepping? {
        if random.isOne(in: 10) { return nil }
        let probe = random.pick(1...3)
        let down = random.pick([DeviceReading.ThermalState.fair, .serious, .critical])
        return SchedulingConfiguration.FrontEndStepping(
            stepsDownFrom: down, recoversAt: random.pick(DeviceReading.ThermalState.allCases.filter { $0 < down }),
            batteryLow: 0.1, batteryRecovered: random.pick([0.1, 0.3]), missLimit: random.pick(1...4),
            toleratedLatency: .milliseconds(33), minimumDwell: .milliseconds(random.pick(0...4) * 500),
            probeAfter: .seconds(probe), probeAfterAtMost: .seconds(probe * random.pick([1, 3, 16])),
            probation: .seconds(random.pick([2, 5])))
    }

    private static func steps(_ random: inout SplitMix64) -> [Step] {
        let isColorful = random.isOne(in: 2)
        return (0..<random.pick(1...40)).map { _ in
            switch random.next(below: 12) {
            case 0...2: .color(isColorful || !random.isOne(in: 3))
            case 3, 4:
                .reading(
                    DeviceReading(
                        thermal: random.pick([.nominal, .nominal] + DeviceReading.ThermalState.allCases),
                        battery: random.pick([nil, .nan, -1, 0, 0.0999, 0.1, 0.2, 0.3, 1])))
            case 5: .wait(random.pick([1, 499, 500, 1_000, 2_000, 5_000, 9_000]))
            default:
                .steps(
                    random.pick([1, 2, 4, 30, 60]), latency: random.pick([-1, 5, 5, 5, 33, 34, 40]),
                    deadline: random.pick([8, 33, 36]), isPaceLowered: !random.isOne(in: 4))
            }
        }
    }

    private static func difference(_ stepping: SchedulingConfiguration.FrontEndStepping?, _ steps: [Step]) throws
        -> String?
    {
        var machine = try FrontEndController(stepping)
        var model = PlainFrontEnd(stepping)
        var time: Int64 = 0
        var isColorful = true
        for (index, step) in steps.enumerated() {
            var count = 1
            if case .steps(let number, _, _, _) = step { count = number }
            for _ in 0..<count {
                let before = machine.source
                var change: SchedulerState.FrontEndChange?
                switch step {
                case .color(let hasColor):
                    isColorful = hasColor
                    change = machine.observe(hasColor: hasColor, at: time)
                    model.observe(hasColor: hasColor, at: time)
                case .reading(let reading):
                    change = machine.observe(reading, at: time)
                    model.observe(reading, at: time)
                case .wait(let milliseconds):
                    time += milliseconds * millisecond
                    change = nil
                case .steps(_, let latency, let deadline, let isPaceLowered):
                    time += 33 * millisecond
                    // Each frame tells its colour before its step.
                    change = machine.observe(hasColor: isColorful, at: time)
                    model.observe(hasColor: isColorful, at: time)
                    if (machine.source == .pixels) != model.isPixels {
                        return "step \(index) at \(time): \(machine.source)"
                    }
                    let second = machine.observe(
                        latency: latency * millisecond, deadline: deadline * millisecond, isPaceLowered: isPaceLowered,
                        at: time)
                    change = second ?? change
                    model.observe(
                        latency: latency * millisecond, deadline: deadline * millisecond, isPaceLowered: isPaceLowered,
                        at: time)
                }
                let isPixels = machine.source == .pixels
                if isPixels != model.isPixels { return "step \(index) at \(time): \(machine.source)" }
                if change == nil, machine.source != before { return "step \(index): \(String(describing: change))" }
                if let change, change.to != machine.source || change.time != .nanoseconds(time) {
                    return "step \(index): \(change)"
                }
            }
        }
        return nil
    }

    @Test func anyFramesReadingsAndLatencies() throws {
        let property = SequenceProperty<SchedulingConfiguration.FrontEndStepping?, Step>(
            "front-end stepping", sequences: 40_000,
            draw: { random in (Self.setup(&random), Self.steps(&random)) }, difference: Self.difference)
        let counterexample = try property.counterexample()
        #expect(counterexample == nil, "\(String(describing: counterexample))")
    }

    /// The sequences bring every change.
    @Test func theSequencesAreVaried() throws {
        var random = SplitMix64(seed: 1)
        var reasons: [SchedulerState.FrontEndChange.Reason: Int] = [:]
        for _ in 0..<4_000 {
            var machine = try FrontEndController(Self.setup(&random))
            var time: Int64 = 0
            func note(_ change: SchedulerState.FrontEndChange?) {
                if let change { reasons[change.reason, default: 0] += 1 }
            }
            var isColorful = true
            for step in Self.steps(&random) {
                switch step {
                case .color(let hasColor):
                    isColorful = hasColor
                    note(machine.observe(hasColor: hasColor, at: time))
                case .reading(let reading): note(machine.observe(reading, at: time))
                case .wait(let milliseconds): time += milliseconds * Self.millisecond
                case .steps(let count, let latency, let deadline, let isPaceLowered):
                    for _ in 0..<count {
                        time += 33 * Self.millisecond
                        note(machine.observe(hasColor: isColorful, at: time))
                        note(
                            machine.observe(
                                latency: latency * Self.millisecond, deadline: deadline * Self.millisecond,
                                isPaceLowered: isPaceLowered, at: time))
                    }
                }
            }
        }
        for reason in SchedulerState.FrontEndChange.Reason.allCases {
            #expect(reasons[reason, default: 0] > 100, "\(reasons)")
        }
    }
}
