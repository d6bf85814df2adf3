package import Tracking
public import Vocabulary

/// Poses that become gestures when they are held, from MediaPipe's pose networks: a fist, a victory sign, I-love-you.
///
/// The scores of the hand's poses are averaged over `time`; a frame without a hand counts as zeros. A pose takes the
/// share `(mean - score) / 0.1`, clamped to 0...1, of the probability of null, and none from other gestures. The
/// share falls to 0 as the hand moves. It is 0 if the hand was seen in seven tenths of the frames or fewer.
public struct HeldPoseConfiguration: Codable, Sendable, Hashable {
    /// The gesture of each pose. If the label is one of the model's, the share is added to that class. Any other label
    /// is a class of its own, after those of the model and of the user.
    public var gestures: [TrackedHand.Pose.Name: String]

    /// The label of a pinch, such as "pinch". With nil, the default, pinches are not reported.
    ///
    /// A pinch begins when the tips of thumb and index finger touch while the other fingers are open, and ends when the
    /// tips part. It needs no network of poses and is not averaged over `time`. Every pinch is reported, however soon after
    /// the last one. `GestureEvent.point` has its place. Pinches of a hand that is seen from its side are missed.
    public var pinch: String?

    /// The time over which scores are averaged, 0.1...2 s. About four fifths of it pass before a gesture begins.
    public var time: Duration

    /// The mean score above which a pose counts, 0.5...0.89; two poses cannot both be above it.
    public var score: Float

    /// The extent of the hand's movement within `time` at which the share is 0, in palm sizes (a third of the hand's
    /// length), 0.1...10. The share falls from seven tenths of this extent on.
    package var distanceLimit: Float

    /// Accepts any values; `validate()` rejects those that cannot be used.
    public init(
        gestures: [TrackedHand.Pose.Name: String] = HeldPoseConfiguration.defaultGestures,
        pinch: String? = nil, time: Duration = .milliseconds(500), score: Float = 0.5
    ) {
        self.init(gestures: gestures, pinch: pinch, time: time, score: score, distanceLimit: 1)
    }

    package init(
        gestures: [TrackedHand.Pose.Name: String] = HeldPoseConfiguration.defaultGestures,
        pinch: String? = nil, time: Duration = .milliseconds(500), score: Float = 0.5, distanceLimit: Float
    ) {
        self.gestures = gestures
        self.pinch = pinch
        self.time = time
        self.score = score
        self.distanceLimit = distanceLimit
    }

    /// The poses for which the bundled model has no class: `fist`, `victory` and `iLoveYou`.
    public static let defaultGestures: [TrackedHand.Pose.Name: String] = [
        .closedFist: "fist", .victory: "victory", .iLoveYou: "iLoveYou",
    ]

    /// Checks every value and throws the first fault, in the order of declaration.
    public func validate() throws(ConfigurationError) {
        guard gestures[.unknown] == nil else {
            throw ConfigurationError("HeldPoseConfiguration.gestures", ".unknown", mustBe: "a pose")
        }
        guard Set(gestures.values).count == gestures.count else {
            throw ConfigurationError(
                "HeldPoseConfiguration.gestures", gestures.values.sorted().joined(separator: ", "),
                mustBe: "of different labels")
        }
        guard !gestures.values.contains("") else {
            throw ConfigurationError("HeldPoseConfiguration.gestures", "\"\"", mustBe: "a label")
        }
        if let pinch, pinch.isEmpty || gestures.values.contains(pinch) {
            throw ConfigurationError(
                "HeldPoseConfiguration.pinch", "\"\(pinch)\"", mustBe: "a label other than those of the poses")
        }
        guard time >= .milliseconds(100), time <= .seconds(2) else {
            throw ConfigurationError("HeldPoseConfiguration.time", time, mustBe: "from 0.1 to 2 seconds")
        }
        try ConfigurationError.check(score, "HeldPoseConfiguration.score", in: 0.5...0.89)
        try ConfigurationError.check(distanceLimit, "HeldPoseConfiguration.distanceLimit", in: 0.1...10)
    }
}

/// The latest frames of a hand, and the share of null's probability that each pose takes.
package struct HeldPose {
    private struct Observation {
        var time: Int64 = 0
        var scores = SIMD8<Float>()
        var own = SIMD16<Float>()
        /// In heights of the frame.
        var place = SIMD2<Float>()
        var isSeen = false
    }

    /// Enough for the longest time at 120 frames a second.
    private static let capacity = 256
    /// A mean this far above `score` gives the full share.
    private static let fullShareMargin: Float = 0.1
    /// The share of frames above which a hand counts as held in view.
    private static let minimumSeenShare: Float = 0.7
    /// The part of `reach`, at its end, over which shares fall.
    private static let fallShare: Float = 0.3

    private let time: Int64
    private let score, distanceLimit: Float
    private var observations = [Observation](repeating: Observation(), count: Self.capacity)
    private var newest = 0
    private var count = 0
    private var size: Float = 0
    /// The share of each pose in the order of `TrackedHand.Pose.Name.allCases`, each 0...1 and at most one of them
    /// above 0.
    package private(set) var shares = SIMD8<Float>()
    /// The share of each pose of the user's own; where one is above 0, it comes before `shares`.
    package private(set) var ownShares = SIMD16<Float>()

    /// Requires a valid configuration.
    package init(_ configuration: HeldPoseConfiguration) {
        time = configuration.time.saturatedNanoseconds
        score = configuration.score
        distanceLimit = configuration.distanceLimit
    }

    /// Takes in a frame.
    /// - Parameters:
    ///   - own: scores of the user's own poses, at most one above 0.
    ///   - palm: of the hand, nil without a hand; x normalised to the upright frame's width, 0...1.
    ///   - aspect: the upright frame's width over its height.
    package mutating func update(
        _ pose: TrackedHand.Pose?, own: SIMD16<Float> = SIMD16(), palm: ChangeMeter.Palm?, aspect: Float, at now: Int64
    ) {
        newest = (newest + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
        observations[newest] = Observation(time: now)
        if let pose, let palm {
            observations[newest].scores = pose.scores
            observations[newest].own = own
            observations[newest].place = SIMD2(palm.x * aspect, palm.y)
            observations[newest].isSeen = true
            size = palm.size
        }
        (shares, ownShares) = share(at: now)
    }

    package mutating func reset() {
        count = 0
        shares = SIMD8()
        ownShares = SIMD16()
    }

    private func share(at now: Int64) -> (poses: SIMD8<Float>, own: SIMD16<Float>) {
        var (sum, own, frames, seen) = (SIMD8<Float>(), SIMD16<Float>(), Float(0), Float(0))
        var lowest = SIMD2<Float>(repeating: .infinity)
        var highest = -lowest
        for age in 0..<count {
            let observation = observations[(newest + Self.capacity - age) % Self.capacity]
            guard now - observation.time < time else { break }
            frames += 1
            guard observation.isSeen else { continue }
            seen += 1
            sum += observation.scores
            own += observation.own
            lowest = pointwiseMin(lowest, observation.place)
            highest = pointwiseMax(highest, observation.place)
        }
        guard seen > Self.minimumSeenShare * frames else { return (SIMD8(), SIMD16()) }
        let extent = highest - lowest
        let moved = (extent.x * extent.x + extent.y * extent.y).squareRoot()
        let rest = (distanceLimit - moved / size) / (Self.fallShare * distanceLimit)
        var shares = ((sum / frames - score) / Self.fullShareMargin).clamped(
            lowerBound: SIMD8(), upperBound: SIMD8(repeating: 1))
        // `unknown` is not a gesture.
        shares[0] = 0
        let ownShares = ((own / frames - score) / Self.fullShareMargin).clamped(
            lowerBound: SIMD16(), upperBound: SIMD16(repeating: 1))
        let still = max(0, min(rest, 1))
        return (shares * still * (1 - ownShares.max()), ownShares * still)
    }
}
