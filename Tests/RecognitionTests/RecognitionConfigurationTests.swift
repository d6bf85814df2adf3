import Recognition
import Testing

@Suite struct RecognitionConfigurationTests {
    private static let counts = 1...600

    @Test func defaults() throws {
        let configuration = RecognitionConfiguration()
        try configuration.validate()
        #expect(configuration.medianLength == 5)
        #expect(configuration.beginFrames == 3)
        #expect(configuration.beginConfidence == 0.85)
        #expect(configuration.endFrames == 2)
        #expect(configuration.unsureEndFrames == 12)
        #expect(configuration.refractory == .zero)
        #expect(configuration.maximumDuration == nil)
        #expect(configuration.overrides.isEmpty)
    }

    @Test func faults() {
        let negativeNanosecond = Duration.nanoseconds(-1)
        let cases: [(RecognitionConfiguration, RecognitionConfigurationError)] = [
            (.init(medianLength: 0), .medianLengthOutOfRange(0, allowed: 1...7)),
            (.init(medianLength: 9), .medianLengthOutOfRange(9, allowed: 1...7)),
            (.init(medianLength: .min), .medianLengthOutOfRange(.min, allowed: 1...7)),
            (.init(medianLength: 4), .medianLengthEven(4)),
            (.init(beginFrames: 0), .frameCountOutOfRange(.beginFrames, 0, allowed: Self.counts, of: nil)),
            (.init(beginFrames: .max), .frameCountOutOfRange(.beginFrames, .max, allowed: Self.counts, of: nil)),
            (.init(endFrames: -1), .frameCountOutOfRange(.endFrames, -1, allowed: Self.counts, of: nil)),
            (.init(unsureEndFrames: 601), .frameCountOutOfRange(.unsureEndFrames, 601, allowed: Self.counts, of: nil)),
            (.init(endFrames: 13), .unsureEndFramesBelowEndFrames(unsure: 12, end: 13, of: nil)),
            (.init(beginConfidence: .nan), .confidenceNotANumber(of: nil)),
            (.init(beginConfidence: 1), .confidenceOutOfRange(1, of: nil)),
            (.init(beginConfidence: -0.1), .confidenceOutOfRange(-0.1, of: nil)),
            (.init(beginConfidence: .infinity), .confidenceOutOfRange(.infinity, of: nil)),
            (.init(refractory: negativeNanosecond), .timeOutOfRange(.refractory, negativeNanosecond)),
            (.init(refractory: .seconds(Int64.max)), .timeOutOfRange(.refractory, .seconds(Int64.max))),
            (.init(maximumDuration: .zero), .timeOutOfRange(.maximumDuration, .zero)),
            (
                .init(maximumDuration: .seconds(9_223_372_037)),
                .timeOutOfRange(.maximumDuration, .seconds(9_223_372_037))
            ),
            (.init(overrides: ["a": .init(beginConfidence: .nan)]), .confidenceNotANumber(of: "a")),
            (.init(overrides: [3: .init(beginConfidence: 2)]), .confidenceOutOfRange(2, of: 3)),
            (
                .init(overrides: ["a": .init(beginFrames: 0)]),
                .frameCountOutOfRange(.beginFrames, 0, allowed: Self.counts, of: "a")
            ),
            (
                .init(overrides: ["a": .init(endFrames: 13)]),
                .unsureEndFramesBelowEndFrames(unsure: 12, end: 13, of: "a")
            ),
        ]
        for (configuration, error) in cases {
            #expect(throws: error) { try configuration.validate() }
            #expect(throws: error) {
                try RecognitionRules(labels: ["a", "b", "c", "d", "null"], nullIndex: 4, configuration: configuration)
            }
        }
    }

    @Test func limitsAreAccepted() throws {
        for configuration: RecognitionConfiguration in [
            .init(medianLength: 1), .init(medianLength: 7), .init(beginFrames: 600), .init(beginConfidence: 0),
            .init(beginConfidence: Float(1).nextDown), .init(endFrames: 12), .init(endFrames: 1, unsureEndFrames: 1),
            .init(maximumDuration: .nanoseconds(1)), .init(refractory: .nanoseconds(Int64.max)),
        ] {
            try configuration.validate()
        }
    }

    @Test func overridesMeetTheLabels() throws {
        let labels = ["point", "fist", "null", "twin", "twin"]
        func rules(_ overrides: [ClassKey: ClassOverride]) throws -> RecognitionRules {
            try RecognitionRules(labels: labels, nullIndex: 2, configuration: .init(overrides: overrides))
        }
        let confident = ClassOverride(beginConfidence: 0.9)
        #expect(throws: RecognitionConfigurationError.unknownLabel("palm")) { try rules(["palm": confident]) }
        #expect(throws: RecognitionConfigurationError.ambiguousLabel("twin")) { try rules(["twin": confident]) }
        #expect(throws: RecognitionConfigurationError.classIndexOutOfRange(5, classCount: 5)) {
            try rules([5: confident])
        }
        #expect(throws: RecognitionConfigurationError.classIndexOutOfRange(-1, classCount: 5)) {
            try rules([-1: confident])
        }
        #expect(throws: RecognitionConfigurationError.overrideOfNull("null")) { try rules(["null": confident]) }
        #expect(throws: RecognitionConfigurationError.overrideOfNull(2)) { try rules([2: confident]) }
        #expect(throws: RecognitionConfigurationError.duplicateOverride(classIndex: 1)) {
            try rules([1: confident, "fist": confident])
        }
        // Whatever the order of the dictionary, the same fault is reported.
        for _ in 0..<20 {
            #expect(throws: RecognitionConfigurationError.unknownLabel("x1")) {
                try rules(["x3": confident, "x1": confident, "x2": confident])
            }
        }

        let resolved = try rules(["fist": .init(beginFrames: 5), 4: .init(beginConfidence: 0.5, endFrames: 3)])
        #expect(resolved.thresholds.map(\.beginFrames) == [3, 5, 3, 3, 3])
        #expect(resolved.thresholds.map(\.beginConfidence) == [0.85, 0.85, 0.85, 0.85, 0.5])
        #expect(resolved.thresholds.map(\.endFrames) == [2, 2, 2, 2, 3])
    }

    @Test func modelsThatCannotBe() {
        func rules(_ count: Int, _ null: Int, _ overrides: [ClassKey: ClassOverride] = [:]) throws {
            _ = try RecognitionRules(classCount: count, nullIndex: null, configuration: .init(overrides: overrides))
        }
        for count in [Int.min, -1, 0, 1, 1025, .max] {
            #expect(throws: RecognitionConfigurationError.classCountOutOfRange(count, allowed: 2...1024)) {
                try rules(count, 0)
            }
        }
        for index in [-1, 13, .max] {
            #expect(throws: RecognitionConfigurationError.nullIndexOutOfRange(index, classCount: 13)) {
                try rules(13, index)
            }
        }
        #expect(throws: RecognitionConfigurationError.unknownLabel("fist")) { try rules(13, 12, ["fist": .init()]) }
        #expect(throws: Never.self) {
            try rules(2, 0)
            try rules(1024, 1023)
        }
    }

    @Test func timesBecomeWholeNanoseconds() throws {
        let rules = try RecognitionRules(
            classCount: 2, nullIndex: 1,
            configuration: .init(
                refractory: .nanoseconds(1_999) + Duration(secondsComponent: 0, attosecondsComponent: 999_999_999),
                maximumDuration: .seconds(2) + .milliseconds(500)))
        #expect(rules.refractory == 1_999)
        #expect(rules.maximumDuration == 2_500_000_000)
    }
}
