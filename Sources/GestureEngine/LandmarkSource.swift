import Frames
import HandTracking
import Platform
import Streams
import Tracking
import Vocabulary

/// The landmark front end up to its temporal layers: hand tracker, held poses, motion, features.
final class LandmarkSource {
    private var tracker: HandTracker
    private var graphs: HandGraphs
    private var heldPose: HeldPose?
    private var pose = KeptPose()
    private var motion = FrameMotion()
    private var regions: [TrackedRegion] = []
    private let clock: StreamClock
    /// What the latest frame took.
    private(set) var times = ColumnTimes()
    /// The column of the latest frame: `LandmarkFeatures.count` quantised values.
    private(set) var column = [UInt8](repeating: 0, count: LandmarkFeatures.count)

    init(
        tracker: consuming HandTracker, graphs: consuming HandGraphs, heldPoses: HeldPoseConfiguration?,
        clock: StreamClock
    ) {
        self.tracker = tracker
        self.graphs = graphs
        heldPose = heldPoses.map(HeldPose.init)
        self.clock = clock
        regions.reserveCapacity(HandTracker.mostRegions)
        // The first run touches every page of the networks and makes the tables of features: no frame is to pay for that.
        self.graphs.detectPalms()
        self.graphs.findLandmarks()
        _ = self.graphs.pose(of: TrackedHand.Points())
        _ = Self.write(TrackedHand.Points(), labelledRight: 0, aspect: 1, pose: nil, to: &column)
    }

    /// The hands of the latest frame.
    var hands: [TrackedHand] { tracker.hands }

    /// The part of null's probability that each held pose gets; see `HeldPose.shares`.
    var poseShares: SIMD8<Float> { heldPose?.shares ?? SIMD8() }

    /// The pose that the hand of the latest frame goes on showing; see `KeptPose`.
    var keptPose: TrackedHand.Pose.Name? { pose.name }

    /// Says where hands may be in the frames that follow.
    func look(near regions: [TrackedRegion]) {
        // A copy of the array itself would have its owner allocate another.
        self.regions.removeAll(keepingCapacity: true)
        self.regions.append(contentsOf: regions.prefix(HandTracker.mostRegions))
    }

    /// Makes the column of the next frame.
    /// - time: of its slot, in nanoseconds.
    func see(_ frame: borrowing PixelView, at time: Int64) {
        let begun = clock.now()
        graphs.restartTimes()
        tracker.track(frame, at: time, near: regions, with: &graphs)
        let tracked = clock.now()
        let orientation = tracker.configuration.orientation
        let (hand, aspect) = (tracker.hands.first, Self.aspect(of: frame, orientation))
        let palm = Self.write(hand, aspect: aspect, to: &column)
        heldPose?.see(hand?.pose, palm: palm, aspect: aspect, at: time)
        pose.see(hand?.pose, at: time)
        let written = clock.now()
        // Every frame, or the next would be compared with the wrong one; after tracking, so that it knows this frame's hand.
        motion.see(frame, orientation: orientation, at: time, palm: palm)
        let seen = clock.now()
        Self.write(motion.numbers, to: &column)
        times = ColumnTimes(
            palm: graphs.palmTime, landmark: graphs.landmarkTime, pose: graphs.poseTime,
            crop: tracked - begun - graphs.palmTime - graphs.landmarkTime - graphs.poseTime,
            motion: seen - written, features: clock.now() - tracked - (seen - written))
    }

    /// Writes what the column says of a hand, the one that has been followed longest, or of none.
    /// - Returns: the hand's palm.
    static func write(_ hand: TrackedHand?, aspect: Float, to column: inout [UInt8]) -> FrameMotion.Palm? {
        guard let hand else {
            var output = column.mutableElementSpan
            LandmarkFeatures.writeNone(to: &output)
            return nil
        }
        // MediaPipe's labels, which the features are trained on, take the frame for a mirrored one.
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

    /// Writes what the column says of the frame's changes.
    static func write(_ motion: FrameMotion.Numbers, to column: inout [UInt8]) {
        var output = column.mutableElementSpan
        LandmarkFeatures.write(motion, to: &output)
    }

    /// Width over height of the frame as it is upright.
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
        heldPose?.reset()
        pose.reset()
        motion.reset()
        regions.removeAll(keepingCapacity: true)
    }
}
