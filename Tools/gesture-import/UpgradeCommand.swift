import ArgumentParser
import FileOutput
import ModelFile
import ToolSupport
import WeightImport

struct UpgradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Writes a model of format version 1 as version 2: with a hash of its content.",
        discussion: """
            The weights and everything else in the file stay as they are. Whether they are what was once written \
            cannot be known of version 1; where the checkpoint is at hand, import it again instead.
            """)

    @Argument(help: "A model of format version 1.")
    var model: String

    @Option(name: .shortAndLong, help: "The model to write; it may be the same file.")
    var output: String

    func run() async throws {
        try await Terminal.reporting("gesture-import") {
            // The output may be the model itself: the model is read completely before the new one replaces it in one
            // step.
            let target = try OutputTarget(output, besides: InputFiles())
            let bytes = try naming(model) {
                try ModelUpgrade.bytes(of: SafetensorsFile.load(path: model, limit: ModelFile.sizeLimit))
            }
            try target.write(bytes)
        }
    }
}
