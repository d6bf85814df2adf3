import Frames
import Testing
import Vocabulary

@Suite struct RegionTrackerConfigurationTests {
    @Test func defaults() throws {
        let configuration = RegionTracker.Configuration()
        try configuration.validate()
        #expect(configuration.smoothing == 0.35)
        #expect(configuration.minimumConfidence == 0.25)
        #expect(configuration.holdFrames == 15)
        #expect(configuration.reach == 1)
        #expect(configuration.maximumSizeRatio == 2)
    }

    @Test func limitsAreAccepted() throws {
        try RegionTracker.Configuration(
            smoothing: 0.01, minimumConfidence: 0, holdFrames: 0, reach: 0.01, maximumSizeRatio: 1
        ).validate()
        try RegionTracker.Configuration(
            smoothing: 1, minimumConfidence: 1, holdFrames: 600, reach: 10, maximumSizeRatio: 100
        ).validate()
    }

    @Test func faults() {
        let cases: [(RegionTracker.Configuration, ConfigurationError)] = [
            (.init(smoothing: 0), .init("RegionTracker.Configuration.smoothing", 0, allowed: 0.01...1)),
            (.init(smoothing: 1.5), .init("RegionTracker.Configuration.smoothing", 1.5, allowed: 0.01...1)),
            (.init(smoothing: .nan), .init("RegionTracker.Configuration.smoothing", Double.nan, allowed: 0.01...1)),
            (
                .init(minimumConfidence: -0.5),
                .init("RegionTracker.Configuration.minimumConfidence", -0.5, allowed: 0...1)
            ),
            (
                .init(minimumConfidence: .infinity),
                .init("RegionTracker.Configuration.minimumConfidence", Double.infinity, allowed: 0...1)
            ),
            (
                .init(minimumConfidence: .nan),
                .init("RegionTracker.Configuration.minimumConfidence", Double.nan, allowed: 0...1)
            ),
            (.init(holdFrames: -1), .init("RegionTracker.Configuration.holdFrames", -1, allowed: 0...600)),
            (.init(holdFrames: .max), .init("RegionTracker.Configuration.holdFrames", Int.max, allowed: 0...600)),
            (.init(reach: 0), .init("RegionTracker.Configuration.reach", 0, allowed: 0.01...10)),
            (.init(reach: .nan), .init("RegionTracker.Configuration.reach", Double.nan, allowed: 0.01...10)),
            (
                .init(maximumSizeRatio: 0.5),
                .init("RegionTracker.Configuration.maximumSizeRatio", 0.5, allowed: 1...100)
            ),
            (
                .init(maximumSizeRatio: .nan),
                .init("RegionTracker.Configuration.maximumSizeRatio", Double.nan, allowed: 1...100)
            ),
        ]
        for (configuration, error) in cases {
            #expect(throws: error) { try configuration.validate() }
            #expect(throws: error) { try RegionTracker(configuration: configuration) }
        }
    }
}
