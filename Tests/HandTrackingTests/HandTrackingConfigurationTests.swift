import HandTracking
import Testing
import Tracking
import Vocabulary

@Suite struct HandTrackingConfigurationTests {
    private static func refusal(
        _ change: (inout HandTrackingConfiguration) -> Void
    ) -> ConfigurationError? {
        var configuration = HandTrackingConfiguration()
        change(&configuration)
        do {
            try configuration.validate()
            return nil
        } catch {
            return error
        }
    }

    /// The parameter that is at fault, below the configuration.
    private static func number(_ error: ConfigurationError?) -> Substring? {
        error?.parameter.dropFirst("HandTrackingConfiguration.".count)
    }

    @Test func theDefaultsAreMediaPipes() {
        let configuration = HandTrackingConfiguration()
        #expect(Self.refusal { _ in } == nil)
        #expect(configuration.minimumPalmScore == 0.5 && configuration.minimumPresence == 0.5)
        #expect(configuration.palmOverlap == 0.3 && configuration.regionOverlap == 0.5)
        #expect(configuration.detectionInterval == .milliseconds(100))
        #expect(configuration.smoothing == nil)
        // What an app can set leaves the rest as it is.
        #expect(HandTrackingConfiguration(palmOverlap: 0.3) == configuration)
        let smooth = HandTrackingConfiguration(minimumPresence: 0.6, isSmoothed: true)
        #expect(
            smooth
                == HandTrackingConfiguration(minimumPresence: 0.6, smoothing: HandTrackingConfiguration.Smoothing()))
    }

    @Test(arguments: [Float.nan, -0.1, 1.1, .infinity]) func numbers(_ odd: Float) {
        #expect(Self.number(Self.refusal { $0.minimumPalmScore = odd }) == "minimumPalmScore")
        #expect(Self.number(Self.refusal { $0.minimumPresence = odd }) == "minimumPresence")
        #expect(Self.number(Self.refusal { $0.palmOverlap = odd }) == "palmOverlap")
        #expect(Self.number(Self.refusal { $0.regionOverlap = Double(odd) }) == "regionOverlap")
        #expect(Self.number(Self.refusal { $0.stillness = 300 * Double(odd) }) == "stillness")
    }

    @Test func ends() {
        for score in [Float(0.01), 0.99] {
            #expect(Self.refusal { $0.minimumPalmScore = score } == nil)
            #expect(Self.refusal { $0.minimumPresence = score } == nil)
        }
        for score in [Float(0), 1] {
            #expect(Self.number(Self.refusal { $0.minimumPalmScore = score }) == "minimumPalmScore")
            #expect(Self.number(Self.refusal { $0.minimumPresence = score }) == "minimumPresence")
        }
        for share in [0.0, 1] {
            #expect(Self.refusal { $0.palmOverlap = Float(share) } == nil)
            #expect(Self.refusal { $0.regionOverlap = share } == nil)
            #expect(Self.refusal { $0.stillness = 255 * share } == nil)
        }
        #expect(Self.refusal { $0.stillness = nil } == nil)
    }

    @Test func times() {
        for time in [
            Duration.milliseconds(-1), .seconds(10) + .nanoseconds(1), .seconds(Int64.max), .seconds(Int64.min),
        ] {
            #expect(
                Self.refusal { $0.detectionInterval = time }
                    == ConfigurationError(
                        "HandTrackingConfiguration.detectionInterval", time, allowed: .zero ... .seconds(10)))
            #expect(
                Self.refusal { $0.identityHold = time }
                    == ConfigurationError(
                        "HandTrackingConfiguration.identityHold", time, allowed: .zero ... .seconds(10)))
        }
        for time in [Duration.zero, .seconds(10)] {
            #expect(Self.refusal { $0.detectionInterval = time } == nil)
            #expect(Self.refusal { $0.identityHold = time } == nil)
        }
    }

    @Test func filters() {
        #expect(Self.refusal { $0.smoothing = HandTrackingConfiguration.Smoothing() } == nil)
        for odd in [Double.nan, -1, 0, 1e6] {
            #expect(
                Self.number(
                    Self.refusal {
                        $0.smoothing = HandTrackingConfiguration.Smoothing()
                        $0.smoothing?.landmarks.minimumCutoff = odd
                    }) == "smoothing.landmarks.minimumCutoff")
            #expect(
                Self.number(
                    Self.refusal {
                        $0.smoothing = HandTrackingConfiguration.Smoothing()
                        $0.smoothing?.worldLandmarks.speedCutoff = odd
                    }) == "smoothing.worldLandmarks.speedCutoff")
            let speed = Self.number(
                Self.refusal {
                    $0.smoothing = HandTrackingConfiguration.Smoothing()
                    $0.smoothing?.worldLandmarks.speedCoefficient = odd
                })
            #expect(speed == (odd == 0 ? nil : "smoothing.worldLandmarks.speedCoefficient"))
        }
    }
}
