package import ArgumentParser
import Clips
import Evaluation
package import FileOutput
import Foundation
import GestureEngine
import Platform
import Synchronization

/// Output and failures, the same for every subcommand.
package enum Terminal {
    /// The meanings of the exit statuses, for the help.
    package static let statuses = """
        Exit status: 0 done; 1 an input or an output was refused, or a check failed; 64 wrong usage; 65 a clip has fewer frames than it states; 74 text or a file \
        could not be written; 129, 130, 143 a signal (SIGHUP, SIGINT, SIGTERM) ended the work, whose outputs are complete so far; 141 the reader of a pipe went away.
        """

    /// The output of `--version`.
    package static let version = GestureEngine.version

    /// Runs `body`; an error becomes a sentence on standard error and an exit status, 1 unless the error has its own.
    package nonisolated(nonsending) static func reporting(
        _ tool: String, _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        do {
            try await body()
            clearProgress()
            if let signal = Interruption.received { throw ExitCode.interrupted(by: signal) }
        } catch let error as ExitCode {
            throw error
        } catch let error as ValidationError {
            throw error
        } catch ClipError.cancelled {
            throw Interruption.received.map(ExitCode.interrupted) ?? status(of: ClipError.cancelled, reportedBy: tool)
        } catch {
            throw status(of: error, reportedBy: tool)
        }
    }

    /// Runs a command from its arguments to its exit status. The argument parser itself does not notice when its help
    /// or its errors cannot be written; here they are written like all other text.
    ///
    /// To be called on the main thread, before anything has opened a descriptor.
    package static func run<Root: AsyncParsableCommand>(_ root: Root.Type) -> Never {
        prepareStreams()
        do throws(SystemError) {
            // Without them the concurrency library waits for a thread forever, and others trap.
            try ProcessResources.check(descriptors: 8, threads: 6)
        } catch {
            try? note(
                root.configuration.commandName ?? "",
                "The system's limits for this process are too low: \(SystemError.reason(error.code)).")
            exit(ExitCode.failure.rawValue)
        }
        Task { exit(await outcome(of: root).rawValue) }
        dispatchMain()
    }

    private static func outcome<Root: AsyncParsableCommand>(of root: Root.Type) async -> ExitCode {
        let tool = root.configuration.commandName ?? ""
        var status = ExitCode.success
        do {
            try checkArguments(of: root)
            var command = try root.parseAsRoot(PathText.arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            status = root.exitCode(for: error)
            var message = withoutFarGuess(root.fullMessage(for: error))
            if let meant = subcommand(of: root, meantBy: PathText.arguments.first ?? "") {
                let end = message.firstIndex(of: "\n") ?? message.endIndex
                message.insert(contentsOf: ". Did you mean '\(meant)'?", at: end)
            }
            do throws(OutputError) {
                if !message.isEmpty { try write(message + "\n", to: status == .success ? .output : .error) }
            } catch {
                status = Self.status(of: error, reportedBy: tool)
            }
        }
        if status == .success, let error = unwritten.withLock({ $0 }) {
            status = Self.status(of: error, reportedBy: tool)
        }
        // Some file systems report only here that they are full.
        if close(STDOUT_FILENO) != 0, errno != EINTR, status == .success {
            status = Self.status(of: Stream.output.failure(errno), reportedBy: tool)
        }
        return status
    }

    /// Refuses what the argument parser would answer with its help and status 0.
    private static func checkArguments<Root: ParsableCommand>(of root: Root.Type) throws {
        guard PathText.hasArguments else {
            throw ValidationError("The arguments of this program are not known: /proc is not mounted.")
        }
        let arguments = PathText.arguments
        guard let first = arguments.first else {
            throw ValidationError("A subcommand is missing; \(root.configuration.commandName ?? "") --help lists them.")
        }
        // The script of a shell's completion passes on unfinished words.
        guard first != "---completion" else { return }
        var isValue = false
        for argument in arguments.prefix(while: { $0 != "--" }) {
            if !isValue, isFile(argument) {
                throw ValidationError(
                    "\(visible(argument)) is read as options; write ./\(visible(argument)) for a file.")
            }
            isValue = argument == "-o"
        }
    }

    /// Whether an argument is the name of a file rather than an option. Options of one letter are -h and -o, and no
    /// option has a dot in its name.
    private static func isFile(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), !["-", "-h", "-o"].contains(argument), Double(argument) == nil else {
            return false
        }
        return argument.hasPrefix("--") ? argument.prefix { $0 != "=" }.contains(".") : !argument.hasPrefix("-o=")
    }

    /// A message of the argument parser without its guess at an option that has little in common with what was given.
    private static func withoutFarGuess(_ message: String) -> String {
        guard let guess = message.firstMatch(of: /Unknown option '-*([^']+)'(\. Did you mean '-*([^']+)'\?)/) else {
            return message
        }
        guard !isNear(String(guess.1), String(guess.3)) else { return message }
        return message.replacingCharacters(in: guess.2.startIndex..<guess.2.endIndex, with: ".")
    }

    /// Whether at most a third of the letters of a word have to change to make it another one.
    private static func isNear(_ word: String, _ other: String) -> Bool {
        distance(word, other) <= max(1, word.utf8.count / 3)
    }

    private static func distance(_ one: String, _ other: String) -> Int {
        editDistance(one.utf8.map(Int.init), other.utf8.map(Int.init))
    }

    /// The subcommand nearest to an unknown word; nil if more than a third of its letters differ.
    private static func subcommand<Root: ParsableCommand>(of root: Root.Type, meantBy word: String) -> String? {
        let names = root.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard !word.hasPrefix("-"), !names.contains(word) else { return nil }
        return names.min { distance(word, $0) < distance(word, $1) }.flatMap { isNear(word, $0) ? $0 : nil }
    }

    /// Writes a line to standard output.
    package static func print(_ text: String) throws(OutputError) { try write(text + "\n", to: .output) }

    /// Writes a line to standard error.
    package static func note(_ tool: String, _ text: String) throws(OutputError) {
        try write(TextStyle.bold.onErrors(tool + ":") + " " + text + "\n", to: .error)
    }

    /// As `notice`, for what the user should know before they use the results.
    package static func warn(_ tool: String, _ text: String) {
        notice(tool, TextStyle.yellow.onErrors("warning:") + " " + text)
    }

    /// As `note`, for callers that cannot throw: a failure to write the line shows in the command's exit status.
    package static func notice(_ tool: String, _ text: String) {
        do throws(OutputError) { try note(tool, text) } catch { unwritten.withLock { $0 = $0 ?? error } }
    }

    private static let unwritten = Mutex<OutputError?>(nil)

    /// Writes to standard error, a terminal, a line that the next text of any kind replaces. Its loss is no failure.
    static func showProgress(_ text: String) {
        isProgressShown.withLock { isShown in
            isShown = true
            let bytes = Array(("\r\u{1B}[K" + visible(text)).utf8)
            try? unsafe writeFully(bytes.span.bytes, to: STDERR_FILENO, Stream.error.rawValue)
        }
    }

    /// Removes that line.
    static func clearProgress() {
        isProgressShown.withLock { isShown in
            guard isShown else { return }
            isShown = false
            let bytes = Array("\r\u{1B}[K".utf8)
            try? unsafe writeFully(bytes.span.bytes, to: STDERR_FILENO, Stream.error.rawValue)
        }
    }

    private static let isProgressShown = Mutex(false)

    /// JSON of any value with sorted keys, for programs: on one line, or spread out.
    package static func json(_ value: some Encodable, spread: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if spread { encoder.outputFormatting.insert(.prettyPrinted) }
        return visibleJSON(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    private enum Stream: String {
        case output = "Standard output"
        case error = "Standard error"

        var descriptor: Int32 { self == .output ? STDOUT_FILENO : STDERR_FILENO }

        func failure(_ code: Int32) -> OutputError { .system(path: rawValue, code: code) }
    }

    /// Unbuffered: a failure to write is reported at once.
    private static func write(_ text: String, to stream: Stream) throws(OutputError) {
        clearProgress()
        let bytes = Array(text.utf8)
        try unsafe writeFully(bytes.span.bytes, to: stream.descriptor, stream.rawValue)
    }

    /// Reports an error, unless the reader of the output has gone.
    private static func status(of error: any Error, reportedBy tool: String) -> ExitCode {
        var status = ExitCode(ToolSupport.status(of: error))
        if let error = error as? OutputError, case .system = error {
            if error.isReaderGone { return .readerGone }
            status = .unwritable
        }
        do throws(OutputError) {
            try note(tool, visibleLines(sentence(for: error)))
            return status
        } catch {
            return error.isReaderGone ? status : .unwritable
        }
    }

    /// Turns the loss of a pipe's reader into an ordinary error, and occupies the numbers of closed streams: otherwise
    /// the next opened file, a model or an output, would become standard output.
    private static func prepareStreams() {
        _ = signal(SIGPIPE, SIG_IGN)
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // Allows neither reading nor writing. The descriptor gets the lowest free number, which is this one.
            _ = unsafe open("/", OpenFile.nameOnly)
        }
    }
}

extension ExitCode {
    /// Text or a file could not be written: EX_IOERR of sysexits.h.
    package static let unwritable = ExitCode(74)
    /// The reader of a pipe went away: the status that a shell reports for a program that SIGPIPE ended.
    package static let readerGone = ExitCode(128 + 13)

    /// A signal ended the work early: the status that a shell reports for such a program. The outputs so far are
    /// complete.
    static func interrupted(by signal: Int32) -> ExitCode { ExitCode(128 + signal) }
}
