package import Tracking

/// The two networks of a `BodyTracker`, with the memory that they read and write, so that nothing is copied.
///
/// The tracker writes an image, runs the network and reads its outputs before it runs it again. Outputs may hold any
/// numbers.
package protocol BodyNetworks: ~Copyable {
    /// Input image of `detectBodies`, with side `BoxAnchors.bodies.side`.
    var detectionImage: ImageBuffer { get }

    /// Input image of `findLandmarks`, which shows one body.
    var landmarkImage: ImageBuffer { get }

    /// Runs the detector.
    mutating func detectBodies()

    /// Runs the landmark network.
    mutating func findLandmarks()

    /// Output of the detector: 2,254 times 12 numbers.
    var boxes: Span<Float> { @_lifetime(borrow self) get }

    /// Output of the detector: 2,254 logits.
    var scores: Span<Float> { @_lifetime(borrow self) get }

    /// Output of the landmark network: x, y and z in pixels of `landmarkImage`, and logits of visibility and
    /// presence, of 39 points.
    var landmarks: Span<Float> { @_lifetime(borrow self) get }

    /// Output of the landmark network: heat maps, as `BodyLandmarks.mapSide` rows of as many cells of 39 logits.
    var heatmaps: Span<Float> { @_lifetime(borrow self) get }

    /// Output of the landmark network: x, y and z of 39 points in metres, along the axes of `landmarkImage`.
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get }

    /// Output of the landmark network: logits of the body's pixels, as many rows and columns as `BodyTracker` was made
    /// with; empty without segmentation.
    var mask: Span<Float> { @_lifetime(borrow self) get }

    /// Output of the landmark network: how likely there is a body, 0...1.
    var presence: Float { get }
}

extension BoxAnchors {
    /// The 2,254 anchors of MediaPipe's pose detector: strides 8, 16 and three times 32 of 224.
    ///
    /// Each box is that of a face and has four key points. The first is the middle of the hips. The second lies on a
    /// circle around it that holds the whole body, straight above it if the person is upright.
    package static let bodies = BoxAnchors(
        side: 224, keyPointCount: 4,
        maps: [(cells: 28, perCell: 2), (cells: 14, perCell: 2), (cells: 7, perCell: 6)])
}
