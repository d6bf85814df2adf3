import Foundation
import GestureEngine
import GestureHands
import GesturePixels
import PixelFrontEnd
import Synchronization
import TestSupport
import Testing

private let catalogue = "Sources/GestureEngine/GestureEngine.docc/"

/// The examples of the guides do what the guides say.
@Suite struct GuideExampleTests {
    /// What a reader copies from the guide is what the compiler saw here.
    @Test(arguments: [
        ("live", catalogue + "LiveStreams.md"), ("pixels", catalogue + "InAnApp.md"),
        ("draw", catalogue + "Cameras.md"), ("still", catalogue + "InAnApp.md"),
        ("few", catalogue + "Thresholds.md"), ("thresholds", catalogue + "Thresholds.md"),
        ("labels", catalogue + "Thresholds.md"),
        ("camera", catalogue + "Cameras.md"), ("view", catalogue + "Cameras.md"),
        ("record", catalogue + "Teaching.md"), ("teach", catalogue + "Teaching.md"),
        ("one file", catalogue + "Shipping.md"),
    ])
    func documentsShowWhatCompiles(name: String, document: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let source = try String(contentsOf: folder.appendingPathComponent("GuideExample.swift"), encoding: .utf8)
        let text = try String(
            contentsOf: Fixtures.repository.appendingPathComponent(document), encoding: .utf8)
        let start = try #require(source.range(of: "// example: \(name)\n"))
        let end = try #require(source.range(of: "// end\n", range: start.upperBound..<source.endIndex))
        let example = source[start.upperBound..<end.lowerBound]
        #expect(example.split(separator: "\n").count <= 15)
        #expect(text.contains("```swift\n" + example + "```"))
    }

    /// A line for each bone of each frame, where the preview shows it.
    @Test func handsAreDrawn() async throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let live = try engine.makeLiveStream(GestureEngine.Configuration(rate: .hz30), sensors: nil)
        for index in 0..<3 {
            let picture = ColorPicture.red(.rgba, 80, 60, seed: UInt64(index))
            try picture.withView { _ = live.push($0, at: .milliseconds(33 * index)) }
            live.drain()
        }
        let hand = try #require(live.latestHands.first)
        live.finish()
        let view = try ViewTransform(
            frameWidth: 80, frameHeight: 60,
            preview: ViewTransform.Preview(width: 800, height: 600, gravity: .fit))
        let lines = Mutex<[(start: PlanePoint, end: PlanePoint)]>([])
        await drawHands(live, in: view) { start, end in lines.withLock { $0.append((start, end)) } }
        let drawn = lines.withLock(\.self)
        #expect(drawn.count == 3 * TrackedHand.bones.count)
        for (line, bone) in zip(drawn.suffix(TrackedHand.bones.count), TrackedHand.bones) {
            let start = hand.landmarks[bone.start]
            #expect(
                abs(line.start.x - 800 * Double(start.x)) < 0.01 && abs(line.start.y - 600 * Double(start.y)) < 0.01)
        }
    }

    @Test func posesOfAPicture() throws {
        let engine = try GestureEngine(hands: .lite())
        let rgba = [UInt8](repeating: 128, count: 4 * 80 * 60)
        #expect(try poses(rgba, width: 80, height: 60, by: engine).isEmpty)
    }

    @Test func thresholdsAreTheStreams() throws {
        let engine = try GestureEngine(pixels: .bundled)
        let recognition = try makeStreamOfSwipes(engine).recognition
        #expect(recognition.allowedClasses?.count == 3 && recognition.beginConfidence == 0.9)
        #expect(recognition.overrides["grab"]?.beginFrames == 4)
        #expect(recognition.medianLength == engine.defaultRecognition(at: .hz30).medianLength)
    }

    @Test func theModelHasTheAppsLabels() throws {
        #expect(Action.missing(in: try GestureEngine(pixels: .bundled)).isEmpty)
    }

    /// A view of 300 x 400 shows an upright frame of 480x640, mirrored: the frame's right edge is at the left.
    @Test func aTurnedCameraFillsAMirroredView() throws {
        let view = try makeView(camera: (640, 480), view: (300, 400))
        let corner = view.map(PlanePoint(x: 1, y: 0), from: .picture(.topLeft), to: .view)
        #expect(abs(corner.x) < 1e-9 && abs(corner.y) < 1e-9)
    }

    @Test func aBufferOfNV12IsAFrame() throws {
        let stream = try GestureEngine(hands: .lite()).makeStream(GestureEngine.Configuration(rate: .hz30))
        let buffer = [UInt8](repeating: 128, count: 64 * 48 * 3 / 2)
        try push(unsafe buffer.span.bytes, of: (64, 48), at: .zero, to: stream)
        #expect(stream.counts.run == 1)
    }
}
