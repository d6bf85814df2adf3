public import BodyInference
import BodyTracking
import Enrolment
import HandTracking
import KernelInterface
import Kernels
package import ModelFile
public import Network
import Platform
public import Recognition
public import Scheduling
package import Streams
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
    /// The temporal layers of landmarks, or the pixel network.
    package struct Model: Sendable {
        package let manifest: ModelManifest
        package let weights: NetworkWeights
    }

    /// What the streams' columns are made of.
    public let frontEnd: FrontEnd
    package let model: Model
    let hands: HandModels?
    private let arms: BodyModels?
    /// Whether streams watch the arms.
    package var watchesArms: Bool { arms != nil }
    /// Packed models by backend and tier.
    private let programs = Locked<[String: NetworkProgram]>([:])
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
    public init(hands: HandModels, arms: BodyModels? = nil) throws(GestureEngineError) {
        self.hands = hands
        self.arms = arms
        frontEnd = .landmarks
        model = Model(manifest: hands.gestures.manifest, weights: hands.weights)
        labels = model.manifest.labels
        nullIndex = model.manifest.nullIndex
    }

    /// Loads a pixel network, and makes an engine that recognises gestures in the luma of whole frames. It recognises
    /// people that it never saw far worse than landmarks do.
    /// - Parameter source: `.bundled` of the product `GesturePixels`, or a model of one's own.
    public convenience init(pixels source: Source) throws(GestureEngineError) {
        try self.init(pixels: Self.load(source))
    }

    /// Makes an engine from a loaded pixel network.
    package init(pixels file: ModelFile) throws(GestureEngineError) {
        let weights: NetworkWeights
        do {
            weights = try NetworkWeights(model: file)
        } catch {
            throw .model(error)
        }
        guard weights.frontEnd == .pixels else {
            throw .model(.wrongNetwork(expected: FrontEnd.pixels.networkName, found: file.manifest.network))
        }
        hands = nil
        arms = nil
        frontEnd = .pixels
        model = Model(manifest: file.manifest, weights: weights)
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

    static func load(_ source: Source) throws(GestureEngineError) -> ModelFile {
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
    /// - Parameter units: compute units of the app. The stream uses those of its front end, in the order of
    ///   `configuration.advanced.units`, and nothing else may use them meanwhile.
    public func makeStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(),
        adding units: [any ComputeUnit] = []
    ) throws(GestureEngineError) -> GestureStream {
        try makeStream(configuration, adding: units, clock: .system)
    }

    package func makeStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(),
        adding units: [any ComputeUnit] = [], clock: StreamClock
    ) throws(GestureEngineError) -> GestureStream {
        let inference = try makeInference(configuration, adding: units, clock: clock)
        let intake = try StreamIntake(
            configuration, for: frontEnd, scheduling: configuration.scheduling ?? .everySlot, clock: clock)
        return GestureStream(intake: intake, inference: inference)
    }

    func makeInference(
        _ configuration: GestureEngine.Configuration, adding added: [any ComputeUnit], clock: StreamClock
    ) throws(GestureEngineError) -> StreamInference {
        try GestureEngineError.checked(configuration.validate())
        let units = try makeUnits(configuration, adding: added)
        return try StreamInference(
            engine: self, configuration: configuration, source: makeSource(configuration, clock: clock), units: units,
            clock: clock)
    }

    /// The units of a stream, the preferred one first.
    private func makeUnits(
        _ configuration: GestureEngine.Configuration, adding added: [any ComputeUnit]
    ) throws(GestureEngineError) -> [any ComputeUnit] {
        let own = frontEnd == .landmarks ? frontEnd.rawValue : backend(configuration).rawValue
        let order = configuration.advanced.units ?? [own] + added.filter { $0.frontEnd == frontEnd }.map { $0.name }
        var units: [any ComputeUnit] = []
        for name in order {
            guard !units.contains(where: { $0.name == name }) else { throw .unitOrder(name: name) }
            if let unit = added.first(where: { $0.name == name }) {
                guard unit.frontEnd == frontEnd else { throw .unitOrder(name: name) }
                guard unit.classCount == labels.count else {
                    throw .unitClasses(name: name, required: labels.count, found: unit.classCount)
                }
                units.append(unit)
            } else if frontEnd == .landmarks, name == frontEnd.rawValue {
                units.append(try makeUnit(configuration, leastColumns: frontEnd.leastColumns))
            } else if frontEnd == .pixels, let backend = Backend(rawValue: name) {
                units.append(try makeUnit(configuration, backend: backend))
            } else {
                throw .unitOrder(name: name)
            }
        }
        guard !units.isEmpty else { throw .unitOrder(name: "") }
        return units
    }

    private func backend(_ configuration: GestureEngine.Configuration) -> Backend {
        configuration.advanced.backend ?? (model.manifest.precision == .int8 ? .int8 : .float)
    }

    /// Makes a unit that runs the model at the configuration's nominal rate.
    /// - Parameters:
    ///   - backend: nil takes the configuration's, or else the model's default.
    ///   - leastColumns: columns of a window before the first prediction, and with it.
    package func makeUnit(
        _ configuration: GestureEngine.Configuration, backend: Backend? = nil,
        leastColumns: Int = GestureTCN.windowLength
    ) throws(GestureEngineError) -> any NetworkUnit {
        try program(backend ?? self.backend(configuration), configuration).makeUnit(
            columnStride: frontEnd.columnStride(rate: configuration.rate.rawValue), leastColumns: leastColumns)
    }

    /// Makes the source of the units' input.
    func makeSource(
        _ configuration: GestureEngine.Configuration, keepsEmbedding: Bool = false, clock: StreamClock
    ) throws(GestureEngineError) -> ColumnSource {
        guard frontEnd == .landmarks else { return .pixels }
        return .landmarks(
            LandmarkSource(
                tracker: try makeTracker(configuration), graphs: try makeHandGraphs(configuration, clock: clock),
                // A recording has no use for them.
                arms: keepsEmbedding ? nil : try makeArms(configuration, clock: clock),
                gesturing: configuration.gesturingHand,
                heldPoses: configuration.heldPoses,
                userPoses: configuration.userGestures.flatMap(UserPoses.init), keepsEmbedding: keepsEmbedding,
                clock: clock))
    }

    /// Makes a stream of hands without gestures. It uses the configuration's `maximumHands` and `orientation`, and of
    /// its advanced part `hands` and `excludedTiers`.
    public func makeHandStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration()
    ) throws(GestureEngineError) -> HandStream {
        try GestureEngineError.checked(configuration.validate())
        return HandStream(
            tracker: try makeTracker(configuration), graphs: try makeHandGraphs(configuration, clock: .system))
    }

    private func makeTracker(_ configuration: GestureEngine.Configuration) throws(GestureEngineError) -> HandTracker {
        try GestureEngineError.checked(
            HandTracker(
                configuration: configuration.advanced.hands, maximumHands: configuration.maximumHands,
                orientation: configuration.orientation,
                kernels: KernelRegistry.select(excluding: configuration.advanced.excludedTiers).crop))
    }

    private func makeHandGraphs(
        _ configuration: GestureEngine.Configuration, clock: StreamClock
    ) throws(GestureEngineError) -> HandGraphs {
        HandGraphs(try handPlans(KernelRegistry.select(excluding: configuration.advanced.excludedTiers)), clock: clock)
    }

    /// What sees the arms; nil for an engine without them.
    private func makeArms(
        _ configuration: GestureEngine.Configuration, clock: StreamClock
    ) throws(GestureEngineError) -> ArmSource? {
        guard let arms else { return nil }
        let kernels = KernelRegistry.select(excluding: configuration.advanced.excludedTiers)
        let plans = try bodyPlans.value(for: kernels.tier) { () throws(GestureEngineError) in
            do throws(BodyPoseError) {
                return try BodyGraphs.Plans(arms, segmentation: false, kernels: kernels)
            } catch {
                throw .graph("\(error)")
            }
        }
        let tracking = ArmSource.tracking(configuration.orientation)
        let tracker = try GestureEngineError.checked(BodyTracker(configuration: tracking, kernels: kernels.crop))
        return ArmSource(tracker: tracker, graphs: BodyGraphs(plans, clock: clock), clock: clock)
    }

    /// The hand tracker's networks for a tier, packed on first use.
    private func handPlans(_ kernels: KernelTable) throws(GestureEngineError) -> HandGraphs.Plans {
        guard let hands else { throw .noHandModels }
        return try handPlans.value(for: kernels.tier) { () throws(GestureEngineError) in
            do throws(GraphError) {
                let poses = try hands.poses.map { poses throws(GraphError) in
                    HandGraphs.Plans.Poses(
                        embedder: try GraphPlan(poses.embedder, kernels: kernels),
                        classifier: try GraphPlan(poses.classifier, kernels: kernels))
                }
                return HandGraphs.Plans(
                    palms: try GraphPlan(hands.palms, kernels: kernels),
                    landmarks: try GraphPlan(hands.landmarks, kernels: kernels), poses: poses)
            } catch {
                switch error {
                case .unsupported(let value, let reason): throw .graph("\(value): \(reason)")
                case .tooLarge(let bytes, let limit): throw .graph("\(bytes) bytes, \(limit) are accepted")
                }
            }
        }
    }

    /// The packed model for a backend and a tier, made on first use.
    private func program(
        _ backend: Backend, _ configuration: GestureEngine.Configuration
    ) throws(GestureEngineError) -> NetworkProgram {
        let weights = model.weights
        let kernels = KernelRegistry.select(excluding: configuration.advanced.excludedTiers)
        let key = [backend.rawValue, kernels.tier].joined(separator: "/")
        do {
            return try programs.value(for: key) { () throws(NetworkError) in
                try NetworkProgram(weights, backend: backend, kernels: kernels)
            }
        } catch {
            throw .notQuantised
        }
    }
}
