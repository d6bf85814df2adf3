public import BodyTracking
public import Frames
public import Scheduling
public import Vocabulary

/// How bodies are watched while they do something. A value for every setting; what is not named has its default.
public struct BodyActivityConfiguration: Codable, Sendable, Hashable {
    /// A point that is less likely visible than this is interpolated, where no minimum of the activity holds, 0...1.
    public var minimumConfidence: Double

    /// Minima of activities, by their names: those of the project and of `activities`.
    public var minima: [String: BodyActivityConfiguration.Minima]

    /// For how long after it was last seen a point is interpolated before it counts as not measured, 0...5 s.
    public var interpolationLimit: Duration

    /// What an average adopts of new points after a thirtieth of a second, above 0...1; other intervals adopt as much as so many
    /// thirtieths do, whatever the frame rate. 1 does not smooth.
    ///
    /// The average is the simple choice: one number, a lag of 60 ms at the default. The one-euro filter of
    /// `BodyTrackingConfiguration.Smoothing` is calmer for a person who stands and quicker for one who moves: use that for what is
    /// drawn, and 1 here. Both at once add their lags. Counting movements does with either.
    public var smoothingAlpha: Double

    /// Frames in a row that took longer than the budget after which less is drawn, 1...1000.
    public var frameSkipThreshold: Int

    /// Charge below which the battery is spared, 0...1.
    public var batteryWarningLevel: Double

    /// Heat from which on the device is spared.
    public var thermalThrottleState: DeviceReading.ThermalState

    /// Off the view that an activity is best seen from by more than this, the user is asked to turn, 0...90 degrees.
    public var maximumAngle: Double

    /// The first seconds, in which exposure is to settle and be locked: the light is compared with theirs afterwards. The angle
    /// of the camera is measured in them, too. 0...60 s.
    public var exposureLockDuration: Duration

    /// When the light and the body's size are bad. Its `exposureLockDuration` is the one above.
    public var quality: QualityConfiguration

    /// Share of the frames that are kept for analysis afterwards, above 0...1.
    public var keyframeShare: Double

    /// Most frames that are kept, 1...100000, of 560 bytes each.
    public var keyframeCapacity: Int

    /// Frames are kept for so long, 1 s...24 h; what is counted is counted longer.
    public var maximumSession: Duration

    /// Activities of the app's own, for which `minima` may have a name.
    public var activities: [BodyActivity]

    /// Any values; `validate()` tells which of them cannot be used.
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
        /// That of every point which `joints` does not name; nil leaves those to the overall one. 0...1.
        public var all: Double?
        /// By `BodyPart.rawValue`, 0...1.
        public var joints: [String: Double]

        /// Minima.
        public init(all: Double? = nil, joints: [String: Double] = [:]) {
            self.all = all
            self.joints = joints
        }
    }

    /// Minima of the source's three activities.
    public static let defaultMinima: [String: BodyActivityConfiguration.Minima] = [
        "squat": Minima(joints: ["hip": 0.15, "knee": 0.25, "ankle": 0.3]),
        "boxing": Minima(joints: ["wrist": 0.2, "shoulder": 0.35, "elbow": 0.3]),
        "tennis": Minima(joints: ["wrist": 0.25, "shoulder": 0.3, "hip": 0.35]),
    ]

    /// The minimum of a point in an activity: that of the activity and point, else that of the activity, else the overall one.
    public func minimum(of joint: TrackedBody.Joint, in activity: BodyActivity) -> Double {
        let minima = minima[activity.minimaName ?? activity.name]
        return minima?.joints[BodyPart(joint).rawValue] ?? minima?.all ?? minimumConfidence
    }

    /// What heat and battery leave a frame, by the schedule's table.
    public var budget: SchedulingConfiguration.Budget {
        let standard = SchedulingConfiguration.Budget()
        return SchedulingConfiguration.Budget(
            throttlesFrom: thermalThrottleState, batteryLow: batteryWarningLevel,
            batteryHalf: max(standard.batteryHalf, batteryWarningLevel))
    }

    /// Checks every value; with several faults the first in the order of declaration is thrown, and of names the first in theirs.
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
        let names = Set(known.map { $0.minimaName ?? $0.name } + known.map(\.name))
        for (activity, minima) in minima.sorted(by: { $0.key < $1.key }) {
            guard names.contains(activity) else {
                throw ConfigurationError(path, activity, mustBe: "one of \(names.sorted().joined(separator: ", "))")
            }
            if let all = minima.all { try ConfigurationError.check(all, "\(path).\(activity).all", in: 0...1) }
            for (joint, minimum) in minima.joints.sorted(by: { $0.key < $1.key }) {
                guard BodyPart(rawValue: joint) != nil else {
                    let parts = BodyPart.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ConfigurationError("\(path).\(activity)", joint, mustBe: "one of \(parts)")
                }
                try ConfigurationError.check(minimum, "\(path).\(activity).\(joint)", in: 0...1)
            }
        }
    }
}
