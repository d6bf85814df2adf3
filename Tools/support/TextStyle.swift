import Foundation
import Platform

/// Colours of text on a terminal; text for a file or a pipe has none.
package enum TextStyle: Int {
    case bold = 1
    case faint = 2
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34

    /// Whether text for a stream gets colours: it is a terminal that knows them, and the user has not set `NO_COLOR`
    /// (https://no-color.org) to a text that is not empty.
    package static func isUsed(isTerminal: Bool, environment: [String: String]) -> Bool {
        isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// Whether a descriptor is a terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    private static let onOutput = isUsed(
        isTerminal: isTerminal(STDOUT_FILENO), environment: ProcessInfo.processInfo.environment)
    private static let onErrors = isUsed(
        isTerminal: isTerminal(STDERR_FILENO), environment: ProcessInfo.processInfo.environment)

    /// Text for standard output, which must be safe to print already (`visible`).
    package func callAsFunction(_ text: String) -> String { Self.onOutput ? written(text) : text }

    /// Text for standard error, likewise.
    package func onErrors(_ text: String) -> String { Self.onErrors ? written(text) : text }

    /// With the sequences of ECMA-48 around it.
    package func written(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
