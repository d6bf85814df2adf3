import Enrolment
import HandTracking
import TrackerInference
import Vocabulary

/// The classes of a stream by what decides them: the model's, then the user's own, then those of held poses and of a
/// pinch that the model lacks.
struct ClassMap {
    /// The labels of all classes.
    let labels: [String]
    let nullIndex: Int
    /// The number of the model's classes, which come first.
    let modelCount: Int
    /// The classes that were taught: by fine-tuning, or by the user. See `Recognizer.init`.
    let taught: [Int]
    /// The class of a pinch; nil if pinches are not reported.
    let pinch: Int?
    /// The classes of `ArmWatch.Swipe`, in its order.
    let swipes: [Int?]
    /// The class of each held pose in the order of `TrackedHand.Pose.Name.allCases`; nil for a pose that is no gesture.
    private let heldPoses: [Int?]
    /// The class of each pose, in the same order: that of `heldPoses`, else one of the model; nil without one.
    private let poses: [Int?]
    /// The classes of the user's own gestures, some of which may be poses; empty if none is.
    private let ownPoses: Range<Int>
    /// The classes that the hand's shape can rule out: an open palm by the back of a hand, a grab by a pinch.
    private let openPalm, grab: Int?
    /// The classes of movements.
    private let movements: [Int]

    init(_ engine: GestureEngine, _ configuration: GestureEngine.Configuration) throws(EngineError) {
        let held = configuration.heldPoses?.gestures ?? [:]
        let pinchLabel = configuration.heldPoses?.pinch
        let own = configuration.userGestures?.labels ?? []
        if let label = (held.values + [pinchLabel].compactMap { $0 }).first(where: own.contains) {
            throw .configuration(
                ConfigurationError(
                    "HeldPoseConfiguration.gestures", "\"\(label)\"", mustBe: "other than the user's own gestures"))
        }
        let names = TrackedHand.Pose.Name.allCases
        let heldLabels = names.map { held[$0] }
        let added = (heldLabels + [pinchLabel]).compactMap { $0 }.filter { !engine.labels.contains($0) }
        let labels = engine.labels + own + added
        let count = engine.labels.count
        let hasOwnPoses = configuration.userGestures?.gestures.contains(where: { $0.isPose }) ?? false
        self.labels = labels
        nullIndex = engine.nullIndex
        modelCount = count
        taught = engine.taughtClasses + (count..<count + own.count)
        pinch = pinchLabel.flatMap(labels.firstIndex)
        swipes = ArmWatch.Swipe.allCases.map { engine.labels.firstIndex(of: $0.label) }
        heldPoses = heldLabels.map { $0.flatMap(labels.firstIndex) }
        poses = names.map { name in (held[name] ?? name.gesture).flatMap(labels.firstIndex) }
        ownPoses = count..<count + (hasOwnPoses ? own.count : 0)
        openPalm = engine.labels.firstIndex(of: "openPalm")
        grab = engine.labels.firstIndex(of: "grab")
        movements = labels.indices.filter { [nullIndex, pinch, poses, ownPoses] in
            $0 != nullIndex && $0 != pinch && !poses.contains($0) && !ownPoses.contains($0)
        }
    }

    /// The class of a pose's gesture; nil for a pose without one.
    func index(of pose: TrackedHand.Pose.Name) -> Int? { poses[pose.place] }

    /// The part of null's probability that each class gets from the hand of the latest frame, or that null gets of the
    /// class's; see `Recognizer.step`.
    /// - Parameter mayMove: whether movements may begin. A stroke at the very start of a stream may be an arm that is
    ///   raised into the picture.
    func write(_ landmarks: LandmarkNetwork, mayMove: Bool, to shares: inout [Float]) {
        for index in movements { shares[index] = mayMove ? 0 : -1 }
        let (held, own) = (landmarks.poseShares, landmarks.ownPoseShares)
        for place in heldPoses.indices {
            if let index = heldPoses[place] { shares[index] = held[place] }
        }
        for (place, index) in ownPoses.enumerated() { shares[index] = own[place] }
        let pinching = landmarks.pinching
        if let openPalm { shares[openPalm] = landmarks.showsBack || pinching.isHeld ? -1 : 0 }
        if let grab, pinching.isTouching { shares[grab] = -1 }
        if let pinch { shares[pinch] = pinching.isHeld ? 1 : 0 }
    }

    /// The class whose pose ended in the latest frame.
    func ended(_ landmarks: LandmarkNetwork) -> Int? {
        if landmarks.pinching.hasEnded, let pinch { return pinch }
        return landmarks.endedPose.flatMap(index)
    }
}
