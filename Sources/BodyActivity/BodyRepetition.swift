/// Where a person is in a movement.
public enum BodyPhase: String, Sendable, Hashable, CaseIterable, Codable {
    /// Not enough of the body was seen at rest yet.
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
    /// One bit an anomaly.
    public let rawValue: UInt8

    /// Anomalies by their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It took less than half as long as those before on average.
    public static let fast = BodyAnomalies(rawValue: 1 << 0)
    /// It took more than twice as long as those before on average.
    public static let slow = BodyAnomalies(rawValue: 1 << 1)
    /// It turned back before its extreme, so it was not counted.
    public static let shallow = BodyAnomalies(rawValue: 1 << 2)
}

/// A movement from rest to rest.
public struct BodyRepetition: Sendable, Hashable, Codable {
    /// Which of the activity's movements.
    public let movement: Int
    /// Counts those of its movement, from 1; that of the one before where it was not counted.
    public let number: Int
    /// When it left rest.
    public let begin: Duration
    /// When it was at its most.
    public let middle: Duration
    /// When it was at rest again.
    public let end: Duration
    /// How far it got: 0 is rest and 1 the movement's extreme.
    public let depth: Double
    /// What was unusual.
    public let anomalies: BodyAnomalies

    /// Whether it was counted: all but those that turned back too soon.
    public var isCounted: Bool { !anomalies.contains(.shallow) }

    /// From rest to rest.
    public var duration: Duration { end - begin }
}

/// How long counted movements took, in constant memory.
public struct BodyTempo: Sendable, Hashable, Codable {
    /// Movements counted.
    public private(set) var count = 0
    /// Mean time from rest to rest; zero of none.
    public var mean: Duration { count > 0 ? total / count : .zero }
    /// The shortest; zero of none.
    public private(set) var minimum: Duration = .zero
    /// The longest; zero of none.
    public private(set) var maximum: Duration = .zero
    /// Those that were `fast`.
    public private(set) var fast = 0
    /// Those that were `slow`.
    public private(set) var slow = 0
    /// Those that turned back too soon, which are not among `count`.
    public private(set) var shallow = 0

    private var total: Duration = .zero

    /// Movements before which none is called unusual.
    private static let learned = 3

    init() {}

    /// What is unusual about a time, beside those before.
    func anomalies(of duration: Duration) -> BodyAnomalies {
        guard count >= Self.learned else { return [] }
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
