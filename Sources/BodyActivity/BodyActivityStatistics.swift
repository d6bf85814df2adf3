import Vocabulary

/// What was counted and measured since a session began, in constant memory.
public struct BodyActivityStatistics: Sendable, Codable {
    /// Frames taken in.
    public internal(set) var frames = 0
    /// Frames that showed a person.
    public internal(set) var framesVisible = 0
    /// Time from the first frame to the latest.
    public internal(set) var duration: Duration = .zero
    /// How long a person was seen.
    public internal(set) var timeVisible: Duration = .zero
    /// How often the watched person changed.
    public internal(set) var subjectChanges = 0
    /// Interpolated points of the watched persons.
    public internal(set) var interpolatedPoints = 0
    /// Results that took longer than the budget.
    public internal(set) var lateResults = 0
    /// How often the device reached a thermal state in which it is spared, or a hotter one.
    public internal(set) var thermalEvents = 0
    /// Tempo of each of the activity's movements, in its order.
    public internal(set) var movements: [BodyTempo] = []
    /// Degrees off the frontal view in the first seconds of the watched person; nil until they are over.
    public internal(set) var calibratedAngle: Double?

    /// Counted movements of all kinds.
    public var repetitions: Int { movements.reduce(0) { $0 + $1.count } }
}

/// The latest repetitions, at most `limit` of them.
struct RecentRepetitions: Sendable {
    static let limit = 64
    private var kept: [BodyRepetition] = []
    private var next = 0

    init() { kept.reserveCapacity(Self.limit) }

    mutating func add(_ repetition: BodyRepetition) {
        if kept.count < Self.limit {
            kept.append(repetition)
        } else {
            kept[next] = repetition
        }
        next = (next + 1) % Self.limit
    }

    /// Repetitions, oldest first.
    var all: [BodyRepetition] {
        kept.count < Self.limit ? kept : Array(kept[next...] + kept[..<next])
    }
}
