import Enrolment
import Frames
import HandPointer
import HandTracking
import Network
import Platform
import Streams
import Tracking
import Vocabulary

/// From a frame to the logits of its slot: hand tracker, held poses, motion, the column of features, and the temporal
/// layers over the columns.
final class LandmarkNetwork {
    private var tracker: HandTracker
    private var graphs: HandGraphs
    private var heldPose: HeldPose?
    /// The hand whose gestures are recognised.
    private(set) var gesturing: GesturingHand
    private var pointing: HandPointer?
    /// The pointers of the latest frame; nil without `GestureEngine.Configuration.pointer` and before a frame.
    private(set) var pointer: HandPointer.Result?
    private var userPoses: UserPoses?
    private let keepsEmbedding: Bool
    private var sides = HandSides()
    private var pose = PoseDebouncer()
    /// Whether the hand of the latest frame pinches, and where; see `Pinch`.
    private(set) var pinching = Pinch()
    private var changes = ChangeMeter()
    private let arms: ArmSource?
    private var head: TemporalHead
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

    /// - Parameter keepsEmbedding: whether `embedding` and `palm` are wanted, as by a recording.
    init(
        tracker: consuming HandTracker, graphs: consuming HandGraphs, arms: ArmSource?, head: consuming TemporalHead,
        gesturing choice: GestureEngine.HandChoice,
        heldPoses: HeldPoseConfiguration?, pointing: HandPointer?, userPoses: UserPoses?, keepsEmbedding: Bool,
        clock: StreamClock
    ) {
        self.tracker = tracker
        self.graphs = graphs
        self.arms = arms
        self.head = head
        gesturing = GesturingHand(choice)
        // The user's poses need the machinery of held poses even if the app asks for no pose of the networks.
        heldPose = (heldPoses ?? (userPoses == nil ? nil : HeldPoseConfiguration())).map(HeldPose.init)
        self.pointing = pointing
        self.userPoses = userPoses
        self.keepsEmbedding = keepsEmbedding
        self.clock = clock
        regions.reserveCapacity(HandTracker.maximumRegions)
        // The first run touches every page of the networks and makes the tables of features. It runs here, so that the
        // first frame does not take longer.
        self.graphs.takeArenas()
        self.graphs.detectPalms()
        self.graphs.findLandmarks()
        _ = self.graphs.pose(of: TrackedHand.Points())
        self.graphs.returnArenas()
        _ = Self.write(TrackedHand.Points(), labelledRight: 0, aspect: 1, pose: nil, to: &column)
        _ = HandShape(column.elementSpan)
        self.head.append(column.elementSpan)
        var logits = [Float](repeating: 0, count: self.head.layers.classCount)
        Self.advance(&self.head, &logits)
        self.head.reset()
    }

    private static func advance(_ head: inout TemporalHead, _ logits: inout [Float]) {
        var output = logits.mutableElementSpan
        head.advance(&output)
    }

    /// True when enough columns have been made for a prediction.
    var isWarm: Bool { head.isWarm }

    /// How much the latest frame differs from the one before; see `ChangeMeter`.
    var activity: Float? { changes.activity }

    /// Writes the classifier's input behind the latest logits: 160 floats, 0...6.
    func copyFeatures(to output: inout MutableSpan<Float>) { head.copyFeatures(to: &output) }

    /// Computes the logits of the next slot.
    /// - Parameters:
    ///   - frame: the slot's frame; nil repeats the newest column.
    ///   - time: of the slot, in nanoseconds.
    @inline(never)
    func advance(_ frame: PixelView?, at time: Int64, logits: inout MutableSpan<Float>) {
        if let frame {
            makeColumn(of: frame, at: time)
            head.append(column.elementSpan)
        } else {
            head.repeatColumn()
        }
        head.advance(&logits)
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
        self.regions.append(contentsOf: regions.prefix(HandTracker.maximumRegions))
    }

    /// Makes the column of the next frame.
    private func makeColumn(of frame: borrowing PixelView, at time: Int64) {
        let orientation = tracker.orientation
        let begun = clock.now()
        changes.measure(frame, orientation: orientation, at: time)
        let measured = clock.now()
        graphs.restartTimes()
        graphs.takeArenas()
        defer { graphs.returnArenas() }
        tracker.track(frame, at: time, blocks: changes.blocks, near: regions, with: &graphs)
        let tracked = clock.now()
        gesturing.update(tracker.hands)
        pointer = pointing?.update(tracker.hands, at: .nanoseconds(time))
        let (hand, aspect) = (gesturing.hand(of: tracker.hands), Self.aspect(of: frame, orientation))
        let palm = Self.write(hand, aspect: aspect, to: &column)
        embed(hand, palm, aspect: aspect)
        let own = userPoses?.scores(embedding.elementSpan, poses: hand?.pose?.scores ?? SIMD8()) ?? SIMD16()
        let shape = HandShape(column.elementSpan)
        sides.update(shape, of: hand?.identity, at: time)
        pinching.update(shape, at: hand.map(Self.pinchPoint) ?? SIMD2(), time: time)
        var shown = hand?.pose
        // The pose networks also take the back of a hand for an open palm.
        if sides.isBack { shown?.scores[TrackedHand.Pose.Name.openPalm.place] = 0 }
        heldPose?.update(shown, own: own, palm: palm, aspect: aspect, at: time)
        pose.update(shown, from: sides.shown, of: shape, isPinching: pinching.isHeld, at: time)
        let posed = clock.now()
        changes.follow(palm, at: time)
        let follow = clock.now() - posed
        Self.write(changes.numbers, aspect: aspect, to: &column)
        arms?.update(
            frame, at: time, blocks: changes.blocks, hand: hand, palm: palm, motion: changes.numbers, aspect: aspect,
            isBusy: graphs.palmTime > 0)
        let watched = arms?.time ?? 0
        times = ColumnTimes(
            palm: graphs.palmTime, landmark: graphs.landmarkTime, pose: graphs.poseTime,
            crop: tracked - measured - graphs.palmTime - graphs.landmarkTime - graphs.poseTime,
            motion: measured - begun + follow, arms: watched, features: clock.now() - tracked - follow - watched)
    }

    /// The middle of the tips of thumb and index finger, normalised, 0...1 of the frame.
    private static func pinchPoint(_ hand: TrackedHand) -> SIMD2<Float> {
        let middle = (hand.landmarks[4] + hand.landmarks[8]) / 2
        return SIMD2(middle.x, middle.y)
    }

    /// The arms that the body network saw last; nil while no body fits the hand.
    var watchedArms: WatchedArms? { arms?.arms }

    /// The gesturing arm's evidence for each swipe at a time.
    func armEvidence(at time: Int64) -> ArmWatch.Evidence? { arms?.evidence(at: time) }

    private func embed(_ hand: TrackedHand?, _ palm: ChangeMeter.Palm?, aspect: Float) {
        guard keepsEmbedding || userPoses != nil else { return }
        if let palm { self.palm = SIMD3(palm.x * aspect, palm.y, palm.size) }
        let shown = palm == nil ? nil : hand?.pose?.embedding
        (shown ?? TrackedHand.Pose.Embedding(repeating: 0)).withSpan { values in
            for index in embedding.indices { embedding[index] = values[index] }
        }
    }

    /// Writes the features of a hand, or of no hand, to the column.
    /// - Returns: the hand's palm.
    static func write(_ hand: TrackedHand?, aspect: Float, to column: inout [UInt8]) -> ChangeMeter.Palm? {
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
    ) -> ChangeMeter.Palm? {
        var output = column.mutableElementSpan
        return LandmarkFeatures.write(points, labelledRight: labelledRight, aspect: aspect, pose: pose, to: &output)
    }

    /// Writes the features of motion to the column.
    static func write(_ motion: ChangeMeter.Numbers, aspect: Float, to column: inout [UInt8]) {
        var output = column.mutableElementSpan
        LandmarkFeatures.write(motion, aspect: aspect, to: &output)
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
        pointing?.reset()
        pointer = nil
        heldPose?.reset()
        sides.reset()
        pose.reset()
        pinching.reset()
        changes.reset()
        arms?.reset()
        head.reset()
        regions.removeAll(keepingCapacity: true)
    }
}
