import Platform
import Subprocess

/// A program of FFmpeg's, run without a shell. Its output is taken as it comes, its messages are kept within bounds at the
/// same time, and it is killed when it gives nothing for too long.
struct DecodingTool: Sendable {
    /// How a run went.
    struct Outcome {
        /// Nil when a signal ended the program.
        var exitCode: Int32?
        var messages: MessageLog
        /// Whether the end of the output was reached.
        var isFinished: Bool
        /// What the taker of the output threw.
        var interruption: (any Error)?
    }

    /// What a program is to call the file that it gets as standard input. The name has neither an ending nor a pattern, so
    /// that only the content says what the file is, and it can be searched like any other.
    static let standardInput = "file:/dev/fd/0"

    /// Found in the search path.
    var name: String
    /// Longest wait for output.
    var stallLimit: Duration

    /// Runs the program.
    /// - Parameters:
    ///   - path: a regular file that the program gets as standard input, opened by the system's rules; nil for none.
    ///   - known: messages that need not be kept.
    ///   - take: gets the output in pieces; returns whether it wants more. If not, and if it throws, the program is killed.
    nonisolated(nonsending) func run(
        _ arguments: [String], on path: String?, known: Set<String> = [],
        take: nonisolated(nonsending) (SubprocessOutputSequence.Buffer) async throws -> Bool
    ) async throws(ClipError) -> Outcome {
        guard let path else { return try await launch(arguments, input: .none, known, take: take) }
        let file: ByteFile
        do throws(ByteFile.Failure) {
            file = try ByteFile(reading: path)
        } catch {
            throw .cannotOpen(path: path, code: error.code)
        }
        // Something else may have taken the file's place since it was looked at.
        guard case .regular = file.kind else { throw .notRegular(path: path) }
        return try await run(arguments, reading: file, path: path, known: known, take: take)
    }

    /// The same with a file that is open.
    /// - Parameter path: for errors.
    nonisolated(nonsending) func run(
        _ arguments: [String], reading file: borrowing ByteFile, path: String, known: Set<String> = [],
        take: nonisolated(nonsending) (SubprocessOutputSequence.Buffer) async throws -> Bool
    ) async throws(ClipError) -> Outcome {
        guard let input = Self.input(file.descriptor, FileDescriptorInput.fileDescriptor(_:closeAfterSpawningProcess:))
        else { throw .notRegular(path: path) }
        return try await launch(arguments, input: input, known, take: take)
    }

    /// Generic because the module of the type of descriptors that `make` takes belongs to a package of Subprocess alone.
    private static func input<Descriptor: RawRepresentable<Int32>>(
        _ number: Int32, _ make: (Descriptor, _ closes: Bool) -> FileDescriptorInput
    ) -> FileDescriptorInput? {
        Descriptor(rawValue: number).map { make($0, false) }
    }

    private nonisolated(nonsending) func launch(
        _ arguments: [String], input: some InputProtocol, _ known: Set<String>,
        take: nonisolated(nonsending) (SubprocessOutputSequence.Buffer) async throws -> Bool
    ) async throws(ClipError) -> Outcome {
        var isFinished = false
        var interruption: (any Error)?
        let watch = StallWatch(limit: stallLimit)
        let outcome: Outcome
        do {
            var options = PlatformOptions()
            // A group of its own: an interruption from the terminal is this process's to pass on.
            options.processGroupID = 0
            let result = try await Subprocess.run(
                .name(name), arguments: Arguments(arguments), platformOptions: options, input: input, output: .sequence,
                error: .sequence
            ) { execution in
                async let messages = Self.messages(of: execution.standardError, known)
                // A program that has ended by itself cannot be signalled, and need not be.
                async let _ = watch.watch { try? execution.send(signal: .kill) }
                do {
                    var pieces = execution.standardOutput.makeAsyncIterator()
                    while !isFinished {
                        watch.begin()
                        let piece = try await pieces.next(isolation: #isolation)
                        watch.end()
                        guard let piece else {
                            isFinished = true
                            break
                        }
                        guard try await take(piece) else { break }
                    }
                } catch {
                    interruption = error
                }
                // Nothing gentler: a program that is asked to end first wants to write what it has, into a pipe that
                // nobody reads.
                if !isFinished { try? execution.send(signal: .kill) }
                watch.begin()
                return await messages
            }
            var code: Int32?
            if case .exited(let status) = result.terminationStatus { code = status }
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

    private static func messages(of output: SubprocessOutputSequence, _ known: Set<String>) async -> MessageLog {
        var log = MessageLog(known: known)
        do {
            for try await piece in output { log.take(piece.bytes) }
            log.finish()
        } catch {
            log.add(String(describing: error))
        }
        return log
    }
}
