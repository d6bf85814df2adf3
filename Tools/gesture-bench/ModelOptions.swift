import ArgumentParser
import BodyPose
import GestureEngine
import GestureHands
import GesturePixels
import Kernels
import ModelFile
import Network
import PixelFrontEnd
import ToolSupport

/// Options that choose the model and how it runs.
struct ModelOptions: ParsableArguments {
    @Option(help: "A model made by gesture-import; the bundled one by default.")
    var model: String?

    @Option(help: "int8 or float, of a pixel network; by default int8 for an int8 model.")
    var backend: Backend?

    @Option(help: "landmarks or pixels: what features are made of. By default landmarks, but for a model of pixels.")
    var frontEnd: FrontEnd?

    @Flag(
        inversion: .prefixedNo,
        help: """
            With landmarks, watch the arms of the body, too: finds strokes whose hand is too blurred to be tracked. By \
            default where gestures are recognised, and not where hands are timed or taught.
            """)
    var arms: Bool?

    @Option(help: ArgumentHelp("A kernel tier not to use; may be repeated.", valueName: "tier"))
    var excludeTier: [TierName] = []

    /// Rejects options of gestures together with bodies.
    func validate(besideBody body: Bool) throws {
        guard !body || model == nil && backend == nil && frontEnd == nil && arms == nil else {
            throw ValidationError("--model, --backend, --front-end and --arms cannot be used with --body.")
        }
    }

    /// The files that are read.
    var files: [String] { model.map { [$0] } ?? [] }

    /// The model's file, if one is given.
    func file() throws -> ModelFile? {
        try model.map { path in try naming(path) { try ModelFile.load(path: path) } }
    }

    /// The front end of the option, or else of the model's file.
    /// - Parameter otherwise: the front end if neither states one.
    func frontEnd(of file: ModelFile?, otherwise: FrontEnd) -> FrontEnd {
        frontEnd ?? file.flatMap { FrontEnd(networkName: $0.manifest.network) } ?? otherwise
    }

    /// - Parameters:
    ///   - defaultFrontEnd: the front end if neither the option nor the model states one.
    ///   - watchesArms: whether streams of landmarks watch the arms, unless an option says otherwise.
    func makeEngine(defaultFrontEnd: FrontEnd = .pixels, watchesArms: Bool = false) throws -> GestureEngine {
        let file = try file()
        let frontEnd = frontEnd(of: file, otherwise: defaultFrontEnd)
        guard frontEnd == .landmarks || arms != true else {
            throw ValidationError("--arms cannot be used with the pixel front end.")
        }
        let bodies = frontEnd == .landmarks ? try bodies(watchesArms: watchesArms) : nil
        guard let model, let file else {
            return frontEnd == .landmarks
                ? try GestureEngine(hands: .lite(), arms: bodies) : try GestureEngine(pixels: .bundled)
        }
        return try naming(model) {
            switch frontEnd {
            case .landmarks: try GestureEngine(hands: .lite(gestures: .file(path: model)), arms: bodies)
            case .pixels: try GestureEngine(pixels: file)
            }
        }
    }

    /// The networks of arms. A program that was shipped without them watches the hand alone, unless an option asks for them.
    private func bodies(watchesArms: Bool) throws -> BodyModels? {
        guard arms ?? watchesArms else { return nil }
        do throws(EngineError) {
            return try .full()
        } catch {
            guard arms == nil, case .resourcesMissing = error else { throw error }
            Terminal.warn(
                "gesture-bench", "The body networks are missing, so arms are not watched, as with --no-arms.")
            return nil
        }
    }

    /// The defaults with these choices.
    var configuration: GestureEngine.Configuration {
        GestureEngine.Configuration(
            advanced: GestureEngine.Configuration.Advanced(excludedTiers: Set(excludeTier.map(\.name))))
    }

    /// Makes a synchronous stream; with pixels in the chosen backend.
    func makeStream(_ engine: GestureEngine, _ configuration: GestureEngine.Configuration) throws -> GestureStream {
        guard engine.frontEnd == .pixels else { return try engine.makeStream(configuration) }
        return try engine.makeStream(configuration, pixels: PixelConfiguration(backend: backend))
    }
}

/// A kernel tier of this build, whether or not this CPU can run it.
struct TierName: ExpressibleByArgument {
    let name: String

    init?(argument: String) {
        guard KernelRegistry.names.contains(argument) else { return nil }
        name = argument
    }

    static var allValueStrings: [String] { KernelRegistry.names }
}
