package import Tracking

/// The two networks that a `BodyTracker` asks, with the memory they read from and write to: nothing is copied on the way.
///
/// The tracker writes a picture, runs the network and reads its outputs before it runs it again. Outputs may hold any numbers.
package protocol BodyNetworks: ~Copyable {
    /// What `detectBodies` reads, of side `BoxAnchors.bodies.side`.
    var detectionPicture: PictureBuffer { get }

    /// What `findLandmarks` reads: around one body.
    var landmarkPicture: PictureBuffer { get }

    /// Runs the detector.
    mutating func detectBodies()

    /// Runs the landmark network.
    mutating func findLandmarks()

    /// Of the detector: 2,254 times 12 numbers.
    var boxes: Span<Float> { @_lifetime(borrow self) get }

    /// Of the detector: 2,254 logits.
    var scores: Span<Float> { @_lifetime(borrow self) get }

    /// Of the landmark network: x, y and z in pixels of `landmarkPicture`, and logits of visibility and of presence, of 39 points.
    var landmarks: Span<Float> { @_lifetime(borrow self) get }

    /// Of the landmark network: logits of where each point is, `BodyLandmarks.mapSide` rows and columns of 39.
    var heatmaps: Span<Float> { @_lifetime(borrow self) get }

    /// Of the landmark network: x, y and z of 39 points in metres, in the directions of `landmarkPicture`.
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get }

    /// Of the landmark network: logits of what belongs to the body, `BodyMask.side` rows and columns; empty unless a mask is wanted.
    var mask: Span<Float> { @_lifetime(borrow self) get }

    /// Of the landmark network: how likely there is a body, 0...1.
    var presence: Float { get }
}

extension BoxAnchors {
    /// The 2,254 places that MediaPipe's pose detector predicts from: strides 8, 16 and three times 32 of 224. Four key points
    /// come with each box, which is a face's; the first is the middle of the hips, and the second lies on a circle about it that
    /// holds the whole body, upright above it when the person is.
    package static let bodies = BoxAnchors(
        side: 224, keyPointCount: 4,
        maps: [(cells: 28, perCell: 2), (cells: 14, perCell: 2), (cells: 7, perCell: 6)])
}
