public import Tracking

extension HandTrackingConfiguration {
    /// How landmarks are smoothed: by one-euro filters, one for each coordinate (Casiez, Roussel and Vogel, CHI 2012).
    ///
    /// MediaPipe's hand tracker does not smooth. The defaults are those of its body tracker, which uses the same
    /// filter.
    public struct Smoothing: Codable, Sendable, Hashable {
        /// For the points in the frame. Speeds are in sides of the hand's region a second.
        public var landmarks: HandTrackingConfiguration.Smoothing.Filter

        /// For the points in metres. Speeds are in metres a second.
        public var worldLandmarks: HandTrackingConfiguration.Smoothing.Filter

        /// Creates filters with the default for each omitted argument.
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
    /// The three parameters of a one-euro filter.
    public typealias Filter = OneEuroParameters
}
