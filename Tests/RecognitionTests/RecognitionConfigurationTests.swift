import Recognition
import Testing
import Vocabulary

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
        #expect(configuration.mergeWindow == .zero)
        #expect(configuration.maximumDuration == nil)
        #expect(configuration.overrides.isEmpty)
    }

    @Test func faults() {
        let negativeNanosecond = Duration.nanoseconds(-1)
        let cases: [(RecognitionConfiguration, ConfigurationError)] = [
            (.init(medianLength: 0), .init("RecognitionConfiguration.medianLength", 0, mustBe: "odd and from 1 to 31")),
            (
                .init(medianLength: 33),
                .init("RecognitionConfiguration.medianLength", 33, mustBe: "odd and from 1 to 31")
            ),
            (
                .init(medianLength: .min),
                .init("RecognitionConfiguration.medianLength", Int.min, mustBe: "odd and from 1 to 31")
            ),
            (.init(medianLength: 4), .init("RecognitionConfiguration.medianLength", 4, mustBe: "odd and from 1 to 31")),
            (.init(beginFrames: 0), .init("RecognitionConfiguration.beginFrames", 0, allowed: Self.counts)),
            (.init(beginFrames: .max), .init("RecognitionConfiguration.beginFrames", .max, allowed: Self.counts)),
            (.init(endFrames: -1), .init("RecognitionConfiguration.endFrames", -1, allowed: Self.counts)),
            (.init(unsureEndFrames: 601), .init("RecognitionConfiguration.unsureEndFrames", 601, allowed: Self.counts)),
            (
                .init(endFrames: 13),
                .init(
                    "RecognitionConfiguration.unsureEndFrames", 12,
                    mustBe: "at least RecognitionConfiguration.endFrames, which is 13")
            ),
            (
                .init(beginConfidence: .nan),
                .init("RecognitionConfiguration.beginConfidence", Float.nan, mustBe: "0 or more and below 1")
            ),
            (
                .init(beginConfidence: 1),
                .init("RecognitionConfiguration.beginConfidence", Float(1), mustBe: "0 or more and below 1")
            ),
            (
                .init(beginConfidence: -0.1),
                .init("RecognitionConfiguration.beginConfidence", Float(-0.1), mustBe: "0 or more and below 1")
            ),
            (
                .init(beginConfidence: .infinity),
                .init("RecognitionConfiguration.beginConfidence", Float.infinity, mustBe: "0 or more and below 1")
            ),
            (
                .init(refractory: negativeNanosecond),
                .init(
                    "RecognitionConfiguration.refractory", negativeNanosecond,
                    mustBe: "zero or more and below 292 years")
            ),
            (
                .init(refractory: .seconds(Int64.max)),
                .init(
                    "RecognitionConfiguration.refractory", Duration.seconds(Int64.max),
                    mustBe: "zero or more and below 292 years")
            ),
            (
                .init(returnTime: negativeNanosecond),
                .init(
                    "RecognitionConfiguration.returnTime", negativeNanosecond,
                    mustBe: "zero or more and below 292 years")
            ),
            (
                .init(mergeWindow: negativeNanosecond),
                .init(
                    "RecognitionConfiguration.mergeWindow", negativeNanosecond,
                    mustBe: "zero or more and below 292 years")
            ),
            (
                .init(maximumDuration: .zero),
                .init(
                    "RecognitionConfiguration.maximumDuration", Duration.zero,
                    mustBe: "a nanosecond or more and below 292 years")
            ),
            (
                .init(maximumDuration: .seconds(9_223_372_037)),
                .init(
                    "RecognitionConfiguration.maximumDuration", Duration.seconds(9_223_372_037),
                    mustBe: "a nanosecond or more and below 292 years")
            ),
            (
                .init(overrides: ["a": .init(beginConfidence: .nan)]),
                .init(
                    "RecognitionConfiguration.overrides[\"a\"].beginConfidence", Float.nan,
                    mustBe: "0 or more and below 1")
            ),
            (
                .init(overrides: [3: .init(beginConfidence: 2)]),
                .init(
                    "RecognitionConfiguration.overrides[3].beginConfidence", Float(2), mustBe: "0 or more and below 1")
            ),
            (
                .init(overrides: ["a": .init(beginFrames: 0)]),
                .init("RecognitionConfiguration.overrides[\"a\"].beginFrames", 0, allowed: Self.counts)
            ),
            (
                .init(overrides: ["a": .init(endFrames: 13)]),
                .init(
                    "RecognitionConfiguration.unsureEndFrames", 12,
                    mustBe: "at least RecognitionConfiguration.overrides[\"a\"].endFrames, which is 13")
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
            .init(medianLength: 1), .init(medianLength: 31), .init(beginFrames: 600), .init(beginConfidence: 0),
            .init(beginConfidence: Float(1).nextDown), .init(endFrames: 12), .init(endFrames: 1, unsureEndFrames: 1),
            .init(maximumDuration: .nanoseconds(1)), .init(refractory: .nanoseconds(Int64.max)),
        ] {
            try configuration.validate()
        }
    }

    @Test func returnStrokesMeetTheLabels() throws {
        typealias Key = RecognitionConfiguration.ClassKey
        func rules(_ strokes: [Key: Key]) throws -> RecognitionRules {
            try RecognitionRules(
                labels: ["left", "right", "null"], nullIndex: 2, configuration: .init(returnStrokes: strokes))
        }
        #expect(try rules(["left": 1]).thresholds.map(\.returnStroke) == [1, nil, nil])
        let refused: [([Key: Key], ConfigurationError)] = [
            (
                ["up": "left"],
                .init("RecognitionConfiguration.returnStrokes.key", "\"up\"", mustBe: "a label of the model")
            ),
            (
                ["left": 3],
                .init("RecognitionConfiguration.returnStrokes", 3, mustBe: "the index of a class, from 0 to 2")
            ),
            (
                ["null": "left"],
                .init(
                    "RecognitionConfiguration.returnStrokes.key", "\"null\"",
                    mustBe: "the class of a gesture; the null class cannot begin")
            ),
            (
                ["left": "null"],
                .init("RecognitionConfiguration.returnStrokes", "\"null\"", mustBe: "a gesture other than its key")
            ),
            (
                ["left": "left"],
                .init("RecognitionConfiguration.returnStrokes", "\"left\"", mustBe: "a gesture other than its key")
            ),
            (
                ["left": "right", 0: "right"],
                .init(
                    "RecognitionConfiguration.returnStrokes.key", "\"left\"",
                    mustBe: "the only key of its class; another key names the same class by its index")
            ),
        ]
        for (strokes, error) in refused {
            #expect(throws: error) { try rules(strokes) }
        }
    }

    @Test func overridesMeetTheLabels() throws {
        let labels = ["point", "fist", "null", "twin", "twin"]
        func rules(_ overrides: [RecognitionConfiguration.ClassKey: RecognitionConfiguration.Override]) throws
            -> RecognitionRules
        {
            try RecognitionRules(labels: labels, nullIndex: 2, configuration: .init(overrides: overrides))
        }
        let confident = RecognitionConfiguration.Override(beginConfidence: 0.9)
        #expect(
            throws: ConfigurationError(
                "RecognitionConfiguration.overrides.key", "\"palm\"", mustBe: "a label of the model")
        ) { try rules(["palm": confident]) }
        #expect(
            throws: ConfigurationError(
                "RecognitionConfiguration.overrides.key", "\"twin\"", mustBe: "a label that only one class has")
        ) { try rules(["twin": confident]) }
        #expect(
            throws: ConfigurationError(
                "RecognitionConfiguration.overrides.key", 5, mustBe: "the index of a class, from 0 to 4")
        ) {
            try rules([5: confident])
        }
        #expect(
            throws: ConfigurationError(
                "RecognitionConfiguration.overrides.key", -1, mustBe: "the index of a class, from 0 to 4")
        ) {
            try rules([-1: confident])
        }
        #expect(
            throws: ConfigurationError(
                "RecognitionConfiguration.overrides.key", "\"null\"",
                mustBe: "the class of a gesture; the null class cannot begin")
        ) { try rules(["null": confident]) }
        #expect(
            throws: ConfigurationError(
                "RecognitionConfiguration.overrides.key", 2,
                mustBe: "the class of a gesture; the null class cannot begin")
        ) { try rules([2: confident]) }
        #expect(
            throws: ConfigurationError(
                "RecognitionConfiguration.overrides.key", "\"fist\"",
                mustBe: "the only key of its class; another key names the same class by its index")
        ) {
            try rules([1: confident, "fist": confident])
        }
        // Whatever the order of the dictionary, the same fault is reported.
        for _ in 0..<20 {
            #expect(
                throws: ConfigurationError(
                    "RecognitionConfiguration.overrides.key", "\"x1\"", mustBe: "a label of the model")
            ) {
                try rules(["x3": confident, "x1": confident, "x2": confident])
            }
        }

        let resolved = try rules(["fist": .init(beginFrames: 5), 4: .init(beginConfidence: 0.5, endFrames: 3)])
        #expect(resolved.thresholds.map(\.beginFrames) == [3, 5, 3, 3, 3])
        #expect(resolved.thresholds.map(\.beginConfidence) == [0.85, 0.85, 0.85, 0.85, 0.5])
        #expect(resolved.thresholds.map(\.endFrames) == [2, 2, 2, 2, 3])
    }

    @Test func modelsThatCannotBe() {
        func rules(
            _ count: Int, _ null: Int,
            _ overrides: [RecognitionConfiguration.ClassKey: RecognitionConfiguration.Override] = [:]
        ) throws {
            _ = try RecognitionRules(classCount: count, nullIndex: null, configuration: .init(overrides: overrides))
        }
        for count in [Int.min, -1, 0, 1, 1025, .max] {
            #expect(throws: ConfigurationError("labels.count", count, allowed: 2...1024)) {
                try rules(count, 0)
            }
        }
        for index in [-1, 13, .max] {
            #expect(throws: ConfigurationError("nullIndex", index, allowed: 0...12)) {
                try rules(13, index)
            }
        }
        #expect(
            throws: ConfigurationError(
                "RecognitionConfiguration.overrides.key", "\"fist\"", mustBe: "a label of the model")
        ) { try rules(13, 12, ["fist": .init()]) }
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
