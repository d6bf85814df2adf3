import BodyPose
import BodyTracking
import TestSupport
import Testing
import Tracking
import Vocabulary

@Suite struct MovementSequenceTests {
    private enum Step {
        /// The parts in tenths of the way; nil where they are hidden. The condition holds, fails, or is hidden.
        case seen([Int?], condition: Bool?, later: Int64)
        case absent(later: Int64)
    }

    private static let millisecond: Int64 = 1_000_000

    private static func movement(_ random: inout SplitMix64) -> BodyMovement {
        func signal(_ wrist: TrackedBody.Joint, _ shoulder: TrackedBody.Joint) -> [BodySignal] {
            [BodySignal(.height([wrist], above: [shoulder]), rest: 0, extreme: 1)]
        }
        var parts = [signal(.leftWrist, .leftShoulder)]
        if random.isOne(in: 2) { parts.append(signal(.rightWrist, .rightShoulder)) }
        let moments = BodyMovement.Condition.Moments(rawValue: UInt8(random.pick(1...15)))
        let condition = BodyMovement.Condition(
            .height([.leftElbow], above: [.leftShoulder]), in: 0...0.5, at: moments)
        return BodyMovement(
            name: "raise", parts: parts, conditions: random.isOne(in: 2) ? [condition] : [],
            coordination: parts.count == 1 ? .together : random.pick(BodyMovement.Coordination.allCases),
            enter: random.pick([0.66, 0.75]), leave: random.pick([0.17, 0.33]),
            minimumDuration: .milliseconds(random.pick([0, 250, 450])),
            maximumDuration: .milliseconds(random.pick([1_550, 9_050])))
    }

    /// Ups and downs by some tenths at a time, with holds between.
    private static func steps(_ random: inout SplitMix64, _ movement: BodyMovement) -> [Step] {
        var (places, goals) = ([0, 0], [0, 0])
        let fastest = random.pick(1...5)
        // Some are hidden for longer than a second.
        var hidden = 0
        return (0..<random.pick(1...60)).map { _ in
            for part in 0..<2 {
                if random.isOne(in: 5) {
                    goals[part] = random.isOne(in: 4) ? random.pick(-2...11) : random.pick([0, 9])
                }
                let way = goals[part] - places[part]
                places[part] += max(-fastest, min(fastest, way))
            }
            // Both arms together, or each for itself.
            if random.isOne(in: 3) { (places[1], goals[1]) = (places[0], goals[0]) }
            let later = random.pick([100, 100, 100, 100, 60, 200]) * millisecond
            if random.isOne(in: 60) { return .absent(later: later) }
            if random.isOne(in: 60) { hidden = random.pick(8...16) }
            hidden -= 1
            let seen = places.map { hidden > 0 || random.isOne(in: 20) ? nil : $0 }
            let condition: Bool? = random.isOne(in: 12) ? nil : !random.isOne(in: 12)
            return .seen(Array(seen.prefix(movement.parts.count)), condition: condition, later: later)
        }
    }

    /// About tenths, and different on both sides, so that no comparison depends on rounding.
    private static func progress(_ tenths: Int, _ side: Int) -> Double {
        side == 0 ? Double(tenths) / 9.3 + 0.013 : Double(tenths) / 9.7 + 0.0117
    }

    private static func parts(_ tenths: [Int?]) -> [Double?] {
        tenths.enumerated().map { side, tenths in tenths.map { progress($0, side) } }
    }

    private static func body(_ tenths: [Int?], condition: Bool?) -> TrackedBody {
        var world = TrackedBody.Points()
        var visibility = TrackedBody.Scores(repeating: 0.9)
        func set(_ joint: TrackedBody.Joint, _ x: Float, _ y: Float) { world[joint.rawValue] = SIMD3(x, y, 0) }
        // A trunk of half a metre.
        for (side, x) in [(0, Float(0.25)), (1, -0.25)] {
            func joint(_ left: TrackedBody.Joint) -> TrackedBody.Joint {
                TrackedBody.Joint(rawValue: left.rawValue + side) ?? left
            }
            set(joint(.leftShoulder), x, -0.5)
            set(joint(.leftHip), x, 0)
            guard tenths.indices.contains(side), let tenth = tenths[side] else {
                visibility[joint(.leftWrist).rawValue] = 0.01
                continue
            }
            set(joint(.leftWrist), x, -0.5 - 0.5 * Float(progress(tenth, side)))
        }
        set(.leftElbow, 0.25, condition == true ? -0.625 : -1)
        if condition == nil { visibility[TrackedBody.Joint.leftElbow.rawValue] = 0.01 }
        return TrackedBody(
            identity: 0, presence: 0.9, landmarks: TrackedBody.Points(repeating: SIMD3(0.5, 0.5, 0)),
            visibility: visibility, pointPresence: TrackedBody.Scores(repeating: 1), worldLandmarks: world,
            region: TrackedRegion(centerX: 320, centerY: 240, side: 480))
    }

    private static func difference(
        _ movement: BodyMovement, _ steps: [Step], _ tally: OutcomeTally
    ) throws -> String? {
        var tracker = try BodyActivityTracker(
            BodyActivity(name: "raise", movements: [movement]),
            BodyActivityConfiguration(interpolationLimit: .zero, smoothingAlpha: 1))
        var model = PlainMovement(movement)
        var time: Int64 = 0
        for (index, step) in steps.enumerated() {
            let result: BodyActivityResult
            var expected: PlainMovement.Completed?
            switch step {
            case .absent(let later):
                time += later
                result = tracker.step([], at: .nanoseconds(time))
                model.restart()
            case .seen(let tenths, let condition, let later):
                time += later
                result = tracker.step([body(tenths, condition: condition)], at: .nanoseconds(time))
                expected = model.step(
                    PlainMovement.Frame(
                        time: time, parts: parts(tenths), condition: condition))
            }
            tally.add(model.phase)
            if result.phase != model.phase { return "step \(index): \(result.phase), not \(model.phase)" }
            if result.repetitions != model.count {
                return "step \(index): counted \(result.repetitions), not \(model.count)"
            }
            let found = result.completed.map {
                PlainMovement.Completed(
                    number: $0.number, isCounted: $0.isCounted, depth: ($0.depth * 1_000).rounded() / 1_000,
                    middle: $0.middle.nanoseconds, end: $0.end.nanoseconds)
            }
            if let depth = expected?.depth { expected?.depth = (depth * 1_000).rounded() / 1_000 }
            if found != expected {
                return "step \(index): \(String(describing: found)), not \(String(describing: expected))"
            }
        }
        tally.add("counted", count: model.count)
        tally.add("shallow", count: model.shallow)
        let tempo = tracker.statistics.movements[0]
        return tempo.shallow == model.shallow && tempo.count == model.count
            ? nil : "\(tempo) instead of \(model.count) and \(model.shallow) shallow"
    }

    /// The sequences lead to counted and shallow movements, and to every phase.
    @Test func anyMovement() throws {
        let tally = OutcomeTally()
        let property = SequenceProperty<BodyMovement, Step>(
            "repetitions", sequences: 20_000,
            draw: { random in
                let movement = Self.movement(&random)
                return (movement, Self.steps(&random, movement))
            }, difference: { try Self.difference($0, $1, tally) })
        #expect(try property.counterexample()?.description == nil)
        #expect(tally.missing(BodyPhase.allCases, minimum: 1_000) == [])
        #expect(tally.missing(["counted", "shallow"], minimum: 100) == [])
    }
}
