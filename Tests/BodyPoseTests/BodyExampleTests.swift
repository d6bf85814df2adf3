import BodyPose
import Foundation
import TestSupport
import Testing

@Suite struct BodyExampleTests {
    /// What a reader copies from the comment is what the compiler saw here.
    @Test func theCommentShowsWhatCompiles() throws {
        let source = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("BodyExample.swift"), encoding: .utf8)
        let engine = try String(
            contentsOf: Fixtures.repository.appendingPathComponent("Sources/BodyPose/BodyPoseEngine.swift"),
            encoding: .utf8)
        let start = try #require(source.range(of: "// example: torsos\n"))
        let end = try #require(source.range(of: "// end\n", range: start.upperBound..<source.endIndex))
        let lines = source[start.upperBound..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map { $0.isEmpty ? "    ///\n" : "    /// \($0)\n" }
        #expect(engine.contains("    /// ```swift\n" + lines.joined() + "    /// ```\n"))
    }

    /// Neck above root, and the right shoulder on the left of an upright picture.
    @Test func exampleRuns() throws {
        let picture = try StandingPerson().stored(.right)
        let torso = try #require(
            try torsos(picture.rgba, width: picture.width, height: picture.height, by: BodyPoseEngine()).first)
        try #require(torso.count == 6)
        #expect(torso[0].y > torso[3].y + 20 && torso[1].x < torso[5].x - 20)
    }
}
