public import Enrolment
public import Frames
public import HandPointer
public import HandTracking
public import Recognition
public import Scheduling
public import Vocabulary

extension GestureEngine {
    /// What an app chooses about a stream. The defaults suit a camera of 120 frames per second that stores its frames
    /// upright. `advanced` has the settings that few apps need.
    public struct Configuration: Codable, Sendable, Equatable {
        /// The camera's nominal rate, which is the number of slots per second.
        public var rate: PacingConfiguration.Rate

        /// How the camera stores its frames. Results are in the upright frame.
        public var orientation: ImageOrientation

        /// Hands that are tracked at once, 1...4, for landmarks. With 1 the tracker follows the hand that it finds first.
        public var maximumHands: Int

        /// The hand whose gestures are recognised, for landmarks. To see both hands at once, set `maximumHands` to 2 or more:
        /// with 1 the tracker follows the hand that it finds first, and `left` and `right` recognise nothing while that
        /// is the other hand.
        public var gesturingHand: HandChoice

        /// The thresholds of begin and end, and the classes that may begin; nil takes the model's own defaults.
        public var recognition: RecognitionConfiguration?

        /// How readily gestures begin by the model's own thresholds. With `recognition` it has no effect.
        public var sensitivity: Sensitivity

        /// Poses that count as gestures while a hand holds them, for landmarks. The default, nil, has none.
        /// `HeldPoseConfiguration()` adds a fist, a victory sign and I-love-you, each a class of its own after the
        /// model's. They need the networks of poses in `HandModels`.
        public var heldPoses: HeldPoseConfiguration?

        /// How hands point, for landmarks; see `FrameResult.pointer`. The default, nil, makes no pointers. With pixels it must be
        /// nil.
        public var pointer: HandPointer.Configuration?

        /// The user's own gestures; their classes come after those of the model. Nil means none. They have their own
        /// file, so a configuration in `Codable` form leaves them out.
        public var userGestures: UserGestures?

        /// When frames are skipped: by heat, battery, stillness and missed deadlines. With nil a synchronous stream
        /// skips none, and a live stream takes the defaults of `SchedulingConfiguration`.
        public var scheduling: SchedulingConfiguration?

        /// Settings that few apps need; each says when to change it.
        public var advanced: Advanced

        /// Makes a configuration; values that are not given have their defaults.
        public init(
            rate: PacingConfiguration.Rate = .hz120,
            orientation: ImageOrientation = .up,
            maximumHands: Int = 1,
            gesturingHand: HandChoice = .first,
            recognition: RecognitionConfiguration? = nil,
            sensitivity: Sensitivity = .medium,
            heldPoses: HeldPoseConfiguration? = nil,
            pointer: HandPointer.Configuration? = nil,
            userGestures: UserGestures? = nil,
            scheduling: SchedulingConfiguration? = nil,
            advanced: Advanced = Advanced()
        ) {
            self.rate = rate
            self.orientation = orientation
            self.maximumHands = maximumHands
            self.gesturingHand = gesturingHand
            self.recognition = recognition
            self.sensitivity = sensitivity
            self.heldPoses = heldPoses
            self.pointer = pointer
            self.userGestures = userGestures
            self.scheduling = scheduling
            self.advanced = advanced
        }

        /// The allowed numbers of hands.
        public static let allowedHands = 1...4

        /// Checks every value that can be checked without a model, in the order of declaration, and throws the first
        /// fault. `GestureEngine.makeStream` and `makeLiveStream` begin with it.
        public func validate() throws(ConfigurationError) {
            try ConfigurationError.check(
                maximumHands, "GestureEngine.Configuration.maximumHands", in: Self.allowedHands)
            try recognition?.validate()
            try heldPoses?.validate()
            try pointer?.validate()
            try scheduling?.validate()
            try advanced.validate()
        }

        /// The frame grid.
        package var pacing: PacingConfiguration { PacingConfiguration(nominalRate: rate, policy: advanced.pacing) }
    }
}
