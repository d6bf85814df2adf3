import Enrolment
import Frames
import HandTracking
import Platform
import Streams
import Tracking
import Vocabulary

/// The landmark front end before its temporal layers: hand tracker, held poses, motion and features.
final class LandmarkSource {
    private var tracker: HandTracker
    private var graphs: HandGraphs
    private var heldPose: HeldPose?
    /// The hand whose gestures are recognised.
    private(set) var gesturing: GesturingHand
    private var userPoses: UserPoses?
    private let keepsEmbedding: Bool
    private var sides = HandSides()
    private var pose = PoseDebouncer()
    /// Whether the hand of the latest frame pinches, and where; see `Pinch`.
    private(set) var pinching = Pinch()
    private var motion = FrameMotion()
    private let arms: ArmSource?
    private var regions: [TrackedRegion] = []
    private let clock: StreamClock
    /// The embedding of the latest frame's hand. Zeros if the frame shows no hand, if there are no pose networks, and if
    /// neither `keepsEmbedding` nor `userPoses` asks for it.
    private(set) var embedding = [Float](repeating: 0, count: PoseTemplate.width)
    /// The palm of the latest frame's hand: position and size in heights of the frame.
    private(set) var palm = SIMD3<Float>()
    /// What the latest frame took.
    private(set) var times = ColumnTimes()
    /// The column of the latest frame: `LandmarkFeatures.count` quantised values.
    private(set) var column = [UInt8](repeating: 0, count: LandmarkFeatures.count)

    init(
        tracker: consuming HandTracker, graphs: consuming HandGraphs, arms: ArmSource?,
        gesturing choice: GestureEngine.HandChoice,
        heldPoses: HeldPoseConfiguration?, userPoses: UserPoses?, keepsEmbedding: Bool, clock: StreamClock
    ) {
        self.tracker = tracker
        self.graphs = graphs
        self.arms = arms
        gesturing = GesturingHand(choice)
        // The user's poses need the machinery of held poses even if the app asks for no pose of the networks.
        heldPose = (heldPoses ?? (userPoses == nil ? nil : HeldPoseConfiguration())).map(HeldPose.init)
        self.userPoses = userPoses
        self.keepsEmbedding = keepsEmbedding
        self.clock = clock
        regions.reserveCapacity(HandTracker.mostRegions)
        // The first run touches every page of the networks and makes the tables of features. It runs here, so that the
        // first frame does not take longer.
        self.graphs.takeArenas()
        self.graphs.detectPalms()
        self.graphs.findLandmarks()
        _ = self.graphs.pose(of: TrackedHand.Points())
        self.graphs.returnArenas()
        _ = Self.write(TrackedHand.Points(), labelledRight: 0, aspect: 1, pose: nil, to: &column)
        _ = HandShape(column.elementSpan)
    }

    /// The hands of the latest frame.
    var hands: [TrackedHand] { tracker.hands }

    /// The part of null's probability that each held pose gets; see `HeldPose.shares`.
    var poseShares: SIMD8<Float> { heldPose?.shares ?? SIMD8() }

    /// The part of null's probability that each pose of the user's own gets, by the index of its gesture.
    var ownPoseShares: SIMD16<Float> { heldPose?.ownShares ?? SIMD16() }

    /// The pose that the hand keeps showing in the latest frame; see `PoseDebouncer`.
    var debouncedPose: TrackedHand.Pose.Name? { pose.name }

    /// The pose that ended in the latest frame; see `PoseDebouncer`.
    var endedPose: TrackedHand.Pose.Name? { pose.ended }

    /// Whether the hand of the latest frame shows its back, as far as it is known; see `HandSides`.
    var showsBack: Bool { sides.isBack }

    /// Sets the regions where hands may be in the next frames.
    func search(near regions: [TrackedRegion]) {
        // Elements are copied, because sharing the array would make its owner allocate another.
        self.regions.removeAll(keepingCapacity: true)
        self.regions.append(contentsOf: regions.prefix(HandTracker.mostRegions))
    }

    /// Makes the column of the next frame.
    /// - time: time of its slot in nanoseconds.
    func see(_ frame: borrowing PixelView, at time: Int64) {
        let begun = clock.now()
        graphs.restartTimes()
        graphs.takeArenas()
        defer { graphs.returnArenas() }
        tracker.track(frame, at: time, near: regions, with: &graphs)
        let tracked = clock.now()
        let orientation = tracker.orientation
        gesturing.see(tracker.hands)
        let (hand, aspect) = (gesturing.hand(of: tracker.hands), Self.aspect(of: frame, orientation))
        let palm = Self.write(hand, aspect: aspect, to: &column)
        embed(hand, palm, aspect: aspect)
        let own = userPoses?.scores(embedding.elementSpan, poses: hand?.pose?.scores ?? SIMD8()) ?? SIMD16()
        let shape = HandShape(column.elementSpan)
        sides.see(shape, of: hand?.identity, at: time)
        pinching.see(shape, at: hand.map(Self.pinchPoint) ?? SIMD2(), time: time)
        var shown = hand?.pose
        // The pose networks also take the back of a hand for an open palm.
        if sides.isBack { shown?.scores[TrackedHand.Pose.Name.openPalm.place] = 0 }
        heldPose?.see(shown, own: own, palm: palm, aspect: aspect, at: time)
        pose.see(shown, from: sides.shown, of: shape, isPinching: pinching.isHeld, at: time)
        let written = clock.now()
        // This runs for every frame, because the next frame is compared with it. It runs after tracking, which finds the
        // palm.
        motion.see(frame, orientation: orientation, at: time, palm: palm)
        let seen = clock.now()
        Self.write(motion.numbers, to: &column)
        arms?.see(
            frame, at: time, hand: hand, palm: palm, motion: motion.numbers, aspect: aspect,
            isBusy: graphs.palmTime > 0)
        let watched = arms?.time ?? 0
        times = ColumnTimes(
            palm: graphs.palmTime, landmark: graphs.landmarkTime, pose: graphs.poseTime,
            crop: tracked - begun - graphs.palmTime - graphs.landmarkTime - graphs.poseTime,
            motion: seen - written, arms: watched,
            features: clock.now() - tracked - (seen - written) - watched)
    }

    /// The middle of the tips of thumb and index finger, in shares of the frame.
    private static func pinchPoint(_ hand: TrackedHand) -> SIMD2<Float> {
        let middle = (hand.landmarks[4] + hand.landmarks[8]) / 2
        return SIMD2(middle.x, middle.y)
    }

    /// The arms that the body network saw last; nil while no body fits the hand.
    var watchedArms: WatchedArms? { arms?.arms }

    /// What the gesturing arm says of each swipe at a time.
    func armEvidence(at time: Int64) -> ArmWatch.Evidence? { arms?.evidence(at: time) }

    private func embed(_ hand: TrackedHand?, _ palm: FrameMotion.Palm?, aspect: Float) {
        guard keepsEmbedding || userPoses != nil else { return }
        if let palm { self.palm = SIMD3(palm.x * aspect, palm.y, palm.size) }
        let shown = palm == nil ? nil : hand?.pose?.embedding
        (shown ?? TrackedHand.Pose.Embedding(repeating: 0)).withSpan { values in
            for index in embedding.indices { embedding[index] = values[index] }
        }
    }

    /// Writes the features of a hand, or of no hand, to the column.
    /// - Returns: the hand's palm.
    static func write(_ hand: TrackedHand?, aspect: Float, to column: inout [UInt8]) -> FrameMotion.Palm? {
        guard let hand else {
            var output = column.mutableElementSpan
            LandmarkFeatures.writeNone(to: &output)
            return nil
        }
        // The model is trained on MediaPipe's labels of left and right, which assume a mirrored frame.
        return write(
            hand.landmarks, labelledRight: 1 - hand.rightHandedness, aspect: aspect, pose: hand.pose, to: &column)
    }

    private static func write(
        _ points: TrackedHand.Points, labelledRight: Float, aspect: Float, pose: TrackedHand.Pose?,
        to column: inout [UInt8]
    ) -> FrameMotion.Palm? {
        var output = column.mutableElementSpan
        return LandmarkFeatures.write(points, labelledRight: labelledRight, aspect: aspect, pose: pose, to: &output)
    }

    /// Writes the features of motion to the column.
    static func write(_ motion: FrameMotion.Numbers, to column: inout [UInt8]) {
        var output = column.mutableElementSpan
        LandmarkFeatures.write(motion, to: &output)
    }

    /// Width over height of the upright frame.
    static func aspect(of frame: borrowing PixelView, _ orientation: ImageOrientation) -> Float {
        let (width, height) = (Float(frame.region.width), Float(frame.region.height))
        return switch orientation {
        case .up, .upMirrored, .down, .downMirrored: width / height
        case .left, .leftMirrored, .right, .rightMirrored: height / width
        }
    }

    /// Forgets every frame.
    func reset() {
        tracker.reset()
        gesturing.reset()
        heldPose?.reset()
        sides.reset()
        pose.reset()
        pinching.reset()
        motion.reset()
        arms?.reset()
        regions.removeAll(keepingCapacity: true)
    }
}
