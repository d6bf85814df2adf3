import Geometry
import Testing

@Suite struct RegionTrackerConfigurationTests {
    @Test func defaults() throws {
        let configuration = RegionTrackerConfiguration()
        try configuration.validate()
        #expect(configuration.smoothing == 0.35)
        #expect(configuration.minimumConfidence == 0.25)
        #expect(configuration.holdFrames == 15)
        #expect(configuration.reach == 1)
        #expect(configuration.maximumSizeRatio == 2)
    }

    @Test func limitsAreAccepted() throws {
        try RegionTrackerConfiguration(
            smoothing: 0.01, minimumConfidence: 0, holdFrames: 0, reach: 0.01, maximumSizeRatio: 1
        ).validate()
        try RegionTrackerConfiguration(
            smoothing: 1, minimumConfidence: 1, holdFrames: 600, reach: 10, maximumSizeRatio: 100
        ).validate()
    }

    @Test func faults() {
        let cases: [(RegionTrackerConfiguration, RegionTrackerConfigurationError)] = [
            (.init(smoothing: 0), .outOfRange(.smoothing, 0, allowed: 0.01...1)),
            (.init(smoothing: 1.5), .outOfRange(.smoothing, 1.5, allowed: 0.01...1)),
            (.init(smoothing: .nan), .notANumber(.smoothing)),
            (.init(minimumConfidence: -0.5), .outOfRange(.minimumConfidence, -0.5, allowed: 0...1)),
            (.init(minimumConfidence: .infinity), .outOfRange(.minimumConfidence, .infinity, allowed: 0...1)),
            (.init(minimumConfidence: .nan), .notANumber(.minimumConfidence)),
            (.init(holdFrames: -1), .holdFramesOutOfRange(-1, allowed: 0...600)),
            (.init(holdFrames: .max), .holdFramesOutOfRange(.max, allowed: 0...600)),
            (.init(reach: 0), .outOfRange(.reach, 0, allowed: 0.01...10)),
            (.init(reach: .nan), .notANumber(.reach)),
            (.init(maximumSizeRatio: 0.5), .outOfRange(.maximumSizeRatio, 0.5, allowed: 1...100)),
            (.init(maximumSizeRatio: .nan), .notANumber(.maximumSizeRatio)),
        ]
        for (configuration, error) in cases {
            #expect(throws: error) { try configuration.validate() }
            #expect(throws: error) { try RegionTracker(configuration: configuration) }
        }
    }
}
