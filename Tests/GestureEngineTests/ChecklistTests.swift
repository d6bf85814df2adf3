import Foundation
import TestSupport
import Testing

/// The list of behaviours, `Tests/Behaviours.md`, names tests that exist.
@Suite struct ChecklistTests {
    @Test func everyTestOfTheChecklistExists() throws {
        let record = try String(
            contentsOf: Fixtures.repository.appendingPathComponent("Tests/Behaviours.md"), encoding: .utf8)
        let sources = try Self.suites()
        var named = 0
        for row in record.split(separator: "\n") where row.hasPrefix("|") && !row.hasPrefix("|---") {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count == 6 else {
                Issue.record("not a row of four cells: \(row)")
                continue
            }
            var suite = ""
            for name in cells[4].split(separator: ",") {
                let parts = name.trimmingCharacters(in: .whitespaces).split(
                    separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
                guard let first = parts.first, first != "–", first != "test" else { continue }
                if !first.isEmpty { suite = String(first) }
                let source = try #require(sources[suite], "no suite \(suite)")
                if parts.count == 2 {
                    #expect(source.contains("func \(parts[1])("), "no test \(suite).\(parts[1])")
                }
                named += 1
            }
        }
        #expect(named > 50)
    }

    /// The source file of each suite, by the suite's name.
    private static func suites() throws -> [String: String] {
        let tests = Fixtures.repository.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        var found: [String: String] = [:]
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains("@Suite") {
                guard let start = line.range(of: "struct ") else { continue }
                found[String(line[start.upperBound...].prefix { $0.isLetter || $0.isNumber })] = text
            }
        }
        return found
    }
}
