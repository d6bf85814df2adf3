import ModelFile
import Testing
import WeightImport

/// The thresholds that a checkpoint brings with it.
@Suite struct CheckpointRulesTests {
    private func checkpoint(_ metadata: [String: String]) throws -> Checkpoint {
        try Checkpoint(
            bytes: SafetensorsWriter.bytes(
                tensors: [.float32("a", shape: [1], [1])], metadata: metadata))
    }

    @Test func allOrNone() throws {
        let rules = ["median_frames": "3", "begin_frames": "2", "begin_confidence": "0.8", "end_frames": "4"]
        #expect(try checkpoint([:]).postProcessing() == nil)
        #expect(
            try checkpoint(rules).postProcessing()
                == .init(median: .frames(3), begin: .frames(2), beginConfidence: 0.8, end: .frames(4)))
        var some = rules
        some["end_frames"] = nil
        #expect(throws: ImportError.file(.missingMetadata(key: "end_frames"))) {
            try checkpoint(some).postProcessing()
        }
        some["end_frames"] = "two"
        #expect(throws: ImportError.file(.malformedMetadata(key: "end_frames", value: "two"))) {
            try checkpoint(some).postProcessing()
        }
    }

    @Test func returnStrokesComeWithTheirTime() throws {
        var rules = ["median_frames": "3", "begin_frames": "2", "begin_confidence": "0.8", "end_frames": "4"]
        rules["return_strokes"] = #"{"swipeLeft":"swipeRight"}"#
        #expect(throws: ImportError.file(.missingMetadata(key: "return_ms"))) {
            try checkpoint(rules).postProcessing()
        }
        rules["return_ms"] = "500"
        #expect(
            try checkpoint(rules).postProcessing()
                == .init(
                    median: .frames(3), begin: .frames(2), beginConfidence: 0.8, end: .frames(4),
                    returnMilliseconds: 500, returnStrokes: ["swipeLeft": "swipeRight"]))
        rules["return_strokes"] = "swipes"
        #expect(throws: ImportError.file(.malformedMetadata(key: "return_strokes", value: "swipes"))) {
            try checkpoint(rules).postProcessing()
        }
    }

    @Test func taughtLabels() throws {
        var rules = ["median_frames": "3", "begin_frames": "2", "begin_confidence": "0.8", "end_frames": "4"]
        rules["taught"] = #"["horns","shaka"]"#
        #expect(try checkpoint(rules).postProcessing()?.taught == ["horns", "shaka"])
        rules["taught"] = "horns"
        #expect(throws: ImportError.file(.malformedMetadata(key: "taught", value: "horns"))) {
            try checkpoint(rules).postProcessing()
        }
    }

    @Test func timesInMilliseconds() throws {
        var rules = [
            "median_ms": "233", "begin_ms": "67", "begin_confidence": "0.8", "end_ms": "333", "unsure_end_ms": "400",
            "once_ms": "500", "class_confidence": #"{"tap":"0.9"}"#, "steady_ms": "167", "steady_confidence": "0.6",
        ]
        #expect(
            try checkpoint(rules).postProcessing()
                == .init(
                    median: .milliseconds(233), begin: .milliseconds(67), beginConfidence: 0.8,
                    classConfidence: ["tap": 0.9], steady: .init(milliseconds: 167, confidence: 0.6),
                    end: .milliseconds(333), unsureEndMilliseconds: 400,
                    mergeWindowMilliseconds: 500))
        for (key, value) in [("median_ms", "long"), ("once_ms", "0.5"), ("class_confidence", "0.9")] {
            #expect(throws: ImportError.file(.malformedMetadata(key: key, value: value))) {
                try checkpoint(rules.merging([key: value]) { $1 }).postProcessing()
            }
        }
        #expect(throws: ImportError.file(.missingMetadata(key: "steady_ms"))) {
            try checkpoint(rules.filter { $0.key != "steady_ms" }).postProcessing()
        }
        rules["end_frames"] = "10"
        #expect(throws: ImportError.file(.conflictingMetadata(key: "end_ms", with: "end_frames"))) {
            try checkpoint(rules).postProcessing()
        }
    }
}
