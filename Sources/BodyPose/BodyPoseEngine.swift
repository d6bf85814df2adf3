public import BodyTracking
public import Frames
import KernelInterface
import Kernels
import Platform
import Streams
public import TrackerInference
import Tracking
import Vocabulary

/// Finds people and their 33 points: in single images, in a video fed from one thread, or live from any thread.
///
/// Streams share only the networks' packed weights. Making an engine reads the files; the first stream packs them.
public final class BodyPoseEngine: Sendable {
    /// Index of the chosen variant; 0 if there was no choice.
    public let variant: Int

    private let models: BodyModels
    private let excludedTiers: Set<String>
    private let plans = Locked<[Bool: BodyGraphs.Plans]>([:])

    /// Makes an engine of one pair of networks.
    /// - Parameters:
    ///   - models: the networks.
    ///   - excludedTiers: kernel tiers that are not used, as in `GestureEngine.Configuration`.
    public init(_ models: BodyModels, excludedTiers: Set<String> = []) {
        self.models = models
        self.excludedTiers = excludedTiers
        variant = 0
    }

    /// Makes an engine of the best variant that keeps within the budget on this device.
    ///
    /// Each variant's landmark network, which takes nearly all of the time of a frame with a followed person, is timed
    /// until one keeps within the budget. That takes ten runs of each timed network, so call it off the main thread.
    /// `variant` is the chosen index.
    /// - Parameters:
    ///   - variants: 1...16, the best first, such as heavy, full and lite; the last is taken if none keeps within the
    ///     budget.
    ///   - budget: time for a frame; by default what the schedule leaves a cool device with a full battery, 25 ms.
    ///   - excludedTiers: kernel tiers that are not used, as in `GestureEngine.Configuration`.
    public convenience init(
        choosingFrom variants: [BodyModels], within budget: Duration = .milliseconds(25),
        excludedTiers: Set<String> = []
    ) throws(EngineError) {
        try self.init(choosingFrom: variants, within: budget, excludedTiers: excludedTiers) {
            models throws(EngineError) in
            let kernels = KernelRegistry.select(excluding: excludedTiers)
            let plans = try BodyGraphs.Plans(models, segmentation: false, kernels: kernels)
            return BodyGraphs.landmarkTime(plans, clock: .system)
        }
    }

    /// The same with another measure of the time.
    package init(
        choosingFrom variants: [BodyModels], within budget: Duration, excludedTiers: Set<String>,
        measure: (BodyModels) throws(EngineError) -> Duration
    ) throws(EngineError) {
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

    /// Makes a stream with its own state, fed from one thread: video mode.
    public func makeStream(
        _ configuration: BodyTrackingConfiguration = BodyTrackingConfiguration()
    ) throws(EngineError) -> BodyStream {
        try makeStream(configuration, clock: .system)
    }

    func makeStream(
        _ configuration: BodyTrackingConfiguration, clock: StreamClock
    ) throws(EngineError) -> BodyStream {
        BodyStream(tracker: try makeTracker(configuration), graphs: try makeGraphs(configuration, clock: clock))
    }

    /// The people of one image, the largest first: image mode. It uses nothing from earlier images and smooths nothing.
    /// - Parameter configuration: how people are found; smoothing, stillness, hold and detection interval have no
    ///   effect on one image.
    /// - Throws: `graph` for a network that cannot be run here, `configuration` for the first value that cannot
    ///   be used.
    public func bodies(
        in picture: borrowing PixelView, _ configuration: BodyTrackingConfiguration = BodyTrackingConfiguration()
    ) throws(EngineError) -> [TrackedBody] {
        do { try configuration.validate() } catch { throw .configuration(error) }
        var still = configuration
        (still.smoothing, still.stillness) = (nil, nil)
        (still.hold, still.detectionInterval) = (.zero, .zero)
        let stream = try makeStream(still)
        stream.track(picture, at: .zero)
        return stream.bodies
    }

    /// Recognises the people of one image, the largest first: Vision's request and its handler in one call.
    ///
    /// The outline of every person's torso:
    ///
    /// ```swift
    /// import BodyPose
    ///
    /// func torsos(
    ///     _ rgba: [UInt8], width: Int, height: Int, stored orientation: ImageOrientation, by engine: BodyPoseEngine
    /// ) throws -> [[SIMD2<Float>]] {
    ///     let picture = try PixelView(rgba.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width)
    ///     return try engine.recognizedBodies(in: picture, orientation: orientation).map { person in
    ///         // Shares of the upright picture's width and height, from its bottom left as with Vision.
    ///         person.joints.points(of: .torso).map(\.location)
    ///     }
    /// }
    /// ```
    ///
    /// Joints that were not recognised are left out. An image without people gives an empty array. Making an engine
    /// takes longer than one image, so keep it.
    /// - Parameters:
    ///   - picture: the image, in colour, because the detector finds little in grey; its region is examined.
    ///   - orientation: how the image is stored; nil for the configuration's. Results are upright.
    ///   - time: when it was taken, for `BodyObservation.time`.
    ///   - configuration: the number of people, minima and masks; smoothing, stillness, hold and detection interval
    ///     have no effect on one image.
    /// - Throws: `graph` for a network that cannot be run here, `configuration` for the first value that cannot
    ///   be used.
    public func recognizedBodies(
        in picture: borrowing PixelView, orientation: ImageOrientation? = nil, at time: Duration = .zero,
        _ configuration: BodyTrackingConfiguration = BodyTrackingConfiguration()
    ) throws(EngineError) -> [BodyObservation] {
        var configuration = configuration
        if let orientation { configuration.orientation = orientation }
        let bodies = try bodies(in: picture, configuration)
        return BodyObservation.all(
            bodies, in: FrameSize(picture.region, configuration.orientation), at: time)
    }

    private func makeTracker(_ configuration: BodyTrackingConfiguration) throws(EngineError) -> BodyTracker {
        do {
            return try BodyTracker(
                configuration: configuration, maskSide: models.maskSide,
                kernels: KernelRegistry.select(excluding: excludedTiers).crop)
        } catch {
            throw .configuration(error)
        }
    }

    private func makeGraphs(
        _ configuration: BodyTrackingConfiguration, clock: StreamClock
    ) throws(EngineError) -> BodyGraphs {
        let segmentation = configuration.segmentation
        let plans = try plans.value(for: segmentation) { () throws(EngineError) in
            try BodyGraphs.Plans(
                models, segmentation: segmentation, kernels: KernelRegistry.select(excluding: excludedTiers))
        }
        return BodyGraphs(plans, clock: clock)
    }
}
