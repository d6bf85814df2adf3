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

    private static func difference(_ setup: Setup, _ steps: [Step]) throws -> String? {
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

    @Test func anyFrames() throws {
        let property = SequenceProperty<Setup, Step>(
            "wake pose", sequences: 40_000,
            draw: { random in (Self.setup(&random), Self.steps(&random)) }, difference: Self.difference)
        let counterexample = try property.counterexample()
        #expect(counterexample == nil, "\(String(describing: counterexample))")
    }

    /// The sequences arm, disarm, withhold, and end gestures after disarming.
    @Test func theSequencesAreVaried() {
        var random = SplitMix64(seed: 1)
        var (armed, disarmed, passed, withheld, late) = (0, 0, 0, 0, 0)
        for _ in 0..<4_000 {
            let setup = Self.setup(&random)
            var machine = WakeMachine(hold: setup.hold, window: setup.window, poseClass: setup.poseClass)
            var source = Source()
            var time: Int64 = 0
            for case .frame(let later, let active, let isShown) in Self.steps(&random) {
                time += later
                let result = source.step(to: active, at: time)
                let (reported, changes) = machine.step(result, showingPose: isShown, at: time)
                armed += changes.armed == nil ? 0 : 1
                disarmed += changes.disarmed == nil ? 0 : 1
                passed += reported.begin == nil ? 0 : 1
                withheld += result.begin != nil && reported.begin == nil ? 1 : 0
                late += reported.end != nil && !machine.isArmed ? 1 : 0
            }
        }
        #expect([armed, disarmed, passed, withheld, late].min() ?? 0 > 200, "\(armed) \(disarmed) \(passed) \(late)")
    }

    private static func begin(_ index: Int, at time: Int64) -> StepResult {
        StepResult(
            top: nil, end: nil,
            begin: RecognizedEvent(
                kind: .begin, classIndex: index, confidence: 1, onset: time, decision: time, sequence: 0))
    }

    private static let nothing = StepResult(top: nil, end: nil, begin: nil)

    @Test func timeWithoutFramesDisarms() {
        var machine = WakeMachine(hold: 500, window: 8_000, poseClass: 0)
        #expect(machine.step(Self.nothing, showingPose: true, at: 0).changes == .init())
        #expect(machine.step(Self.nothing, showingPose: true, at: 499).changes == .init())
        #expect(machine.step(Self.nothing, showingPose: true, at: 500).changes == .init(armed: 500))
        #expect(machine.step(Self.nothing, showingPose: false, at: 8_499).changes == .init())
        let late = machine.step(Self.begin(2, at: 90_000), showingPose: false, at: 90_000)
        #expect(late.changes == .init(disarmed: 8_500) && late.result.begin == nil && !machine.isArmed)
    }

    @Test func thePoseThatArmsIsNoGestureUntilItIsReleased() {
        var machine = WakeMachine(hold: 500, window: 8_000, poseClass: 0)
        _ = machine.step(Self.nothing, showingPose: true, at: 0)
        #expect(machine.step(Self.begin(0, at: 600), showingPose: true, at: 600).result.begin == nil)
        #expect(machine.isArmed)
        #expect(machine.step(Self.begin(1, at: 700), showingPose: true, at: 700).result.begin?.classIndex == 1)
        _ = machine.step(Self.nothing, showingPose: false, at: 800)
        #expect(machine.step(Self.begin(0, at: 900), showingPose: true, at: 900).result.begin?.classIndex == 0)
    }
}
