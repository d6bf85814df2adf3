import ArgumentParser
import FileOutput
import Foundation
import GestureEngine
import Platform
import ToolSupport
import Vocabulary

/// Finds how many live streams this machine holds, and shows how more of them degrade.
struct StreamsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streams",
        abstract: "Find how many live streams this machine holds before deadlines are missed, and how they degrade.",
        discussion: """
            Each stream has a camera of its own, whose frames are those of a recorded clip, at times between those of the \
            others. Copying or resizing a frame as it is pushed takes time of the same cores. Streams are held while at most \
            --allowed of their frames are late, replaced or left out; late is a result after more than the time from one \
            frame to the next, or a frame that was pushed a quarter of that time after it was due. Then twice as many show \
            how they degrade. Streams of gestures have the default schedule, which halves the pace under load. For a number \
            of cores: taskset -c 0,1 gesture-bench streams. Other programs take time, too: the load average of the machine \
            is printed.
            """)

    @Option(help: "landmarks, pixels or bodies; may be repeated. By default all.") var kind: [StreamKind] = []
    @Option(help: "Frames a second of each camera, 30, 60 or 120; may be repeated. By default all.")
    var rate: [Int] = []
    @Option(help: "Seconds that each number of streams is fed, 0.2...600.") var seconds = 3.0
    @Option(help: "The most streams that are tried, 1...4096.") var most = 512
    @Option(help: "Try this number of streams alone, 1...4096.") var count: Int?
    @Option(help: "The share of frames that may be missed, 0...1.") var allowed = 0.01
    @Option(help: "Measure the memory of this many streams of each kind, 1...4096, instead of a rate.") var idle: Int?
    @Option(help: "A clip that shows a hand; by default \(DemoClip.path).") var clip: String?
    @Option(help: "A clip that shows a person; by default \(DemoClip.bodyPath).") var bodyClip: String?
    @OptionGroup var clips: ClipOptions
    @Option(help: ArgumentHelp("Write the tables as Markdown here.", valueName: "file")) var markdown: String?
    @Option(help: "A text that names the build in the Markdown file, such as a commit.") var revision: String?
    @Flag(help: "One JSON object instead of tables.") var json = false

    func validate() throws {
        if let wrong = rate.first(where: { PacingConfiguration.Rate(rawValue: $0) == nil }) {
            throw ValidationError("--rate must be 30, 60 or 120, not \(wrong)")
        }
        guard (0.2...600).contains(seconds) else {
            throw ValidationError("--seconds must be from 0.2 to 600, not \(seconds)")
        }
        for (name, value) in [("--most", most), ("--count", count ?? 1), ("--idle", idle ?? 1)] {
            guard (1...4096).contains(value) else {
                throw ValidationError("\(name) must be from 1 to 4096, not \(value)")
            }
        }
        guard (0...1).contains(allowed) else { throw ValidationError("--allowed must be from 0 to 1, not \(allowed)") }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        let target = try markdown.map { try OutputTarget($0, besides: InputFiles([clip, bodyClip].compactMap { $0 })) }
        let frames = try await StreamFrames(clip, bodyClip: bodyClip, clips)
        Interruption.listen()
        let search = StreamSearch(
            kinds: kind.isEmpty ? StreamKind.allCases : kind,
            rates: rate.isEmpty ? PacingConfiguration.Rate.allCases : rate.compactMap { .init(rawValue: $0) },
            seconds: seconds, most: most, count: count, allowed: allowed, idle: idle, revision: revision)
        let report = try await onOwnThread { try search.run(frames, StreamEngines()) }
        try target?.write(Array((report.markdown + "\n").utf8))
        try Terminal.print(json ? try Terminal.json(report) : report.text)
    }
}

/// What the command measures.
private struct StreamSearch {
    let kinds: [StreamKind]
    let rates: [PacingConfiguration.Rate]
    let seconds: Double
    let most: Int
    let count: Int?
    let allowed: Double
    let idle: Int?
    let revision: String?

    func run(_ frames: StreamFrames, _ engines: StreamEngines) throws -> StreamsReport {
        var report = StreamsReport(allowed: allowed, revision: revision)
        if let idle {
            report.memory = try kinds.compactMap { try StreamMemory.measure(idle, $0, frames, engines) }
            return report
        }
        for kind in kinds {
            for rate in rates where !Interruption.hasCome {
                func trial(_ streams: Int) throws -> StreamTrial {
                    try StreamTrial.run(streams, kind, rate: rate, seconds: seconds, frames, engines)
                }
                if let count {
                    report.trials.append(try trial(count))
                } else {
                    report.held.append(try hold(trial))
                }
            }
        }
        return report
    }

    /// Doubles the number of streams until they are not held, and then halves the distance.
    private func hold(_ trial: (Int) throws -> StreamTrial) throws -> StreamsReport.Held {
        var (held, beyond): (StreamTrial?, StreamTrial?) = (nil, nil)
        var next = 1
        while !Interruption.hasCome {
            let tried = try trial(next)
            if tried.missedShare <= allowed { held = tried } else { beyond = tried }
            let low = held?.streams ?? 0
            guard let high = beyond?.streams else {
                guard low < most else { break }
                next = min(most, 2 * low)
                continue
            }
            // A sixteenth is nearer than two trials agree.
            guard high - low > max(1, low / 16) else { break }
            next = (low + high) / 2
        }
        let doubled = try held.map { try trial(2 * $0.streams) }
        return StreamsReport.Held(held: held, beyond: beyond, doubled: doubled)
    }
}
