import ArgumentParser
import BodyPose
import GestureEngine
import GestureHands
import GesturePixels
import Kernels
import ModelFile
import Network
import ToolSupport

/// Options that choose the model and how it runs.
struct ModelOptions: ParsableArguments {
    @Option(help: "A model made by gesture-import; the bundled one by default.")
    var model: String?

    @Option(help: "int8 or float; by default int8 for an int8 model.")
    var backend: Backend?

    @Option(help: "landmarks or pixels: what features are made of. By default landmarks, but for a model of pixels.")
    var frontEnd: FrontEnd?

    @Flag(
        help: "With landmarks, watch the arms of the body, too: finds strokes whose hand is too blurred to be tracked.")
    var arms = false

    @Option(help: ArgumentHelp("A kernel tier not to use; may be repeated.", valueName: "tier"))
    var excludeTier: [TierName] = []

    /// Rejects options of gestures together with bodies.
    func validate(besideBody body: Bool) throws {
        guard !body || model == nil && backend == nil && frontEnd == nil && !arms else {
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

    /// - Parameter defaultFrontEnd: the front end if neither the option nor the model states one.
    func makeEngine(defaultFrontEnd: FrontEnd = .pixels) throws -> GestureEngine {
        let file = try file()
        let frontEnd = frontEnd(of: file, otherwise: defaultFrontEnd)
        guard let model, let file else {
            return frontEnd == .landmarks ? try landmarks(.lite()) : try GestureEngine(pixels: .bundled)
        }
        return try naming(model) {
            switch frontEnd {
            case .landmarks: try landmarks(.lite(gestures: .file(path: model)))
            case .pixels: try GestureEngine(pixels: file)
            }
        }
    }

    private func landmarks(_ hands: HandModels) throws -> GestureEngine {
        try GestureEngine(hands: hands, arms: arms ? .full() : nil)
    }

    /// The defaults with these choices.
    var configuration: GestureEngine.Configuration {
        GestureEngine.Configuration(
            advanced: GestureEngine.Configuration.Advanced(
                backend: backend, excludedTiers: Set(excludeTier.map(\.name))))
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
