package import Tracking

extension HandTrackingConfiguration {
    /// How landmarks are smoothed: by one-euro filters, one for each coordinate (Casiez, Roussel and Vogel, CHI 2012).
    ///
    /// MediaPipe's hand tracker does not smooth. The defaults are those of its body tracker, which uses the same
    /// filter.
    package struct Smoothing: Codable, Sendable, Hashable {
        /// For the points in the frame. Speeds are in sides of the hand's region a second.
        package var landmarks: OneEuroParameters

        /// For the points in metres. Speeds are in metres a second.
        package var worldLandmarks: OneEuroParameters

        /// Creates filters with the default for each omitted argument.
        package init(
            landmarks: OneEuroParameters = OneEuroParameters(
                minimumCutoff: 0.05, speedCoefficient: 80, speedCutoff: 1),
            worldLandmarks: OneEuroParameters = OneEuroParameters(
                minimumCutoff: 0.1, speedCoefficient: 40, speedCutoff: 1)
        ) {
            self.landmarks = landmarks
            self.worldLandmarks = worldLandmarks
        }
    }
}
