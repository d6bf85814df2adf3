import Recognition
import TestSupport
import Testing
import Vocabulary

@Suite struct WakeSequenceTests {
    private struct Setup {
        var hold, window: Int64
        var poseClass: Int?
    }

    private enum Step {
        /// A frame so much later, the class that is active from it on, and whether it shows the pose.
        case frame(later: Int64, active: Int?, isShown: Bool)
        /// A break of the stream, or its end.
        case flush(isEnd: Bool)
    }

    private static let frame: Int64 = 33_000_000

    private static func setup(_ random: inout SplitMix64) -> Setup {
        Setup(
            hold: frame * Int64(random.pick(0...5)), window: frame * Int64(random.pick(1...12)),
            poseClass: random.pick([nil, 0, 1]))
    }

    private static func steps(_ random: inout SplitMix64) -> [Step] {
        var (active, isShown): (Int?, Bool) = (nil, false)
        return (0..<random.pick(1...80)).map { _ in
            if random.isOne(in: 5) { active = random.isOne(in: 2) ? nil : random.pick(0...2) }
            if random.isOne(in: 5) { isShown.toggle() }
            if random.isOne(in: 40) { return .flush(isEnd: random.isOne(in: 2)) }
            let later = random.isOne(in: 12) ? frame * Int64(random.pick([0, 0, 4, 30, -3])) : frame
            return .frame(later: later, active: active, isShown: isShown)
        }
    }

    /// The events of a hysteresis machine that has one gesture active and then another.
    private struct Source {
        var active: Int?
        var sequence: UInt64 = 0

        private mutating func event(_ kind: RecognizedEvent.Kind, _ index: Int, _ time: Int64) -> RecognizedEvent {
            defer { sequence += 1 }
            return RecognizedEvent(
                kind: kind, classIndex: index, confidence: 0.9, onset: time, decision: time, sequence: sequence)
        }

        mutating func step(to next: Int?, at time: Int64) -> StepResult {
            guard next != active else { return StepResult(top: nil, end: nil, begin: nil) }
            let end = active.map { event(.end(.released), $0, time) }
            let begin = next.map { event(.begin, $0, time) }
            active = next
            return StepResult(top: nil, end: end, begin: begin)
        }

        mutating func flush(at time: Int64) -> RecognizedEvent? {
            defer { active = nil }
            return active.map { event(.end(.flushed), $0, time) }
        }
    }

    private static func difference(_ setup: Setup, _ steps: [Step], _ tally: OutcomeTally) throws -> String? {
        var machine = WakeMachine(hold: setup.hold, window: setup.window, poseClass: setup.poseClass)
        var model = PlainWake(hold: setup.hold, window: setup.window, poseClass: setup.poseClass)
        var source = Source()
        var reported: [RecognizedEvent] = []
        var time: Int64 = 1_000_000_000
        for (index, step) in steps.enumerated() {
            switch step {
            case .frame(let later, let active, let isShown):
                time += later
                let result = source.step(to: active, at: time)
                let (passed, found) = machine.step(result, showingPose: isShown, at: time)
                reported += [passed.end, passed.begin].compactMap { $0 }
                if found.armed != nil { tally.add("armed") }
                if found.disarmed != nil { tally.add("disarmed") }
                if result.begin != nil { tally.add(passed.begin == nil ? "withheld" : "passed") }
                if passed.end != nil, !machine.isArmed { tally.add("ended after disarming") }
                let expected = model.step(result, showingPose: isShown, at: time)
                if found != expected { return "step \(index): \(found) instead of \(expected)" }
            case .flush(let isEnd):
                let end = source.flush(at: time)
                if let passed = machine.flush(end) { reported.append(passed) }
                model.flush(end)
                if isEnd {
                    machine.disarm()
                    model.disarm()
                }
            }
            if reported != model.reported {
                return "step \(index): \(reported.suffix(2)) instead of \(model.reported.suffix(2))"
            }
            if machine.isArmed != model.isArmed { return "step \(index): armed \(machine.isArmed)" }
            if machine.activeClass != model.activeClass {
                return "step \(index): active \(String(describing: machine.activeClass))"
            }
        }
        // Begins and ends alternate, and no number is left out.
        for (place, event) in reported.enumerated() {
            guard (event.kind == .begin) == (place % 2 == 0), event.sequence == UInt64(place) else {
                return "event \(place): \(event)"
            }
        }
        return nil
    }

    /// The sequences arm, disarm, withhold, and end gestures after disarming.
    @Test func anyFrames() throws {
        let tally = OutcomeTally()
        let property = SequenceProperty<Setup, Step>(
            "wake pose", sequences: 40_000,
            draw: { random in (Self.setup(&random), Self.steps(&random)) },
            difference: { try Self.difference($0, $1, tally) })
        #expect(try property.counterexample()?.description == nil)
        let outcomes = ["armed", "disarmed", "passed", "withheld", "ended after disarming"]
        #expect(tally.missing(outcomes, minimum: 200) == [])
    }
}
