import ArgumentParser

/// Replays clips, times the engine and opens its logits to others.
@main
struct GestureBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gesture-bench",
        abstract: "Replay clips through the gesture engine, time it, and check its numbers.",
        subcommands: [ReplayCommand.self, InferCommand.self, LatencyCommand.self, AccuracyCommand.self])
}

/// What can go wrong in a command besides its input.
enum BenchFailure: Error {
    /// A timed frame was not encoded.
    case notEncoded(frame: Int)
    /// No video with a label file beside it.
    case noLabelledClips(directory: String)
    /// A window needs more frames than the file has.
    case tooFewFrames(found: Int, needed: Int)
}
