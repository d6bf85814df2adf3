import Foundation

/// A line of `gesture-bench replay --pointer --json`.
package struct PointerLine: Decodable {
    package struct Pointer: Decodable {
        package let events: [String]
        package let position: [Float]
    }

    package let time_s: Double
    package let pointers: [Pointer]?

    package static func read(_ text: String) throws -> [PointerLine] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(PointerLine.self, from: Data($0.utf8)) }
    }

    /// The committed log of `Tests/Fixtures/hands/pointing.mp4`.
    package static func ofTheDrawnHands() throws -> [PointerLine] {
        let log = Fixtures.directory.appendingPathComponent("hands/pointing.jsonl")
        return try read(String(contentsOf: log, encoding: .utf8))
    }
}
