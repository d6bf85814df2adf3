import Foundation
import GestureEngine
import PixelFrontEnd
import Testing
import TrackerInference

/// Every public error says in a sentence what is wrong, with its numbers, when an app shows it.
@Suite struct ErrorSentenceTests {
    /// An error, and what its sentence must name.
    private static let samples: [(any Error, [String])] = [
        (ModelFileError.missingTensor("fc.weight"), ["fc.weight"]),
        (ModelFileError.invalidValue(tensor: "fc.weight", index: 11), ["fc.weight", "11"]),
        (ModelFileError.overflow(tensor: "fc.weight", index: 11), ["fc.weight", "11"]),
        (EngineError.notQuantised, ["float"]),
        (
            ConfigurationError("SchedulingConfiguration.Pace.missLimit", 0, allowed: 1...1000),
            ["SchedulingConfiguration.Pace.missLimit is 0; it must be from 1 to 1000."]
        ),
        (
            ConfigurationError("ExposureConfiguration.deadband", Double.nan, allowed: 0.005...1),
            ["ExposureConfiguration.deadband is not a number; it must be from 0.005 to 1.0."]
        ),
        (
            ConfigurationError("SchedulingConfiguration.Activity.idleBelow", 7.0, above: "wakeAbove", 6),
            ["SchedulingConfiguration.Activity.idleBelow is 7.0; it must be at most wakeAbove, which is 6.0."]
        ),
        (
            ConfigurationError("QualityConfiguration.onset", Duration.seconds(-1), mustBe: "from 0 to 1 hour"),
            ["QualityConfiguration.onset is -1.0 seconds; it must be from 0 to 1 hour."]
        ),
        (PixelView.FrameError.size(width: 0, height: 9, maximum: 16_384), ["0x9", "16384"]),
        (PixelView.FrameError.bytesPerRow(minimum: 640, found: 639), ["640", "639"]),
        (PixelView.FrameError.planeTooShort(required: 640, found: 639), ["640", "639"]),
        (
            PixelView.FrameError.region(PixelView.Region(x: 1, y: 2, width: 3, height: 4), width: 5, height: 6),
            ["3x4", "1, 2", "5x6"]
        ),
        (PixelView.FrameError.pixelFormat(0x7834_3230), ["'x420'"]),
        (PixelView.FrameError.notLocked(code: -6660), ["-6660"]), (PixelView.FrameError.noPicture, ["image"]),
        (PixelView.FrameError.destination(required: 50_176, found: 7), ["50176", "7"]),
        (EngineError.frameMemory(code: 12), ["12"]),
        (EngineError.thread(code: 11), ["11"]),
        (EngineError.file(path: "/a/b", .truncated(expected: 9, actual: 8)), ["/a/b", "8", "9"]),
        (
            EngineError.resourcesMissing(searched: ["/a/x", "/b/HandFiles.resources"]),
            ["/a/x", "/b/HandFiles.resources", "Ship x beside", "GestureHandsEmbedded"]
        ),
        (EnrolmentError.file(.missingTensor("bias")), ["bias"]),
        (
            EnrolmentError.wrongFormat(expected: "gesture-user", found: "gesture-bank"),
            ["gesture-user", "gesture-bank"]
        ),
        (EnrolmentError.wrongFormat(expected: "gesture-user", found: nil), ["gesture-user"]),
        (EnrolmentError.otherModel(expected: "ab", found: "cd"), ["ab", "cd"]),
        (EnrolmentError.tooManyClasses(300, limit: 256), ["300", "256"]),
        (EnrolmentError.invalidLabel("\n"), ["\\u{a}"]),
        (EnrolmentError.labelTaken("tap"), ["tap"]), (EnrolmentError.unknownLabel("tap"), ["tap"]),
        (EnrolmentError.tooManyGestures(limit: 16), ["16"]),
        (EnrolmentError.recordingShape(features: 161, logits: 13), ["161", "13"]),
        (EnrolmentError.otherRecording(recording: 0, features: 160, classes: 14), ["1", "160", "14"]),
        (EnrolmentError.notFinite(slot: 3, feature: 7), ["3", "7"]),
        (EnrolmentError.notFinite(slot: 3, feature: nil), ["3"]),
        (EnrolmentError.recordingCount(0, allowed: 1...64), ["0", "64"]),
        (EnrolmentError.gestureRange(recording: 1, 3..<9, slots: 5), ["2", "3", "9", "5"]),
        (EnrolmentError.tooShort(recording: 1, seconds: 0.72, required: 1.05), ["2 lasts 0.7 s", "1.1 s"]),
        (
            EnrolmentError.madeUp(perMinute: 12.34, limit: 1, found: 1, of: 3),
            ["12.3 times", "1.0 times", "1 of 3", "rest"]
        ),
        (EnrolmentError.noActivity(recording: 1, contrast: 0.456, required: 2), ["2", "0.46"]),
        (EnrolmentError.duplicateRecording(0, 2), ["1", "3"]), (EnrolmentError.noHold(recording: 1), ["2", "still"]),
        (EnrolmentError.posesDiffer(recordings: [0, 3], distance: 1.234, limit: 0.8), ["1, 4", "1.23", "0.8"]),
        (EnrolmentError.poseTooNear(label: "ok", distance: 0.234, required: 0.45), ["ok", "0.23", "0.45"]),
        (EnrolmentError.poseInBackground(recording: 1, distance: 0.234, required: 0.4), ["2", "0.23", "0.4"]),
        (EnrolmentError.noBackground(seconds: 0.1, required: 0.5), ["0.1 s", "0.5 s"]),
        (EnrolmentError.alreadyRecognised(label: "tap", recordings: 3, of: 4), ["tap", "3", "4"]),
        (EnrolmentError.firesOnClass(label: "tap", share: 0.1234, limit: 0.1), ["tap", "12.3 %", "10.0 %"]),
        (EnrolmentError.firesOnBackground(recording: 1, share: 0.1234, limit: 0.1), ["2", "12.3 %", "10.0 %"]),
        (
            EnrolmentError.examplesDisagree(recordings: [0, 3], of: 5, logOdds: -1.234, required: 0),
            ["2 of 5", "1, 4", "-1.23"]
        ),
        (
            EnrolmentError.inseparable(recordings: [0, 3], of: 5, logOdds: -1.234, required: 0),
            ["2 of 5", "1, 4", "-1.23"]
        ),
        (
            EnrolmentError.configuration(ConfigurationError("EnrolmentConfiguration.firingLimit", 2.0, allowed: 0...1)),
            ["firingLimit"]
        ),
        (EnrolmentError.notConverged(decrement: .infinity), ["inf"]),
        (EngineError.unitClasses(name: "coreml", required: 13, found: 12), ["coreml", "13", "12"]),
        (EngineError.unitOrder(name: "coreml"), ["coreml"]), (EngineError.unitOrder(name: ""), ["unit"]),
        (EngineError.unitFeatures(name: "coreml", required: 160, found: 0), ["coreml", "160", "0"]),
    ]

    @Test func everyErrorIsASentence() {
        for (error, parts) in Self.samples {
            let text = "\(error)"
            #expect(text.hasSuffix(".") && text.split(separator: " ").count > 3, "\(text)")
            for part in parts { #expect(text.contains(part), "\(part) in \(text)") }
            #if canImport(os)
                #expect(error.localizedDescription == text)
            #endif
        }
    }

    /// The engine's error has the sentence of the stage's error, because an app sees only the engine's.
    @Test func theEnginesErrorsSayWhatTheStagesDo() {
        let pairs: [(EngineError, any Error)] = [
            (.model(.missingTensor("fc.weight")), ModelFileError.missingTensor("fc.weight")),
            (
                .configuration(ConfigurationError("labels.count", 1, allowed: 2...1024)),
                ConfigurationError("labels.count", 1, allowed: 2...1024)
            ),
            (.enrolment(.unknownLabel("tap")), EnrolmentError.unknownLabel("tap")),
        ]
        for (error, inner) in pairs {
            #expect("\(error)" == "\(inner)")
            #if canImport(os)
                #expect(error.localizedDescription == "\(inner)")
            #endif
        }
    }

    @Test func aPictureGivenAsAModelIsNamed() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("picture-\(UUID().uuidString).png")
            .path
        try Data([0x89] + Array("PNG\r\n\u{1A}\n\0\0\0\rIHDR".utf8)).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        for source in [GestureEngine.Source.file(path: path), .bytes([0x89] + Array("PNG\r\n\u{1A}\n".utf8))] {
            do throws(EngineError) {
                _ = try GestureEngine(pixels: source)
                Issue.record("a picture was taken for a model")
            } catch {
                #expect(error == .model(.otherFormat(.png)))
                #expect("\(error)" == "The file is not a safetensors file; it seems to be a PNG image.")
            }
        }
    }
}
