import BodyTracking
import Foundation
import Frames
import KernelInterface
import Testing
import Tracking
import Vocabulary

@Suite struct BodyTrackingConfigurationTests {
    private typealias Case = (parameter: String, change: (inout BodyTrackingConfiguration) -> Void)

    private static func each<Value>(
        _ parameter: String, _ path: WritableKeyPath<BodyTrackingConfiguration, Value>, _ values: [Value]
    ) -> [Case] {
        values.map { value in (parameter, { $0[keyPath: path] = value }) }
    }

    private static let longest = Duration.seconds(10)
    private static let unusableTimes = [
        .milliseconds(-1), longest + .nanoseconds(1), .seconds(Int64.max), .seconds(Int64.min),
    ]
    private static let unusableFilters = [Double.nan, -1, 0, 1e6]

    private static var unusable: [Case] {
        each("maximumBodies", \.maximumBodies, [0, 5, -1, .max, .min])
            + each("minimumDetectionScore", \.minimumDetectionScore, [.nan, -0.1, 0, 1, 1.1, .infinity])
            + each("minimumPresence", \.minimumPresence, [.nan, -0.1, 0, 1, 1.1, .infinity])
            + each("minimumOverlap", \.minimumOverlap, [.nan, -0.1, 1.1, .infinity])
            + each("stillness", \.stillness, [.nan, -0.1, 255.1, .infinity])
            + each("detectionInterval", \.detectionInterval, unusableTimes) + each("hold", \.hold, unusableTimes)
            + each("smoothing.visibility", \.smoothing!.visibility, [.nan, -0.1, 1.1, .infinity])
            + each("smoothing.landmarks.minimumCutoff", \.smoothing!.landmarks.minimumCutoff, unusableFilters)
            + each("smoothing.worldLandmarks.speedCutoff", \.smoothing!.worldLandmarks.speedCutoff, unusableFilters)
            + each(
                "smoothing.landmarks.speedCoefficient", \.smoothing!.landmarks.speedCoefficient,
                unusableFilters.filter { $0 != 0 })
    }

    private static var usable: [Case] {
        each("maximumBodies", \.maximumBodies, [1, 2, 3, 4])
            + each("minimumDetectionScore", \.minimumDetectionScore, [0.01, 0.99])
            + each("minimumPresence", \.minimumPresence, [0.01, 0.99])
            + each("minimumOverlap", \.minimumOverlap, [0, 1]) + each("stillness", \.stillness, [0, 255, nil])
            + each("detectionInterval", \.detectionInterval, [.zero, longest]) + each("hold", \.hold, [.zero, longest])
            + each("smoothing.visibility", \.smoothing!.visibility, [0, 1]) + each("smoothing", \.smoothing, [nil])
            + each("speedCoefficient", \.smoothing!.landmarks.speedCoefficient, [0])
    }

    /// The path of the first value that is refused; nil if none is.
    private static func refusal(_ change: (inout BodyTrackingConfiguration) -> Void) -> String? {
        var configuration = BodyTrackingConfiguration()
        change(&configuration)
        do { try configuration.validate() } catch { return error.parameter }
        return nil
    }

    @Test func eachValueHasItsRange() {
        for (parameter, change) in Self.unusable {
            #expect(Self.refusal(change) == "BodyTrackingConfiguration." + parameter)
        }
        for (parameter, change) in Self.usable { #expect(Self.refusal(change) == nil, "\(parameter)") }
        // Of several the first in the order of declaration.
        let first = Self.refusal {
            $0.smoothing?.visibility = 2
            $0.hold = .seconds(11)
            $0.minimumPresence = 1
        }
        #expect(first == "BodyTrackingConfiguration.minimumPresence")
        #expect(throws: ConfigurationError("BodyTrackingConfiguration.maximumBodies", 9, allowed: 1...4)) {
            try makeTracker(BodyTrackingConfiguration(maximumBodies: 9))
        }
    }

    /// Thresholds and filters are MediaPipe's. A change of a default shows here.
    @Test func theDefaults() {
        let expected = BodyTrackingConfiguration(
            maximumBodies: 1, minimumDetectionScore: 0.5, minimumPresence: 0.5, minimumOverlap: 0.5,
            detectionInterval: .milliseconds(100), stillness: 3, hold: .seconds(1), orientation: .up,
            smoothing: .init(
                landmarks: OneEuroParameters(minimumCutoff: 0.05, speedCoefficient: 80, speedCutoff: 1),
                worldLandmarks: OneEuroParameters(minimumCutoff: 0.1, speedCoefficient: 40, speedCutoff: 1),
                visibility: 0.1), segmentation: false)
        #expect(BodyTrackingConfiguration() == expected && Self.refusal { _ in } == nil)
    }

    @Test func writtenAndRead() throws {
        let filters = OneEuroParameters(minimumCutoff: 1, speedCoefficient: 2, speedCutoff: 3)
        for smoothing in [nil, BodyTrackingConfiguration.Smoothing(landmarks: filters, visibility: 0.5)] {
            let configuration = BodyTrackingConfiguration(
                maximumBodies: 3, minimumDetectionScore: 0.25, minimumPresence: 0.75, minimumOverlap: 0.125,
                detectionInterval: .milliseconds(250), stillness: nil, hold: .milliseconds(1_500),
                orientation: .leftMirrored, smoothing: smoothing, segmentation: true)
            let written = try JSONEncoder().encode(configuration)
            #expect(try JSONDecoder().decode(BodyTrackingConfiguration.self, from: written) == configuration)
        }
    }
}

/// Makes a tracker and lets it go.
private func makeTracker(_ configuration: BodyTrackingConfiguration) throws(ConfigurationError) {
    _ = try BodyTracker(configuration: configuration, kernels: portableCropKernels)
}
