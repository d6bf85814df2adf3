import Evaluation
import Foundation
import Testing

@Suite struct FrameMeasuresTests {
    /// truth:   swipe swipe swipe tap  null null null null
    /// said:    swipe tap   swipe tap  null null tap  swipe
    private let truth = [0, 0, 0, 1, 2, 2, 2, 2]
    private let said = [0, 1, 0, 1, 2, 2, 1, 0]

    @Test func countsByHand() throws {
        let report = report(try clip(truth: truth, said: said.map { ($0, 0.5) }))
        #expect(report.overall.frames.frames == 8)
        #expect(report.confusion == [[2, 1, 0], [0, 1, 0], [1, 1, 2]])
        #expect(report.overall.frames.top1 == 5.0 / 8)
        // swipe: 2 of 3 said, 2 of 3 shown. tap: 1 of 3 said, 1 of 1 shown. null: 2 of 2 said, 2 of 4 shown.
        #expect(report.classes["swipe"]?.all.precision == 2.0 / 3)
        #expect(report.classes["swipe"]?.all.recall == 2.0 / 3)
        #expect(closeTo(report.classes["swipe"]?.all.f1, 2.0 / 3))
        #expect(report.classes["tap"]?.all.precision == 1.0 / 3)
        #expect(report.classes["tap"]?.all.recall == 1)
        #expect(report.classes["tap"]?.all.f1 == 0.5)
        #expect(report.classes["null"]?.all.precision == 1)
        #expect(report.classes["null"]?.all.recall == 0.5)
        #expect(closeTo(report.classes["null"]?.all.f1, 2.0 / 3))
        #expect(report.classes["null"]?.events == nil)
        #expect(closeTo(report.overall.frames.macro_f1, (2.0 / 3 + 0.5 + 2.0 / 3) / 3))
    }

    @Test func undecidedFramesAreLeftOutOfTheSecondCount() throws {
        // Frames 1 and 7, both wrong.
        let report = report(try clip(truth: truth, said: said.map { ($0, 0.5) }, undecided: [1..<2, 7..<8]))
        #expect(report.overall.frames.top1 == 5.0 / 8)
        #expect(report.overall.decided_frames.frames == 6)
        #expect(report.overall.decided_frames.top1 == 5.0 / 6)
        #expect(report.decided_confusion == [[2, 0, 0], [0, 1, 0], [0, 1, 2]])
        #expect(report.confusion == [[2, 1, 0], [0, 1, 0], [1, 1, 2]])
        #expect(report.classes["swipe"]?.decided.f1 == 1)
    }

    @Test func aClassNeitherShownNorSaidHasNoPartInTheMean() throws {
        let report = report(try clip(truth: [0, 0, 2, 2], said: [(0, 0.5), (0, 0.5), (2, 0.5), (0, 0.5)]))
        // swipe: 2 right of 3 said and 2 shown: 4/5. null: 1 of 1 said and 2 shown: 2/3.
        #expect(closeTo(report.overall.frames.macro_f1, (0.8 + 2.0 / 3) / 2))
        #expect(report.classes["tap"] == nil)
    }

    @Test func aClassSaidButNeverShownCountsAsNothing() throws {
        let report = report(try clip(truth: [2, 2], said: [(2, 0.5), (1, 0.5)]))
        #expect(report.classes["tap"]?.all.recall == nil)
        #expect(report.classes["tap"]?.all.precision == 0)
        #expect(closeTo(report.overall.frames.macro_f1, (2.0 / 3 + 0) / 2))
    }

    @Test func framesWithoutPredictionAreCountedApart() throws {
        let report = report(try clip(truth: truth, said: said.dropFirst(3).map { ($0, 0.5) }, from: 3))
        #expect(report.overall.unpredicted_frames == 3)
        #expect(report.overall.frames.frames == 5)
        #expect(report.overall.frames.top1 == 3.0 / 5)
    }

    @Test func framesOutsideEveryRunAreNotScored() throws {
        let labels = try ClipLabels(
            rate: 10, frames: 6, events: [], runs: [.init(frames: 2..<4, classIndex: 2)], classes: sample)
        let frames = (0..<6).map {
            FramePrediction(frame: $0, time: Double($0) / 10, classIndex: $0 == 2 ? 0 : 2, confidence: 0.5)
        }
        let clip = try ClipObservation(name: "c", truth: labels, seconds: 0.6, frames: frames, events: [])
        #expect(report(clip).overall.frames.frames == 2)
        #expect(report(clip).overall.frames.top1 == 0.5)
        #expect(report(clip).overall.unpredicted_frames == 0)
    }

    @Test func calibrationByHand() throws {
        // 0.9 right, 0.9 wrong: bin 13, |0.5 - 0.9| twice. 0.5 right: bin 7, 0.5 once. 0.05 wrong: bin 0, 0.05 once.
        let report = report(try clip(truth: [2, 2, 2, 2], said: [(2, 0.9), (0, 0.9), (2, 0.5), (1, 0.05)]))
        #expect(closeTo(report.overall.frames.ece, (2 * 0.4 + 0.5 + 0.05) / 4, within: 1e-7))
        #expect(report.calibration.map(\.frames) == [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0])
        #expect(report.calibration[13].right == 0.5)
        #expect(closeTo(report.calibration[13].confidence, 0.9, within: 1e-7))
        #expect(closeTo(report.calibration[13].low, 13.0 / 15) && closeTo(report.calibration[13].high, 14.0 / 15))
    }

    @Test func errorsOfOneBinMakeUpForEachOther() throws {
        // Four frames at 0.75, three right: no error. With all right: 0.25.
        let honest = report(try clip(truth: [2, 2, 2, 2], said: [(2, 0.75), (2, 0.75), (2, 0.75), (0, 0.75)]))
        #expect(honest.overall.frames.ece == 0)
        let modest = report(try clip(truth: [2, 2, 2, 2], said: [(2, 0.75), (2, 0.75), (2, 0.75), (2, 0.75)]))
        #expect(modest.overall.frames.ece == 0.25)
    }

    @Test(arguments: [(Float(0), 0), (1, 3), (0.25, 0), (0.250001, 1), (0.5, 1), (0.75, 2), (0.76, 3)])
    func binsHoldTheirUpperEdge(confidence: Float, bin: Int) throws {
        var rules = EvaluationRules()
        rules.calibrationBins = 4
        let report = report(try clip(truth: [2], said: [(2, confidence)]), rules: rules)
        #expect(report.calibration.map(\.frames) == (0..<4).map { $0 == bin ? 1 : 0 })
    }

    @Test func theThresholdIsStrictAndSigned() throws {
        // Above 0.85: null 0.95 right, swipe 0.9 wrong, swipe 0.86 right. Not 0.85 itself.
        let report = report(
            try clip(truth: [2, 2, 0, 2, 0], said: [(2, 0.95), (0, 0.9), (0, 0.86), (2, 0.85), (0, 0.2)]))
        let above = report.overall.frames.above_threshold
        #expect(above.frames == 3)
        #expect(closeTo(above.right, 2.0 / 3))
        #expect(closeTo(above.confidence, (0.95 + 0.9 + 0.86) / 3, within: 1e-7))
        #expect(closeTo(above.gap, 2.0 / 3 - 2.71 / 3, within: 1e-7))
        let gestures = report.overall.frames.above_threshold_gestures
        #expect(gestures.frames == 2 && gestures.right == 0.5)
        #expect(closeTo(gestures.gap, 0.5 - 0.88, within: 1e-7))
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, -0.01, 1.01, .signalingNaN])
    func confidencesThatAreNoneAreCountedApart(confidence: Float) throws {
        let report = report(try clip(truth: [2, 2, 2], said: [(2, confidence), (2, 0.95), (0, confidence)]))
        #expect(report.overall.frames.invalid_confidences == 2)
        #expect(report.overall.frames.frames == 3)
        #expect(closeTo(report.overall.frames.top1, 2.0 / 3))
        #expect(closeTo(report.overall.frames.ece, 0.05, within: 1e-7))
        #expect(report.overall.frames.above_threshold.frames == 1)
        #expect(throws: Never.self) { try JSONEncoder().encode(report) }
    }

    @Test func classwiseErrorByHand() throws {
        var one = try clip(truth: [0, 2], said: [(0, 0.7), (2, 0.8)])
        #expect(report(one).overall.frames.classwise_ece == nil)
        let frames = [
            FramePrediction(frame: 0, time: 0, classIndex: 0, confidence: 0.7, probabilities: [0.7, 0.2, 0.1]),
            FramePrediction(frame: 1, time: 0.1, classIndex: 2, confidence: 0.8, probabilities: [0.1, 0.1, 0.8]),
        ]
        one = try ClipObservation(name: "c", truth: one.truth, seconds: 0.2, frames: frames, events: [])
        // Each probability is alone in its bin of its class. swipe: 0.3 and 0.1; tap: 0.2 and 0.1; null: 0.1 and 0.2.
        #expect(closeTo(report(one).overall.frames.classwise_ece, (0.2 + 0.15 + 0.15) / 3, within: 1e-7))
    }

    @Test func aDistributionWithNoNumberIsLeftOut() throws {
        let frames = [
            FramePrediction(frame: 0, time: 0, classIndex: 2, confidence: 0.8, probabilities: [.nan, 0.2, 0.8])
        ]
        let labels = try clip(truth: [2], said: []).truth
        let one = try ClipObservation(name: "c", truth: labels, seconds: 0.1, frames: frames, events: [])
        #expect(report(one).overall.frames.invalid_confidences == 1)
        #expect(report(one).overall.frames.classwise_ece == nil)
        #expect(closeTo(report(one).overall.frames.ece, 0.2, within: 1e-7))
    }
}
