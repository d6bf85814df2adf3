public import Frames
public import HandTracking
public import Scheduling
public import Vocabulary

extension GestureEngine.Configuration {
    /// Settings that few apps need. Each says when to change it.
    public struct Advanced: Codable, Sendable, Equatable {
        /// What happens to frames that come late, early or not at all. Change it to compare with a pipeline that runs
        /// every frame.
        public var pacing: PacingConfiguration.Policy

        /// How hands are found and tracked, for landmarks. Change it for other minima of confidence, for smooth drawings,
        /// or to look for hands as often as MediaPipe does.
        public var hands: HandTrackingConfiguration

        /// When `FrameResult.quality` flags frames as dark, blurred and the like. Set it to nil where no
        /// flag is shown, which saves measuring every 30 ms.
        public var quality: QualityConfiguration?

        /// The number of keyframes to keep, 50 KB each: a uniform sample of the frames that got a column, at most 15 %
        /// of them. 0, the default, keeps none. Change it to look at what a stream saw; then a push allocates.
        public var keyframeCapacity: Int

        /// The orientation that turns the network's image upright for the user, if `orientation` does not.
        /// Directions of swipes, thumbs and circles are reported in it. Change it where the user sees another picture
        /// than the network does: `upMirrored` for the preview of a front camera.
        public var directions: ImageOrientation

        /// Names of kernel tiers to leave unused, for comparisons and tests.
        public var excludedTiers: Set<String>

        /// A pose that has to be held before gestures count; nil, the default, lets them count always. Set it where
        /// hands move all day and few of their movements are meant. With pixels it must be nil.
        public var wake: Wake?

        /// Values that are not given have their defaults.
        public init(
            pacing: PacingConfiguration.Policy = .grid,
            hands: HandTrackingConfiguration = HandTrackingConfiguration(),
            quality: QualityConfiguration? = QualityConfiguration(),
            keyframeCapacity: Int = 0,
            directions: ImageOrientation = .up,
            excludedTiers: Set<String> = [],
            wake: Wake? = nil
        ) {
            self.pacing = pacing
            self.hands = hands
            self.quality = quality
            self.keyframeCapacity = keyframeCapacity
            self.directions = directions
            self.excludedTiers = excludedTiers
            self.wake = wake
        }

        /// Checks every value that can be checked without a model, in the order of declaration, and throws the first
        /// fault.
        public func validate() throws(ConfigurationError) {
            // The policy has no fault that depends on the rate.
            try PacingConfiguration(policy: pacing).validate()
            try hands.validate()
            try quality?.validate()
            try ConfigurationError.check(
                keyframeCapacity, "GestureEngine.Configuration.advanced.keyframeCapacity", in: 0...1_000_000)
            try wake?.validate()
        }
    }
}
