import Recognition
import Testing
import Vocabulary

@Suite struct RecognitionConfigurationTests {
    private typealias Key = RecognitionConfiguration.ClassKey
    private typealias Override = RecognitionConfiguration.Override

    private static func error(
        _ parameter: String, _ value: any CustomStringConvertible, _ requirement: String
    ) -> ConfigurationError {
        ConfigurationError("RecognitionConfiguration." + parameter, value.description, mustBe: requirement)
    }

    @Test func defaults() throws {
        let defaults = RecognitionConfiguration()
        try defaults.validate()
        #expect(
            defaults
                == RecognitionConfiguration(
                    medianLength: 5, beginFrames: 3, beginConfidence: 0.85, endFrames: 2, unsureEndFrames: 12,
                    refractory: .zero, returnTime: .zero, mergeWindow: .zero, maximumDuration: nil, overrides: [:],
                    allowedClasses: nil, deniedClasses: []))
    }

    @Test func faults() {
        let negative = Duration.nanoseconds(-1)
        let (odd, counts, share) = ("odd and from 1 to 31", "from 1 to 600", "0 or more and below 1")
        let (pause, limit) = ("zero or more and below 292 years", "a nanosecond or more and below 292 years")
        let cases: [(RecognitionConfiguration, String, any CustomStringConvertible, String)] = [
            (.init(medianLength: 0), "medianLength", 0, odd), (.init(medianLength: 33), "medianLength", 33, odd),
            (.init(medianLength: 4), "medianLength", 4, odd), (.init(medianLength: .min), "medianLength", Int.min, odd),
            (.init(beginFrames: 0), "beginFrames", 0, counts),
            (.init(beginFrames: .max), "beginFrames", Int.max, counts),
            (.init(endFrames: -1), "endFrames", -1, counts),
            (.init(unsureEndFrames: 601), "unsureEndFrames", 601, counts),
            (
                .init(endFrames: 13), "unsureEndFrames", 12,
                "at least RecognitionConfiguration.endFrames, which is 13"
            ),
            (.init(beginConfidence: .nan), "beginConfidence", "not a number", share),
            (.init(beginConfidence: 1), "beginConfidence", Float(1), share),
            (.init(beginConfidence: -0.1), "beginConfidence", Float(-0.1), share),
            (.init(addedBeginConfidence: 1), "addedBeginConfidence", Float(1), share),
            (.init(steady: .init(frames: 0, confidence: 0.5)), "steady.frames", 0, counts),
            (.init(steady: .init(frames: 3, confidence: 1)), "steady.confidence", Float(1), share),
            (.init(beginConfidence: .infinity), "beginConfidence", Float.infinity, share),
            (.init(refractory: negative), "refractory", negative, pause),
            (.init(refractory: .seconds(Int64.max)), "refractory", Duration.seconds(Int64.max), pause),
            (.init(returnTime: negative), "returnTime", negative, pause),
            (.init(mergeWindow: negative), "mergeWindow", negative, pause),
            (.init(maximumDuration: .zero), "maximumDuration", Duration.zero, limit),
            (
                .init(maximumDuration: .seconds(9_223_372_037)), "maximumDuration", Duration.seconds(9_223_372_037),
                limit
            ),
            (
                .init(overrides: ["a": Override(beginConfidence: .nan)]), "overrides[\"a\"].beginConfidence",
                "not a number", share
            ),
            (.init(overrides: [3: Override(beginConfidence: 2)]), "overrides[3].beginConfidence", Float(2), share),
            (.init(overrides: ["a": Override(beginFrames: 0)]), "overrides[\"a\"].beginFrames", 0, counts),
            (
                .init(overrides: ["a": Override(endFrames: 13)]), "unsureEndFrames", 12,
                "at least RecognitionConfiguration.overrides[\"a\"].endFrames, which is 13"
            ),
        ]
        for (configuration, parameter, value, requirement) in cases {
            let error = Self.error(parameter, value, requirement)
            #expect(throws: error) { try configuration.validate() }
            #expect(throws: error) {
                try RecognitionRules(labels: ["a", "b", "c", "d", "null"], nullIndex: 4, configuration: configuration)
            }
        }
    }

    @Test func limitsAreAccepted() throws {
        for configuration: RecognitionConfiguration in [
            .init(medianLength: 1), .init(medianLength: 31), .init(beginFrames: 600), .init(beginConfidence: 0),
            .init(beginConfidence: Float(1).nextDown), .init(addedBeginConfidence: 0), .init(endFrames: 12),
            .init(endFrames: 1, unsureEndFrames: 1),
            .init(maximumDuration: .nanoseconds(1)), .init(refractory: .nanoseconds(Int64.max)),
        ] {
            try configuration.validate()
        }
    }

    private static let ofAGesture = "the class of a gesture; the null class cannot begin"
    private static let onlyKey = "the only key of its class; another key names the same class by its index"

    @Test func returnStrokesMeetTheLabels() throws {
        func rules(_ strokes: [Key: Key]) throws -> RecognitionRules {
            try RecognitionRules(
                labels: ["left", "right", "null"], nullIndex: 2, configuration: .init(returnStrokes: strokes))
        }
        #expect(try rules(["left": 1]).thresholds.map(\.returnStroke) == [1, nil, nil])
        let refused: [([Key: Key], String, any CustomStringConvertible, String)] = [
            (["up": "left"], "returnStrokes.key", "\"up\"", "a label of the model"),
            (["left": 3], "returnStrokes", 3, "the index of a class, from 0 to 2"),
            (["null": "left"], "returnStrokes.key", "\"null\"", Self.ofAGesture),
            (["left": "null"], "returnStrokes", "\"null\"", "a gesture other than its key"),
            (["left": "left"], "returnStrokes", "\"left\"", "a gesture other than its key"),
            (["left": "right", 0: "right"], "returnStrokes.key", "\"left\"", Self.onlyKey),
        ]
        for (strokes, parameter, value, requirement) in refused {
            #expect(throws: Self.error(parameter, value, requirement)) { try rules(strokes) }
        }
    }

    @Test func allowedAndDeniedClassesMeetTheLabels() {
        let refused: [(RecognitionConfiguration, String, any CustomStringConvertible, String)] = [
            (.init(allowedClasses: ["d"]), "allowedClasses", "\"d\"", "a label of the model"),
            (.init(deniedClasses: ["d", "e"]), "deniedClasses", "\"d\"", "a label of the model"),
            (.init(deniedClasses: [4]), "deniedClasses", 4, "the index of a class, from 0 to 3"),
            (.init(deniedClasses: ["null"]), "deniedClasses", "\"null\"", Self.ofAGesture),
            (.init(deniedClasses: [2]), "deniedClasses", 2, Self.ofAGesture),
        ]
        for (configuration, parameter, value, requirement) in refused {
            #expect(throws: Self.error(parameter, value, requirement)) { try Marbles.machine(configuration) }
        }
    }

    @Test func overridesMeetTheLabels() throws {
        func rules(_ overrides: [Key: Override]) throws -> RecognitionRules {
            try RecognitionRules(
                labels: ["point", "fist", "null", "twin", "twin"], nullIndex: 2,
                configuration: .init(overrides: overrides))
        }
        let refused: [([Key], any CustomStringConvertible, String)] = [
            (["palm"], "\"palm\"", "a label of the model"), (["twin"], "\"twin\"", "a label that only one class has"),
            ([5], 5, "the index of a class, from 0 to 4"), ([-1], -1, "the index of a class, from 0 to 4"),
            (["null"], "\"null\"", Self.ofAGesture), ([2], 2, Self.ofAGesture),
            ([1, "fist"], "\"fist\"", Self.onlyKey),
        ]
        // Whatever the order of the dictionary, the same fault is reported.
        for (keys, value, requirement) in refused
            + [([Key], any CustomStringConvertible, String)](
                repeating: (["x3", "x1", "x2"], "\"x1\"", "a label of the model"), count: 20)
        {
            #expect(throws: Self.error("overrides.key", value, requirement)) {
                try rules(Dictionary(uniqueKeysWithValues: keys.map { ($0, Override(beginConfidence: 0.9)) }))
            }
        }
        let resolved = try rules(["fist": .init(beginFrames: 5), 4: .init(beginConfidence: 0.5, endFrames: 3)])
        #expect(resolved.thresholds.map(\.beginFrames) == [3, 5, 3, 3, 3])
        #expect(resolved.thresholds.map(\.beginConfidence) == [0.85, 0.85, 0.85, 0.85, 0.5])
        #expect(resolved.thresholds.map(\.endFrames) == [2, 2, 2, 2, 3])
    }

    /// Classes beside the model's have a confidence of their own where one is given, and an override goes before it.
    @Test func addedClassesMayNeedAnotherConfidence() throws {
        func confidences(_ added: Float?, of modelCount: Int?) throws -> [Float] {
            try RecognitionRules(
                labels: ["point", "null", "fist", "mine"], nullIndex: 1,
                configuration: .init(
                    beginConfidence: 0.8, addedBeginConfidence: added, overrides: ["mine": .init(beginConfidence: 0.9)]),
                modelCount: modelCount
            ).thresholds.map(\.beginConfidence)
        }
        #expect(try confidences(0.7, of: 2) == [0.8, 0.8, 0.7, 0.9])
        #expect(try confidences(nil, of: 2) == [0.8, 0.8, 0.8, 0.9])
        #expect(try confidences(0.7, of: nil) == [0.8, 0.8, 0.8, 0.9])
    }

    @Test func steadinessIsOfTheModelsOwnClasses() throws {
        let steady = RecognitionConfiguration.Steady(frames: 5, confidence: 0.6)
        let rules = try RecognitionRules(
            labels: ["point", "tap", "null", "fist"], nullIndex: 2,
            configuration: .init(
                steady: steady, overrides: ["point": .init(beginFrames: 4), "tap": .init(beginConfidence: 0.7)]),
            modelCount: 3)
        #expect([0, 1, 3].map { rules.thresholds[$0].steady } == [steady, nil, nil])
    }

    @Test func oneConfidenceReplacesThoseOfSingleAndAddedClasses() throws {
        var configuration = RecognitionConfiguration(
            beginConfidence: 0.8, addedBeginConfidence: 0.7, steady: .init(frames: 5, confidence: 0.5),
            overrides: ["point": .init(beginFrames: 5, beginConfidence: 0.9)])
        configuration.setBeginConfidence(ofAllClasses: 0.6)
        let rules = try RecognitionRules(
            labels: ["point", "null", "fist"], nullIndex: 1, configuration: configuration, modelCount: 2)
        #expect(rules.thresholds.map(\.beginConfidence) == [0.6, 0.6, 0.6])
        #expect(rules.thresholds.allSatisfy { $0.steady == nil })
        #expect(rules.thresholds.map(\.beginFrames) == [5, 3, 3])
    }

    @Test func modelsThatCannotBe() {
        func rules(_ count: Int, _ null: Int) throws {
            _ = try RecognitionRules(
                labels: (0..<count).map { "class \($0)" }, nullIndex: null, configuration: RecognitionConfiguration())
        }
        for count in [0, 1, 1025] {
            #expect(throws: ConfigurationError("labels.count", count, allowed: 2...1024)) { try rules(count, 0) }
        }
        for index in [-1, 13, .max] {
            #expect(throws: ConfigurationError("nullIndex", index, allowed: 0...12)) { try rules(13, index) }
        }
        #expect(throws: Never.self) {
            try rules(2, 0)
            try rules(1024, 1023)
        }
    }

    @Test func timesBecomeWholeNanoseconds() throws {
        let rules = try RecognitionRules(
            labels: ["a", "null"], nullIndex: 1,
            configuration: .init(
                refractory: .nanoseconds(1_999) + Duration(secondsComponent: 0, attosecondsComponent: 999_999_999),
                maximumDuration: .seconds(2) + .milliseconds(500)))
        #expect(rules.refractory == 1_999)
        #expect(rules.maximumDuration == 2_500_000_000)
    }
}
