import BodyTracking
import Enrolment
import HandPointer
import HandTracking
import KernelInterface
import Kernels
package import ModelFile
package import Network
import Platform
public import Recognition
public import Scheduling
package import Streams
public import TrackerInference
public import Vocabulary

/// A loaded model, ready to recognise gestures in any number of streams.
///
/// It has one front end: the landmarks of a hand, or the pixels of the whole frame. Weights are packed once for each
/// backend that is used and shared by all streams. Make streams from any thread.
public final class GestureEngine: Sendable {
    /// Where a model comes from.
    public enum Source: Sendable {
        /// A model file made by `gesture-import`.
        case file(path: String)
        /// The bytes of such a file.
        case bytes([UInt8])
        /// Such a file inside the program, as `gesture-import embed` writes it.
        case embedded(StaticString)
    }

    /// The classes in the order of the logits.
    public let labels: [String]
    /// The index of the class that means "no gesture".
    public let nullIndex: Int
    /// The temporal layers of landmarks, or another front end's network.
    package struct Model: Sendable {
        package let manifest: ModelManifest
        package let weights: NetworkWeights

        package init(manifest: ModelManifest, weights: NetworkWeights) {
            self.manifest = manifest
            self.weights = weights
        }
    }

    /// What the streams' columns are made of.
    public let frontEnd: FrontEnd
    package let model: Model
    let hands: HandModels?
    private let arms: BodyModels?
    /// Whether streams watch the arms.
    package var watchesArms: Bool { arms != nil }
    /// Makes the networks of another module's front end; nil with landmarks.
    package let frames: (any FrameNetworkFactory)?
    /// The packed temporal layers by tier.
    private let heads = Locked<[String: PackedLayers]>([:])
    /// Packed networks of the body tracker by tier.
    private let bodyPlans = Locked<[String: BodyGraphs.Plans]>([:])
    /// Packed networks of the hand tracker by tier.
    private let handPlans = Locked<[String: HandGraphs.Plans]>([:])
    /// Made on first use, because this reads every weight.
    let baseOfEnrolment = Locked<EnrolmentBase?>(nil)
    /// The bank of the networks' background. Outer nil: not read yet. Inner nil: this model has no background.
    let bankOfBackground = Locked<FeatureBank??>(nil)

    /// Makes an engine that recognises gestures in the landmarks of a hand. It needs frames in colour.
    /// - Parameters:
    ///   - hands: networks of the hand.
    ///   - arms: networks of the body, which see the stroke of a hand that is too blurred to be tracked, and tell a swipe from an arm
    ///     that is raised or lowered: `.full()` of the product `BodyPose`. Nil leaves swipes to the hand and the frame's motion.
    public init(hands: HandModels, arms: BodyModels? = nil) throws(EngineError) {
        self.hands = hands
        self.arms = arms
        frontEnd = .landmarks
        frames = nil
        model = Model(manifest: hands.gestures.manifest, weights: hands.weights)
        labels = model.manifest.labels
        nullIndex = model.manifest.nullIndex
    }

    /// Makes an engine of another module's front end.
    package init(_ model: Model, frontEnd: FrontEnd, frames: any FrameNetworkFactory) {
        hands = nil
        arms = nil
        self.frontEnd = frontEnd
        self.frames = frames
        self.model = model
        labels = model.manifest.labels
        nullIndex = model.manifest.nullIndex
    }

    /// The classes that were added to the trained model by fine-tuning.
    var taughtClasses: [Int] { model.manifest.postProcessing.taught.compactMap(labels.firstIndex) }

    /// The model's thresholds, in slots of a grid of this rate. A stream whose configuration has no thresholds takes
    /// those for its own rate and sensitivity.
    ///
    /// Milliseconds in the model's file become the nearest number of slots, so they last equally long at every rate.
    /// The same holds for counts in a landmark model, whose columns are at 30 Hz. Counts in a pixel model are slots at
    /// any rate, because it has one column per slot.
    public func defaultRecognition(
        at rate: PacingConfiguration.Rate, sensitivity: Sensitivity = .medium
    ) -> RecognitionConfiguration {
        let post = model.manifest.postProcessing
        let columnRate = model.weights.frontEnd.columnRate
        func slots(_ extent: RecognitionExtent) -> Int { extent.slots(at: rate.rawValue, columnRate: columnRate) }
        let end = slots(post.end)
        return RecognitionConfiguration(
            medianLength: post.median.oddSlots(at: rate.rawValue, columnRate: columnRate),
            beginFrames: slots(post.begin), beginConfidence: sensitivity.threshold(post.beginConfidence),
            addedBeginConfidence: sensitivity.threshold(min(post.beginConfidence, Self.addedBeginConfidence)),
            steady: post.steady.map {
                RecognitionConfiguration.Steady(
                    frames: slots(.milliseconds($0.milliseconds)),
                    confidence: sensitivity.steadyThreshold($0.confidence))
            },
            endFrames: end,
            unsureEndFrames: max(end, slots(post.unsureEnd)),
            returnTime: .milliseconds(post.returnMilliseconds),
            returnStrokes: Dictionary(
                uniqueKeysWithValues: post.returnStrokes.map { (.label($0.key), .label($0.value)) }),
            mergeWindow: .milliseconds(post.mergeWindowMilliseconds),
            overrides: Dictionary(
                uniqueKeysWithValues: post.classConfidence.map {
                    (
                        .label($0.key),
                        RecognitionConfiguration.Override(beginConfidence: sensitivity.threshold($0.value))
                    )
                }))
    }

    /// The most confidence that classes beside the model's need, before sensitivity moves it. Recordings of people have 12
    /// fists at this value, 13 at 0.7 and 10 at 0.8.
    private static let addedBeginConfidence: Float = 0.75

    package static func load(_ source: Source) throws(EngineError) -> ModelFile {
        do throws(ModelFileError) {
            switch source {
            case .file(let path): return try ModelFile.load(path: path)
            case .bytes(let bytes): return try ModelFile(bytes: bytes)
            case .embedded(let text): return try ModelFile(embedded: text)
            }
        } catch {
            throw .model(error)
        }
    }

    /// Makes a stream with its own state on this engine's model. Feed it from one thread at a time.
    public func makeStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration()
    ) throws(EngineError) -> GestureStream {
        try makeStream(configuration, clock: .system)
    }

    /// The same with a clock that a test moves, and with a network of another module's front end.
    package func makeStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(),
        network: (any FrameNetwork)? = nil, clock: StreamClock
    ) throws(EngineError) -> GestureStream {
        let scheduling = configuration.scheduling ?? .everySlot
        let recognition = try makeRecognition(
            configuration, network: network, measuresActivity: scheduling.activity != nil, clock: clock)
        let intake = try StreamIntake(configuration, for: frontEnd, scheduling: scheduling, clock: clock)
        return GestureStream(intake: intake, inference: recognition)
    }

    func makeRecognition(
        _ configuration: GestureEngine.Configuration, network: (any FrameNetwork)?, measuresActivity: Bool,
        clock: StreamClock
    ) throws(EngineError) -> SlotRecognition {
        try EngineError.checked(configuration.validate())
        let made: SlotNetwork
        if let network {
            made = .frames(network)
        } else {
            made = try makeNetwork(
                configuration, measuresActivity: measuresActivity, minimumColumns: frontEnd.minimumColumns,
                clock: clock)
        }
        return try SlotRecognition(self, configuration, network: made, clock: clock)
    }

    /// Makes the network of a stream or of a recorder.
    /// - Parameters:
    ///   - isRecording: whether embeddings of the hand are wanted, and arms are not.
    ///   - minimumColumns: see `FrontEnd.minimumColumns`.
    func makeNetwork(
        _ configuration: GestureEngine.Configuration, isRecording: Bool = false, measuresActivity: Bool = false,
        minimumColumns: Int, clock: StreamClock
    ) throws(EngineError) -> SlotNetwork {
        if let frames {
            return .frames(
                try frames.makeNetwork(
                    for: self, configuration, measuresActivity: measuresActivity, clock: clock))
        }
        return .landmarks(
            LandmarkNetwork(
                tracker: try makeTracker(configuration), graphs: try makeHandGraphs(configuration, clock: clock),
                arms: isRecording ? nil : try makeArms(configuration, clock: clock),
                head: try makeHead(configuration, minimumColumns: minimumColumns),
                gesturing: configuration.gesturingHand, heldPoses: configuration.heldPoses,
                pointing: try EngineError.checked(configuration.pointer.map(HandPointer.init)),
                userPoses: configuration.userGestures.flatMap(UserPoses.init), keepsEmbedding: isRecording,
                clock: clock))
    }

    /// Makes the temporal layers of a stream of landmarks; they are packed on first use.
    private func makeHead(
        _ configuration: GestureEngine.Configuration, minimumColumns: Int
    ) throws(EngineError) -> TemporalHead {
        let kernels = KernelRegistry.select(excluding: configuration.advanced.excludedTiers)
        let backend: Backend = model.manifest.precision == .int8 ? .int8 : .float
        do {
            let layers = try heads.value(for: kernels.tier) { () throws(NetworkError) in
                try PackedLayers(model.weights, backend: backend, kernels: kernels)
            }
            return TemporalHead(
                layers, columnStride: frontEnd.columnStride(rate: configuration.rate.rawValue),
                minimumColumns: minimumColumns)
        } catch {
            throw .notQuantised
        }
    }

    /// Makes a stream of hands without gestures. It uses the configuration's `maximumHands` and `orientation`, and of
    /// its advanced part `hands` and `excludedTiers`.
    public func makeHandStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration()
    ) throws(EngineError) -> HandStream {
        try EngineError.checked(configuration.validate())
        return HandStream(
            tracker: try makeTracker(configuration), graphs: try makeHandGraphs(configuration, clock: .system))
    }

    private func makeTracker(_ configuration: GestureEngine.Configuration) throws(EngineError) -> HandTracker {
        try EngineError.checked(
            HandTracker(
                configuration: configuration.advanced.hands, maximumHands: configuration.maximumHands,
                orientation: configuration.orientation,
                kernels: KernelRegistry.select(excluding: configuration.advanced.excludedTiers).crop))
    }

    private func makeHandGraphs(
        _ configuration: GestureEngine.Configuration, clock: StreamClock
    ) throws(EngineError) -> HandGraphs {
        HandGraphs(try handPlans(KernelRegistry.select(excluding: configuration.advanced.excludedTiers)), clock: clock)
    }

    /// The networks that track the arms; nil for an engine without them.
    private func makeArms(
        _ configuration: GestureEngine.Configuration, clock: StreamClock
    ) throws(EngineError) -> ArmSource? {
        guard let arms else { return nil }
        let kernels = KernelRegistry.select(excluding: configuration.advanced.excludedTiers)
        let plans = try bodyPlans.value(for: kernels.tier) { () throws(EngineError) in
            try BodyGraphs.Plans(arms, segmentation: false, kernels: kernels)
        }
        let tracking = ArmSource.tracking(configuration.orientation)
        let tracker = try EngineError.checked(BodyTracker(configuration: tracking, kernels: kernels.crop))
        return ArmSource(tracker: tracker, graphs: BodyGraphs(plans, clock: clock), clock: clock)
    }

    /// The hand tracker's networks for a tier, packed on first use.
    private func handPlans(_ kernels: KernelTable) throws(EngineError) -> HandGraphs.Plans {
        guard let hands else { throw .noHandModels }
        return try handPlans.value(for: kernels.tier) { () throws(EngineError) in
            try HandGraphs.Plans(
                palms: hands.palms, landmarks: hands.landmarks, poses: hands.poses, kernels: kernels)
        }
    }
}
