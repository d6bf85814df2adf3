public import Frames
public import HandTracking
public import Network
public import Preprocessing
public import Scheduling
public import Vocabulary

extension GestureEngine.Configuration {
    /// Settings that few apps need. Each says when to change it.
    public struct Advanced: Codable, Sendable, Equatable {
        /// How the frame becomes the pixel network's square image. Change it for a pixel network of your own that was
        /// trained on images cut or fitted in another way; the bundled one was trained on stretched images.
        public var crop: PixelView.CropMode

        /// Whether a pixel of the pixel network's image is the mean of all stored pixels that it covers. Without it the
        /// image is made faster from large frames, but fine detail becomes noise that no training clip has.
        public var antialiased: Bool

        /// What happens to frames that come late, early or not at all. Change it to compare with a pipeline that runs
        /// every frame.
        public var pacing: PacingConfiguration.Policy

        /// The pixel network's arithmetic; nil takes int8 for an int8 model and float for a float model. Change it to
        /// compare the two.
        public var backend: Backend?

        /// How hands are found and tracked, for landmarks. Change it for other minima of confidence, for smooth drawings,
        /// or to look for hands as often as MediaPipe does.
        public var hands: HandTrackingConfiguration

        /// The compute units by name, the preferred one first, for an app that adds its own. Names are `landmarks` with
        /// landmarks, `int8` and `float` with pixels, and those of the added units. With nil the engine's own unit comes
        /// first (with pixels that of `backend`), then the added units of the same front end. All are prepared with the
        /// stream; a later unit takes over when the one before it is too slow. By default a stream has only one of the
        /// engine's units: a fallback has to be faster, and float takes 2.7 times as long as int8 (D14).
        public var units: [String]?

        /// When another unit takes over.
        package var unitSelection: SchedulingConfiguration.UnitSelection

        /// Another of `units` takes over when the 95th percentile of the time of a step is above this over two seconds,
        /// 1 us...10 s. Change it for units of an app's own that take longer.
        public var unitLatencyLimit: Duration {
            get { unitSelection.threshold }
            set { unitSelection.threshold = newValue }
        }

        /// Evens out the exposure of the frames; nil leaves them as they are.
        package var exposure: ExposureConfiguration?

        /// Whether the exposure of the pixel network's images is evened out. Turn it on to try it with a camera whose
        /// exposure drifts and cannot be locked. It is off by default, because fewer frames were recognised correctly with
        /// it (D16). An app should lock the exposure after two seconds.
        public var evensExposure: Bool {
            get { exposure != nil }
            set { exposure = newValue ? exposure ?? ExposureConfiguration() : nil }
        }

        /// When `FrameResult.quality` flags frames as dark, blurred and the like. Set it to nil where no
        /// flag is shown, which saves measuring every 30 ms.
        public var quality: QualityConfiguration?

        /// The number of keyframes to keep, 50 KB each: a uniform sample of the frames that got a column, at most 15 %
        /// of them. 0, the default, keeps none. Change it to look at what a stream saw; then a push allocates.
        public var keyframeCapacity: Int

        /// The orientation that turns the network's image upright for the user, if `orientation` and `isMirrored` do not.
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
            crop: PixelView.CropMode = .stretch,
            antialiased: Bool = true,
            pacing: PacingConfiguration.Policy = .grid,
            backend: Backend? = nil,
            hands: HandTrackingConfiguration = HandTrackingConfiguration(),
            units: [String]? = nil,
            unitLatencyLimit: Duration = .milliseconds(7),
            evensExposure: Bool = false,
            quality: QualityConfiguration? = QualityConfiguration(),
            keyframeCapacity: Int = 0,
            directions: ImageOrientation = .up,
            excludedTiers: Set<String> = [],
            wake: Wake? = nil
        ) {
            self.crop = crop
            self.antialiased = antialiased
            self.pacing = pacing
            self.backend = backend
            self.hands = hands
            self.units = units
            unitSelection = SchedulingConfiguration.UnitSelection(threshold: unitLatencyLimit)
            exposure = evensExposure ? ExposureConfiguration() : nil
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
            try unitSelection.validate()
            try exposure?.validate()
            try quality?.validate()
            try ConfigurationError.check(
                keyframeCapacity, "GestureEngine.Configuration.advanced.keyframeCapacity", in: 0...1_000_000)
            try wake?.validate()
        }
    }
}
