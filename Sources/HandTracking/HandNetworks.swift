package import Tracking

/// The networks that a `HandTracker` asks, with the memory they read from and write to: nothing is copied on the way.
///
/// The tracker writes a picture, runs the network and reads its outputs before it runs it again. Outputs may hold any numbers.
package protocol HandNetworks: ~Copyable {
    /// What `detectPalms` reads, of side `BoxAnchors.palms.side`.
    var palmPicture: PictureBuffer { get }

    /// What `findLandmarks` reads: around one hand.
    var landmarkPicture: PictureBuffer { get }

    /// Runs the palm detector.
    mutating func detectPalms()

    /// Runs the landmark network.
    mutating func findLandmarks()

    /// Of the palm detector: 2,016 times 18 numbers.
    var palmBoxes: Span<Float> { @_lifetime(borrow self) get }

    /// Of the palm detector: 2,016 logits.
    var palmScores: Span<Float> { @_lifetime(borrow self) get }

    /// Of the landmark network: x, y and z of 21 points in pixels of `landmarkPicture`.
    var landmarks: Span<Float> { @_lifetime(borrow self) get }

    /// Of the landmark network: x, y and z of 21 points in metres, in the directions of `landmarkPicture`.
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get }

    /// Of the landmark network: how likely there is a hand, 0...1.
    var presence: Float { get }

    /// Of the landmark network: how likely it is a right hand, 0...1, if the picture is not mirrored.
    var rightHandedness: Float { get }

    /// Tells the pose of a hand; nil without networks for it, or if they give what is not a number.
    /// - Parameter points: in one scale for all three coordinates, whatever it is and wherever the points lie; y down.
    mutating func pose(of points: TrackedHand.Points) -> TrackedHand.Pose?
}
