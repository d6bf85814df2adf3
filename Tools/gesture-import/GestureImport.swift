import ArgumentParser
import Foundation

@main
struct GestureImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gesture-import",
        abstract: "Makes gesture models of trained checkpoints, and looks into them.",
        discussion: "Exit status: 0 done, 1 the input was refused, 64 wrong usage.",
        subcommands: [ImportCommand.self, InspectCommand.self])
}

/// Output and failure, the same for every subcommand.
enum Terminal {
    /// Runs `body`; what it throws becomes a sentence on standard error and exit status 1.
    nonisolated(nonsending) static func reporting(_ body: nonisolated(nonsending) () async throws -> Void) async throws
    {
        do {
            try await body()
        } catch let error as ExitCode {
            throw error
        } catch let error as ValidationError {
            throw error
        } catch {
            note(Sentence.of(error))
            throw ExitCode(1)
        }
    }

    /// Writes a line to standard error.
    static func note(_ text: String) {
        FileHandle.standardError.write(Data(("gesture-import: " + text + "\n").utf8))
    }

    /// JSON of any value, keys sorted, for programs to read.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// A table of text with aligned columns.
struct TextTable {
    enum Alignment { case left, right }

    private let columns: [(title: String, alignment: Alignment)]
    private var rows: [[String]] = []

    init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

    mutating func add(_ cells: [String]) { rows.append(cells.map(visible)) }

    var lines: [String] {
        let all = [columns.map(\.title)] + rows
        let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return columns[column].alignment == .left ? row[column] + padding : padding + row[column]
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

/// Text of a file, safe to print: control characters, which could steer the terminal, become escapes.
func visible(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
            result += "\\u{\(String(scalar.value, radix: 16))}"
        default: result.unicodeScalars.append(scalar)
        }
    }
}

/// Thousands apart: `1,389,820`.
func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var result = ""
    while digits.count > 3 {
        result = "," + digits.suffix(3) + result
        digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + digits + result
}

/// A number with so many decimals, or a dash for none.
func decimals(_ number: Double?, _ count: Int) -> String {
    guard let number else { return "-" }
    return String(format: "%.\(count)f", number)
}
