import ArgumentParser
package import Clips
package import Foundation
import Platform
import Synchronization

/// Options of every command that reads clips.
package struct ClipOptions: ParsableArguments {
    @Flag(help: "Take clips that are cut off or damaged as they are, with a note.")
    package var allowMissingFrames = false
    @Option(
        name: .customLong("stall-limit"),
        help: ArgumentHelp(
            "Seconds for which ffmpeg may give or take nothing before it is ended, 1...86400.", valueName: "seconds"))
    private var stallSeconds = 120

    @Option(
        help: ArgumentHelp(
            "Frames a second of what has no times: images, and video streams without a container.", valueName: "rate"))
    private var inputRate: FrameRate?

    package init() {}

    package func validate() throws {
        guard (1...86_400).contains(stallSeconds) else {
            throw ValidationError("--stall-limit must be from 1 to 86400 seconds, not \(stallSeconds).")
        }
    }

    /// The longest wait for a program that reads or writes video.
    package var stallLimit: Duration { .seconds(stallSeconds) }

    /// Opens clips with these options; notices about readable clips go to standard error, each once.
    /// - Parameter listsFramesFirst: whether the command needs the number of frames before it reads the first.
    package func source(for tool: String, listsFramesFirst: Bool = true) -> ClipSource {
        let reported = ReportedNotices()
        var source = ClipSource(statedRate: inputRate, allowsMissingFrames: allowMissingFrames) { notice in
            if reported.insert(notice) { Terminal.notice(tool, notice.sentence) }
        }
        source.stallLimit = stallLimit
        source.listsFramesFirst = listsFramesFirst
        return source
    }
}

extension FrameRate: ExpressibleByArgument {
    /// `30`, `29.97` or `30000/1001`.
    public init?(argument: String) { self.init(text: argument) }
}

/// Commands that read a clip twice get each notice twice.
private final class ReportedNotices: Sendable {
    private let notices = Mutex<Set<ClipNotice>>([])

    /// - Returns: whether the notice is new.
    func insert(_ notice: ClipNotice) -> Bool { notices.withLock { $0.insert(notice).inserted } }
}

/// The URL of a path as the system resolves it. `URL(fileURLWithPath:)` removes `link/..` from a relative path,
/// whatever the link's target.
package func fileURL(_ path: String) -> URL {
    URL(fileURLWithPath: path.hasPrefix("/") ? path : PathText.currentDirectory + "/" + path)
}
