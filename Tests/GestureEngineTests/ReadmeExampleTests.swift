import Foundation
import GestureEngine
import TestSupport
import Testing

@Suite struct ReadmeExampleTests {
    /// What a reader copies from the README is what the compiler saw here.
    @Test(arguments: ["events", "live", "pixels"])
    func readmeShowsWhatCompiles(name: String) throws {
        let source = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("ReadmeExample.swift"), encoding: .utf8)
        let readme = try String(
            contentsOf: Fixtures.repository.appendingPathComponent("README.md"), encoding: .utf8)
        let start = try #require(source.range(of: "// example: \(name)\n"))
        let end = try #require(source.range(of: "// end\n", range: start.upperBound..<source.endIndex))
        let example = source[start.upperBound..<end.lowerBound]
        #expect(example.split(separator: "\n").count <= 15)
        #expect(readme.contains("```swift\n" + example + "```"))
    }

    @Test func exampleRuns() throws {
        let gray = RandomModel.frames(seed: 51, count: 20)
        try printGestures(in: gray.map { $0.flatMap { [$0, $0, $0, 255] } }, width: 224, height: 224)
    }
}
