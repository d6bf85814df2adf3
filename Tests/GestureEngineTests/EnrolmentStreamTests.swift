import GestureEngine
import Network
import Testing

/// From frames to a gesture of the user's own and back, with the bundled model and drawn frames.
struct EnrolmentStreamTests {
    private let engine: GestureEngine

    init() throws { engine = try GestureEngine() }

    /// A dim noisy picture, with a bright block at `x` if there is one.
    private func frame(_ slot: Int, x: Int?, y: Int) -> [UInt8] {
        var seed = UInt64(truncatingIfNeeded: slot &* 977 &+ y)
        var pixels = (0..<224 * 224).map { _ in
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return 60 + UInt8(seed >> 60)
        }
        if let x {
            for row in y..<min(y + 60, 224) { for column in x..<min(x + 40, 224) { pixels[row * 224 + column] = 200 } }
        }
        return pixels
    }

    /// Three seconds at 30 Hz in which a block crosses the picture after 40 slots.
    private func frames(wobble: Int, moves: Bool = true) -> [[UInt8]] {
        (0..<90).map { slot in
            let x = moves && (40..<60).contains(slot) ? (slot - 40) * 8 + wobble : nil
            return frame(slot, x: x, y: 80 + wobble)
        }
    }

    private func view(_ pixels: [UInt8], _ body: (borrowing PixelView) -> Void) throws {
        body(try PixelView(pixels.span, format: .gray8, width: 224, height: 224, bytesPerRow: 224))
    }

    private func record(_ frames: [[UInt8]]) throws -> GestureRecording {
        let recorder = try engine.makeRecorder(Configuration(rate: .hz30))
        for (slot, pixels) in frames.enumerated() {
            try view(pixels) { recorder.push($0, at: .nanoseconds(slot * 33_333_333)) }
        }
        return try recorder.finish()
    }

    @Test(arguments: Backend.allCases)
    func featuresAreTheThirdTemporalLayers(backend: Backend) throws {
        let unit = try engine.makeUnit(Configuration(backend: backend))
        for slot in 0..<18 {
            var expected: [Float] = []
            _ = unit.trace(frame(slot, x: 5 * slot, y: 80).span) { spec, values in
                if spec.name == "t3.conv" { expected = values }
            }
            var features = [Float](repeating: -1, count: unit.featureCount)
            var output = features.mutableSpan
            unit.copyFeatures(to: &output)
            #expect(features == expected)
        }
    }

    @Test func anEnrolledGestureHasEventsOfItsOwn() throws {
        let examples = try [0, 3, 6].map { try record(frames(wobble: $0)) }
        #expect(examples.map(\.slotCount) == [75, 75, 75])
        var gestures = engine.noUserGestures()
        let nothing = try record(frames(wobble: 0, moves: false))
        try engine.enrol("mine", from: examples, background: [nothing], into: &gestures)
        let kept = try engine.userGestures(gestures.bytes())
        #expect(kept == gestures)
        for backend in Backend.allCases {
            var configuration = Configuration(rate: .hz30)
            configuration.userGestures = kept
            configuration.backend = backend
            let stream = try engine.makeStream(configuration)
            #expect(stream.labels == engine.labels + ["mine"])
            var events: [GestureEvent] = []
            for (slot, pixels) in frames(wobble: 5).enumerated() {
                try view(pixels) { events += stream.push($0, at: .nanoseconds(slot * 33_333_333)).events }
            }
            events += stream.finish()
            #expect(events.map(\.label) == ["mine", "mine"])
            #expect(events.first?.kind == .begin && events.first?.classIndex == 13)
        }
    }

    @Test func aUnitWithoutFeaturesAndGesturesOfAnotherModelAreRefused() throws {
        var gestures = engine.noUserGestures()
        let examples = try [0, 3].map { try record(frames(wobble: $0)) }
        let nothing = try record(frames(wobble: 0, moves: false))
        try engine.enrol("mine", from: examples, background: [nothing], into: &gestures)
        var configuration = Configuration(rate: .hz30)
        configuration.userGestures = gestures
        let bare = BareUnit()
        #expect(throws: GestureEngineError.unitFeatures(name: "bare", required: 160, found: 0)) {
            try engine.makeStream(configuration, adding: [bare])
        }
    }
}

/// A unit of an app's own that knows logits alone.
private final class BareUnit: ComputeUnit {
    let name = "bare"
    let classCount = 13
    let isWarm = true
    func encode(_ frame: Span<UInt8>) {}
    func repeatColumn() {}
    func advance(_ logits: inout MutableSpan<Float>) {}
    func reset() {}
}
