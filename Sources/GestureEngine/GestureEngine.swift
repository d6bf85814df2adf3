import BundledWeights
import Enrolment
import HandTracking
import KernelInterface
import Kernels
package import ModelFile
public import Network
import Platform
public import Recognition
public import Scheduling
public import Streams
public import Vocabulary

/// A loaded model, ready to recognise gestures in any number of streams.
///
/// Weights are packed once for each backend that is used and shared by all streams. Make streams from any thread.
public final class GestureEngine: Sendable {
    /// Where a model comes from.
    public enum Source: Sendable {
        /// The model that is part of this package.
        case bundled
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
    /// The model of one front end.
    package struct Model: Sendable {
        package let manifest: ModelManifest
        package let weights: NetworkWeights

        /// The thresholds of the model's file, in slots of a grid of this rate.
        func recognition(at rate: PacingConfiguration.Rate) -> RecognitionConfiguration {
            let post = manifest.postProcessing
            func slots(_ extent: RecognitionExtent) -> Int {
                extent.slots(at: rate.rawValue, columnRate: weights.frontEnd.columnRate)
            }
            let end = slots(post.end)
            return RecognitionConfiguration(
                medianLength: post.median.oddSlots(at: rate.rawValue, columnRate: weights.frontEnd.columnRate),
                beginFrames: slots(post.begin), beginConfidence: post.beginConfidence, endFrames: end,
                unsureEndFrames: max(end, slots(post.unsureEnd)),
                returnTime: .milliseconds(post.returnMilliseconds),
                returnStrokes: Dictionary(
                    uniqueKeysWithValues: post.returnStrokes.map { (.label($0.key), .label($0.value)) }),
                onceTime: .milliseconds(post.onceMilliseconds),
                overrides: Dictionary(
                    uniqueKeysWithValues: post.classConfidence.map {
                        (.label($0.key), RecognitionConfiguration.Override(beginConfidence: $0.value))
                    }))
        }
    }

    /// The front end of a stream whose configuration names none: landmarks if the engine has hand models, else pixels.
    public let defaultFrontEnd: FrontEnd
    private let defaultModel: Model
    /// One model for each available front end.
    private let models: [FrontEnd: Model]
    private let hands: HandModels?
    /// Packed models by front end, backend and tier.
    private let programs = Locked<[String: NetworkProgram]>([:])
    /// Packed networks of the hand tracker by tier.
    private let handPlans = Locked<[String: HandGraphs.Plans]>([:])
    /// Made on first use, because this reads every weight.
    let basesOfEnrolment = Locked<[FrontEnd: EnrolmentBase]>([:])

    /// Loads and checks a model.
    /// - Parameters:
    ///   - source: a model of either front end. Beside `hands`, a pixel model serves streams that ask for `.pixels` or
    ///     step down to pixels; a landmark model replaces the temporal layers in `hands`.
    ///   - hands: the networks of the landmark front end; required for a landmark model.
    public convenience init(_ source: Source = .bundled, hands: HandModels? = nil) throws(GestureEngineError) {
        try self.init(model: Self.load(source), hands: hands)
    }

    /// Makes an engine from a loaded model.
    package init(model: ModelFile, hands: HandModels? = nil) throws(GestureEngineError) {
        let weights: NetworkWeights
        do {
            weights = try NetworkWeights(model: model)
        } catch {
            throw .model(error)
        }
        let main = Model(manifest: model.manifest, weights: weights)
        var models = [weights.frontEnd: main]
        if weights.frontEnd == .landmarks {
            guard hands != nil else { throw .noHandModels }
        } else if let hands {
            let own = hands.gestures.manifest
            guard own.labels == model.manifest.labels, own.nullIndex == model.manifest.nullIndex else {
                throw .handLabels(pixels: model.manifest.labels, landmarks: own.labels)
            }
            models[.landmarks] = Model(manifest: own, weights: hands.weights)
        }
        self.models = models
        self.hands = hands
        defaultFrontEnd = hands == nil ? .pixels : .landmarks
        labels = model.manifest.labels
        nullIndex = model.manifest.nullIndex
        defaultModel = models[defaultFrontEnd] ?? main
    }

    /// The thresholds of `defaultFrontEnd`'s model, in slots of a grid of this rate. A stream whose configuration has
    /// no thresholds takes those for its own rate.
    ///
    /// Milliseconds in the model's file become the nearest number of slots, so they last equally long at every rate.
    /// The same holds for counts in a landmark model, whose columns are at 30 Hz. Counts in a pixel model are slots at
    /// any rate, because it has one column per slot.
    public func defaultRecognition(at rate: PacingConfiguration.Rate) -> RecognitionConfiguration {
        defaultModel.recognition(at: rate)
    }

    /// The front end that a stream begins with: the configuration's, else that of the first named unit, else the
    /// default.
    func frontEnd(
        of configuration: GestureEngine.Configuration, adding units: [any ComputeUnit] = []
    ) throws(GestureEngineError) -> FrontEnd {
        let named = configuration.units?.first.flatMap { Self.frontEnd(ofUnit: $0, among: units) }
        let frontEnd = configuration.frontEnd ?? named ?? defaultFrontEnd
        guard models[frontEnd] != nil else { throw frontEnd == .landmarks ? .noHandModels : .noPixelModel }
        return frontEnd
    }

    /// The front end of the unit of this name, among `added` and then the engine's own; nil if there is no such unit.
    private static func frontEnd(ofUnit name: String, among added: [any ComputeUnit]) -> FrontEnd? {
        if let unit = added.first(where: { $0.name == name }) { return unit.frontEnd }
        if name == FrontEnd.landmarks.rawValue { return .landmarks }
        return Backend(rawValue: name).map { _ in .pixels }
    }

    /// The model of a front end; nil means the default front end.
    package func model(_ frontEnd: FrontEnd? = nil) throws(GestureEngineError) -> Model {
        let frontEnd = frontEnd ?? defaultFrontEnd
        guard let model = models[frontEnd] else { throw frontEnd == .landmarks ? .noHandModels : .noPixelModel }
        return model
    }

    static func load(_ source: Source) throws(GestureEngineError) -> ModelFile {
        do throws(ModelFileError) {
            switch source {
            case .bundled: return try ModelFile(embedded: BundledWeights.model)
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
    ///   `configuration.units`, and nothing else may use them meanwhile.
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
        try GestureStream(
            engine: self, configuration: configuration, frontEnds: makeFrontEnds(configuration, adding: units),
            clock: clock)
    }

    /// Makes a stream that takes frames from any thread and gives its events as an `AsyncStream`.
    /// - Parameters:
    ///   - sensors: sensors of heat and battery for the schedule, read about once a second. With nil the schedule knows
    ///     only what `LiveGestureStream.update` tells it.
    ///   - units: as for `makeStream`.
    public func makeLiveStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(), sensors: DeviceSensors? = .system,
        adding units: sending [any ComputeUnit] = []
    ) throws(GestureEngineError) -> LiveGestureStream {
        try makeLiveStream(configuration, sensors: sensors, adding: units, clock: .system)
    }

    package func makeLiveStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(), sensors: DeviceSensors?,
        adding units: sending [any ComputeUnit] = [], clock: StreamClock
    ) throws(GestureEngineError) -> LiveGestureStream {
        let made = try makeFrontEnds(configuration, adding: units)
        let intake = try StreamIntake(
            configuration: configuration, scheduling: configuration.scheduling ?? SchedulingConfiguration(),
            source: made.frontEnd, copyingFrames: made[0].frontEnd == .landmarks, clock: clock)
        let inference = try StreamInference(
            engine: self, configuration: configuration, frontEnds: made, clock: clock)
        return try LiveGestureStream(intake: intake, inference: inference, sensors: sensors, clock: clock)
    }

    /// The front ends of a stream: one, or landmarks and pixels if the stream may change between them.
    private func makeFrontEnds(
        _ configuration: GestureEngine.Configuration, adding added: [any ComputeUnit]
    ) throws(GestureEngineError) -> [FrontEndUnits] {
        try GestureEngineError.checked(configuration.validate())
        let first = try frontEnd(of: configuration, adding: added)
        let hasGestures = configuration.userGestures.map { !$0.labels.isEmpty } ?? false
        let chooses =
            configuration.frontEnd == nil && configuration.units == nil && models.count > 1 && !hasGestures
        var made: [FrontEndUnits] = []
        for frontEnd in chooses ? [.landmarks, .pixels] : [first] {
            let units = try makeUnits(frontEnd, configuration, adding: added)
            made.append(FrontEndUnits(source: try makeSource(frontEnd, configuration), units: units))
        }
        return made
    }

    /// The units of a front end, the preferred one first.
    private func makeUnits(
        _ frontEnd: FrontEnd, _ configuration: GestureEngine.Configuration, adding added: [any ComputeUnit]
    ) throws(GestureEngineError) -> [any ComputeUnit] {
        let own = frontEnd == .landmarks ? frontEnd.rawValue : try backend(.pixels, configuration).rawValue
        let order = configuration.units ?? [own] + added.filter { $0.frontEnd == frontEnd }.map(\.name)
        var units: [any ComputeUnit] = []
        for name in order {
            guard !units.contains(where: { $0.name == name }),
                Self.frontEnd(ofUnit: name, among: added) == frontEnd
            else { throw .unitOrder(name: name) }
            if let unit = added.first(where: { $0.name == name }) {
                guard unit.classCount == labels.count else {
                    throw .unitClasses(name: name, required: labels.count, found: unit.classCount)
                }
                units.append(unit)
            } else {
                units.append(try makeUnit(configuration, frontEnd: frontEnd, backend: Backend(rawValue: name)))
            }
        }
        guard !units.isEmpty else { throw .unitOrder(name: "") }
        return units
    }

    private func backend(
        _ frontEnd: FrontEnd, _ configuration: GestureEngine.Configuration
    ) throws(GestureEngineError) -> Backend {
        let isInt8 = try model(frontEnd).manifest.precision == .int8
        return configuration.backend ?? (isInt8 ? .int8 : .float)
    }

    /// Makes a unit that runs the model of a front end, at the configuration's nominal rate.
    /// - Parameter backend: nil takes the configuration's, or else the model's default.
    package func makeUnit(
        _ configuration: GestureEngine.Configuration, frontEnd: FrontEnd = .pixels, backend: Backend? = nil
    ) throws(GestureEngineError) -> any NetworkUnit {
        let used = if let backend { backend } else { try self.backend(frontEnd, configuration) }
        return try program(frontEnd, used, configuration).makeUnit(
            columnStride: frontEnd.columnStride(rate: configuration.pacing.nominalRate.rawValue))
    }

    /// Makes the source of input for a front end's units.
    func makeSource(
        _ frontEnd: FrontEnd, _ configuration: GestureEngine.Configuration, keepsEmbedding: Bool = false
    ) throws(GestureEngineError) -> ColumnSource {
        guard frontEnd == .landmarks else { return .pixels }
        return .landmarks(
            LandmarkSource(
                tracker: try makeTracker(configuration), graphs: try makeHandGraphs(configuration),
                gesturing: configuration.gesturingHand, heldPoses: configuration.heldPoses,
                userPoses: configuration.userGestures.flatMap(UserPoses.init), keepsEmbedding: keepsEmbedding,
                clock: .system))
    }

    /// Makes a stream of hands without gestures. It uses `configuration.hands`, the geometry's orientation and the
    /// excluded tiers.
    public func makeHandTracker(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration()
    ) throws(GestureEngineError) -> HandStream {
        HandStream(tracker: try makeTracker(configuration), graphs: try makeHandGraphs(configuration))
    }

    private func makeTracker(_ configuration: GestureEngine.Configuration) throws(GestureEngineError) -> HandTracker {
        var tracking = configuration.hands
        tracking.orientation = configuration.geometry.orientation
        return try GestureEngineError.checked(
            HandTracker(
                configuration: tracking, kernels: KernelRegistry.select(excluding: configuration.excludedTiers).crop))
    }

    private func makeHandGraphs(_ configuration: GestureEngine.Configuration) throws(GestureEngineError) -> HandGraphs {
        HandGraphs(
            try handPlans(KernelRegistry.select(excluding: configuration.excludedTiers)), clock: .system)
    }

    /// The hand tracker's networks for a tier, packed on first use.
    private func handPlans(_ kernels: KernelTable) throws(GestureEngineError) -> HandGraphs.Plans {
        guard let hands else { throw .noHandModels }
        return try handPlans.withLock { plans throws(GestureEngineError) in
            if let made = plans[kernels.tier] { return made }
            do throws(GraphError) {
                let poses = try hands.poses.map { poses throws(GraphError) in
                    HandGraphs.Plans.Poses(
                        embedder: try GraphPlan(poses.embedder, kernels: kernels),
                        classifier: try GraphPlan(poses.classifier, kernels: kernels))
                }
                let made = HandGraphs.Plans(
                    palms: try GraphPlan(hands.palms, kernels: kernels),
                    landmarks: try GraphPlan(hands.landmarks, kernels: kernels), poses: poses)
                plans[kernels.tier] = made
                return made
            } catch {
                switch error {
                case .unsupported(let value, let reason): throw .graph("\(value): \(reason)")
                case .tooLarge(let bytes, let limit): throw .graph("\(bytes) bytes, \(limit) are accepted")
                }
            }
        }
    }

    /// The packed model for a front end, a backend and a tier, made on first use.
    private func program(
        _ frontEnd: FrontEnd, _ backend: Backend, _ configuration: GestureEngine.Configuration
    ) throws(GestureEngineError) -> NetworkProgram {
        let weights = try model(frontEnd).weights
        let kernels = KernelRegistry.select(excluding: configuration.excludedTiers)
        let key = [frontEnd.rawValue, backend.rawValue, kernels.tier].joined(separator: "/")
        do {
            return try programs.withLock { programs throws(NetworkError) in
                if let program = programs[key] { return program }
                let program = try NetworkProgram(weights, backend: backend, kernels: kernels)
                programs[key] = program
                return program
            }
        } catch {
            throw .notQuantised
        }
    }
}
