public import BodyTracking
import Frames
import Vocabulary

/// What one frame showed of a person's activity.
public struct BodyActivityResult: Sendable {
    /// When the frame was taken.
    public let time: Duration
    /// The watched person, with untrusted points interpolated and all points smoothed; nil without a person.
    public let body: TrackedBody?
    /// The points of `body` that are interpolated.
    public let interpolated: BodyJointSet
    /// Mean visibility of the points that the activity uses, 0...1; 0 without a body.
    public let confidence: Double
    /// Time from the frame to its result, as the app measured it.
    public let latency: Duration
    /// How much to draw: 0 the least that serves, 1 no decoration, 2 everything. It is the budget's detail, less one
    /// while results are late.
    public let interfaceDetail: Int
    /// The phase of the movement with the most progress.
    public let phase: BodyPhase
    /// Counted movements of all kinds since the beginning.
    public let repetitions: Int
    /// The first movement that ended in this frame, in the activity's order; it may be a shallow one, which is not
    /// counted.
    public let completed: BodyRepetition?
    /// Degrees between the current view and the best view, 0...90; nil before it was measured, and for activities
    /// without a best view.
    public let viewDeviation: Double?
    /// What the user should be asked to do.
    public let advice: BodyAdvice
}

/// What the user should be asked to do.
public struct BodyAdvice: OptionSet, Sendable, Hashable, Codable {
    /// One bit for each advice.
    public let rawValue: UInt8

    /// Makes advice from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Step back into the frame.
    public static let stepBackIn = BodyAdvice(rawValue: 1 << 0)
    /// Turn to face the camera, or put the camera in front: the activity is best seen from there.
    public static let faceCamera = BodyAdvice(rawValue: 1 << 1)
    /// Turn a side to the camera, or put the camera at the side.
    public static let turnSideways = BodyAdvice(rawValue: 1 << 2)
    /// Come closer: the body is less than a third of the frame's height and of its width.
    public static let comeCloser = BodyAdvice(rawValue: 1 << 3)
    /// Make more light.
    public static let tooDark = BodyAdvice(rawValue: 1 << 4)
    /// Make less light.
    public static let tooBright = BodyAdvice(rawValue: 1 << 5)
    /// Lock the camera's exposure again: the light has changed since the first seconds.
    public static let exposureDrifted = BodyAdvice(rawValue: 1 << 6)

    init(_ flags: QualityFlags) {
        self = []
        if flags.contains(.subjectTooSmall) { insert(.comeCloser) }
        if flags.contains(.lowLight) { insert(.tooDark) }
        if flags.contains(.overexposed) { insert(.tooBright) }
        if flags.contains(.exposureDrift) { insert(.exposureDrifted) }
    }
}

extension BodyAdvice {
    /// The words of commands and logs, in the order of the bits.
    package var names: [String] {
        let all = [
            "step back in", "face the camera", "turn sideways", "come closer", "too dark", "too bright",
            "exposure drifted",
        ]
        return all.indices.filter { rawValue >> UInt8($0) & 1 == 1 }.map { all[$0] }
    }
}

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

/// A frame that was kept, to show or analyse a session afterwards.
public struct BodyKeyframe: Sendable, Equatable {
    /// When the frame was taken.
    public let time: Duration
    /// Points in the frame, interpolated and smoothed.
    public let landmarks: TrackedBody.Points
    /// Points in metres, interpolated and smoothed.
    public let worldLandmarks: TrackedBody.Points
    /// The phase of the movement with the most progress.
    public let phase: BodyPhase
}
