import BundledWeights
import KernelInterface
import Kernels
package import ModelFile
package import Network
public import Recognition
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
    public func makeStream(_ configuration: Configuration = Configuration()) throws(GestureEngineError) -> GestureStream
    {
        try GestureStream(engine: self, configuration: configuration)
    }

    /// A stream whose frames may come from any thread and whose events are an `AsyncStream`.
    public func makeLiveStream(
        _ configuration: Configuration = Configuration()
    ) throws(GestureEngineError) -> LiveGestureStream {
        LiveGestureStream(try makeStream(configuration))
    }

    /// A unit that runs this model under a configuration.
    package func makeUnit(_ configuration: Configuration) throws(GestureEngineError) -> any ComputeUnit {
        let kernels = KernelRegistry.select(excluding: configuration.excludedTiers)
        let backend = configuration.backend ?? (manifest.precision == .int8 ? .int8 : .float)
        return try program(backend, kernels).makeUnit()
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
