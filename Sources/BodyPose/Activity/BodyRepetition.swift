import Vocabulary

/// The phase of a person's movement.
public enum BodyPhase: String, Sendable, Hashable, CaseIterable, Codable {
    /// The body has not yet been seen at rest.
    case unknown
    /// At rest.
    case rest
    /// On the way from rest.
    case outward
    /// At the extreme, such as the bottom of a squat.
    case extreme
    /// On the way back.
    case inward
}

/// What was unusual about a movement.
public struct BodyAnomalies: OptionSet, Sendable, Hashable, Codable {
    /// One bit for each anomaly.
    public let rawValue: UInt8

    /// Makes anomalies from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It took less than half the mean time of those before.
    public static let fast = BodyAnomalies(rawValue: 1 << 0)
    /// It took more than twice the mean time of those before.
    public static let slow = BodyAnomalies(rawValue: 1 << 1)
    /// It turned back before its extreme, so it was not counted.
    public static let shallow = BodyAnomalies(rawValue: 1 << 2)
}

/// A movement from rest to rest.
public struct BodyRepetition: Sendable, Hashable, Codable {
    /// Index in the activity's movements.
    public let movement: Int
    /// Number among the counted repetitions of its movement, from 1; a shallow one has the number of the one before.
    public let number: Int
    /// The latest moment before it in which the body was still.
    public let begin: Duration
    /// When its progress was largest.
    public let middle: Duration
    /// When the body was at rest again, or turned to the next movement.
    public let end: Duration
    /// Largest progress: 0 is rest and 1 the movement's extreme.
    public let depth: Double
    /// What was unusual.
    public let anomalies: BodyAnomalies

    /// Whether it was counted: true unless it turned back before the extreme.
    public var isCounted: Bool { !anomalies.contains(.shallow) }

    /// Time from rest to rest.
    public var duration: Duration { end - begin }
}

/// How long counted movements took, in constant memory.
public struct BodyTempo: Sendable, Hashable, Codable {
    /// Number of counted movements.
    public private(set) var count = 0
    /// Mean time from rest to rest; zero if there was none.
    public var mean: Duration { count > 0 ? total / count : .zero }
    /// The shortest time; zero if there was none.
    public private(set) var minimum: Duration = .zero
    /// The longest time; zero if there was none.
    public private(set) var maximum: Duration = .zero
    /// How many were `fast`.
    public private(set) var fast = 0
    /// How many were `slow`.
    public private(set) var slow = 0
    /// How many turned back too soon; they are not in `count`.
    public private(set) var shallow = 0

    private var total: Duration = .zero

    /// After this many counted movements, unusual ones are reported.
    private static let minimumCount = 3

    init() {}

    /// What is unusual about a duration, compared with those before.
    func anomalies(of duration: Duration) -> BodyAnomalies {
        guard count >= Self.minimumCount else { return [] }
        if duration * 2 < mean { return .fast }
        return duration > mean * 2 ? .slow : []
    }

    mutating func add(_ repetition: BodyRepetition) {
        guard repetition.isCounted else {
            shallow += 1
            return
        }
        let duration = repetition.duration
        minimum = count == 0 ? duration : min(minimum, duration)
        maximum = max(maximum, duration)
        total += duration
        count += 1
        if repetition.anomalies.contains(.fast) { fast += 1 }
        if repetition.anomalies.contains(.slow) { slow += 1 }
    }
}
