import Subprocess

/// A file that the `ffmpeg` program decodes, and the times of its frames.
///
/// The file is gone through twice: once by `ffprobe`, which says when each frame is shown and prints no pixels, and once by
/// `ffmpeg`, which prints the pixels and cannot say when. Both leave out and repeat nothing, so frame n of one is frame n of
/// the other; clips of a variable rate and GIFs keep their times.
struct DecodingProgram: Sendable {
    /// Lines of a program's messages that an error keeps.
    private static let keptLines = 8

    var info: ClipInfo
    private var ffmpeg: String
    private var arguments: [String]
    /// Since the first frame, rising. 8 bytes a frame are all that is kept of a clip.
    private var times: [Int64]
    private var period: Int64

    private init(info: ClipInfo, ffmpeg: String, arguments: [String], times: [Int64], period: Int64) {
        self.info = info
        self.ffmpeg = ffmpeg
        self.arguments = arguments
        self.times = times
        self.period = period
    }

    /// Asks what the file is and when its frames are.
    /// - Parameters:
    ///   - path: what errors are to name.
    ///   - input: what the program is to open; must not look like an option or a protocol.
    ///   - options: the program's options for that input.
    static func probe(
        path: String, input: String, options: [String], source: ClipSource
    ) async throws(ClipError) -> DecodingProgram {
        let arguments =
            ["-hide_banner", "-v", "error"] + options + [
                "-select_streams", "V:0", "-show_entries",
                "frame=best_effort_timestamp:stream=width,height,time_base,avg_frame_rate,r_frame_rate"
                    + ":stream_side_data=rotation:format=format_name",
                "-of", "default=noprint_wrappers=1", "-i", input,
            ]
        var report = ProbeReport()
        let outcome = try await run(source.ffprobe, arguments) { output in
            for try await line in output.strings() { report.take(line) }
            return true
        }
        guard !Task.isCancelled else { throw .cancelled }
        let messages = outcome.messages
        guard outcome.status.isSuccess else {
            throw .notDecodable(path: path, status: outcome.status.exitCode, messages: messages)
        }
        if let interruption = outcome.interruption {
            throw .programFailed(source.ffprobe, reason: String(describing: interruption))
        }
        guard let (width, height) = report.size, report.tick != nil else {
            throw .noVideo(path: path, messages: messages)
        }
        guard !report.timestamps.isEmpty else { throw .empty(path: path, messages: messages) }
        let rate = report.rate ?? .thirty
        let period = rate.period.wholeNanoseconds
        let times = report.times(rate: rate)
        let info = ClipInfo(
            path: path, decoder: .ffmpeg(container: report.container), width: width, height: height, rate: report.rate,
            frameCount: times.count, duration: .nanoseconds(times.last ?? 0) + .nanoseconds(period))
        return DecodingProgram(
            info: info, ffmpeg: source.ffmpeg, arguments: decoding(input, options), times: times, period: period)
    }

    private static func decoding(_ input: String, _ options: [String]) -> [String] {
        ["-hide_banner", "-nostdin", "-v", "error"] + options + [
            "-i", input, "-map", "0:V:0", "-an", "-sn", "-dn",
            // Whatever the file's range is, it comes out as video range, which the header then states.
            "-vf", "scale=out_range=tv,format=yuv420p", "-fps_mode", "passthrough", "-f", "yuv4mpegpipe", "pipe:1",
        ]
    }

    /// See `Clip.forEachFrame`.
    nonisolated(nonsending) func forEachFrame(
        _ body: nonisolated(nonsending) (borrowing ClipFrame) async throws -> Bool
    ) async throws -> Int {
        var seen = 0
        let outcome = try await Self.run(ffmpeg, arguments) { output in
            var stream = Y4MStream()
            for try await chunk in output {
                var offset = 0
                while try consume(chunk.bytes, from: &offset, &stream) {
                    try Task.checkCancellation()
                    let index = stream.frameCount - 1
                    let goesOn = try await stream.lend(index: index, time: time(ofFrame: index), to: body)
                    seen += 1
                    guard goesOn else { return false }
                }
            }
            try finish(stream)
            return true
        }
        if outcome.interruption == nil, outcome.isFinished { try Task.checkCancellation() }
        let failure = ClipError.notDecodable(
            path: info.path, status: outcome.status.exitCode, messages: outcome.messages)
        if let interruption = outcome.interruption {
            // A stream that ends in the middle is the program's failure rather than the reader's, if it admits one.
            guard case ClipError.y4m = interruption, let code = outcome.status.exitCode, code != 0 else {
                throw interruption
            }
            throw failure
        }
        guard outcome.isFinished else { return seen }
        guard outcome.status.isSuccess else { throw failure }
        guard seen > 0 else { throw ClipError.empty(path: info.path, messages: outcome.messages) }
        return seen
    }

    /// A frame that the first pass did not announce follows the one before at the stated rate.
    private func time(ofFrame index: Int) -> Duration {
        guard index >= times.count else { return .nanoseconds(times[index]) }
        let extra = Int64(index - times.count + 1).multipliedReportingOverflow(by: period)
        return .nanoseconds(times.last ?? 0) + .nanoseconds(extra.overflow ? 0 : extra.partialValue)
    }

    private func consume(_ bytes: RawSpan, from offset: inout Int, _ stream: inout Y4MStream) throws(ClipError) -> Bool
    {
        do throws(Y4MError) {
            return try stream.consume(bytes, from: &offset)
        } catch {
            throw .y4m(path: info.path, error)
        }
    }

    private func finish(_ stream: borrowing Y4MStream) throws(ClipError) {
        // Nothing at all is not a broken stream: the program says why.
        guard stream.header != nil else { return }
        do throws(Y4MError) {
            try stream.finish()
        } catch {
            throw .y4m(path: info.path, error)
        }
    }

    /// How a program's run went.
    private struct Outcome {
        var status: TerminationStatus
        var messages: [String]
        /// Whether `read` saw the end of the output.
        var isFinished: Bool
        /// What `read` threw.
        var interruption: (any Error)?
    }

    /// Runs a program without a shell and reads its output as it comes, and its messages at the same time.
    /// - Parameter read: returns whether it has seen all it wants; if not, and if it throws, the program is killed.
    private nonisolated(nonsending) static func run(
        _ program: String, _ arguments: [String],
        read: nonisolated(nonsending) (SubprocessOutputSequence) async throws -> Bool
    ) async throws(ClipError) -> Outcome {
        var isFinished = false
        var interruption: (any Error)?
        do {
            let result = try await Subprocess.run(
                .name(program), arguments: Arguments(arguments), input: .none, output: .sequence, error: .sequence
            ) { execution in
                async let messages = lastLines(of: execution.standardError)
                do {
                    isFinished = try await read(execution.standardOutput)
                } catch {
                    interruption = error
                }
                if !isFinished {
                    // Nothing gentler: a program that is asked to end first wants to write what it has, into a pipe that
                    // nobody reads. One that has ended by itself cannot be signalled, and need not be.
                    try? execution.send(signal: .kill)
                }
                return await messages
            }
            return Outcome(
                status: result.terminationStatus, messages: result.closureResult, isFinished: isFinished,
                interruption: interruption)
        } catch let error as SubprocessError {
            guard error.code == .executableNotFound else { throw .programFailed(program, reason: error.description) }
            throw .programMissing(program)
        } catch {
            throw .programFailed(program, reason: String(describing: error))
        }
    }

    private static func lastLines(of messages: SubprocessOutputSequence) async -> [String] {
        var kept: [String] = []
        do {
            for try await line in messages.strings() where !line.isEmpty {
                if kept.count == keptLines { kept.removeFirst() }
                kept.append(line)
            }
        } catch {
            kept.append(String(describing: error))
        }
        return kept
    }
}

extension TerminationStatus {
    /// Nil when a signal ended the program.
    fileprivate var exitCode: Int32? {
        guard case .exited(let code) = self else { return nil }
        return code
    }
}
