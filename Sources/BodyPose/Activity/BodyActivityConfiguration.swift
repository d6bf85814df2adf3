public import BodyTracking
public import Frames
public import Scheduling
public import Vocabulary

/// How a person's activity is watched. Every setting has a default.
public struct BodyActivityConfiguration: Codable, Sendable, Hashable {
    /// Points whose visibility is below this are interpolated, where the activity has no minimum of its own, 0...1.
    public var minimumConfidence: Double

    /// Minima of activities by name; the names are those of `BodyActivity.all` and of `activities`.
    public var minima: [String: BodyActivityConfiguration.Minima]

    /// How long an unseen point is interpolated before it counts as not measured, 0...5 s.
    public var interpolationLimit: Duration

    /// The share of new points that the average adopts after a thirtieth of a second, 0.001...1. Other intervals are
    /// scaled, so the frame rate does not matter. 1 turns smoothing off.
    ///
    /// The average is the simple choice: one number, and a lag of 60 ms at the default. The one-euro filter of
    /// `BodyTrackingConfiguration.Smoothing` is calmer for a person at rest and quicker for one in motion: use that
    /// filter for drawing, and 1 here. The lags of both add up. Counting works with either.
    public var smoothingAlpha: Double

    /// After this many consecutive frames over the latency budget less is drawn, 1...1000.
    public var frameSkipThreshold: Int

    /// The battery is spared below this charge, 0...1.
    public var batteryWarningLevel: Double

    /// The device is spared from this thermal state on.
    public var thermalThrottleState: DeviceReading.ThermalState

    /// The user is asked to turn when the view is off the best one by more than this, 0...90 degrees.
    public var maximumAngle: Double

    /// How long exposure settles and is locked at the start, 0...60 s. Later light is compared with the light of this
    /// time. The camera's angle is measured in it, too.
    public var exposureLockDuration: Duration

    /// Limits for the light and the body's size. Its `exposureLockDuration` is replaced by the one above.
    public var quality: QualityConfiguration

    /// Share of the frames that are kept for later analysis, 0.000001...1.
    public var keyframeShare: Double

    /// Maximum number of frames that are kept, 1...100000, of 1088 bytes each.
    public var keyframeCapacity: Int

    /// Frames are kept for this long, 1 s...24 h; counting goes on after it.
    public var maximumSession: Duration

    /// The app's own activities, whose names `minima` may use.
    public var activities: [BodyActivity]

    /// Takes any values; `validate()` reports those that cannot be used.
    public init(
        minimumConfidence: Double = 0.2,
        minima: [String: BodyActivityConfiguration.Minima] = Self.defaultMinima,
        interpolationLimit: Duration = .milliseconds(400),
        smoothingAlpha: Double = 0.35, frameSkipThreshold: Int = 3, batteryWarningLevel: Double = 0.2,
        thermalThrottleState: DeviceReading.ThermalState = .fair, maximumAngle: Double = 30,
        exposureLockDuration: Duration = .seconds(2), quality: QualityConfiguration = QualityConfiguration(),
        keyframeShare: Double = 0.15, keyframeCapacity: Int = 1_000, maximumSession: Duration = .seconds(3_600),
        activities: [BodyActivity] = []
    ) {
        self.minimumConfidence = minimumConfidence
        self.minima = minima
        self.interpolationLimit = interpolationLimit
        self.smoothingAlpha = smoothingAlpha
        self.frameSkipThreshold = frameSkipThreshold
        self.batteryWarningLevel = batteryWarningLevel
        self.thermalThrottleState = thermalThrottleState
        self.maximumAngle = maximumAngle
        self.exposureLockDuration = exposureLockDuration
        self.quality = quality
        self.keyframeShare = keyframeShare
        self.keyframeCapacity = keyframeCapacity
        self.maximumSession = maximumSession
        self.activities = activities
    }

    /// Minima of one activity.
    public struct Minima: Codable, Sendable, Hashable {
        /// The minimum of every point that `joints` does not name, 0...1; nil for the overall minimum.
        public var all: Double?
        /// Minima by `BodyPart.rawValue`, 0...1.
        public var joints: [String: Double]

        /// Makes minima.
        public init(all: Double? = nil, joints: [String: Double] = [:]) {
            self.all = all
            self.joints = joints
        }
    }

    /// Minima of three activities, from the source.
    public static let defaultMinima: [String: BodyActivityConfiguration.Minima] = [
        "squat": Minima(joints: ["hip": 0.15, "knee": 0.25, "ankle": 0.3]),
        "boxing": Minima(joints: ["wrist": 0.2, "shoulder": 0.35, "elbow": 0.3]),
        "tennis": Minima(joints: ["wrist": 0.25, "shoulder": 0.3, "hip": 0.35]),
    ]

    /// The minimum of a point in an activity: that of the point's part, else that of the activity, else the overall
    /// one.
    public func minimum(of joint: TrackedBody.Joint, in activity: BodyActivity) -> Double {
        let minima = minima[activity.minimaName ?? activity.name]
        return minima?.joints[BodyPart(joint).rawValue] ?? minima?.all ?? minimumConfidence
    }

    /// The budget that heat and battery leave, by the schedule's table.
    package var budget: SchedulingConfiguration.Budget {
        let standard = SchedulingConfiguration.Budget()
        return SchedulingConfiguration.Budget(
            throttlesFrom: thermalThrottleState, batteryEmpty: min(standard.batteryEmpty, batteryWarningLevel),
            batteryLow: batteryWarningLevel, batteryHalf: max(standard.batteryHalf, batteryWarningLevel))
    }

    /// Checks every value and throws the first fault, in the order of declaration; `minima` is checked in the order of
    /// names.
    public func validate() throws(ConfigurationError) {
        func name(_ parameter: String) -> String { "BodyActivityConfiguration." + parameter }
        try ConfigurationError.check(minimumConfidence, name("minimumConfidence"), in: 0...1)
        try validateMinima(name("minima"))
        try ConfigurationError.check(interpolationLimit, name("interpolationLimit"), in: .zero ... .seconds(5))
        try ConfigurationError.check(smoothingAlpha, name("smoothingAlpha"), in: 0.001...1)
        try ConfigurationError.check(frameSkipThreshold, name("frameSkipThreshold"), in: 1...1_000)
        try ConfigurationError.check(batteryWarningLevel, name("batteryWarningLevel"), in: 0...1)
        try ConfigurationError.check(maximumAngle, name("maximumAngle"), in: 0...90)
        try ConfigurationError.check(exposureLockDuration, name("exposureLockDuration"), in: .zero ... .seconds(60))
        try quality.validate()
        try ConfigurationError.check(keyframeShare, name("keyframeShare"), in: 0.000_001...1)
        try ConfigurationError.check(keyframeCapacity, name("keyframeCapacity"), in: 1...100_000)
        try ConfigurationError.check(maximumSession, name("maximumSession"), in: .seconds(1) ... .seconds(86_400))
        for activity in activities { try activity.validate() }
    }

    private func validateMinima(_ path: String) throws(ConfigurationError) {
        let known = BodyActivity.all + activities
        let names = Set(known.map { $0.minimaName ?? $0.name } + known.map { $0.name })
        for (activity, minima) in minima.sorted(by: { $0.key < $1.key }) {
            guard names.contains(activity) else {
                throw ConfigurationError(path, activity, mustBe: "one of \(names.sorted().joined(separator: ", "))")
            }
            if let all = minima.all { try ConfigurationError.check(all, "\(path).\(activity).all", in: 0...1) }
            for (joint, minimum) in minima.joints.sorted(by: { $0.key < $1.key }) {
                guard BodyPart(rawValue: joint) != nil else {
                    let parts = BodyPart.allCases.map { $0.rawValue }.joined(separator: ", ")
                    throw ConfigurationError("\(path).\(activity)", joint, mustBe: "one of \(parts)")
                }
                try ConfigurationError.check(minimum, "\(path).\(activity).\(joint)", in: 0...1)
            }
        }
    }
}
