import Foundation
import Subprocess
import TestSupport
import Testing

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A folder, removed after the test, in which scripts run. `$BIN` is the folder of the built programs, `$DEMO` that of the demo.
final class Scratch {
    struct Failed: Error {
        let script: String
        let errors: String
    }

    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    /// Runs a script with `/bin/sh`. Returns its status and output.
    func run(_ script: String) async throws -> (status: Int32, output: String, errors: String) {
        let programs = URL(fileURLWithPath: CommandLine.arguments[0]).absoluteURL.deletingLastPathComponent().path
        let result = try await Subprocess.run(
            .path("/bin/sh"), arguments: ["-c", script],
            environment: .inherit.updating([
                "BIN": programs, "DEMO": Fixtures.repository.appendingPathComponent("Weights/demo").path,
            ]),
            workingDirectory: FilePath(scratch.directory.path), input: .none, output: .string(limit: 1 << 22),
            error: .string(limit: 1 << 22))
        guard case .exited(let status) = result.terminationStatus else {
            throw Failed(script: script, errors: "ended by a signal")
        }
        return (status, result.standardOutput, result.standardError)
    }

    /// Runs a script that must succeed. Returns its output.
    @discardableResult
    func succeed(_ script: String) async throws -> String {
        let result = try await run(script)
        guard result.status == 0 else { throw Failed(script: script, errors: result.errors) }
        return result.output
    }

    func bytes(_ name: String) throws -> [UInt8] { try scratch.bytes(name) }

    func write(_ bytes: [UInt8], _ name: String) throws { try scratch.write(name, bytes) }
}
