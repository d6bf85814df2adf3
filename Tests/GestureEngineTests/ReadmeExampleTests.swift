import Foundation
import GestureEngine
import TestSupport
import Testing

@Suite struct ReadmeExampleTests {
    /// What a reader copies from the README and the guide is what the compiler saw here.
    @Test(arguments: [
        ("events", "README.md"), ("live", "README.md"),
        ("pixels", "Sources/GestureEngine/GestureEngine.docc/InAnApp.md"),
    ])
    func documentsShowWhatCompiles(name: String, document: String) throws {
        let source = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("ReadmeExample.swift"), encoding: .utf8)
        let text = try String(
            contentsOf: Fixtures.repository.appendingPathComponent(document), encoding: .utf8)
        let start = try #require(source.range(of: "// example: \(name)\n"))
        let end = try #require(source.range(of: "// end\n", range: start.upperBound..<source.endIndex))
        let example = source[start.upperBound..<end.lowerBound]
        #expect(example.split(separator: "\n").count <= 15)
        #expect(text.contains("```swift\n" + example + "```"))
    }

    @Test func exampleRuns() throws {
        let gray = RandomModel.frames(seed: 51, count: 20)
        try printGestures(in: gray.map { $0.flatMap { [$0, $0, $0, 255] } }, width: 224, height: 224)
    }
}
