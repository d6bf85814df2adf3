import GestureEngine
import GesturePixels
import PixelFrontEnd
import TestSupport
import Testing
import TrackerInference

/// Hands of single images, by scripted networks.
@Suite struct RecognizedHandsTests {
    private static let engine = Result { () throws in
        try GestureEngine(
            hands: HandScript.models(
                poses: (HandScript.weights("gesture-embedder"), HandScript.weights("canned-gesture-classifier"))))
    }

    /// What a tracker sees in its first frame, whatever came before, and whatever calms a video.
    @Test func anImageHasNoPast() throws {
        let engine = try Self.engine.get()
        for seed: UInt64 in 1...4 {
            try ColorPicture.red(.rgba, 160, 120, seed: seed).withView { view in
                let tracker = try engine.makeHandStream()
                tracker.track(view, at: .seconds(5))
                let expected = tracker.hands
                #expect(expected.count == 1 && expected.first?.pose != nil)
                #expect(try engine.recognizedHands(in: view) == expected)
                let calm = HandTrackingConfiguration(
                    detectionInterval: .seconds(10), stillness: 255, stillDetectionInterval: nil,
                    identityHold: .seconds(10), smoothing: HandTrackingConfiguration.Smoothing())
                #expect(try engine.recognizedHands(in: view, calm) == expected)
            }
        }
    }

    /// The orientation of the call counts, else that of the configuration.
    @Test(arguments: ImageOrientation.allCases) func theOrientationIsTheCallers(_ orientation: ImageOrientation) throws
    {
        let engine = try Self.engine.get()
        try ColorPicture.red(.nv12(.video), 160, 90, seed: 7).withView { view in
            let tracker = try engine.makeHandStream(
                GestureEngine.Configuration(orientation: orientation))
            tracker.track(view, at: .zero)
            #expect(tracker.hands.count == 1)
            #expect(try engine.recognizedHands(in: view, orientation: orientation) == tracker.hands)
            #expect(try engine.recognizedHands(in: view, orientation: orientation, .init()) == tracker.hands)
        }
    }

    @Test func anImageWithoutHandsIsEmpty() throws {
        let hands = try ColorPicture.red(.gray8, 160, 120, seed: 1).withView {
            try Self.engine.get().recognizedHands(in: $0)
        }
        #expect(hands.isEmpty)
    }

    @Test func whatCannotBeUsedIsRefused() throws {
        let engine = try Self.engine.get()
        try ColorPicture.red(.rgba, 64, 48, seed: 1).withView { view in
            let values: [(HandTrackingConfiguration, String)] = [
                (.init(minimumPalmScore: .nan), "minimumPalmScore"),
                // Checked, although it has no effect.
                (.init(stillness: -1), "stillness"), (.init(detectionInterval: .seconds(-1)), "detectionInterval"),
            ]
            for (configuration, name) in values {
                do throws(EngineError) {
                    _ = try engine.recognizedHands(in: view, configuration)
                    Issue.record("\(name) was accepted")
                } catch {
                    guard case .configuration(let fault) = error else { throw error }
                    #expect(fault.parameter == "HandTrackingConfiguration.\(name)")
                }
            }
            let many = ConfigurationError("GestureEngine.Configuration.maximumHands", 5, allowed: 1...4)
            #expect(throws: EngineError.configuration(many)) {
                try engine.recognizedHands(in: view, maximumHands: 5)
            }
            let pixels = try GestureEngine(pixels: .bundled)
            #expect(throws: EngineError.noHandModels) { try pixels.recognizedHands(in: view) }
        }
    }
}
