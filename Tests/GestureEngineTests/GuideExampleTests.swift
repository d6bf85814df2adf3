import GestureEngine
import GestureHands
import GesturePixels
import PixelFrontEnd
import Testing

/// The examples of the guides do what the guides say.
@Suite struct GuideExampleTests {
    @Test func thresholdsAreTheStreams() throws {
        let engine = try GestureEngine(pixels: .bundled)
        let recognition = try makeStreamOfSwipes(engine).recognition
        #expect(recognition.allowedClasses?.count == 3 && recognition.beginConfidence == 0.8)
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
