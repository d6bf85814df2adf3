import BundledWeights
import Enrolment
import KernelInterface
import Kernels
package import ModelFile
public import Network
public import Recognition
import Scheduling
public import Sensors
import Synchronization

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
    /// Which of them means "no gesture".
    public let nullIndex: Int
    /// The thresholds the model was made for.
    public let defaultRecognition: RecognitionConfiguration

    package let manifest: ModelManifest
    package let weights: NetworkWeights
    /// Backend and tier to the model packed for them.
    private let programs = Mutex<[String: NetworkProgram]>([:])
    /// Made when it is first asked for, as it reads every weight.
    let baseOfEnrolment = Mutex<EnrolmentBase?>(nil)

    /// Loads and checks a model.
    public init(_ source: Source = .bundled) throws(GestureEngineError) {
        let model = try Self.load(source)
        do {
            weights = try NetworkWeights(model: model)
        } catch {
            throw .model(error)
        }
        manifest = model.manifest
        labels = manifest.labels
        nullIndex = manifest.nullIndex
        let post = manifest.postProcessing
        defaultRecognition = RecognitionConfiguration(
            medianLength: post.medianFrames, beginFrames: post.beginFrames, beginConfidence: post.beginConfidence,
            endFrames: post.endFrames,
            unsureEndFrames: max(post.endFrames, RecognitionConfiguration().unsureEndFrames))
    }

    private static func load(_ source: Source) throws(GestureEngineError) -> ModelFile {
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

    /// A stream of its own state over this engine's model, fed from one thread.
    /// - Parameter units: compute units of the app's own, which the stream uses by `configuration.units` and nobody else
    ///   may.
    public func makeStream(
        _ configuration: Configuration = Configuration(), adding units: [any ComputeUnit] = []
    ) throws(GestureEngineError) -> GestureStream {
        try makeStream(configuration, adding: units, clock: .system)
    }

    package func makeStream(
        _ configuration: Configuration = Configuration(), adding units: [any ComputeUnit] = [], clock: StreamClock
    ) throws(GestureEngineError) -> GestureStream {
        try GestureStream(
            engine: self, configuration: configuration, units: makeUnits(configuration, adding: units), clock: clock)
    }

    /// A stream whose frames may come from any thread and whose events are an `AsyncStream`.
    /// - Parameters:
    ///   - sensors: what the schedule knows of heat and battery, read about once a second; nil is nothing, unless
    ///     `LiveGestureStream.update` tells it.
    ///   - units: as for `makeStream`.
    public func makeLiveStream(
        _ configuration: Configuration = Configuration(), sensors: DeviceSensors? = .system,
        adding units: sending [any ComputeUnit] = []
    ) throws(GestureEngineError) -> LiveGestureStream {
        try makeLiveStream(configuration, sensors: sensors, adding: units, clock: .system)
    }

    package func makeLiveStream(
        _ configuration: Configuration = Configuration(), sensors: DeviceSensors?,
        adding units: sending [any ComputeUnit] = [], clock: StreamClock
    ) throws(GestureEngineError) -> LiveGestureStream {
        let intake = try StreamIntake(
            configuration: configuration, scheduling: configuration.scheduling ?? SchedulingConfiguration(),
            clock: clock)
        let inference = try StreamInference(
            engine: self, configuration: configuration, units: makeUnits(configuration, adding: units), clock: clock)
        return try LiveGestureStream(intake: intake, inference: inference, sensors: sensors, clock: clock)
    }

    /// The units of a stream in their order.
    private func makeUnits(
        _ configuration: Configuration, adding added: [any ComputeUnit]
    ) throws(GestureEngineError) -> [any ComputeUnit] {
        let order = configuration.units ?? [backend(configuration).rawValue] + added.map(\.name)
        var units: [any ComputeUnit] = []
        for name in order {
            guard !units.contains(where: { $0.name == name }) else { throw .unitOrder(name: name) }
            if let unit = added.first(where: { $0.name == name }) {
                guard unit.classCount == labels.count else {
                    throw .unitClasses(name: name, required: labels.count, found: unit.classCount)
                }
                units.append(unit)
            } else if let backend = Backend(rawValue: name) {
                units.append(try makeUnit(backend, configuration))
            } else {
                throw .unitOrder(name: name)
            }
        }
        guard !units.isEmpty else { throw .unitOrder(name: "") }
        return units
    }

    private func backend(_ configuration: Configuration) -> Backend {
        configuration.backend ?? (manifest.precision == .int8 ? .int8 : .float)
    }

    /// A unit that runs this model under a configuration.
    package func makeUnit(_ configuration: Configuration) throws(GestureEngineError) -> any NetworkUnit {
        try makeUnit(backend(configuration), configuration)
    }

    private func makeUnit(
        _ backend: Backend, _ configuration: Configuration
    ) throws(GestureEngineError) -> any NetworkUnit {
        try program(backend, KernelRegistry.select(excluding: configuration.excludedTiers)).makeUnit()
    }

    /// The packed model for a backend and tier, made when it is first asked for.
    private func program(_ backend: Backend, _ kernels: KernelTable) throws(GestureEngineError) -> NetworkProgram {
        let key = backend.rawValue + "/" + kernels.tier
        do {
            return try programs.withLock { programs throws(NetworkError) in
                if let program = programs[key] { return program }
                let program = try NetworkProgram(weights, backend: backend, kernels: kernels)
                programs[key] = program
                return program
            }
        } catch {
            throw .network(error)
        }
    }
}
