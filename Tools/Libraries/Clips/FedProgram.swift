import Platform
import Synchronization

/// A program that reads from its standard input what this process writes. It is killed if it accepts nothing for too
/// long, and with the last reference to this object.
package final class FedProgram {
    private let name: String
    private let watch: StallWatch
    private let writer: PipeEnd
    private let outcome: Task<Result<ChildProgram.Outcome, ClipError>, Never>

    /// An end of the pipe. This process closes its copy of the reading end when the program has one, so that writing
    /// fails once the program has ended.
    private final class PipeEnd: Sendable {
        let file: Mutex<OpenFile?>
        let descriptor: Int32

        init(_ file: consuming OpenFile) {
            descriptor = file.descriptor
            self.file = Mutex(.some(file))
        }

        func close() { file.withLock { $0 = nil } }
    }

    /// Starts the program.
    /// - Parameters:
    ///   - name: in the search path.
    ///   - stallLimit: the longest time without accepting input and, after the input, without ending.
    package init(name: String, _ arguments: [String], stallLimit: Duration) throws(ClipError) {
        let reader: PipeEnd
        do throws(SystemError) {
            (reader, writer) = try OpenFile.pipe { (PipeEnd($0), PipeEnd($1)) }
        } catch {
            throw .programFailed(name, reason: SystemError.reason(error.code))
        }
        self.name = name
        let watch = StallWatch(limit: stallLimit)
        self.watch = watch
        outcome = Task.detached {
            let program = ChildProgram(name: name, stallLimit: stallLimit)
            do throws(ClipError) {
                let outcome = try await program.run(arguments, fedBy: reader.descriptor, watch: watch) {
                    reader.close()
                }
                return .success(outcome)
            } catch {
                return .failure(error)
            }
        }
    }

    deinit { outcome.cancel() }

    /// Writes all bytes.
    /// - Returns: false if the program has ended; `finish` tells why.
    package nonisolated(nonsending) func write(_ bytes: [UInt8]) async -> Bool {
        var written = 0
        watch.begin()
        defer { watch.end() }
        while written < bytes.count {
            do throws(SystemError) {
                let rest = unsafe bytes.span.bytes.extracting(droppingFirst: written)
                let count = try writer.file.withLock { file throws(SystemError) in
                    try file?.writeSome(rest, within: 20) ?? 0
                }
                if count > 0 { watch.begin() }
                written += count
            } catch {
                return false
            }
            // The watch and the program's messages need this thread where the machine has one core.
            await Task.yield()
        }
        return true
    }

    /// Ends the program's input and waits for the program.
    package nonisolated(nonsending) func finish() async throws(ClipError) -> ChildProgram.Outcome {
        writer.close()
        watch.begin()
        return try await outcome.value.get()
    }
}
