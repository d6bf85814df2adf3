public import Enrolment
public import Frames
public import HandTracking
public import Network
public import Recognition
public import Scheduling
public import Vocabulary

extension GestureEngine {
    /// Everything about a stream that an app can choose. The defaults suit the bundled model and a 120 fps camera.
    public struct Configuration: Codable, Sendable, Equatable {
        /// How a frame becomes the network's image: crop mode, orientation, mirror.
        public var geometry: FrameGeometry

        /// The camera's nominal rate, and the treatment of late and missing frames.
        public var pacing: PacingConfiguration

        /// The thresholds of begin and end; nil takes the model's own defaults.
        public var recognition: RecognitionConfiguration?

        /// The arithmetic; nil takes int8 for an int8 model and float for a float model.
        public var backend: Backend?

        /// How hands are found and tracked, for landmarks. Its orientation is that of `geometry`: leave it, or set both
        /// alike.
        public var hands: HandTrackingConfiguration

        /// The hand whose gestures are recognised, for landmarks. To see both hands at once, set
        /// `HandTrackingConfiguration.maximumHands` to 2: with 1 the tracker follows the hand that it finds first, and
        /// `left` and `right` recognise nothing while that is the other hand.
        public var gesturingHand: HandChoice

        /// Poses that count as gestures while a hand holds them, for landmarks. The default, nil, has none.
        /// `HeldPoseConfiguration()` adds a fist, a victory sign and I-love-you, each a class of its own after the
        /// model's. They need the networks of poses in `HandModels`.
        public var heldPoses: HeldPoseConfiguration?

        /// The compute units by name, the preferred one first. Names are `landmarks` with landmarks, `int8` and `float`
        /// with pixels, and those of the units that an app adds. With nil the engine's own unit comes first (with pixels
        /// that of `backend`), then the added units of the same front end. All are prepared with the stream; a later unit
        /// takes over when the one before it is too slow. By default a stream has only one of the engine's units: a
        /// fallback has to be faster, and where both were measured float takes 2.7 times as long as int8.
        public var units: [String]?

        /// When another unit takes over.
        public var unitSelection: SchedulingConfiguration.UnitSelection

        /// When frames are skipped: by heat, battery, stillness and missed deadlines. With nil a synchronous stream
        /// skips none, and a live stream takes the defaults of `SchedulingConfiguration`.
        public var scheduling: SchedulingConfiguration?

        /// Evens out the exposure of the frames; nil, the default, leaves them as they are.
        public var exposure: ExposureConfiguration?

        /// When `FrameResult.quality` flags frames as dark, blurred and the like; nil flags none.
        public var quality: QualityConfiguration?

        /// The number of keyframes to keep, 50 KB each: a uniform sample of the frames that got a column, at most 15 %
        /// of them. 0, the default, keeps none. With any other number a push allocates.
        public var keyframeCapacity: Int

        /// The orientation that turns the network's image upright for the user, if `geometry` does not. Directions of
        /// swipes, thumbs and circles are reported in it.
        public var directions: ImageOrientation

        /// The user's own gestures; their classes come after those of the model. Nil means none. They have their own
        /// file, so a configuration in `Codable` form leaves them out.
        public var userGestures: UserGestures?

        /// Names of kernel tiers to leave unused, for comparisons and tests.
        public var excludedTiers: Set<String>

        /// Makes a configuration; values that are not given have their defaults.
        public init(
            geometry: FrameGeometry = FrameGeometry(),
            pacing: PacingConfiguration = PacingConfiguration(),
            recognition: RecognitionConfiguration? = nil,
            backend: Backend? = nil,
            hands: HandTrackingConfiguration = HandTrackingConfiguration(),
            gesturingHand: HandChoice = .first,
            heldPoses: HeldPoseConfiguration? = nil,
            units: [String]? = nil,
            unitSelection: SchedulingConfiguration.UnitSelection = SchedulingConfiguration.UnitSelection(),
            scheduling: SchedulingConfiguration? = nil,
            exposure: ExposureConfiguration? = nil,
            quality: QualityConfiguration? = QualityConfiguration(),
            keyframeCapacity: Int = 0,
            directions: ImageOrientation = .up,
            userGestures: UserGestures? = nil,
            excludedTiers: Set<String> = []
        ) {
            self.geometry = geometry
            self.pacing = pacing
            self.recognition = recognition
            self.backend = backend
            self.hands = hands
            self.gesturingHand = gesturingHand
            self.heldPoses = heldPoses
            self.units = units
            self.unitSelection = unitSelection
            self.scheduling = scheduling
            self.exposure = exposure
            self.quality = quality
            self.keyframeCapacity = keyframeCapacity
            self.directions = directions
            self.userGestures = userGestures
            self.excludedTiers = excludedTiers
        }

        /// The defaults at another nominal camera rate.
        public init(rate: PacingConfiguration.Rate) {
            self.init(pacing: PacingConfiguration(nominalRate: rate))
        }

        /// Checks every value that can be checked without a model, in the order of declaration, and throws the first
        /// fault. `GestureEngine.makeStream` and `makeLiveStream` begin with it.
        public func validate() throws(ConfigurationError) {
            try pacing.validate()
            try recognition?.validate()
            try hands.validate()
            guard hands.orientation == .up || hands.orientation == geometry.orientation else {
                throw ConfigurationError(
                    "HandTrackingConfiguration.orientation", hands.orientation,
                    mustBe: "that of GestureEngine.Configuration.geometry, which is \(geometry.orientation)")
            }
            try heldPoses?.validate()
            try unitSelection.validate()
            try scheduling?.validate()
            try exposure?.validate()
            try quality?.validate()
            try ConfigurationError.check(
                keyframeCapacity, "GestureEngine.Configuration.keyframeCapacity", in: 0...1_000_000)
        }

        private enum CodingKeys: String, CodingKey {
            case geometry, pacing, recognition, backend, hands, gesturingHand, heldPoses, units, unitSelection
            case scheduling, exposure, quality, keyframeCapacity, directions, excludedTiers
        }
    }
}
