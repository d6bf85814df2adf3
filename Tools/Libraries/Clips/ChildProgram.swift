import Platform
import Subprocess

#if !Commands
    #error("the commands need the trait Commands: Tools/build enables it")
#endif

/// Another program, run without a shell. Its output is processed as it arrives, its messages are kept within bounds at
/// the same time, and it is killed if it makes no progress for too long, if this process is interrupted
/// (`Interruption`), or if this process ends in any way.
package struct ChildProgram: Sendable {
    /// The result of a run.
    package struct Outcome {
        /// Nil if a signal ended the program.
        package var exitCode: Int32?
        var messages: MessageLog
        /// Whether the end of the output was reached.
        var isFinished: Bool
        /// The error of the output's consumer.
        var interruption: (any Error)?

        /// The program's messages, within bounds.
        package var messageLines: [String] { messages.lines }
    }

    /// The name by which a program opens its standard input as a file. It has neither an extension nor a pattern, so
    /// that only the content determines the format, and the input is seekable like any file.
    static let standardInput = "file:/dev/fd/0"

    /// The program's name in the search path, or its path if it has a slash.
    var name: String
    /// The longest wait for output.
    var stallLimit: Duration

    package init(name: String, stallLimit: Duration) {
        self.name = name
        self.stallLimit = stallLimit
    }

    /// Runs the program without input and collects its output.
    /// - Parameter endsOnInterruption: whether an interruption of this process ends the program.
    package nonisolated(nonsending) func collect(
        _ arguments: [String], endsOnInterruption: Bool = true
    ) async throws(ClipError) -> (outcome: Outcome, output: [UInt8]) {
        var output: [UInt8] = []
        let outcome = try await launch(
            arguments, input: .none, endsOnInterruption: endsOnInterruption
        ) { piece in
            unsafe piece.withUnsafeBytes { unsafe output += $0 }
            return true
        }
        return (outcome, output)
    }

    /// Runs the program.
    /// - Parameters:
    ///   - path: a regular file that is the program's standard input; the system alone interprets the path. Nil for
    ///     none.
    ///   - take: receives the output in pieces; returns whether it wants more. If not, or if it throws, the program is
    ///     killed.
    nonisolated(nonsending) func run(
        _ arguments: [String], on path: String?,
        take: nonisolated(nonsending) (SubprocessOutputSequence.Buffer) async throws -> Bool
    ) async throws(ClipError) -> Outcome {
        guard let path else { return try await launch(arguments, input: .none, take: take) }
        let file: ByteFile
        do throws(ByteFile.Failure) {
            file = try ByteFile(reading: path)
        } catch {
            throw .cannotOpen(path: path, code: error.code)
        }
        // Another file may have replaced the file since it was examined.
        guard case .regular = file.kind else { throw .notRegular(path: path) }
        return try await run(arguments, reading: file, path: path, take: take)
    }

    /// The same for an open file.
    /// - Parameter path: for errors.
    nonisolated(nonsending) func run(
        _ arguments: [String], reading file: borrowing ByteFile, path: String,
        take: nonisolated(nonsending) (SubprocessOutputSequence.Buffer) async throws -> Bool
    ) async throws(ClipError) -> Outcome {
        guard let input = Self.input(file.descriptor, FileDescriptorInput.fileDescriptor(_:closeAfterSpawningProcess:))
        else { throw .notRegular(path: path) }
        return try await launch(arguments, input: input, take: take)
    }

    /// Generic because the module of the descriptor type of `make` belongs to a package of Subprocess alone.
    private static func input<Descriptor: RawRepresentable<Int32>>(
        _ number: Int32, _ make: (Descriptor, _ closes: Bool) -> FileDescriptorInput
    ) -> FileDescriptorInput? {
        Descriptor(rawValue: number).map { make($0, false) }
    }

    /// Runs the program with the reading end of a pipe as its standard input. Its output is ignored.
    /// - Parameters:
    ///   - descriptor: of the reading end.
    ///   - watch: watches the pipe's writer.
    ///   - started: called once the program has the reading end, or did not start.
    nonisolated(nonsending) func run(
        _ arguments: [String], fedBy descriptor: Int32, watch: StallWatch, started: () -> Void
    ) async throws(ClipError) -> Outcome {
        defer { started() }
        guard let input = Self.input(descriptor, FileDescriptorInput.fileDescriptor(_:closeAfterSpawningProcess:))
        else { throw .notRegular(path: name) }
        // What it writes is completed with the frames that came before an interruption.
        return try await launch(
            arguments, input: input, fedUnder: watch, endsOnInterruption: false, started: started
        ) { _ in true }
    }

    /// - Parameter feedWatch: watches the writer of the program's input; nil if the program is watched by its output.
    private nonisolated(nonsending) func launch(
        _ arguments: [String], input: some InputProtocol, fedUnder feedWatch: StallWatch? = nil,
        endsOnInterruption: Bool = true, started: () -> Void = {},
        take: nonisolated(nonsending) (SubprocessOutputSequence.Buffer) async throws -> Bool
    ) async throws(ClipError) -> Outcome {
        var isFinished = false
        var interruption: (any Error)?
        let isFed = feedWatch != nil
        let watch = feedWatch ?? StallWatch(limit: stallLimit)
        let outcome: Outcome
        do throws(SystemError) {
            // The package that runs programs traps or waits forever where these run out.
            try ProcessResources.check(descriptors: 16, threads: 6)
        } catch {
            throw .programFailed(name, reason: SystemError.reason(error.code))
        }
        do {
            var options = PlatformOptions()
            // Its own process group: this process passes on interruptions from the terminal, and kills what the program
            // has started as well.
            options.processGroupID = 0
            let (executable, opening) = try await boundToThisProcess()
            // As bytes, because a path need not be UTF-8; Subprocess takes them with their zero.
            let words = (opening + arguments).map { PathText.bytes($0) + [0] }
            let result = try await Subprocess.run(
                executable, arguments: Arguments(words), platformOptions: options, input: input,
                output: .sequence, error: .sequence
            ) { execution in
                started()
                async let messages = Self.messages(of: execution.standardError)
                // A program that has already ended cannot be signalled, and need not be.
                async let _ = watch.watch { try? execution.send(signal: .kill, toProcessGroup: true) }
                async let _ = Self.onInterruption {
                    if endsOnInterruption { try? execution.send(signal: .kill, toProcessGroup: true) }
                }
                do {
                    var pieces = execution.standardOutput.makeAsyncIterator()
                    while !isFinished {
                        if !isFed { watch.begin() }
                        let piece = try await pieces.next(isolation: #isolation)
                        if !isFed { watch.end() }
                        guard let piece else {
                            isFinished = true
                            break
                        }
                        guard try await take(piece) else { break }
                    }
                } catch {
                    interruption = error
                }
                // Nothing gentler: a program that is asked to end would first write its remaining output, into a pipe
                // that is no longer read.
                if !isFinished { try? execution.send(signal: .kill, toProcessGroup: true) }
                if !isFed { watch.begin() }
                return await messages
            }
            var code: Int32?
            if case .exited(let status) = result.terminationStatus { code = status }
            // The output of a program that was killed for an interruption ends anywhere.
            if code == nil, endsOnInterruption, Interruption.hasCome { isFinished = false }
            outcome = Outcome(
                exitCode: code, messages: result.closureResult, isFinished: isFinished, interruption: interruption)
        } catch let error as SubprocessError {
            guard error.code == .executableNotFound else { throw .programFailed(name, reason: error.description) }
            throw .programMissing(name)
        } catch {
            throw .programFailed(name, reason: String(describing: error))
        }
        guard !watch.hasExpired else { throw .stalled(program: name, limit: stallLimit) }
        return outcome
    }

    /// The program, started so that the system kills it when this process ends, however that happens, and the arguments
    /// before its own. Subprocess starts all programs from one thread, which lives as long as the process. Where the
    /// system has no such starter, the program ends when it next uses a closed pipe.
    private nonisolated(nonsending) func boundToThisProcess() async throws(SubprocessError) -> (Executable, [String]) {
        let program = name.contains("/") ? Self.executable(name, Executable.path) : .name(name)
        guard let starter = ProcessResources.starterOfBoundPrograms else { return (program, []) }
        let path = "\(try await program.resolveExecutablePath(in: Environment.inherit))"
        // Otherwise the reason for not running it would be the starter's.
        guard ProcessResources.isExecutable(path) else { return (program, []) }
        return (Self.executable(starter.path, Executable.path), starter.arguments + [path])
    }

    /// Generic for the same reason as `input`.
    private static func executable<Path: ExpressibleByStringLiteral>(
        _ path: String, _ make: (Path) -> Executable
    ) -> Executable where Path.StringLiteralType == String {
        make(Path(stringLiteral: path))
    }

    /// Waits for an interruption of this process, until the task is cancelled.
    private static func onInterruption(_ stop: () -> Void) async {
        while !Interruption.hasCome {
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
        }
        stop()
    }

    private static func messages(of output: SubprocessOutputSequence) async -> MessageLog {
        var log = MessageLog()
        do {
            for try await piece in output { log.take(piece.bytes) }
            log.finish()
        } catch {
            log.add(String(describing: error))
        }
        return log
    }
}
