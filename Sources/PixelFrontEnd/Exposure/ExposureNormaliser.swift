package import Frames
import Platform
package import Vocabulary

/// Chooses the tone map of each frame, so that brightness and optionally contrast stay near those of the training
/// frames.
///
/// The map changes so slowly that no gesture is mistaken for a change of light, and it does not flicker. It depends on
/// the measures of the frames up to and including its own: if light changes from one frame to the next, the map changes
/// with it, and the mapped images continue as before. Earlier frames keep their tones.
///
/// - The first frame sets the map. For `exposureLockDuration` the map follows fast, afterwards with `settlingTime` and
///   at most at `maximumRate`.
/// - A cut sets it at once. Blocks that are black both times are ignored. Of the others three quarters must have
///   changed by more than a quarter since a frame about 100 ms old: all in the same direction (a light was switched),
///   or in both (another scene, at most four times a second). A hand covers fewer blocks, unless it covers the lens.
/// - Otherwise the map follows its target at a distance of `deadband` and closes the rest slowly. Rounding, to steps of
///   1/128 of the gain and of one level of the offset, has a hysteresis of a quarter of a step. So neither noise nor
///   mains flicker reaches the map, and a constant image has a constant map.
///
/// All measures are allowed; a black image counts as a mean of 1 and a flat one as a deviation of 1.
package struct ExposureNormaliser: Sendable {
    /// The map of the last step.
    package private(set) var map = ToneMap.identity
    /// Number of cuts, without the first frame.
    package private(set) var cuts: Int64 = 0

    private let configuration: ExposureConfiguration
    private let settlingTime: Int64
    private let warmUp: Int64
    private var timer = StepTimer()
    /// Time since the first frame, at most the warm-up.
    private var age: Int64 = 0
    private var cutDetector = CutDetector()
    /// Smoothed natural logarithm of the mean, and below it that of the deviation.
    private var level: Double?
    private var spread = 0.0
    /// Natural logarithm of the gain.
    private var gain = Follower()
    /// In half ranges of 128 levels.
    private var offset = Follower()

    package init(_ configuration: ExposureConfiguration) throws(ConfigurationError) {
        try configuration.validate()
        self.configuration = configuration
        settlingTime = try ExposureConfiguration.nanoseconds(configuration.settlingTime, "settlingTime")
        warmUp = try ExposureConfiguration.nanoseconds(configuration.exposureLockDuration, "exposureLockDuration")
    }

    /// The map for a frame.
    /// - Parameters:
    ///   - measures: the measures of this frame, before any map.
    ///   - time: when it was taken, in nanoseconds.
    package mutating func step(_ measures: borrowing LumaMeasures, at time: Int64) -> ToneMap {
        let elapsed = timer.step(at: time)
        let (newLevel, newSpread) = (Math.logarithm(max(measures.mean, 1)), Math.logarithm(max(measures.deviation, 1)))
        let isCut = measures.blocks.withSpan { cutDetector.step($0, elapsed: elapsed) }
        let isWarmingUp = age < warmUp
        age = min(age + elapsed, warmUp)

        if let level, !isCut {
            let share = adoptedShare(after: elapsed, constant: isWarmingUp ? settlingTime / 5 : settlingTime)
            self.level = level + share * (newLevel - level)
            spread += share * (newSpread - spread)
            let step = isWarmingUp ? .infinity : configuration.maximumRate * Double(elapsed) / 1e9
            let wanted = target(level: self.level ?? newLevel)
            gain.follow(wanted.gain, by: step, deadband: configuration.deadband, elapsed: elapsed)
            offset.follow(wanted.offset, by: step, deadband: configuration.deadband, elapsed: elapsed)
        } else {
            if level != nil { cuts &+= 1 }
            (level, spread) = (newLevel, newSpread)
            let wanted = target(level: newLevel)
            gain.jump(to: wanted.gain)
            offset.jump(to: wanted.offset)
        }
        // A gain is at most 2, and an offset at most one half range.
        map = ToneMap(
            gain: UInt16(Self.rounded(128 * Math.exponential(gain.value), near: Double(map.gain), within: 1...256)),
            offset: Int16(Self.rounded(128 * offset.value, near: Double(map.offset), within: -128...128)))
        return map
    }

    /// Forgets every frame: the next one counts as the first.
    package mutating func reset() {
        timer.reset()
        age = 0
        cutDetector = CutDetector()
        level = nil
        map = .identity
    }

    /// The wanted gain, as a logarithm, and offset, in half ranges, for the smoothed level and spread.
    private func target(level: Double) -> (gain: Double, offset: Double) {
        let (lowest, highest) = (
            Math.logarithm(configuration.gainRange.lowerBound), Math.logarithm(configuration.gainRange.upperBound)
        )
        let mean = Math.exponential(level)
        guard let contrast = configuration.targetContrast else {
            return (min(max(Math.logarithm(Self.nearest(mean, configuration.targetMean)) - level, lowest), highest), 0)
        }
        let gain = min(max(Math.logarithm(contrast) - spread, lowest), highest)
        let scaled = mean * Math.exponential(gain)
        let offset = Self.nearest(scaled, configuration.targetMean) - scaled
        return (gain, min(max(offset, -configuration.offsetLimit), configuration.offsetLimit) / 128)
    }

    private static func nearest(_ value: Double, _ range: ClosedRange<Double>) -> Double {
        min(max(value, range.lowerBound), range.upperBound)
    }

    /// The nearest integer in a range; the one before is kept if it is within three quarters.
    private static func rounded(_ value: Double, near before: Double, within range: ClosedRange<Double>) -> Double {
        let value = nearest(value, range)
        return abs(value - before) <= 0.75 ? before : value.rounded()
    }
}

/// A value that follows a target at the distance of the deadband. Within the deadband it creeps, so it reaches a
/// resting target within two seconds.
private struct Follower: Sendable {
    private(set) var value = 0.0

    /// - step: the most by which it follows outside the deadband.
    mutating func follow(_ target: Double, by step: Double, deadband: Double, elapsed: Int64) {
        let error = target - value
        let creep = min(abs(error), deadband / 2 * Double(elapsed) / 1e9)
        let distance = max(min(abs(error) - deadband, step), creep)
        value += error < 0 ? -distance : distance
    }

    mutating func jump(to target: Double) { value = target }
}

/// Detects cuts from the means of 49 blocks; see `ExposureNormaliser`.
private struct CutDetector: Sendable {
    private static let referenceAge: Int64 = 100_000_000
    private static let pause: Int64 = 250_000_000
    /// Blocks at or below this level are black: a quarter of so little is noise.
    private static let black: UInt8 = 8
    /// A judgement needs at least this many blocks that are not black: a quarter of all.
    private static let minimumJudged = 12

    private var reference: LumaMeasures.Blocks?
    private var age: Int64 = 0
    private var sinceMixed: Int64 = pause

    mutating func step(_ blocks: Span<UInt8>, elapsed: Int64) -> Bool {
        sinceMixed = min(sinceMixed + elapsed, Self.pause)
        age += elapsed
        guard let reference else {
            adopt(blocks)
            return false
        }
        var (judged, rose, fell) = (0, 0, 0)
        for index in reference.indices {
            let (before, after) = (Int(reference[index]), Int(blocks[index]))
            guard max(before, after) > Int(Self.black) else { continue }
            judged += 1
            if 4 * after > 5 * before { rose += 1 }
            if 4 * before > 5 * after { fell += 1 }
        }
        let isJudged = judged >= Self.minimumJudged
        let isSwitched = isJudged && 4 * max(rose, fell) >= 3 * judged
        let isMixed = isJudged && 4 * (rose + fell) >= 3 * judged && sinceMixed >= Self.pause
        if isMixed, !isSwitched { sinceMixed = 0 }
        let isCut = isSwitched || isMixed
        if isCut || age >= Self.referenceAge { adopt(blocks) }
        return isCut
    }

    private mutating func adopt(_ blocks: Span<UInt8>) {
        var copy = LumaMeasures.Blocks(repeating: 0)
        for index in copy.indices { copy[index] = blocks[index] }
        reference = copy
        age = 0
    }
}
