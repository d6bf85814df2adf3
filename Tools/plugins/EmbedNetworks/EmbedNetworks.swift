import Foundation
import PackagePlugin

/// Runs `embed-networks` while `GesturePixels` and `GestureHandsEmbedded` are built: a source for each of their networks, in the
/// build folder. They are a third longer than their networks and say nothing new, so the repository does not have them.
@main
struct EmbedNetworks: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let weights = context.package.directoryURL.appending(path: "Weights")
        let files =
            target.name == "GesturePixels"
            ? [weights.appending(path: "gesture-tcn-int8.safetensors")]
            : try FileManager.default.contentsOfDirectory(
                at: weights.appending(path: "hands"), includingPropertiesForKeys: nil)
        let tool = try context.tool(named: "embed-networks").url
        return files.filter { $0.pathExtension == "safetensors" }.map { network in
            let name = network.deletingPathExtension().lastPathComponent
            let source = context.pluginWorkDirectoryURL.appending(path: name + ".swift")
            return .buildCommand(
                displayName: "Embedding \(network.lastPathComponent)", executable: tool,
                arguments: [network.path(percentEncoded: false), source.path(percentEncoded: false)],
                inputFiles: [network], outputFiles: [source])
        }
    }
}
