import BodyTracking
import Vocabulary

/// A movement from rest to an extreme and back, which is counted each time that it comes back.
///
/// Progress is 0 at rest and 1 at the extreme. It is computed for each part, so that a movement of arms and legs needs
/// both. A repetition reaches its extreme when every part that can be measured has reached `enter`; it ends when every
/// such part is back at `leave`. The progress of a part is the weighted mean of its signals that can be measured:
/// several signals for one part make up for hidden points.
public struct BodyMovement: Codable, Sendable, Hashable {
    /// The movement's name, such as `left`; unique in its activity.
    public var name: String

    /// The signals of each part: 1 to 8 parts.
    public var parts: [[BodySignal]]

    /// What must hold at rest and when the movement reaches `enter`, where it can be measured; else it is not counted.
    public var conditions: [BodyMovement.Condition]

    /// Whether every part must reach `enter` and come back. If false, the parts move by turns and their mean is used.
    public var partsMoveTogether: Bool

    /// Progress of every part from which the extreme is reached, above `leave`, at most 1.
    public var enter: Double

    /// Progress of every part up to which it is at rest, from 0, below `enter`.
    public var leave: Double

    /// Shorter movements, from rest to rest, are not counted, 0...10 s.
    public var minimumDuration: Duration

    /// Longer movements are not counted, up to an hour: sitting down is not a squat.
    public var maximumDuration: Duration

    /// Makes a movement.
    public init(
        name: String, parts: [[BodySignal]], conditions: [BodyMovement.Condition] = [],
        partsMoveTogether: Bool = true, enter: Double = 0.55,
        leave: Double = 0.3, minimumDuration: Duration = .milliseconds(300), maximumDuration: Duration = .seconds(15)
    ) {
        self.name = name
        self.parts = parts
        self.conditions = conditions
        self.partsMoveTogether = partsMoveTogether
        self.enter = enter
        self.leave = leave
        self.minimumDuration = minimumDuration
        self.maximumDuration = maximumDuration
    }

    /// A measure that must lie in a range.
    public struct Condition: Codable, Sendable, Hashable {
        /// What is measured.
        public var measure: BodyMeasure
        /// Where it must lie.
        public var allowed: ClosedRange<Double>

        /// Makes a condition.
        public init(_ measure: BodyMeasure, in allowed: ClosedRange<Double>) {
            self.measure = measure
            self.allowed = allowed
        }
    }

    /// Calls `body` with each point that the movement uses, with some more than once.
    func forEachJoint(_ body: (TrackedBody.Joint) -> Void) {
        for part in parts { for signal in part { signal.measure.forEachJoint(body) } }
        for condition in conditions { condition.measure.forEachJoint(body) }
    }

    func validate(_ activity: String) throws(ConfigurationError) {
        let path = activity + "." + name
        try ConfigurationError.check(parts.count, path + ".parts", in: 1...8)
        for part in parts {
            try ConfigurationError.check(part.count, path + ".parts", in: 1...32)
            for signal in part { try signal.validate(path + ".parts") }
        }
        for condition in conditions where !condition.measure.isUsable {
            throw ConfigurationError(
                path + ".conditions", condition.measure,
                mustBe: "of groups that have points; an angle needs three different ones")
        }
        try ConfigurationError.check(leave, path + ".leave", in: 0...1)
        try ConfigurationError.check(enter, path + ".enter", in: 0...1)
        guard leave < enter else {
            throw ConfigurationError(path + ".leave", leave, mustBe: "below enter, which is \(enter)")
        }
        try ConfigurationError.check(minimumDuration, path + ".minimumDuration", in: .zero ... .seconds(10))
        try ConfigurationError.check(maximumDuration, path + ".maximumDuration", in: .zero ... .seconds(3_600))
        guard minimumDuration <= maximumDuration else {
            throw ConfigurationError(
                path + ".minimumDuration", minimumDuration, above: "maximumDuration", maximumDuration)
        }
    }
}
