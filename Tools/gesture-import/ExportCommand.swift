import ArgumentParser
import FileOutput
import Foundation
import ModelFile
import Network
import ToolSupport
import WeightImport

struct ExportCommand: AsyncParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case safetensors, onnx
    }

    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes a model for other programs.",
        discussion: """
            safetensors: a checkpoint that import takes, float32, with labels, activation scales and recognition defaults. \
            onnx: a model that computes the logits of every step. Its input is `images` ([T, 1, 224, 224], luma 0 to 1) or \
            `columns` ([T, 128], 0 to 6), its output `logits` ([T, classes]). An int8 model's weights are dequantised, and \
            its activations are not rounded.
            """)

    @Argument(help: "A model.")
    var model: String

    @Option(help: "safetensors or onnx. Default: by the output's extension.")
    var format: Format?

    @Option(name: .shortAndLong, help: "The file to write.")
    var output: String

    func validate() throws {
        guard format ?? Format(rawValue: URL(fileURLWithPath: output).pathExtension) != nil else {
            throw ValidationError("Give --format, or an output that ends in .safetensors or .onnx.")
        }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-import") {
            let target = try OutputTarget(output, besides: InputFiles([model]))
            let bytes = try naming(model) {
                let file = try ModelFile.load(path: model)
                let weights = try NetworkWeights(model: file)
                return switch format ?? Format(rawValue: URL(fileURLWithPath: output).pathExtension) ?? .safetensors {
                case .safetensors: try ModelExport.safetensors(file, weights)
                case .onnx: ModelExport.onnx(file, weights)
                }
            }
            try target.write(bytes)
        }
    }
}
