public import Vocabulary

extension RegionTracker {
    /// How a subject is followed from one update to the next.
    public struct Configuration: Sendable, Equatable {
        /// Share of the newest box in the smoothed one, 0.01...1. 1 turns smoothing off. With the default a tenth of a
        /// jump is left after six updates.
        public var smoothing: Double

        /// Boxes below this confidence are ignored, 0...1; those with a confidence of zero always are. Use 0.2 for
        /// detectors whose confidence falls with normal occlusion.
        public var minimumConfidence: Float

        /// Updates for which an unseen subject keeps its box, 0...600. The default is half a second of boxes at 30 Hz.
        public var holdFrames: Int

        /// How far a box's centre may be from the expected one, in widths and heights of the expected box, 0.01...10.
        /// With the default two boxes of the same size that still match just touch.
        public var reach: Double

        /// Factor by which width or height may differ from one update to the next, 1...100. It prevents a change of the
        /// subject to a person who passes close to the camera.
        public var maximumSizeRatio: Double

        /// Takes any values; `validate()` reports those that cannot be used.
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

        /// Allowed hold times: up to five seconds at 120 Hz.
        public static let allowedHoldFrames = 0...600

        /// Checks every value and throws the first fault, in the order of declaration.
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
