import Platform
import Subprocess

/// An FFmpeg program, run without a shell. Its output is processed as it arrives, its messages are kept within bounds
/// at the same time, and it is killed if it produces no output for too long.
struct DecodingTool: Sendable {
    /// The result of a run.
    struct Outcome {
        /// Nil if a signal ended the program.
        var exitCode: Int32?
        var messages: MessageLog
        /// Whether the end of the output was reached.
        var isFinished: Bool
        /// The error of the output's consumer.
        var interruption: (any Error)?
    }

    /// The name by which a program opens its standard input as a file. It has neither an extension nor a pattern, so
    /// that only the content determines the format, and the input is seekable like any file.
    static let standardInput = "file:/dev/fd/0"

    /// The program's name in the search path.
    var name: String
    /// The longest wait for output.
    var stallLimit: Duration

    /// Runs the program.
    /// - Parameters:
    ///   - path: a regular file that is the program's standard input; the system alone interprets the path. Nil for
    ///     none.
    ///   - known: messages to discard.
    ///   - take: receives the output in pieces; returns whether it wants more. If not, or if it throws, the program is
    ///     killed.
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
        // Another file may have replaced the file since it was examined.
        guard case .regular = file.kind else { throw .notRegular(path: path) }
        return try await run(arguments, reading: file, path: path, known: known, take: take)
    }

    /// The same for an open file.
    /// - Parameter path: for errors.
    nonisolated(nonsending) func run(
        _ arguments: [String], reading file: borrowing ByteFile, path: String, known: Set<String> = [],
        take: nonisolated(nonsending) (SubprocessOutputSequence.Buffer) async throws -> Bool
    ) async throws(ClipError) -> Outcome {
        guard let input = Self.input(file.descriptor, FileDescriptorInput.fileDescriptor(_:closeAfterSpawningProcess:))
        else { throw .notRegular(path: path) }
        return try await launch(arguments, input: input, known, take: take)
    }

    /// Generic because the module of the descriptor type of `make` belongs to a package of Subprocess alone.
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
            // Its own process group: this process passes on interruptions from the terminal.
            options.processGroupID = 0
            let result = try await Subprocess.run(
                .name(name), arguments: Arguments(arguments), platformOptions: options, input: input, output: .sequence,
                error: .sequence
            ) { execution in
                async let messages = Self.messages(of: execution.standardError, known)
                // A program that has already ended cannot be signalled, and need not be.
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
                // Nothing gentler: a program that is asked to end would first write its remaining output, into a pipe
                // that is no longer read.
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
