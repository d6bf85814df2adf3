import ArgumentParser
import Foundation

@main
struct GestureImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gesture-import",
        abstract: "Makes gesture models of trained checkpoints, and looks into them.",
        discussion: "Exit status: 0 done, 1 the input was refused, 64 wrong usage.",
        subcommands: [ImportCommand.self, InspectCommand.self, EmbedCommand.self])
}
