import ArgumentParser
import Evaluation
import Foundation
import Platform
import ToolSupport

/// Options of commands that time frames.
struct TimingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Time frames for so long instead of a number of them, 0.1...3600.", valueName: "seconds"))
    var duration: Double?
    @Option(help: ArgumentHelp("The core to time on, counted from 0; only on Linux.", valueName: "core"))
    var pin: Int?
    @Flag(help: "Print one JSON object instead of a table.") var json = false
    @Flag(help: "Print comma-separated values instead of a table.") var csv = false
    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard duration.map((0.1...3600).contains) ?? true else {
            throw ValidationError("--duration must be from 0.1 to 3600 seconds")
        }
        guard pin.map({ $0 >= 0 }) ?? true else { throw ValidationError("--pin must not be negative") }
        guard !(json && csv) else { throw ValidationError("--json and --csv cannot be used together.") }
    }

    /// Keeps the calling thread on the chosen core. What follows must not await, or it may go on in another thread.
    func pinThread() throws(BenchFailure) {
        guard let pin else { return }
        do throws(SystemError) { try CurrentThread.pin(to: pin) } catch {
            throw .notPinned(core: pin, reason: SystemError.reason(error.code))
        }
    }

    /// The arguments that repeat these.
    var repeating: [String] {
        (duration.map { ["--duration", "\($0)"] } ?? []) + (pin.map { ["--pin", "\($0)"] } ?? [])
    }

    /// A loop over `frames` frames, or for `duration`.
    func loop(_ title: String, frames: Int) -> TimingLoop {
        let work = duration ?? Double(frames)
        return TimingLoop(
            frames: duration == nil ? frames : Self.maximumFrames, duration: duration,
            progress: progress.progress(title, total: work, unit: duration == nil ? "frames" : ""))
    }

    /// Samples are kept in memory.
    static let maximumFrames = 1_000_000

    /// Prints a report in the chosen form, and then warns of a noisy machine.
    func show(_ report: some TimingReport) throws {
        if json {
            try Terminal.print(try Terminal.json(report))
        } else {
            try Terminal.print(csv ? LatencyStage.csv(report.stages) : report.table)
        }
        if report.conditions.noise.is_noisy {
            Terminal.warn("gesture-bench", report.conditions.noise.sentence + " Times may be too long.")
        }
    }
}

/// A report of times that can be printed in several forms.
protocol TimingReport: Encodable {
    var conditions: TimingConditions { get }
    var stages: [LatencyStage] { get }
    /// For people.
    var table: String { get }
}

/// A report that also becomes a page.
protocol PagedReport: TimingReport {
    /// What was measured, and on what.
    var heading: String { get }
    /// What the page says of this measurement besides its memory.
    var ownFacts: [(name: String, value: String)] { get }
    /// The same as a sentence of the table.
    var remark: String { get }
    var allocations_per_frame: Double? { get }
    var peak_rss_bytes: Int { get }
}

extension PagedReport {
    private var allocations: String { allocations_per_frame.map { decimals($0, 2) } ?? "not counted here" }
    private var peak: String { "\(peak_rss_bytes / 1_048_576) MiB" }

    var facts: [(name: String, value: String)] {
        ownFacts + [("heap allocations a frame", allocations), ("peak resident", peak)]
    }

    /// The first of the stages is the whole step.
    var table: String {
        """
        \(heading)
        \(LatencyStage.table(stages))
        \(conditions.deadlineSentence(steps: stages[0].times.n))
        \(remark)
        heap allocations a frame: \(allocations); peak resident: \(peak)
        \(conditions.noise.sentence)
        """
    }
}

extension LatencyStage {
    /// One line per stage, in microseconds.
    static func table(_ stages: [LatencyStage]) -> String {
        var table = TextTable([("microseconds", .left)] + columns.map { ($0, .right) })
        for stage in stages { table.add([stage.title] + stage.cells()) }
        return table.lines.joined(separator: "\n")
    }
}

/// Decides when timed frames end: after a number of them, after a time, or when a signal comes. Between the frames it
/// measures the noise of the machine.
struct TimingLoop {
    private let frames: Int
    private let duration: Double?
    private let progress: WorkProgress
    private var begin: UInt64 = 0
    private var end: UInt64 = 0
    private var switches: Int?
    private var loop: [Int64] = []
    private var sum: UInt64 = 0
    /// Timed frames so far.
    private(set) var count = 0

    init(frames: Int, duration: Double?, progress: WorkProgress) {
        (self.frames, self.duration, self.progress) = (frames, duration, progress)
        loop.reserveCapacity(Self.loopSamples)
    }

    private static let loopSamples = 100_000
    private static let loopInterval = 4

    /// Whether another frame is timed.
    mutating func goesOn() -> Bool {
        let now = Stopwatch.now()
        if count == 0 {
            begin = now
            switches = ProcessSwitches.involuntary
        }
        end = now
        let elapsed = seconds
        let isDone = count >= frames || duration.map { elapsed >= $0 } ?? false
        guard !isDone, !Interruption.hasCome else {
            progress.finish()
            return false
        }
        if count.isMultiple(of: Self.loopInterval), loop.count < Self.loopSamples {
            let start = Stopwatch.now()
            sum &+= Self.multiplications(from: now)
            loop.append(Int64(Stopwatch.now() - start))
        }
        progress.update(duration == nil ? Double(count) : elapsed)
        count += 1
        return true
    }

    /// Of the timed frames together with what lies between them.
    var seconds: Double { Double(end - begin) / 1e9 }

    var noise: MachineNoise {
        let taken = switches.flatMap { before in ProcessSwitches.involuntary.map { $0 - before } }
        return MachineNoise(loop: loop, switches: taken, seconds: seconds)
    }

    /// Each needs the result of the one before it. Takes some 20 microseconds.
    @inline(never)
    private static func multiplications(from seed: UInt64) -> UInt64 {
        var value = seed
        for _ in 0..<10_000 { value = (value ^ value >> 29) &* 0xBF58_476D_1CE4_E5B9 }
        return value
    }
}

extension TimingConditions {
    /// Those of a loop whose steps have the interval of so many frames a second.
    init(options: [String], cores: Int, pinnedCore: Int?, _ loop: TimingLoop, steps: LatencySamples, rate: Int) {
        let deadline = Duration.nanoseconds(1_000_000_000 / rate)
        self.init(
            options: options, cores: cores, pinnedCore: pinnedCore, seconds: loop.seconds, deadline: deadline,
            misses: steps.misses(of: deadline), noise: loop.noise)
    }
}
