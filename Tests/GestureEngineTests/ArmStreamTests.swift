import BodyPose
import Foundation
import Frames
import GestureEngine
import GestureHands
import HandTracking
import TestSupport
import Testing

/// Streams that watch the arms.
@Suite struct ArmStreamTests {
    /// A drawn person who stands, in RGBA, from `Tests/Fixtures/body`.
    private static func person() throws -> (pixels: [UInt8], width: Int, height: Int) {
        let path = Fixtures.repository.appendingPathComponent("Tests/Fixtures/body/standing.ppm")
        let file = [UInt8](try Data(contentsOf: path))
        // P6, width, height and 255, each ended by white space.
        var (fields, start) = ([Int](), 3)
        while fields.count < 3 {
            let end = try #require(file[start...].firstIndex { $0 == 10 || $0 == 32 })
            fields.append(try #require(Int(String(decoding: file[start..<end], as: UTF8.self))))
            start = end + 1
        }
        var pixels: [UInt8] = []
        for first in stride(from: start, to: file.count, by: 3) {
            pixels += file[first..<first + 3]
            pixels.append(255)
        }
        return (pixels, fields[0], fields[1])
    }

    private static func stream(arms: Bool) throws -> GestureStream {
        let engine = try GestureEngine(hands: .lite(), arms: arms ? .full() : nil)
        return try engine.makeStream(GestureEngine.Configuration(rate: .hz30))
    }

    /// Nanoseconds that the body network took for each of some equal frames.
    private static func times(_ stream: GestureStream, frames: Int) throws -> [Int64] {
        let (pixels, width, height) = try person()
        return try (0..<frames).map { index in
            let frame = try PixelView(
                pixels.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width)
            _ = stream.push(frame, at: .nanoseconds(Int64(index) * 1_000_000_000 / 30))
            return stream.stageTimes?.column.arms ?? 0
        }
    }

    @Test func aStillPersonIsLookedAtFiveTimesASecond() throws {
        let times = try Self.times(Self.stream(arms: true), frames: 31)
        // Looks of microseconds are those in which no network ran. The detector is followed by the landmark network.
        let looks = times.indices.filter { times[$0] > 0 }
        #expect(looks == [0, 6, 12, 18, 24, 30])
        #expect(try Self.times(Self.stream(arms: false), frames: 31).allSatisfy { $0 == 0 })
    }

    @Test func aResetForgetsTheBody() throws {
        let stream = try Self.stream(arms: true)
        _ = try Self.times(stream, frames: 10)
        let arms = try #require(stream.arms)
        // The person's left shoulder is on the right of a picture that is not mirrored.
        #expect(arms.body.landmarks[.leftShoulder].x > arms.body.landmarks[.rightShoulder].x)
        _ = stream.finish()
        #expect(stream.arms == nil)
        #expect(try Self.times(stream, frames: 2)[0] > 0)
    }

    /// Classes that are no swipes, and models without swipes, are left alone.
    @Test func theSwipesOfTheModelAreThoseOfTheArm() throws {
        let labels = try GestureEngine(hands: .lite()).labels
        #expect(ArmWatch.Swipe.allCases.allSatisfy { labels.contains($0.label) })
    }
}
