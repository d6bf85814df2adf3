import Frames
import HandTracking
import Network
import Platform
import Tracking

/// A unit that reads the camera's picture itself, not the network's square.
protocol PictureUnit: ComputeUnit {
    /// Makes the next feature column of the picture.
    /// - time: of its slot, in nanoseconds.
    func encode(_ picture: borrowing PixelView, at time: Int64)

    /// Says where hands may be in the pictures that follow.
    func look(near regions: [TrackedRegion])

    /// The hands of the latest picture.
    var hands: [TrackedHand] { get }

    /// The part of null's probability that each held pose gets; see `HeldPose.shares`.
    var poseShares: SIMD8<Float> { get }

    /// The pose that the hand of the latest picture goes on showing; see `KeptPose`.
    var keptPose: TrackedHand.Pose.Name? { get }

    /// What the latest picture took.
    var times: PictureTimes { get }
}

/// What the stages of a picture took, in nanoseconds.
package struct PictureTimes: Sendable, Equatable {
    /// The palm detector, 0 where it did not run.
    package var palm: Int64 = 0
    /// The landmark network.
    package var landmark: Int64 = 0
    /// The networks of poses.
    package var pose: Int64 = 0
    /// All of tracking but the networks: the crops above all.
    package var crop: Int64 = 0
    /// Where the picture changes.
    package var motion: Int64 = 0
    /// From landmarks, poses and motion to the column's codes.
    package var features: Int64 = 0

    package var sum: Int64 { palm + landmark + pose + crop + motion + features }
}

/// The landmark front end as a compute unit: hand tracker, held poses, motion, features, temporal layers.
final class LandmarkUnit: PictureUnit {
    static let name = "landmarks"

    private let temporal: any NetworkUnit
    private var tracker: HandTracker
    private var graphs: HandGraphs
    private var heldPose: HeldPose?
    private var pose = KeptPose()
    private var motion = FrameMotion()
    private var regions: [TrackedRegion] = []
    private var codes = [UInt8](repeating: 0, count: LandmarkFeatures.count)
    private let clock: StreamClock
    private(set) var times = PictureTimes()

    init(
        temporal: any NetworkUnit, tracker: consuming HandTracker, graphs: consuming HandGraphs,
        heldPoses: HeldPoseConfiguration?, clock: StreamClock
    ) {
        self.temporal = temporal
        self.tracker = tracker
        self.graphs = graphs
        heldPose = heldPoses.map(HeldPose.init)
        self.clock = clock
        regions.reserveCapacity(HandTracker.mostRegions)
        // The tables of features are made by their first use, which no frame is to pay for.
        _ = Self.write(TrackedHand.Points(), labelledRight: 0, aspect: 1, pose: nil, to: &codes)
    }

    var name: String { Self.name }
    var classCount: Int { temporal.classCount }
    var isWarm: Bool { temporal.isWarm }
    var featureCount: Int { temporal.featureCount }
    var hands: [TrackedHand] { tracker.hands }
    var poseShares: SIMD8<Float> { heldPose?.shares ?? SIMD8() }
    var keptPose: TrackedHand.Pose.Name? { pose.name }

    func look(near regions: [TrackedRegion]) {
        // A copy of the array itself would have its owner allocate another.
        self.regions.removeAll(keepingCapacity: true)
        self.regions.append(contentsOf: regions.prefix(HandTracker.mostRegions))
    }

    func encode(_ picture: borrowing PixelView, at time: Int64) {
        let begun = clock.now()
        graphs.restartTimes()
        tracker.track(picture, at: time, near: regions, with: &graphs)
        let tracked = clock.now()
        let orientation = tracker.configuration.orientation
        let (hand, aspect) = (tracker.hands.first, Self.aspect(of: picture, orientation))
        let palm = Self.write(hand, aspect: aspect, to: &codes)
        heldPose?.see(hand?.pose, palm: palm, aspect: aspect, at: time)
        pose.see(hand?.pose, at: time)
        let written = clock.now()
        // Every picture, or the next would be compared with the wrong one; after tracking, so that it knows this frame's hand.
        motion.see(picture, orientation: orientation, at: time, palm: palm)
        let seen = clock.now()
        Self.write(motion.numbers, to: &codes)
        temporal.encode(codes.elementSpan)
        times = PictureTimes(
            palm: graphs.palmTime, landmark: graphs.landmarkTime, pose: graphs.poseTime,
            crop: tracked - begun - graphs.palmTime - graphs.landmarkTime - graphs.poseTime,
            motion: seen - written, features: clock.now() - tracked - (seen - written))
    }

    /// Of the network's gray square, where nothing else is at hand: while a stream gets its units ready.
    func encode(_ frame: Span<UInt8>) {
        let side = GestureTCN.inputSide
        guard let picture = try? PixelView(frame, format: .gray8, width: side, height: side, bytesPerRow: side) else {
            preconditionFailure("a frame is a square of luma codes")
        }
        encode(picture, at: 0)
    }

    /// Writes what the column says of a hand, which is the one that is followed longest, or of none.
    /// - Returns: the hand's palm.
    static func write(_ hand: TrackedHand?, aspect: Float, to codes: inout [UInt8]) -> FrameMotion.Palm? {
        guard let hand else {
            var output = codes.mutableElementSpan
            LandmarkFeatures.writeNone(to: &output)
            return nil
        }
        // MediaPipe's labels, which the features are trained on, take the picture for a mirrored one.
        return write(
            hand.landmarks, labelledRight: 1 - hand.rightHandedness, aspect: aspect, pose: hand.pose, to: &codes)
    }

    private static func write(
        _ points: TrackedHand.Points, labelledRight: Float, aspect: Float, pose: TrackedHand.Pose?,
        to codes: inout [UInt8]
    ) -> FrameMotion.Palm? {
        var output = codes.mutableElementSpan
        return LandmarkFeatures.write(points, labelledRight: labelledRight, aspect: aspect, pose: pose, to: &output)
    }

    /// Writes what the column says of the picture's changes.
    static func write(_ motion: FrameMotion.Numbers, to codes: inout [UInt8]) {
        var output = codes.mutableElementSpan
        LandmarkFeatures.write(motion, to: &output)
    }

    /// Width over height of the picture as it is upright.
    static func aspect(of picture: borrowing PixelView, _ orientation: ImageOrientation) -> Float {
        let (width, height) = (Float(picture.region.width), Float(picture.region.height))
        return switch orientation {
        case .up, .upMirrored, .down, .downMirrored: width / height
        case .left, .leftMirrored, .right, .rightMirrored: height / width
        }
    }

    func repeatColumn() { temporal.repeatColumn() }
    func advance(_ logits: inout MutableSpan<Float>) { temporal.advance(&logits) }
    func copyFeatures(to output: inout MutableSpan<Float>) { temporal.copyFeatures(to: &output) }

    func reset() {
        temporal.reset()
        tracker.reset()
        heldPose?.reset()
        pose.reset()
        motion.reset()
        regions.removeAll(keepingCapacity: true)
    }
}
