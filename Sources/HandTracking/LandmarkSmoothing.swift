public import Tracking

extension HandTrackingConfiguration {
    /// How landmarks are smoothed: by one-euro filters, one for each coordinate (Casiez, Roussel and Vogel, CHI 2012).
    ///
    /// MediaPipe's hand tracker does not smooth. The defaults are those of its body tracker, which does, with the same filter.
    public struct Smoothing: Codable, Sendable, Hashable {
        /// Of the points in the frame. Speeds count in sides of the hand's region a second.
        public var landmarks: HandTrackingConfiguration.Smoothing.Filter

        /// Of the points in metres. Speeds count in metres a second.
        public var worldLandmarks: HandTrackingConfiguration.Smoothing.Filter

        /// Filters; what is not named has its default.
        public init(
            landmarks: HandTrackingConfiguration.Smoothing.Filter = HandTrackingConfiguration.Smoothing.Filter(
                minimumCutoff: 0.05, speedCoefficient: 80, speedCutoff: 1),
            worldLandmarks: HandTrackingConfiguration.Smoothing.Filter = HandTrackingConfiguration.Smoothing.Filter(
                minimumCutoff: 0.1, speedCoefficient: 40, speedCutoff: 1)
        ) {
            self.landmarks = landmarks
            self.worldLandmarks = worldLandmarks
        }
    }
}

extension HandTrackingConfiguration.Smoothing {
    /// The three numbers of a one-euro filter.
    public typealias Filter = OneEuroParameters
}
