import ArgumentParser
import EmbeddedSource
import FileOutput
import ModelFile
import Network
import PixelFrontEnd
import ToolSupport

struct EmbedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "embed",
        abstract: "Writes a model as Swift source, for a program that carries it inside.",
        discussion: """
            The source declares 'package enum NAME { package static let model: StaticString }'; give that to \
            GestureEngine(pixels: .embedded(NAME.model)). The program then needs no file beside it.
            """)

    @Argument(help: "A model made by gesture-import.")
    var model: String

    @Option(help: "Name of the enum.")
    var name = "EmbeddedModel"

    @Option(help: "The Swift file to write.")
    var output: String

    func validate() throws {
        let isIdentifier = name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0.isASCIIAlphanumeric }
        guard isIdentifier, let first = name.utf8.first, !(48...57).contains(first) else {
            throw ValidationError(
                "--name must have letters, digits and underscores only, and must not begin with a digit.")
        }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-import") {
            let target = try OutputTarget(output, besides: InputFiles([model]))
            let file = try naming(model) {
                let file = try ModelFile.load(path: model)
                _ = try NetworkWeights(model: file)
                return file
            }
            let source = EmbeddedSource.text(
                of: file.file.bytes, as: "package static let model: StaticString", in: "package enum \(name)",
                comment: [
                    "Written by 'gesture-import embed': a model of \(file.file.bytes.count) bytes with SHA-256",
                    "\(SHA256.hexadecimal(of: file.file.bytes)).",
                ])
            try target.write([UInt8](source.utf8))
        }
    }
}

extension UInt8 {
    fileprivate var isASCIIAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
