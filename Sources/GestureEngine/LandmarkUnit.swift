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
    /// From landmarks to the column's codes.
    package var features: Int64 = 0

    package var sum: Int64 { palm + landmark + pose + crop + features }
}

/// The landmark front end as a compute unit: hand tracker, features, temporal layers.
final class LandmarkUnit: PictureUnit {
    static let name = "landmarks"

    private let temporal: any NetworkUnit
    private var tracker: HandTracker
    private var graphs: HandGraphs
    private var regions: [TrackedRegion] = []
    private var codes = [UInt8](repeating: 0, count: LandmarkFeatures.count)
    private let clock: StreamClock
    private(set) var times = PictureTimes()

    init(temporal: any NetworkUnit, tracker: consuming HandTracker, graphs: consuming HandGraphs, clock: StreamClock) {
        self.temporal = temporal
        self.tracker = tracker
        self.graphs = graphs
        self.clock = clock
        regions.reserveCapacity(HandTracker.mostRegions)
        // The tables of features are made by their first use, which no frame is to pay for.
        Self.write(TrackedHand.Points(), labelledRight: 0, aspect: 1, to: &codes)
    }

    var name: String { Self.name }
    var classCount: Int { temporal.classCount }
    var isWarm: Bool { temporal.isWarm }
    var featureCount: Int { temporal.featureCount }
    var hands: [TrackedHand] { tracker.hands }

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
        let aspect = Self.aspect(of: picture, tracker.configuration.orientation)
        Self.write(tracker.hands.first, aspect: aspect, to: &codes)
        temporal.encode(codes.elementSpan)
        times = PictureTimes(
            palm: graphs.palmTime, landmark: graphs.landmarkTime, pose: graphs.poseTime,
            crop: tracked - begun - graphs.palmTime - graphs.landmarkTime - graphs.poseTime,
            features: clock.now() - tracked)
    }

    /// Of the network's gray square, where nothing else is at hand: while a stream gets its units ready.
    func encode(_ frame: Span<UInt8>) {
        let side = GestureTCN.inputSide
        guard let picture = try? PixelView(frame, format: .gray8, width: side, height: side, bytesPerRow: side) else {
            preconditionFailure("a frame is a square of luma codes")
        }
        encode(picture, at: 0)
    }

    /// The column of a hand, which is the one that is followed longest, or of none.
    static func write(_ hand: TrackedHand?, aspect: Float, to codes: inout [UInt8]) {
        if let hand {
            // MediaPipe's labels, which the features are trained on, take the picture for a mirrored one.
            write(hand.landmarks, labelledRight: 1 - hand.rightHandedness, aspect: aspect, to: &codes)
        } else {
            var output = codes.mutableElementSpan
            LandmarkFeatures.writeNone(to: &output)
        }
    }

    private static func write(
        _ points: TrackedHand.Points, labelledRight: Float, aspect: Float, to codes: inout [UInt8]
    ) {
        var output = codes.mutableElementSpan
        LandmarkFeatures.write(points, labelledRight: labelledRight, aspect: aspect, to: &output)
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
        regions.removeAll(keepingCapacity: true)
    }
}
