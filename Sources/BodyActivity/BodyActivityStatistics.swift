/// What was counted and measured since a session began, in constant memory.
public struct BodyActivityStatistics: Sendable, Codable {
    /// Frames taken in.
    public internal(set) var frames = 0
    /// Frames that showed a person.
    public internal(set) var framesVisible = 0
    /// From the first frame to the latest.
    public internal(set) var duration: Duration = .zero
    /// For how long a person was seen.
    public internal(set) var timeVisible: Duration = .zero
    /// Times that another person was watched than before.
    public internal(set) var subjectChanges = 0
    /// Points of the people watched that were interpolated.
    public internal(set) var interpolatedPoints = 0
    /// Results that took longer than the budget.
    public internal(set) var lateResults = 0
    /// Times that the device became warm enough to be spared, or warmer.
    public internal(set) var thermalEvents = 0
    /// The movements of the activity, in its order.
    public internal(set) var movements: [BodyTempo] = []
    /// Degrees off the frontal view in the first seconds of who is watched now; nil before they are over.
    public internal(set) var calibratedAngle: Double?

    /// Movements counted, of all kinds.
    public var repetitions: Int { movements.reduce(0) { $0 + $1.count } }
}

/// The latest repetitions, as many as fit.
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

    /// The oldest first.
    var all: [BodyRepetition] {
        kept.count < Self.limit ? kept : Array(kept[next...] + kept[..<next])
    }
}
