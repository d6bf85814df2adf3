import BodyPose
import Foundation
import TestSupport
import Testing

@Suite struct BodyExampleTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Fixtures.repository.appendingPathComponent(path), encoding: .utf8)
    }

    /// The lines of an example that the compiler saw.
    private static func example(_ name: String) throws -> [Substring] {
        let source = try text("Tests/BodyPoseTests/BodyExample.swift")
        let start = try #require(source.range(of: "// example: \(name)\n"))
        let end = try #require(source.range(of: "// end\n", range: start.upperBound..<source.endIndex))
        return source[start.upperBound..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
    }

    /// What a reader copies from the comment is what the compiler saw here.
    @Test func theCommentShowsWhatCompiles() throws {
        let lines = try Self.example("torsos").map { $0.isEmpty ? "    ///\n" : "    /// \($0)\n" }
        #expect(
            try Self.text("Sources/BodyPose/BodyPoseEngine.swift")
                .contains("    /// ```swift\n" + lines.joined() + "    /// ```\n"))
    }

    @Test func theReadmeShowsWhatCompiles() throws {
        let lines = try Self.example("torsos").joined(separator: "\n")
        #expect(try Self.text("README.md").contains("```swift\n" + lines + "\n```\n"))
    }

    @Test func theGuideShowsWhatCompiles() throws {
        let lines = try Self.example("squats").joined(separator: "\n")
        #expect(
            try Self.text("Sources/GestureEngine/GestureEngine.docc/Bodies.md")
                .contains("```swift\nimport BodyPose\n\n" + lines + "\n```\n"))
    }

    /// Who stands still does no squats.
    @Test func theGuidesExampleRuns() throws {
        let picture = try StandingPerson().stored(.up)
        let video = [[UInt8]](repeating: picture.rgba, count: 10)
        #expect(try squats(in: video, width: picture.width, height: picture.height, by: BodyPoseEngine()) == 0)
    }

    /// Neck above root, and the right shoulder on the left of an upright picture, however it is stored.
    @Test(arguments: [ImageOrientation.up, .right]) func exampleRuns(_ orientation: ImageOrientation) throws {
        let picture = try StandingPerson().stored(orientation)
        let torso = try #require(
            try torsos(
                picture.rgba, width: picture.width, height: picture.height, stored: orientation, by: BodyPoseEngine()
            ).first)
        try #require(torso.count == 6)
        #expect(torso[0].y > torso[3].y + 0.125 && torso[1].x < torso[5].x - 0.15)
    }
}
