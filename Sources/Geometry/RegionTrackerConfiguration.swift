public import Vocabulary

extension RegionTracker {
    /// How a subject is found again from one update to the next.
    public struct Configuration: Sendable, Equatable {
        /// Share of the newest box in the smoothed one, 0.01...1. 1 does not smooth. The default settles to a tenth of a jump
        /// in six updates.
        public var smoothing: Double

        /// Boxes below this confidence are not looked at, 0...1; a confidence of zero never is. Detectors that are unsure in
        /// normal occlusion want 0.2.
        public var minimumConfidence: Float

        /// Updates for which a subject that is not seen keeps its place, 0...600. The default is half a second of boxes at 30
        /// Hz.
        public var holdFrames: Int

        /// How far the centre of a box may be from where it is expected, in widths and heights of the box, 0.01...10. At the
        /// default two boxes of one size that still match just touch.
        public var reach: Double

        /// By what factor width or height may differ from one update to the next, 1...100. It keeps the subject from turning
        /// into somebody who passes close to the camera.
        public var maximumSizeRatio: Double

        /// Any values; `validate()` tells which of them cannot be used.
        public init(
            smoothing: Double = 0.35, minimumConfidence: Float = 0.25, holdFrames: Int = 15, reach: Double = 1,
            maximumSizeRatio: Double = 2
        ) {
            self.smoothing = smoothing
            self.minimumConfidence = minimumConfidence
            self.holdFrames = holdFrames
            self.reach = reach
            self.maximumSizeRatio = maximumSizeRatio
        }

        /// Hold times that are accepted: up to five seconds at 120 Hz.
        public static let allowedHoldFrames = 0...600

        /// Checks every value, in the order of their declaration.
        public func validate() throws(ConfigurationError) {
            try ConfigurationError.check(smoothing, "RegionTracker.Configuration.smoothing", in: 0.01...1)
            try ConfigurationError.check(
                Double(minimumConfidence), "RegionTracker.Configuration.minimumConfidence", in: 0...1)
            try ConfigurationError.check(
                holdFrames, "RegionTracker.Configuration.holdFrames", in: Self.allowedHoldFrames)
            try ConfigurationError.check(reach, "RegionTracker.Configuration.reach", in: 0.01...10)
            try ConfigurationError.check(maximumSizeRatio, "RegionTracker.Configuration.maximumSizeRatio", in: 1...100)
        }
    }
}
