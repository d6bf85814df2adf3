import Platform
package import Vocabulary

/// Turns the measures of frames into flags that do not flicker.
///
/// A value must stay beyond its threshold for `onset` to set a flag, and beyond the other one for `release` to clear
/// it; any other value restarts that time. A value that is unknown (no contrast to measure blur, no box) counts as
/// good. Gradients are averaged over about a quarter of a second, so that frames may be sampled in parts.
package struct QualityMonitor: Sendable {
    /// The flags after the latest step.
    package private(set) var flags: QualityFlags = []

    /// Time constant of the averages of gradients and, for `exposureDrift`, of the mean; of the order of `onset`.
    private static let averaging: Int64 = 250_000_000

    private let configuration: QualityConfiguration
    private let onset: Int64
    private let release: Int64
    private let lockDuration: Int64
    private var timer = StepTimer()
    private var age: Int64 = 0
    private var gradients: GradientEnergies?
    /// Natural logarithms of means: over the first seconds, and below it the recent average.
    private var lockedLevel = RunningMean()
    private var level: Double?
    /// For each flag, by the number of its bit, how long it has been about to change; -1 if it is not.
    private var pending = FixedArray<(SIMD4<Int64>, Int64), Int64>(repeating: -1)

    package init(_ configuration: QualityConfiguration) throws(ConfigurationError) {
        try configuration.validate()
        self.configuration = configuration
        onset = try QualityConfiguration.nanoseconds(configuration.onset, "onset")
        release = try QualityConfiguration.nanoseconds(configuration.release, "release")
        lockDuration = try QualityConfiguration.nanoseconds(configuration.exposureLockDuration, "exposureLockDuration")
    }

    /// The sharpness of the averaged gradients; nil if it is unknown.
    package var sharpness: Double? { gradients?.sharpness }

    /// Judges a frame.
    /// - Parameters:
    ///   - measures: the measures of the frame, before any tone map.
    ///   - gradients: gradients of any part of the same frame; nil if they were not measured.
    ///   - subjectHeight: height of the subject's box as a share of the camera frame's height; nil or NaN without a
    ///     box.
    ///   - time: when the frame was taken, in nanoseconds.
    package mutating func step(
        _ measures: borrowing LumaMeasures, gradients: GradientEnergies?, subjectHeight: Double?, at time: Int64
    ) -> QualityFlags {
        let elapsed = timer.step(at: time)
        let share = adoptedShare(after: elapsed, constant: Self.averaging)
        average(gradients, share)
        let drift = step(level: Math.logarithm(max(measures.mean, 1)), share, elapsed)

        judge(.lowLight, below: measures.brightLevel, configuration.lowLight, elapsed)
        judge(.overexposed, above: measures.brightShare, configuration.overexposed, elapsed)
        judge(.blurred, below: sharpness ?? .infinity, configuration.blurred, elapsed)
        judge(.exposureDrift, above: drift, configuration.exposureDrift, elapsed)
        if let subjectHeight, !subjectHeight.isNaN {
            judge(.subjectTooSmall, below: subjectHeight, configuration.subjectTooSmall, elapsed)
        } else {
            flags.remove(.subjectTooSmall)
            pending[Self.bit(.subjectTooSmall)] = -1
        }
        return flags
    }

    /// Forgets every frame and clears all flags.
    package mutating func reset() {
        timer.reset()
        (age, gradients, level, flags) = (0, nil, nil, [])
        lockedLevel = RunningMean()
        pending = FixedArray(repeating: -1)
    }

    private mutating func average(_ new: GradientEnergies?, _ share: Double) {
        guard let new else { return }
        guard var mean = gradients else {
            gradients = new
            return
        }
        mean.horizontal += (new.horizontal - mean.horizontal) * share
        mean.vertical += (new.vertical - mean.vertical) * share
        gradients = mean
    }

    /// The factor by which the image is brighter or darker than in the first seconds, at least 1; 1 until they are
    /// over.
    private mutating func step(level new: Double, _ share: Double, _ elapsed: Int64) -> Double {
        let isLocked = age >= lockDuration
        age = min(age + elapsed, lockDuration)
        let lately = (level ?? new) + share * (new - (level ?? new))
        level = lately
        guard isLocked, let start = lockedLevel.value else {
            lockedLevel.add(new)
            return 1
        }
        return Math.exponential(abs(lately - start))
    }

    private mutating func judge(
        _ flag: QualityFlags, below value: Double, _ threshold: QualityConfiguration.Threshold, _ elapsed: Int64
    ) {
        judge(flag, isBad: value < threshold.set, isGood: value > threshold.clear, elapsed)
    }

    private mutating func judge(
        _ flag: QualityFlags, above value: Double, _ threshold: QualityConfiguration.Threshold, _ elapsed: Int64
    ) {
        judge(flag, isBad: value > threshold.set, isGood: value < threshold.clear, elapsed)
    }

    private mutating func judge(_ flag: QualityFlags, isBad: Bool, isGood: Bool, _ elapsed: Int64) {
        let (isSet, bit) = (flags.contains(flag), Self.bit(flag))
        guard isSet ? isGood : isBad else {
            pending[bit] = -1
            return
        }
        let limit = isSet ? release : onset
        // The time begins at the step in which the flag is first about to change.
        let waited = min(pending[bit] < 0 ? 0 : pending[bit] + elapsed, limit)
        pending[bit] = waited < limit ? waited : -1
        if waited >= limit { flags.formSymmetricDifference(flag) }
    }

    private static func bit(_ flag: QualityFlags) -> Int { flag.rawValue.trailingZeroBitCount }
}

/// The mean of added numbers; nil without any.
private struct RunningMean: Sendable {
    private var sum = 0.0
    private var count = 0.0

    var value: Double? { count > 0 ? sum / count : nil }

    mutating func add(_ number: Double) {
        sum += number
        count += 1
    }
}
