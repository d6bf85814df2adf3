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
    /// The three numbers of a one-euro filter: a low-pass filter whose cutoff grows with speed, so that what rests does not
    /// tremble and what moves does not lag.
    public struct Filter: Codable, Sendable, Hashable {
        /// Cutoff of what rests, in Hz, 0.0001...1000. Lower is calmer.
        public var minimumCutoff: Double

        /// By how many Hz the cutoff grows with each unit of speed, 0...100000. Higher lags less. Called beta.
        public var speedCoefficient: Double

        /// Cutoff of the filter that speed itself goes through, in Hz, 0.0001...1000.
        public var speedCutoff: Double

        /// Any values; the configuration they are part of tells which cannot be used.
        public init(minimumCutoff: Double, speedCoefficient: Double, speedCutoff: Double) {
            self.minimumCutoff = minimumCutoff
            self.speedCoefficient = speedCoefficient
            self.speedCutoff = speedCutoff
        }
    }
}
