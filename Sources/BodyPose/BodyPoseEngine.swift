public import BodyTracking
public import Frames
package import GestureEngine
import KernelInterface
import Kernels
import Platform
public import Sensors
import Tracking
import Vocabulary

/// Finds people and their 33 points in pictures: one at a time, in a video fed from one thread, or live from any.
///
/// Streams share the networks' packed weights and nothing else. Making an engine reads the files; the first stream packs them.
public final class BodyPoseEngine: Sendable {
    /// Which of several variants it runs; 0 where there was no choice.
    public let variant: Int

    private let models: BodyModels
    private let excludedTiers: Set<String>
    private let plans = Locked<[Bool: BodyGraphs.Plans]>([:])

    /// - Parameters:
    ///   - models: the networks; nil takes the project's.
    ///   - excludedTiers: kernel tiers not to use, as in `GestureEngine.Configuration`.
    public init(_ models: BodyModels? = nil, excludedTiers: Set<String> = []) throws(BodyPoseError) {
        if let models { self.models = models } else { self.models = try .full() }
        self.excludedTiers = excludedTiers
        variant = 0
    }

    /// An engine of the best of several variants that this device can afford: each one's landmark network, which is nearly all that a
    /// frame of a followed person costs, is timed until one keeps within the budget.
    ///
    /// Takes about ten runs of every network that is too slow, so not on the main thread. `variant` says what was taken.
    /// - Parameters:
    ///   - variants: 1...16, the best first, such as heavy, full and lite; the last one is taken if none keeps within the budget.
    ///   - budget: by default what the schedule leaves a frame of a cool device with a full battery, 25 ms.
    ///   - excludedTiers: kernel tiers not to use, as in `GestureEngine.Configuration`.
    public convenience init(
        choosingFrom variants: [BodyModels], within budget: Duration = .milliseconds(25),
        excludedTiers: Set<String> = []
    ) throws(BodyPoseError) {
        try self.init(choosingFrom: variants, within: budget, excludedTiers: excludedTiers) {
            models throws(BodyPoseError) in
            let kernels = KernelRegistry.select(excluding: excludedTiers)
            let plans = try BodyGraphs.Plans(models, segmentation: false, kernels: kernels)
            return BodyGraphs.landmarkTime(plans, clock: .system)
        }
    }

    /// The same with another measure.
    package init(
        choosingFrom variants: [BodyModels], within budget: Duration, excludedTiers: Set<String>,
        measure: (BodyModels) throws(BodyPoseError) -> Duration
    ) throws(BodyPoseError) {
        do {
            try ConfigurationError.check(variants.count, "BodyPoseEngine.variants", in: 1...16)
        } catch {
            throw .configuration(error)
        }
        var chosen = variants.count - 1
        for index in 0..<chosen where try measure(variants[index]) <= budget {
            chosen = index
            break
        }
        variant = chosen
        models = variants[chosen]
        self.excludedTiers = excludedTiers
    }

    /// A stream of its own state, fed from one thread: video mode.
    public func makeStream(
        _ configuration: BodyTrackingConfiguration = BodyTrackingConfiguration()
    ) throws(BodyPoseError) -> BodyStream {
        BodyStream(tracker: try makeTracker(configuration), graphs: try makeGraphs(configuration))
    }

    /// A stream whose frames may come from any thread and whose results are an `AsyncStream`: live mode.
    /// - Parameter sensors: what the schedule knows of heat and battery, read about once a second; nil is nothing, unless
    ///   `LiveBodyStream.update` tells it.
    public func makeLiveStream(
        _ configuration: BodyTrackingConfiguration = BodyTrackingConfiguration(), sensors: DeviceSensors? = .system
    ) throws(BodyPoseError) -> LiveBodyStream {
        try makeLiveStream(configuration, sensors: sensors, clock: .system)
    }

    /// The same with a clock that a test moves.
    package func makeLiveStream(
        _ configuration: BodyTrackingConfiguration, sensors: DeviceSensors?, clock: StreamClock
    ) throws(BodyPoseError) -> LiveBodyStream {
        try LiveBodyStream(stream: makeStream(configuration), sensors: sensors, clock: clock)
    }

    /// The people of one picture, the largest first: image mode. Nothing is known from before, and nothing smoothed.
    /// - Parameter configuration: its smoothing, stillness, hold and detection interval have no effect on one picture.
    /// - Throws: a network that cannot be run here, or the first value of the configuration that cannot be used.
    public func bodies(
        in picture: borrowing PixelView, _ configuration: BodyTrackingConfiguration = BodyTrackingConfiguration()
    ) throws(BodyPoseError) -> [TrackedBody] {
        do { try configuration.validate() } catch { throw .configuration(error) }
        var still = configuration
        (still.smoothing, still.stillness) = (nil, nil)
        (still.hold, still.detectionInterval) = (.zero, .zero)
        let stream = try makeStream(still)
        stream.track(picture, at: .zero)
        return stream.bodies
    }

    /// Recognises the people of one picture: Vision's request and its handler in one call, the largest person first.
    ///
    /// The outline of everybody's torso, in pixels of a picture that a camera stored lying on its side:
    ///
    /// ```swift
    /// import BodyPose
    ///
    /// func torsos(_ rgba: [UInt8], width: Int, height: Int, by engine: BodyPoseEngine) throws -> [[SIMD2<Float>]] {
    ///     let picture = try PixelView(rgba.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width)
    ///     return try engine.recognizedBodies(in: picture, orientation: .right).map { person in
    ///         // Upright, it is as wide as it is stored high. From the bottom left, as with Vision.
    ///         person.joints.points(of: .torso).map { $0.imagePoint(width: height, height: width) }
    ///     }
    /// }
    /// ```
    ///
    /// Joints that were not recognised are left out. A picture without people gives an empty array. Making an engine
    /// takes longer than a picture; keep it.
    /// - Parameters:
    ///   - picture: in colour, or the detector finds little; its region is what is looked at.
    ///   - orientation: how it is stored; nil is the configuration's. What comes out is upright.
    ///   - time: when it was taken, for `BodyObservation.time`.
    ///   - configuration: how many people, the minima and masks; smoothing, stillness, hold and detection interval have no
    ///     effect on one picture.
    /// - Throws: a network that cannot be run here, or the first value of the configuration that cannot be used.
    public func recognizedBodies(
        in picture: borrowing PixelView, orientation: ImageOrientation? = nil, at time: Duration = .zero,
        _ configuration: BodyTrackingConfiguration = BodyTrackingConfiguration()
    ) throws(BodyPoseError) -> [BodyObservation] {
        var configuration = configuration
        if let orientation { configuration.orientation = orientation }
        let bodies = try bodies(in: picture, configuration)
        return BodyObservation.all(
            bodies, in: FrameSize(picture.region, configuration.orientation), at: time)
    }

    private func makeTracker(_ configuration: BodyTrackingConfiguration) throws(BodyPoseError) -> BodyTracker {
        do {
            return try BodyTracker(
                configuration: configuration, kernels: KernelRegistry.select(excluding: excludedTiers).crop)
        } catch {
            throw .configuration(error)
        }
    }

    private func makeGraphs(_ configuration: BodyTrackingConfiguration) throws(BodyPoseError) -> BodyGraphs {
        let segmentation = configuration.segmentation
        let plans = try plans.withLock { plans throws(BodyPoseError) in
            if let made = plans[segmentation] { return made }
            let made = try BodyGraphs.Plans(
                models, segmentation: segmentation, kernels: KernelRegistry.select(excluding: excludedTiers))
            plans[segmentation] = made
            return made
        }
        return BodyGraphs(plans, clock: .system)
    }
}
