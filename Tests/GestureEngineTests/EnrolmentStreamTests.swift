import Foundation
import GestureEngine
import GestureHands
import GesturePixels
import Network
import PixelFrontEnd
import Testing
import TrackerInference
import Vocabulary

/// From frames to a gesture of the user's own and back, with the bundled model and drawn frames.
@Suite struct EnrolmentStreamTests {
    private let engine: GestureEngine

    init() throws { engine = try GestureEngine(pixels: .bundled) }

    /// A dim noisy picture, with a bright hand of drawn blocks whose palm begins at `hand` if there is one.
    private func frame(_ slot: Int, hand: (x: Int, y: Int)?, seed: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(slot * 977 + seed))
        var pixels = (0..<224 * 224).map { _ in 60 + UInt8(random.next() >> 60) }
        guard let hand else { return pixels }
        func block(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
            for row in max(y, 0)..<min(y + height, 224) {
                for column in max(x, 0)..<min(x + width, 224) { pixels[row * 224 + column] = 200 }
            }
        }
        block(hand.x, hand.y, 42, 44)
        for finger in 0..<4 { block(hand.x + 11 * finger, hand.y - 40, 8, 40) }
        block(hand.x - 22, hand.y + 8, 22, 9)
        block(hand.x + 8, hand.y + 44, 26, 224)
        return pixels
    }

    /// Three seconds at 30 Hz in which a hand comes after 40 slots, goes round once and is gone.
    private func frames(wobble: Int, moves: Bool = true) -> [[UInt8]] {
        (0..<90).map { slot in
            let angle = 2 * Double.pi * Double(slot - 40) / 20
            let hand = (x: 90 + wobble + Int(50 * cos(angle)), y: 90 + wobble + Int(50 * sin(angle)))
            return frame(slot, hand: moves && (40..<60).contains(slot) ? hand : nil, seed: wobble)
        }
    }

    private func view(_ pixels: [UInt8], _ body: (borrowing PixelView) -> Void) throws {
        body(try PixelView(pixels.span, format: .gray8, width: 224, height: 224, bytesPerRow: 224))
    }

    private func record(_ frames: [[UInt8]]) throws -> GestureRecording {
        let recorder = try engine.makeRecorder(GestureEngine.Configuration(rate: .hz30))
        for (slot, pixels) in frames.enumerated() {
            try view(pixels) { recorder.push($0, at: .nanoseconds(slot * 33_333_333)) }
        }
        return try recorder.finish()
    }

    /// The guide about recordings, with the same frames enlarged.
    @Test func theGuideTeaches() throws {
        let recorder = try engine.makeRecorder(GestureEngine.Configuration(rate: .hz30))
        func recording(_ frames: [[UInt8]]) throws -> GestureRecording {
            let take = frames.enumerated().map { slot, gray in
                var rgba = [UInt8](repeating: 255, count: 4 * 640 * 480)
                for place in 0..<640 * 480 {
                    let luma = gray[place / 640 * 224 / 480 * 224 + place % 640 * 224 / 640]
                    for channel in 0..<3 { rgba[4 * place + channel] = luma }
                }
                return (rgba: rgba, time: Duration.nanoseconds(slot * 33_333_333))
            }
            return try GestureEngineTests.record(take, by: recorder)
        }
        let takes = try [0, 3, 6].map { try recording(frames(wobble: $0)) }
        let idle = try recording(frames(wobble: 0, moves: false))
        let taught = try teach("mine", from: takes, idle: idle, beside: engine.noUserGestures(), by: engine)
        #expect(taught.stream.labels == engine.labels + ["mine"])
        #expect(try engine.userGestures(taught.file).labels == ["mine"])
    }

    @Test(arguments: Backend.allCases)
    func featuresAreTheThirdTemporalLayers(backend: Backend) throws {
        let unit = try engine.makeUnit(backend: backend)
        for slot in 0..<18 {
            var expected: [Float] = []
            _ = unit.trace(frame(slot, hand: (x: 5 * slot, y: 80), seed: 80).span) { spec, values in
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
            var configuration = GestureEngine.Configuration(rate: .hz30)
            configuration.userGestures = kept
            // The path is what is tested: how sure the bundled model's features make a row changes with each training,
            // and by int8's rounding.
            configuration.recognition = RecognitionConfiguration(
                medianLength: 1, beginFrames: 1, beginConfidence: 0.1, endFrames: 1)
            let stream = try engine.makeStream(configuration, pixels: PixelConfiguration(backend: backend))
            #expect(stream.labels == engine.labels + ["mine"])
            var events: [GestureEvent] = []
            for (slot, pixels) in frames(wobble: 5).enumerated() {
                try view(pixels) { events += stream.push($0, at: .nanoseconds(slot * 33_333_333)).events }
            }
            events += stream.finish()
            let mine = events.filter { $0.label == "mine" }
            #expect(mine.count.isMultiple(of: 2))
            #expect(mine.allSatisfy { $0.classIndex == 13 })
            // The recordings are int8's.
            if backend == .int8 { #expect(mine.first?.kind == .begin) }
            // The hand is there from 1.33 s to 2 s; the network's window reaches half a second further.
            #expect(mine.allSatisfy { $0.decision > .seconds(1.3) && $0.decision < .seconds(2.6) })
        }
    }

    @Test func aUnitWithoutFeaturesAndGesturesOfAnotherModelAreRefused() throws {
        var gestures = engine.noUserGestures()
        let examples = try [0, 3].map { try record(frames(wobble: $0)) }
        let nothing = try record(frames(wobble: 0, moves: false))
        try engine.enrol("mine", from: examples, background: [nothing], into: &gestures)
        var configuration = GestureEngine.Configuration(rate: .hz30)
        configuration.userGestures = gestures
        let bare = BareUnit()
        #expect(throws: EngineError.unitFeatures(name: "bare", required: 160, found: 0)) {
            try engine.makeStream(configuration, pixels: .only(bare), adding: [bare])
        }
    }

    /// A row learned from landmarks says nothing about columns of pixels.
    @Test func gesturesOfTheOtherFrontEndAreRefused() throws {
        let landmarks = try GestureEngine(hands: .lite())
        var gestures = landmarks.noUserGestures()
        try gestures.add(
            #require(
                UserGestures.Gesture(
                    label: "mine", exampleCount: 1, weights: [Float](repeating: 0.1, count: 160), bias: 0,
                    exemplars: [UInt8](repeating: 0, count: 4 * 160),
                    exemplarLogits: [Float](repeating: 0, count: 4 * 13))))
        var configuration = GestureEngine.Configuration(rate: .hz30)
        configuration.userGestures = gestures
        _ = try landmarks.makeStream(configuration)
        let error = #expect(throws: EngineError.self) { try engine.makeStream(configuration) }
        guard case .enrolment(.otherModel(_, let found)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found == gestures.base.identity)
        configuration.heldPoses = HeldPoseConfiguration()
        #expect(
            try landmarks.makeStream(configuration).labels
                == landmarks.labels + ["mine", "fist", "victory", "iLoveYou"])
        // Two classes of one label would not be told apart.
        configuration.heldPoses = HeldPoseConfiguration(gestures: [.closedFist: "mine"])
        #expect(throws: EngineError.self) { try landmarks.makeStream(configuration) }
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
