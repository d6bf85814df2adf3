import BodyTracking
import Vocabulary

/// A movement from rest to an extreme and back, which is counted each time that it comes back.
///
/// Progress is 0 at rest and 1 at the extreme. It is computed for each part, so that a movement of arms and legs needs
/// both. A repetition reaches its extreme when every part that can be measured has reached `enter`. It counts when every
/// such part is back at `leave`, and ends when the body is at rest. The progress of a part is the weighted mean of its
/// signals that can be measured: several signals for one part make up for hidden points.
public struct BodyMovement: Codable, Sendable, Hashable {
    /// The movement's name, such as `left`; unique in its activity.
    public var name: String

    /// The signals of each part: 1 to 8 parts.
    public var parts: [[BodySignal]]

    /// Each must hold at the moment that it names, or the movement is not counted. A condition that cannot be measured
    /// counts as met.
    public var conditions: [BodyMovement.Condition]

    /// How the parts move beside each other.
    public var coordination: BodyMovement.Coordination

    /// The extreme is reached when the progress of every part is at least this; above `leave`, at most 1.
    public var enter: Double

    /// The movement is at rest while the progress of every part is at most this; at least 0, below `enter`.
    public var leave: Double

    /// Shortest time from passing `leave` to coming back to it, 0...10 s. Shorter movements are not counted.
    public var minimumDuration: Duration

    /// Longest time from passing `leave` to coming back to it, up to an hour. Longer movements, such as sitting down
    /// instead of a squat, are not counted.
    public var maximumDuration: Duration

    /// Makes a movement.
    public init(
        name: String, parts: [[BodySignal]], conditions: [BodyMovement.Condition] = [],
        coordination: BodyMovement.Coordination = .together, enter: Double = 0.55, leave: Double = 0.3,
        minimumDuration: Duration = .milliseconds(300), maximumDuration: Duration = .seconds(15)
    ) {
        self.name = name
        self.parts = parts
        self.conditions = conditions
        self.coordination = coordination
        self.enter = enter
        self.leave = leave
        self.minimumDuration = minimumDuration
        self.maximumDuration = maximumDuration
    }

    /// How the parts of a movement move beside each other.
    public enum Coordination: String, Codable, Sendable, Hashable, CaseIterable {
        /// Every part must reach `enter` and come back.
        case together
        /// One part after another: the mean of all parts is used.
        case byTurns
        /// One part alone, or several: the part with the most progress is used.
        case either
    }

    /// A measure that must lie in a range.
    public struct Condition: Codable, Sendable, Hashable {
        /// What is measured.
        public var measure: BodyMeasure
        /// Where it must lie.
        public var allowed: ClosedRange<Double>
        /// When it must lie there.
        public var moments: Moments

        /// Makes a condition.
        public init(
            _ measure: BodyMeasure, in allowed: ClosedRange<Double>, at moments: Moments = [.rest, .extreme]
        ) {
            self.measure = measure
            self.allowed = allowed
            self.moments = moments
        }

        /// Moments of a movement.
        public struct Moments: OptionSet, Codable, Sendable, Hashable {
            /// One bit for each moment.
            public let rawValue: UInt8

            /// Makes moments from their bits.
            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// While every part is at most `leave`.
            public static let rest = Moments(rawValue: 1 << 0)
            /// When the movement reaches `enter`.
            public static let extreme = Moments(rawValue: 1 << 1)
            /// In every frame between two rests.
            public static let way = Moments(rawValue: 1 << 2)
            /// In one frame at least in which every part is at least `enter`.
            public static let once = Moments(rawValue: 1 << 3)
        }
    }

    private static let momentsRange: ClosedRange<UInt8> = 1...15

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
                path + ".conditions", condition.measure.kind, mustBe: BodyMeasure.usableWords)
        }
        for condition in conditions where !Self.momentsRange.contains(condition.moments.rawValue) {
            throw ConfigurationError(
                path + ".conditions", condition.moments.rawValue,
                mustBe: "one or several of rest, extreme, way and once")
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
