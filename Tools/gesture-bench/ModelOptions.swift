import ArgumentParser
import GestureEngine
import Network

/// Options that choose what runs.
struct ModelOptions: ParsableArguments {
    @Option(help: "A model made by gesture-import; the bundled one by default.")
    var model: String?

    @Option(help: "int8 or float; by default int8 for an int8 model.")
    var backend: Backend?

    @Option(help: ArgumentHelp("A kernel tier not to use; may be repeated.", valueName: "tier"))
    var excludeTier: [String] = []

    func makeEngine() throws -> GestureEngine {
        try GestureEngine(model.map { .file(path: $0) } ?? .bundled)
    }

    /// The defaults with these choices.
    var configuration: Configuration {
        Configuration(backend: backend, excludedTiers: Set(excludeTier))
    }
}
