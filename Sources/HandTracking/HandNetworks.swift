package import Tracking

/// The networks that a `HandTracker` runs, with the memory that they read from and write to, so that nothing is copied.
///
/// The tracker writes an image, runs the network and reads its outputs before the next run. Outputs may be any floats.
package protocol HandNetworks: ~Copyable {
    /// The input of `detectPalms`, of side `BoxAnchors.palms.side`.
    var palmImage: ImageBuffer { get }

    /// The input of `findLandmarks`: the surroundings of one hand.
    var landmarkImage: ImageBuffer { get }

    /// Runs the palm detector.
    mutating func detectPalms()

    /// Runs the landmark network.
    mutating func findLandmarks()

    /// Output of the palm detector: 2,016 times 18 numbers.
    var palmBoxes: Span<Float> { @_lifetime(borrow self) get }

    /// Output of the palm detector: 2,016 logits.
    var palmScores: Span<Float> { @_lifetime(borrow self) get }

    /// Output of the landmark network: x, y and z of 21 points in pixels of `landmarkImage`.
    var landmarks: Span<Float> { @_lifetime(borrow self) get }

    /// Output of the landmark network: x, y and z of 21 points in metres, along the axes of `landmarkImage`.
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get }

    /// Output of the landmark network: how likely there is a hand, 0...1.
    var presence: Float { get }

    /// Output of the landmark network: how likely it is a right hand, 0...1, if the image is not mirrored.
    var rightHandedness: Float { get }

    /// Returns the pose of a hand; nil without pose networks, or if their output is not finite.
    /// - Parameter points: in any one scale for all three coordinates and at any position; y down.
    mutating func pose(of points: TrackedHand.Points) -> TrackedHand.Pose?
}

extension BoxAnchors {
    /// The 2,016 anchors of MediaPipe's palm detector: strides 8 and 16 of 192. Each box has seven key points; the
    /// first is the wrist and the third the knuckle of the middle finger.
    package static let palms = BoxAnchors(
        side: 192, keyPointCount: 7, maps: [(cells: 24, perCell: 2), (cells: 12, perCell: 6)])
}
