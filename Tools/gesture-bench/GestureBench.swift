import ArgumentParser
import Evaluation
import ToolSupport

/// Replays clips, times the engine and exports its logits.
@main
struct GestureBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gesture-bench",
        abstract: "Replay clips through the gesture engine, time it, and check its numbers.",
        discussion: Terminal.statuses,
        version: Terminal.version,
        groupedSubcommands: [
            CommandGroup(
                name: "Recognition",
                subcommands: [
                    ServeCommand.self, ReplayCommand.self, HandsCommand.self, BodyCommand.self, RepetitionsCommand.self,
                    EnrolCommand.self,
                ]),
            CommandGroup(
                name: "Accuracy", subcommands: [AccuracyCommand.self, EnrolmentCommand.self, PointerCommand.self]),
            CommandGroup(
                name: "Performance",
                subcommands: [
                    LatencyCommand.self, CompareCommand.self, LayersCommand.self, GraphCommand.self,
                    KernelsCommand.self, AllocationsCommand.self, LiveCommand.self, StreamsCommand.self,
                    SoakCommand.self, SimulateCommand.self,
                ]),
            CommandGroup(name: "Output", subcommands: [InferCommand.self, ResizeCommand.self, BackgroundCommand.self]),
        ])

    static func main() { Terminal.run(Self.self) }
}

/// Failures of a command besides those of its input files.
enum BenchFailure: Explained {
    /// A timed frame was not encoded.
    case notEncoded(frame: Int)
    /// A folder that does not exist or cannot be read.
    case noDirectory(String)
    /// No video with a label file beside it, and no folder with a `truth.csv`.
    case noLabelledClips(directory: String)
    /// No clip with a `truth.csv` beside it, and no folder with them.
    case noCountedClips(directory: String)
    /// Fewer than two folders of poses.
    case noPoses(directory: String)
    /// Every event of the clips is of a class that the model has.
    case noNewLabels(directory: String)
    /// A label file is invalid.
    case labels(path: String, ClipLabelsError)
    /// A `truth.csv` is invalid or does not fit its clip.
    case truth(path: String, ClipTruthError)
    /// Not exactly one clip lies beside a `truth.csv`.
    case clipsBesideTruth(directory: String, found: Int)
    /// A clip has another number of frames than its label file states.
    case labelledFrames(path: String, stated: Int, found: Int)
    /// This platform's allocations cannot be counted.
    case allocationsUncounted
    /// Frames allocated memory.
    case allocations(count: Int)
    /// A live run lost count of a frame.
    case countsDisagree
    /// A soak went beyond these of its limits.
    case soak([String])
    /// Live streams that were released have not ended.
    case streamsRemain
    /// A graph has only one form and no front end.
    case graphWithoutChoice
    /// Kernel calls are noted of graphs alone.
    /// A window needs more frames than the file has.
    case tooFewFrames(found: Int, needed: Int)
    /// Landmarks are timed on a recorded clip; none was given, and the package's was not found from the program's
    /// folder.
    case noDemoClip(program: String)
    /// A clip has no colour, which the palm detector needs.
    case noColor(String)
    /// Fewer than half of the frames show a hand, so that tracking cannot be timed.
    case fewHands(clip: String, frames: Int, of: Int)
    /// A clip without people has frames with a hand.
    case someHands(clip: String, frames: Int)
    /// Bodies are timed on a recorded clip, and none was given.
    case noBodyClip
    /// Fewer than half of the frames show the requested number of people.
    case fewPeople(clip: String, frames: Int, of: Int)
    /// A clip without people has frames with a person.
    case somePeople(clip: String, frames: Int)
    /// The system keeps no thread on this core.
    case notPinned(core: Int, reason: String)
    /// Two tiers gave different bytes.
    case tiersDisagree(String, String, layer: String)
    /// The tier that the engine picked is not the fastest.
    case slowerPick(picked: String, fastest: String)

    /// 65, `EX_DATAERR` of sysexits.h, for a clip that does not match its labels.
    var status: Int32 {
        switch self {
        case .labelledFrames: 65
        case .truth(_, let error): if case .beyondClip = error.fault { 65 } else { 1 }
        default: 1
        }
    }

    var sentence: String {
        switch self {
        case .graphWithoutChoice: "--backend and --front-end cannot be used with a graph."
        case .notEncoded(let frame): "Frame \(frame) of the timed stream was not encoded."
        case .noDirectory(let path): "\(visible(path)) is not a readable directory."
        case .noLabelledClips(let directory):
            "\(visible(directory)) has no labelled clips: it needs videos with label files beside them, or folders "
                + "with a truth.csv."
        case .noCountedClips(let directory):
            "\(visible(directory)) has no counted clips: it needs a clip and a truth.csv, or folders with them."
        case .noPoses(let directory):
            "\(visible(directory)) has nothing to tell apart: it needs a folder with images or clips for each of two or more "
                + "poses or movements."
        case .noNewLabels(let directory):
            "The model knows every label of \(visible(directory)); there is nothing to enrol."
        case .labels(let path, let error): "\(visible(path)) is not a valid label file: \(error.clause)."
        case .truth(let path, let error):
            "\(visible(path))\(error.line.map { ":\($0)" } ?? "") is not a valid truth file: \(error.clause)."
        case .clipsBesideTruth(let directory, let found):
            "\(visible(directory)) has \(found == 0 ? "no clip" : "\(found) clips") beside its truth.csv; "
                + "exactly one is needed."
        case .labelledFrames(let path, let stated, let found):
            "\(visible(path)) has \(grouped(found)) frames, and its label file states \(grouped(stated))."
        case .allocationsUncounted: "Heap allocations cannot be counted on this platform."
        case .allocations(let count): "Pushed frames made \(count) heap allocations."
        case .soak(let checks): "The soak failed: \(checks.joined(separator: "; "))."
        case .streamsRemain: "A finished stream's listeners have not ended after 30 seconds."
        case .countsDisagree: "The counts of the run do not add up."
        case .tooFewFrames(let found, let needed): "The input has \(found) frames; at least \(needed) are needed."
        case .noDemoClip(let program):
            "Landmarks are timed on a clip of a hand. The package's, \(DemoClip.path), was not found above "
                + "\(visible(program)) or the working directory. Give one with --clip, or choose --front-end pixels."
        case .noColor(let path): "\(visible(path)) has no colour, which hand tracking needs."
        case .fewHands(let clip, let frames, let count):
            "Only \(frames) of \(count) frames of \(visible(clip)) show a hand."
        case .someHands(let clip, let frames):
            "\(visible(clip)) shows a hand in \(frames) frames; --empty-scene needs a clip without hands."
        case .noBodyClip: "Bodies are timed on a clip or an image of a person. Give one with --clip."
        case .fewPeople(let clip, let frames, let count):
            "Only \(frames) of \(count) frames of \(visible(clip)) show a person."
        case .somePeople(let clip, let frames):
            "\(visible(clip)) shows a person in \(frames) frames; --empty-scene needs a clip without people."
        case .notPinned(let core, let reason): "The work cannot be kept on core \(core): \(reason)."
        case .tiersDisagree(let one, let other, let layer): "Tiers \(one) and \(other) disagree in layer \(layer)."
        case .slowerPick(let picked, let fastest): "The engine picks tier \(picked), but \(fastest) is faster here."
        }
    }
}
