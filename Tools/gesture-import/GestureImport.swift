import ArgumentParser
import ToolSupport

@main
struct GestureImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gesture-import",
        abstract: "Makes gesture models of trained checkpoints, and looks into them.",
        discussion: Terminal.statuses,
        version: Terminal.version,
        subcommands: [
            ImportCommand.self, VerifyCommand.self, DiffCommand.self, ExportCommand.self, GraphCommand.self,
            RunCommand.self, InspectCommand.self, EmbedCommand.self, SettingsCommand.self,
        ])

    static func main() { Terminal.run(Self.self) }
}
