import BodyTracking
import Foundation
import Frames
import KernelsPortable
import Testing
import Tracking
import Vocabulary

@Suite struct BodyTrackingConfigurationTests {
    private static func refusal(_ change: (inout BodyTrackingConfiguration) -> Void) -> ConfigurationError? {
        var configuration = BodyTrackingConfiguration()
        change(&configuration)
        do {
            try configuration.validate()
            return nil
        } catch {
            return error
        }
    }

    /// The parameter that is at fault, below the configuration.
    private static func name(_ error: ConfigurationError?) -> Substring? {
        error?.parameter.dropFirst("BodyTrackingConfiguration.".count)
    }

    /// Thresholds and filters are MediaPipe's. A change of a default shows here.
    @Test func theDefaults() {
        let configuration = BodyTrackingConfiguration()
        #expect(Self.refusal { _ in } == nil)
        #expect(configuration.maximumBodies == 1)
        #expect(configuration.minimumDetectionScore == 0.5 && configuration.minimumPresence == 0.5)
        #expect(configuration.minimumOverlap == 0.5 && configuration.stillness == 3)
        #expect(configuration.detectionInterval == .milliseconds(100) && configuration.hold == .seconds(1))
        #expect(configuration.orientation == .up && !configuration.segmentation)
        #expect(
            configuration.smoothing?.landmarks
                == OneEuroParameters(minimumCutoff: 0.05, speedCoefficient: 80, speedCutoff: 1))
        #expect(
            configuration.smoothing?.worldLandmarks
                == OneEuroParameters(minimumCutoff: 0.1, speedCoefficient: 40, speedCutoff: 1))
        #expect(configuration.smoothing?.visibility == 0.1)
    }

    @Test func people() {
        for count in [0, 5, -1, .max, .min] {
            #expect(
                Self.refusal { $0.maximumBodies = count }
                    == ConfigurationError("BodyTrackingConfiguration.maximumBodies", count, allowed: 1...4))
        }
        for count in 1...4 { #expect(Self.refusal { $0.maximumBodies = count } == nil) }
    }

    @Test(arguments: [Float.nan, -0.1, 1.1, .infinity]) func numbers(_ odd: Float) {
        #expect(Self.name(Self.refusal { $0.minimumDetectionScore = odd }) == "minimumDetectionScore")
        #expect(Self.name(Self.refusal { $0.minimumPresence = odd }) == "minimumPresence")
        #expect(Self.name(Self.refusal { $0.minimumOverlap = Double(odd) }) == "minimumOverlap")
        #expect(Self.name(Self.refusal { $0.stillness = 300 * Double(odd) }) == "stillness")
        #expect(Self.name(Self.refusal { $0.smoothing?.visibility = odd }) == "smoothing.visibility")
    }

    @Test func ends() {
        for score in [Float(0.01), 0.99] {
            #expect(Self.refusal { $0.minimumDetectionScore = score } == nil)
            #expect(Self.refusal { $0.minimumPresence = score } == nil)
        }
        for score in [Float(0), 1] {
            #expect(Self.name(Self.refusal { $0.minimumDetectionScore = score }) == "minimumDetectionScore")
            #expect(Self.name(Self.refusal { $0.minimumPresence = score }) == "minimumPresence")
        }
        for share in [0.0, 1] {
            #expect(Self.refusal { $0.minimumOverlap = share } == nil)
            #expect(Self.refusal { $0.stillness = 255 * share } == nil)
            #expect(Self.refusal { $0.smoothing?.visibility = Float(share) } == nil)
        }
        #expect(Self.refusal { $0.stillness = nil } == nil)
        #expect(Self.refusal { $0.smoothing = nil } == nil)
    }

    @Test func times() {
        for time in [
            Duration.milliseconds(-1), .seconds(10) + .nanoseconds(1), .seconds(Int64.max), .seconds(Int64.min),
        ] {
            #expect(
                Self.refusal { $0.detectionInterval = time }
                    == ConfigurationError(
                        "BodyTrackingConfiguration.detectionInterval", time, allowed: .zero ... .seconds(10)))
            #expect(
                Self.refusal { $0.hold = time }
                    == ConfigurationError("BodyTrackingConfiguration.hold", time, allowed: .zero ... .seconds(10)))
        }
        for time in [Duration.zero, .seconds(10)] {
            #expect(Self.refusal { $0.detectionInterval = time } == nil)
            #expect(Self.refusal { $0.hold = time } == nil)
        }
    }

    @Test func filters() {
        for odd in [Double.nan, -1, 0, 1e6] {
            #expect(
                Self.name(Self.refusal { $0.smoothing?.landmarks.minimumCutoff = odd })
                    == "smoothing.landmarks.minimumCutoff")
            #expect(
                Self.name(Self.refusal { $0.smoothing?.worldLandmarks.speedCutoff = odd })
                    == "smoothing.worldLandmarks.speedCutoff")
            let speed = Self.name(Self.refusal { $0.smoothing?.landmarks.speedCoefficient = odd })
            #expect(speed == (odd == 0 ? nil : "smoothing.landmarks.speedCoefficient"))
        }
    }

    /// With several faults the error names the first in the order of declaration.
    @Test func theFirstFault() {
        let error = Self.refusal {
            $0.smoothing?.visibility = 2
            $0.hold = .seconds(11)
            $0.minimumPresence = 1
        }
        #expect(Self.name(error) == "minimumPresence")
    }

    @Test func writtenAndRead() throws {
        var other = BodyTrackingConfiguration(
            maximumBodies: 3, minimumDetectionScore: 0.25, minimumPresence: 0.75, minimumOverlap: 0.125,
            detectionInterval: .milliseconds(250), stillness: nil, hold: .milliseconds(1_500),
            orientation: .leftMirrored, smoothing: nil, segmentation: true)
        for _ in 0..<2 {
            for configuration in [BodyTrackingConfiguration(), other] {
                let written = try JSONEncoder().encode(configuration)
                #expect(try JSONDecoder().decode(BodyTrackingConfiguration.self, from: written) == configuration)
            }
            other.smoothing = BodyTrackingConfiguration.Smoothing(
                landmarks: OneEuroParameters(minimumCutoff: 1, speedCoefficient: 2, speedCutoff: 3), visibility: 0.5)
        }
    }

    /// A tracker is not made of what cannot be used.
    @Test func aTrackerRefuses() {
        #expect(Self.name(Self.refusal { $0.maximumBodies = 9 }) == "maximumBodies")
        #expect(throws: ConfigurationError("BodyTrackingConfiguration.maximumBodies", 9, allowed: 1...4)) {
            try makeTracker(BodyTrackingConfiguration(maximumBodies: 9))
        }
    }
}

/// Makes a tracker and lets it go.
private func makeTracker(_ configuration: BodyTrackingConfiguration) throws(ConfigurationError) {
    _ = try BodyTracker(configuration: configuration, kernels: portableCropKernels)
}
