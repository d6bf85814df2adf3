import Evaluation
import Foundation
import Testing

@Suite struct EvaluatorTests {
    /// 4 s: swipe 0.5 to 1, tap 2 to 2.5, swipe 3 to 3.5. Reported: the first swipe, the same again, the tap late, a tap
    /// where the second swipe is.
    private func gestures() throws -> ClipObservation {
        var truth = Array(repeating: 2, count: 40)
        for frame in 5..<10 { truth[frame] = 0 }
        for frame in 20..<25 { truth[frame] = 1 }
        for frame in 30..<35 { truth[frame] = 0 }
        let events =
            fired(0, 0.6, 0.7, 1.1, 0) + fired(0, 1.2, 1.3, 1.35, 2) + fired(1, 2.4, 2.6, 2.9, 4)
            + fired(1, 3.2, 3.3, 3.4, 6)
        return try clip(
            "gestures", truth: truth, said: truth.map { ($0, 0.5) }, events: events, sourceRate: 7, lighting: "dim")
    }

    /// 6 s without a gesture and one false swipe.
    private func nothing() throws -> ClipObservation {
        let truth = Array(repeating: 2, count: 60)
        return try clip("nothing", truth: truth, said: truth.map { ($0, 0.5) }, events: fired(0, 1, 1.1, 2, 0))
    }

    @Test func shrecByHand() throws {
        // swipe: 2 true, 1 found, 1 false. tap: 1 true, none found as too little of it is covered, 2 false.
        let shrec = report(try gestures()).overall.shrec
        #expect(shrec.truths == 3 && shrec.found == 1 && shrec.false_positives == 3)
        #expect(shrec.detection_rate == 0.25)
        #expect(shrec.false_positive_rate == 1.25)
        #expect(closeTo(shrec.jaccard, (1.0 / 3 + 0) / 2))
        #expect(closeTo(shrec.pooled_detection_rate, 1.0 / 3))
        #expect(shrec.pooled_false_positive_rate == 1)
        #expect(closeTo(shrec.pooled_jaccard, 1.0 / 6))
        #expect(closeTo(shrec.false_positives_per_minute, 45))
        #expect(closeTo(shrec.delay_ms, 100))
        #expect(shrec.onset_to_decision.events == 1)
        #expect(closeTo(shrec.onset_to_decision.median_ms, 200))
    }

    @Test func lenientByHand() throws {
        let lenient = report(try gestures()).overall.lenient
        #expect(lenient.truths == 3 && lenient.found == 2 && lenient.false_positives == 1)
        #expect(lenient.double_fires == 1)
        #expect(closeTo(lenient.detection_rate, 2.0 / 3))
        #expect(closeTo(lenient.false_positives_per_minute, 15))
        // Delays of 200 and 600 ms.
        #expect(lenient.onset_to_decision.events == 2)
        #expect(closeTo(lenient.onset_to_decision.median_ms, 400))
        #expect(closeTo(lenient.onset_to_decision.p90_ms, 560))
    }

    @Test func labelsInTheirOrder() throws {
        // swipe tap swipe, reported as swipe swipe tap tap: one inserted, one replaced.
        #expect(closeTo(report(try gestures()).overall.levenshtein_accuracy, 1.0 / 3))
        // Two false begins in place of one true: below nothing.
        let worse = try clip(
            "worse", truth: [2, 2, 0, 2], said: [], events: fired(1, 0, 0.1, 0.2, 0) + fired(1, 0.3, 0.3, 0.4, 2))
        #expect(report(worse).overall.levenshtein_accuracy == -1)
        // Weighted by gestures: 2 errors of 3 and 2 errors of 1 are 4 of 4.
        #expect(report(try gestures(), worse).overall.levenshtein_accuracy == 0)
    }

    @Test func footageOfNothingHasItsOwnMeasure() throws {
        let alone = report(try nothing()).overall
        #expect(closeTo(alone.null_footage.false_positives_per_minute, 10))
        #expect(alone.levenshtein_accuracy == nil && alone.shrec.detection_rate == nil)
        #expect(alone.shrec.false_positive_rate == nil && alone.shrec.jaccard == 0)

        let both = report(try gestures(), try nothing()).overall
        #expect(both.clips == 2 && closeTo(both.minutes, 10.0 / 60))
        #expect(both.null_footage.clips == 1 && both.null_footage.false_positives == 1)
        #expect(closeTo(both.null_footage.minutes, 0.1))
        #expect(closeTo(both.null_footage.false_positives_per_minute, 10))
        #expect(closeTo(both.levenshtein_accuracy, 1.0 / 3))
        #expect(both.shrec.false_positive_rate == 1.5 && both.shrec.jaccard == 0.125)
        #expect(closeTo(both.shrec.pooled_jaccard, 1.0 / 7))
        #expect(closeTo(both.shrec.false_positives_per_minute, 24))
        #expect(closeTo(both.lenient.false_positives_per_minute, 12))
    }

    @Test func classesByHand() throws {
        let report = report(try gestures())
        let (swipe, tap) = (try #require(report.classes["swipe"]?.events), try #require(report.classes["tap"]?.events))
        #expect(swipe.truths == 2 && swipe.shrec_found == 1 && swipe.shrec_false_positives == 1)
        #expect(swipe.shrec_detection_rate == 0.5 && closeTo(swipe.shrec_jaccard, 1.0 / 3))
        #expect(swipe.lenient_found == 1 && swipe.lenient_false_positives == 0 && swipe.double_fires == 1)
        #expect(tap.truths == 1 && tap.shrec_found == 0 && tap.shrec_false_positives == 2)
        #expect(tap.lenient_found == 1 && tap.lenient_false_positives == 1 && tap.double_fires == 0)
        #expect(closeTo(tap.onset_to_decision.median_ms, 600))
    }

    @Test func groupsHoldTheirClips() throws {
        let report = report(try gestures(), try nothing())
        #expect(Set(report.groups.rate.keys) == ["10", "10 jittered"])
        #expect(Set(report.groups.lighting.keys) == ["dim", "unstated"])
        #expect(Set(report.groups.hand.keys) == ["unstated"])
        #expect(Set(report.groups.clip.keys) == ["gestures", "nothing"])
        #expect(report.groups.hand["unstated"] == report.overall)
        #expect(report.groups.rate["10 jittered"] == report.groups.clip["gestures"])
        #expect(report.groups.lighting["unstated"] == report.groups.clip["nothing"])
        #expect(report.groups.clip["gestures"]?.shrec.truths == 3)
        #expect(report.groups.clip["nothing"]?.frames.frames == 60)
    }

    @Test func clipsOfOneNameShareAGroup() throws {
        let report = report(try gestures(), try gestures())
        #expect(report.groups.clip.count == 1)
        #expect(report.groups.clip["gestures"] == report.overall)
        #expect(report.overall.shrec.truths == 6)
    }

    @Test func nothingAtAllHasNoMeasures() {
        let report = report()
        #expect(report.overall.clips == 0 && report.overall.minutes == 0)
        #expect(report.overall.frames.top1 == nil && report.overall.frames.macro_f1 == nil)
        #expect(report.overall.frames.ece == nil && report.overall.frames.above_threshold.gap == nil)
        #expect(report.overall.shrec.detection_rate == nil && report.overall.shrec.jaccard == nil)
        #expect(report.overall.lenient.false_positives_per_minute == nil)
        #expect(report.overall.lenient.onset_to_decision.median_ms == nil)
        #expect(report.overall.null_footage.false_positives_per_minute == nil)
        #expect(report.classes.isEmpty && report.groups.clip.isEmpty)
        #expect(report.confusion == [[0, 0, 0], [0, 0, 0], [0, 0, 0]])
    }

    @Test func aClipOfNoLengthIsHarmless() throws {
        let labels = try gestures().truth
        let clip = try ClipObservation(name: "", truth: labels, seconds: 0, frames: [], events: fired(0, 0, 0, 0, 0))
        #expect(report(clip).overall.lenient.false_positives_per_minute == nil)
        #expect(report(clip).overall.unpredicted_frames == 40)
    }

    @Test func observationsThatCannotBeCountedAreRefused() throws {
        let truth = try gestures().truth
        func make(
            seconds: Double = 4, _ frames: [FramePrediction] = [], _ events: [ObservedEvent] = []
        ) throws -> ClipObservation {
            try ClipObservation(name: "c", truth: truth, seconds: seconds, frames: frames, events: events)
        }
        func frame(_ index: Int, time: Double = 0, classIndex: Int = 0, _ probabilities: [Float]? = nil)
            -> FramePrediction
        {
            .init(frame: index, time: time, classIndex: classIndex, confidence: 0.5, probabilities: probabilities)
        }
        for seconds in [-1, Double.nan, .infinity] {
            #expect(throws: ClipObservationError.length(clip: "c")) { try make(seconds: seconds) }
        }
        for index in [-1, 3, Int.max, Int.min] {
            #expect(throws: ClipObservationError.frameClass(clip: "c", frame: 7, classIndex: index)) {
                try make([frame(7, classIndex: index)])
            }
        }
        for index in [-1, 2, 3] {
            #expect(throws: ClipObservationError.eventClass(clip: "c", event: 0, classIndex: index)) {
                try make([], fired(index, 0, 0, 0, 0))
            }
        }
        #expect(throws: ClipObservationError.frameTime(clip: "c", frame: 7)) { try make([frame(7, time: .nan)]) }
        #expect(throws: ClipObservationError.frameOrder(clip: "c", frame: 7, after: 7)) {
            try make([frame(7), frame(7)])
        }
        #expect(throws: ClipObservationError.probabilities(clip: "c", frame: 7, found: 2, classes: 3)) {
            try make([frame(7, [0.5, 0.5])])
        }
        #expect(throws: ClipObservationError.eventTime(clip: "c", event: 0)) { try make([], fired(0, .nan, 0, 0, 0)) }
        #expect(throws: ClipObservationError.eventTime(clip: "c", event: 0)) {
            try make([], fired(0, 0, .infinity, 0, 0))
        }
        // Far away frames and times are only far away.
        #expect(throws: Never.self) {
            report(try make([frame(.min), frame(.max, time: 1e300)], fired(0, -1e300, 1e300, 1e300, .max - 1)))
        }
    }
}
