import Foundation
import GestureEngine
import PixelFrontEnd
import TestSupport
import Testing
import TrackerInference

@Suite struct ConfigurationTests {
    private static func copy<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    /// Every value another than the default.
    private static let unusual: GestureEngine.Configuration = {
        let advanced = GestureEngine.Configuration.Advanced(
            pacing: .literal(lateAfter: .milliseconds(9)),
            hands: HandTrackingConfiguration(
                minimumPalmScore: 0.4, minimumPresence: 0.6, palmOverlap: 0.2, regionOverlap: 0.4,
                detectionInterval: .milliseconds(50), stillness: nil, identityHold: .seconds(1),
                smoothing: HandTrackingConfiguration.Smoothing()),
            quality: QualityConfiguration(lowLight: .init(set: 40, clear: 70), onset: .seconds(1)),
            keyframeCapacity: 3, directions: .upMirrored, excludedTiers: ["avx512vnni"],
            wake: GestureEngine.Configuration.Wake(pose: .victory, hold: .seconds(1), window: .seconds(3)))
        return GestureEngine.Configuration(
            rate: .hz60, orientation: .left, maximumHands: 2, gesturingHand: .largest,
            recognition: RecognitionConfiguration(
                medianLength: 3, beginFrames: 4, beginConfidence: 0.7, addedBeginConfidence: 0.6,
                steady: .init(frames: 9, confidence: 0.4), endFrames: 5,
                unsureEndFrames: 13, refractory: .milliseconds(10), returnTime: .milliseconds(20),
                returnStrokes: ["zoomIn": "zoomOut", 3: "tap"], mergeWindow: .milliseconds(30),
                maximumDuration: .seconds(9),
                overrides: ["tap": .init(beginFrames: 2), 3: .init(beginConfidence: 0.5, endFrames: 3)]),
            sensitivity: .high, heldPoses: HeldPoseConfiguration(gestures: [:], pinch: "pinch"),
            scheduling: SchedulingConfiguration(
                budget: SchedulingConfiguration.Budget(throttlesFrom: .serious, batteryLow: 0.1),
                pace: SchedulingConfiguration.Pace(
                    missLimit: 5, temperature: SchedulingConfiguration.dieTemperature), activity: nil),
            advanced: advanced)
    }()

    @Test func configurationsAreCoded() throws {
        for configuration in [GestureEngine.Configuration(), Self.unusual, GestureEngine.Configuration(rate: .hz30)] {
            #expect(try Self.copy(configuration) == configuration)
        }
    }

    /// Sensitivity moves the model's thresholds, those of single classes too, and none of the app's own.
    @Test func sensitivityMovesTheModelsThresholdsAlone() throws {
        let engine = try goldenEngine()
        let medium = engine.defaultRecognition(at: .hz30)
        for (sensitivity, offset) in [(GestureEngine.Sensitivity.low, Float(0.12)), (.medium, 0), (.high, -0.1)] {
            let moved = engine.defaultRecognition(at: .hz30, sensitivity: sensitivity)
            #expect(abs(moved.beginConfidence - medium.beginConfidence - offset) < 1e-6)
            let added = (try #require(moved.addedBeginConfidence), try #require(medium.addedBeginConfidence))
            #expect(abs(added.0 - added.1 - offset) < 1e-6)
            var same = moved
            same.beginConfidence = medium.beginConfidence
            same.addedBeginConfidence = medium.addedBeginConfidence
            same.overrides = medium.overrides
            #expect(same == medium)
            var configuration = GestureEngine.Configuration(rate: .hz30, sensitivity: sensitivity)
            let stream = try engine.makeStream(configuration)
            #expect(stream.recognition == moved)
            configuration.recognition = RecognitionConfiguration(beginConfidence: 0.4)
            let own = try engine.makeStream(configuration)
            #expect(own.recognition.beginConfidence == 0.4)
            try own.setRecognition(nil)
            #expect(own.recognition == moved)
        }
        #expect(GestureEngine.Configuration().sensitivity == .medium)
    }

    @Test func aWakePoseIsChecked() throws {
        typealias Wake = GestureEngine.Configuration.Wake
        for (wake, part) in [
            (Wake(pose: .unknown), "pose"), (Wake(pose: .victory, hold: .milliseconds(99)), "hold"),
            (Wake(pose: .victory, hold: .seconds(11)), "hold"), (Wake(pose: .victory, window: .zero), "window"),
            (Wake(pose: .victory, window: .seconds(3601)), "window"),
        ] {
            #expect {
                try GestureEngine.Configuration(advanced: .init(wake: wake)).validate()
            } throws: {
                "\($0)".hasPrefix("GestureEngine.Configuration.advanced.wake.\(part)")
            }
        }
        #expect(Wake(pose: .victory).hold == .milliseconds(500) && Wake(pose: .victory).window == .seconds(8))
        // Pixels have no poses.
        #expect {
            try goldenEngine().makeStream(GestureEngine.Configuration(advanced: .init(wake: Wake(pose: .victory))))
        } throws: {
            "\($0)".contains("advanced.wake")
        }
        #expect(try goldenEngine().makeStream(GestureEngine.Configuration()).isArmed)
    }

    @Test func whatAStreamSaysIsCoded() throws {
        let stream = try goldenEngine().makeStream(GestureEngine.Configuration())
        for (index, gray) in RandomModel.frames(seed: 3, count: 40).enumerated() {
            let frame = try PixelView(gray.span, format: .gray8, width: 224, height: 224, bytesPerRow: 224)
            _ = stream.push(frame, at: .milliseconds(index * 8))
        }
        let statistics = stream.statistics
        #expect(statistics.frames.run > 0 && statistics.frame != nil)
        #expect(try Self.copy(statistics) == statistics)
        for kind: GestureEvent.Kind in [.begin, .end(.released), .end(.unsure), .end(.expired), .end(.flushed)] {
            #expect(try Self.copy(kind) == kind)
        }
    }

    /// Pairs of integers in JSON that may be times: `Duration` itself writes a time as two.
    private static func pairs(in json: Any) -> [[Double]] {
        if let object = json as? [String: Any] { return object.values.flatMap(pairs) }
        guard let array = json as? [Any] else { return [] }
        guard array.count == 2, let pair = array as? [Double], pair[1] >= 1e9 || pair == [0, 0] else {
            return array.flatMap(pairs)
        }
        return [pair]
    }

    @Test func timesAreWrittenInSeconds() throws {
        let stream = try goldenEngine().makeStream(GestureEngine.Configuration())
        for index in 0..<20 { _ = try PixelView.withFlat(UInt8(index)) { stream.push($0, at: .slot(index)) } }
        var configuration = Self.unusual
        configuration.heldPoses = HeldPoseConfiguration()
        configuration.scheduling?.activity = SchedulingConfiguration.Activity()
        let values: [any Encodable] = [GestureEngine.Configuration(), configuration, stream.statistics]
        for value in values {
            let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
            #expect(Self.pairs(in: json) == [])
        }
        let recognition = try #require(Self.unusual.recognition)
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(recognition)) as? [String: Any]
        #expect(json?["refractory"] as? Double == 0.01 && json?["maximumDuration"] as? Double == 9)
    }

    /// What `Duration` itself writes is read, too; a number that is no time is refused.
    @Test func pairsOfIntegersAreRead() throws {
        func poses(_ time: String) throws -> HeldPoseConfiguration {
            let written = try JSONEncoder().encode(HeldPoseConfiguration(time: .milliseconds(300)))
            let text = String(decoding: written, as: UTF8.self)
            try #require(text.contains("\"time\":0.3"))
            let changed = text.replacing("\"time\":0.3", with: "\"time\":\(time)")
            return try JSONDecoder().decode(HeldPoseConfiguration.self, from: Data(changed.utf8))
        }
        #expect(try poses("0.25").time == .milliseconds(250))
        #expect(try poses("[0,250000000000000000]").time == .milliseconds(250))
        #expect(try poses("-2").time == .seconds(-2))
        #expect(try poses("0.0000000004").time == .zero)
        for wrong in ["1e300", "-9.3e9", "\"soon\"", "[1]", "null"] {
            #expect(throws: DecodingError.self) { try poses(wrong) }
        }
        for nanoseconds: Int64 in [0, 1, -1, 33_333_333, 123_456_789_012_345, 2_159_999_999_999_999] {
            let time = Duration.nanoseconds(nanoseconds)
            #expect(try Self.copy(HeldPoseConfiguration(time: time)).time == time)
        }
    }

    /// Of several faults the first is reported, in the order of declaration.
    @Test func theFirstFaultIsReported() throws {
        var configuration = GestureEngine.Configuration()
        configuration.advanced.keyframeCapacity = -1
        func parameter() -> String? {
            do throws(ConfigurationError) { try configuration.validate() } catch { return error.parameter }
            return nil
        }
        #expect(parameter() == "GestureEngine.Configuration.advanced.keyframeCapacity")
        configuration.advanced.hands.minimumPresence = 0
        #expect(parameter() == "HandTrackingConfiguration.minimumPresence")
        configuration.heldPoses = HeldPoseConfiguration(score: 2)
        #expect(parameter() == "HeldPoseConfiguration.score")
        for count in [0, 5, -1, .max, .min] {
            configuration.maximumHands = count
            #expect(throws: ConfigurationError("GestureEngine.Configuration.maximumHands", count, allowed: 1...4)) {
                try configuration.validate()
            }
        }
    }

    /// A switch of a part turns it on with its defaults, and keeps what is there.
    @Test func switchesKeepWhatIsSet() {
        var advanced = Self.unusual.advanced
        advanced.hands.isSmoothed = true
        #expect(advanced == Self.unusual.advanced)
        advanced.hands.isSmoothed = false
        #expect(advanced.hands.smoothing == nil)
        advanced.hands.isSmoothed = true
        #expect(advanced.hands.smoothing == HandTrackingConfiguration.Smoothing())
    }

    /// A fault in any part is found, named as code writes it, and is what a stream throws.
    @Test func everyPartIsChecked() throws {
        let faults: [(String, (inout GestureEngine.Configuration) -> Void)] = [
            ("PacingConfiguration.Policy.literal(lateAfter:)", { $0.advanced.pacing = .literal(lateAfter: .zero) }),
            ("RecognitionConfiguration.beginFrames", { $0.recognition = RecognitionConfiguration(beginFrames: 0) }),
            ("GestureEngine.Configuration.maximumHands", { $0.maximumHands = 5 }),
            ("HandTrackingConfiguration.palmOverlap", { $0.advanced.hands.palmOverlap = 2 }),
            (
                "SchedulingConfiguration.Pace.missLimit",
                { $0.scheduling = SchedulingConfiguration(pace: SchedulingConfiguration.Pace(missLimit: 0)) }
            ),
            ("QualityConfiguration.onset", { $0.advanced.quality = QualityConfiguration(onset: .seconds(-1)) }),
            ("GestureEngine.Configuration.advanced.keyframeCapacity", { $0.advanced.keyframeCapacity = -1 }),
        ]
        let engine = try goldenEngine()
        try GestureEngine.Configuration().validate()
        try Self.unusual.validate()
        for (parameter, spoil) in faults {
            var configuration = GestureEngine.Configuration()
            spoil(&configuration)
            do throws(ConfigurationError) {
                try configuration.validate()
                Issue.record("\(parameter) passed")
            } catch {
                #expect(error.parameter == parameter)
                #expect(throws: EngineError.configuration(error)) { try engine.makeStream(configuration) }
                #expect(throws: EngineError.configuration(error)) {
                    try engine.makeLiveStream(configuration, sensors: nil)
                }
            }
        }
    }
}
