import HandTracking
import Testing
import Tracking
import Vocabulary

@Suite struct HandTrackingConfigurationTests {
    private typealias Case = (parameter: String, change: (inout HandTrackingConfiguration) -> Void)

    private static func each<Value>(
        _ parameter: String, _ path: WritableKeyPath<HandTrackingConfiguration, Value>, _ values: [Value]
    ) -> [Case] {
        values.map { value in (parameter, { $0[keyPath: path] = value }) }
    }

    private static let longest = Duration.seconds(10)
    private static let unusableTimes = [
        .milliseconds(-1), longest + .nanoseconds(1), .seconds(Int64.max), .seconds(Int64.min),
    ]
    private static let unusableFilters = [Double.nan, -1, 0, 1e6]

    private static var unusable: [Case] {
        each("minimumPalmScore", \.minimumPalmScore, [.nan, -0.1, 0, 1, 1.1, .infinity])
            + each("minimumPresence", \.minimumPresence, [.nan, -0.1, 0, 1, 1.1, .infinity])
            + each("palmOverlap", \.palmOverlap, [.nan, -0.1, 1.1, .infinity])
            + each("regionOverlap", \.regionOverlap, [.nan, -0.1, 1.1, .infinity])
            + each("stillness", \.stillness, [.nan, -0.1, 255.1, .infinity])
            + each("detectionInterval", \.detectionInterval, unusableTimes)
            + each("stillDetectionInterval", \.stillDetectionInterval, unusableTimes)
            + each("identityHold", \.identityHold, unusableTimes)
            + each("smoothing.landmarks.minimumCutoff", \.smoothing!.landmarks.minimumCutoff, unusableFilters)
            + each("smoothing.worldLandmarks.speedCutoff", \.smoothing!.worldLandmarks.speedCutoff, unusableFilters)
            + each(
                "smoothing.worldLandmarks.speedCoefficient", \.smoothing!.worldLandmarks.speedCoefficient,
                unusableFilters.filter { $0 != 0 })
    }

    private static var usable: [Case] {
        each("minimumPalmScore", \.minimumPalmScore, [0.01, 0.99])
            + each("minimumPresence", \.minimumPresence, [0.01, 0.99]) + each("palmOverlap", \.palmOverlap, [0, 1])
            + each("regionOverlap", \.regionOverlap, [0, 1]) + each("stillness", \.stillness, [0, 255, nil])
            + each("detectionInterval", \.detectionInterval, [.zero, longest])
            + each("identityHold", \.identityHold, [.zero, longest]) + each("smoothing", \.smoothing, [nil])
            + each("speedCoefficient", \.smoothing!.worldLandmarks.speedCoefficient, [0])
    }

    @Test func eachValueHasItsRange() {
        for (parameter, change) in Self.unusable + Self.usable.map({ (nil, $0.change) }) {
            var configuration = HandTrackingConfiguration(smoothing: HandTrackingConfiguration.Smoothing())
            change(&configuration)
            var found: String?
            do { try configuration.validate() } catch { found = error.parameter }
            #expect(found == parameter.map { "HandTrackingConfiguration." + $0 }, "\(configuration)")
        }
    }

    @Test func theDefaultsAreMediaPipes() throws {
        let configuration = HandTrackingConfiguration()
        try configuration.validate()
        #expect(configuration.minimumPalmScore == 0.5 && configuration.minimumPresence == 0.5)
        #expect(configuration.palmOverlap == 0.3 && configuration.regionOverlap == 0.5)
        #expect(configuration.detectionInterval == .milliseconds(30) && configuration.smoothing == nil)
        // What an app can set leaves the rest as it is.
        #expect(HandTrackingConfiguration(palmOverlap: 0.3) == configuration)
        let smoothing = HandTrackingConfiguration.Smoothing()
        #expect(
            HandTrackingConfiguration(minimumPresence: 0.6, isSmoothed: true)
                == HandTrackingConfiguration(minimumPresence: 0.6, smoothing: smoothing))
    }
}
