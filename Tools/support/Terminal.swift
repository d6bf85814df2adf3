import ArgumentParser
import Foundation

/// Output and failure, the same for every subcommand.
package enum Terminal {
    /// Runs `body`; what it throws becomes a sentence on standard error and exit status 1.
    package nonisolated(nonsending) static func reporting(
        _ tool: String, _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as ExitCode {
            throw error
        } catch let error as ValidationError {
            throw error
        } catch {
            note(tool, visibleLines(sentence(for: error)))
            throw ExitCode(1)
        }
    }

    /// Writes a line to standard error.
    package static func note(_ tool: String, _ text: String) {
        FileHandle.standardError.write(Data((tool + ": " + text + "\n").utf8))
    }

    /// JSON of any value, keys sorted, for programs to read: on one line, or spread out.
    package static func json(_ value: some Encodable, spread: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if spread { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
