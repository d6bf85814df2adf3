public import Frames
public import HandTracking
public import TrackerInference

/// Hands of single images.
extension GestureEngine {
    /// Recognises the hands of one image with their poses, the largest first: image mode.
    ///
    /// It uses nothing from earlier images. An image without hands gives an empty array; if the whole image shows none,
    /// its middle is searched for smaller ones. Gestures take time, so only streams recognise them; a pose belongs to
    /// one image.
    /// - Parameters:
    ///   - picture: the image, in colour, because the detector finds little in grey; its region is examined.
    ///   - orientation: how the image is stored. Results are upright.
    ///   - maximumHands: hands that are found at most, 1...4.
    ///   - configuration: the minima; smoothing, stillness, intervals and hold have no effect on one image.
    ///   - excludedTiers: kernel tiers that are not used, as in `GestureEngine.Configuration.Advanced`.
    /// - Throws: `noHandModels` without the networks, `configuration` for the first value that cannot be used, `graph`
    ///   for a network that cannot be run here.
    public func recognizedHands(
        in picture: borrowing PixelView, orientation: ImageOrientation = .up, maximumHands: Int = 2,
        _ configuration: HandTrackingConfiguration = HandTrackingConfiguration(), excludedTiers: Set<String> = []
    ) throws(EngineError) -> [TrackedHand] {
        try EngineError.checked(configuration.validate())
        var still = configuration
        (still.smoothing, still.stillness) = (nil, nil)
        (still.detectionInterval, still.stillDetectionInterval, still.identityHold) = (.zero, .zero, .zero)
        let stream = try makeHandStream(
            Configuration(
                orientation: orientation, maximumHands: maximumHands,
                advanced: Configuration.Advanced(hands: still, excludedTiers: excludedTiers)))
        stream.track(picture, at: .zero)
        return stream.hands.sorted { $0.region.side > $1.region.side }
    }
}
