import EmbeddedSource
import FileOutput
import Foundation

/// What the build plugin `EmbedNetworks` runs: `embed-networks palm-detection-lite.safetensors SOURCE` writes the source of
/// `EmbeddedNetworks.palmDetectionLite`.
@main
struct EmbedNetworks {
    static func main() throws {
        guard CommandLine.arguments.count == 3 else {
            fatalError("usage: embed-networks NETWORK SOURCE")
        }
        let network = URL(fileURLWithPath: CommandLine.arguments[1])
        let words = network.deletingPathExtension().lastPathComponent.split(separator: "-")
        let name = words[0] + words.dropFirst().map(\.capitalized).joined()
        let source = try EmbeddedSource.text(
            of: [UInt8](Data(contentsOf: network)), as: "package static let \(name): StaticString",
            in: "extension EmbeddedNetworks", comment: ["Written by 'embed-networks'."])
        try OutputTarget(CommandLine.arguments[2]).write([UInt8](source.utf8))
    }
}
