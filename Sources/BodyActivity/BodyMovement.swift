import BodyTracking
import Vocabulary

/// A movement of a body from rest to an extreme and back, which is counted: once each time that it comes back.
///
/// How far it has got, 0 at rest and 1 at its extreme, is told part by part, so that a movement of arms and legs takes both: it
/// begins to count when every part that can be measured has got to `enter`, and is over when every one has come back to
/// `leave`. The progress of a part is the weighted mean of those of its signals that can be measured: several signals for one
/// thing make up for points that are hidden.
public struct BodyMovement: Codable, Sendable, Hashable {
    /// What it is called, such as `left`; unique in its activity.
    public var name: String

    /// The signals of each part: 1 to 8 parts.
    public var parts: [[BodySignal]]

    /// What must hold, where it can be measured, at rest and when the movement reaches `enter`; else it does not count.
    public var conditions: [BodyMovement.Condition]

    /// Whether every part must get to `enter` and come back; false where they move by turns, and their mean counts.
    public var partsMoveTogether: Bool

    /// Progress of every part from which on the extreme is reached, `leave`...1.
    public var enter: Double

    /// Progress of every part up to which it is at rest, 0...`enter`.
    public var leave: Double

    /// A movement that takes less than this from rest to rest is not counted, 0...10 s.
    public var minimumDuration: Duration

    /// A movement that takes longer than this is not counted, up to an hour: who sits down does not squat.
    public var maximumDuration: Duration

    /// A movement; what is not named has its default.
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

        /// A condition.
        public init(_ measure: BodyMeasure, in allowed: ClosedRange<Double>) {
            self.measure = measure
            self.allowed = allowed
        }
    }

    /// Calls for each point that it looks at, some more than once.
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
                path + ".conditions", condition.measure, mustBe: "of groups with points, or of three different ones")
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
