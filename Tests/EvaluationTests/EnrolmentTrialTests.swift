import Evaluation
import Foundation
import Testing
import Vocabulary

@Suite struct EnrolmentDrawTests {
    private func order(_ clips: Int = 24, label: String = "circle", _ index: Int = 0, seed: UInt64 = 1) -> [Int] {
        EnrolmentDraw(of: clips, label: label, index: index, seed: seed).order
    }

    @Test(arguments: [0, 1, 2, 3, 24, 257])
    func everyClipStandsInTheOrderOnce(clips: Int) {
        for index in 0..<4 { #expect(order(clips, index).sorted() == Array(0..<clips)) }
    }

    @Test func everyChoiceGivesAnotherOrderAndTheSameOneTheSame() {
        #expect(order() == order())
        let orders = [
            order(), order(24, 1), order(24, 2), order(seed: 2), order(label: "other"), order(24, 1, seed: 2),
        ]
        #expect(Set(orders).count == orders.count)
    }

    @Test func theOrderIsTheSameOnEveryMachine() {
        // By a program of its own in Python: FNV-1a of the label, SplitMix64, Fisher and Yates from the end.
        #expect(order(8) == [5, 7, 4, 6, 2, 0, 1, 3])
        #expect(order(8, label: "circleClockwise", 3, seed: 42) == [2, 0, 7, 1, 6, 5, 4, 3])
    }

    @Test func everyClipComesFirstEquallyOften() {
        var counts = [Int](repeating: 0, count: 5)
        for seed in 0..<2000 { counts[order(5, seed: UInt64(seed))[0]] += 1 }
        // 400 expected, with a standard deviation of 18.
        #expect(counts.allSatisfy { (310...490).contains($0) }, "\(counts)")
    }

    @Test func fewerExamplesAreAmongMoreAndOneClipIsLeft() {
        let draw = EnrolmentDraw(of: 6, label: "circle", index: 0, seed: 1)
        #expect(draw.examples(3).map(Array.init) == Array(draw.order[..<3]))
        #expect(draw.examples(5)?.count == 5)
        #expect(draw.examples(6) == nil && draw.examples(7) == nil && draw.examples(0) == nil)
    }
}

/// Classes: swipe 0, null 1 are the model's; mine 2 and yours 3 are new to it.
@Suite struct EnrolmentScoreTests {
    private let classes: ClassNames

    init() throws { classes = try ClassNames(["swipe", "null", "mine", "yours"], nullIndex: 1) }

    /// Thirty frames at 10 Hz, one class from the first second to the second, null before and after.
    private func take(_ classIndex: Int, _ events: [ObservedEvent] = []) throws -> ClipObservation {
        let truth =
            Array(repeating: 1, count: 10) + Array(repeating: classIndex, count: 10) + Array(repeating: 1, count: 10)
        return try clip(truth: truth, said: [], events: events, classes: classes)
    }

    private func score(_ takes: (beside: ClipObservation, alone: ClipObservation)...) -> EnrolmentScore {
        var score = EnrolmentScore()
        for take in takes { score.add(take.beside, alone: take.alone, classIndex: 2, modelClasses: 2) }
        return score
    }

    @Test(arguments: [
        // At the onset, within, at the end of the tolerance; before and after.
        (1.0, true), (1.5, true), (2.5, true), (0.99, false), (2.51, false),
    ])
    func aBeginFindsTheGestureUntilHalfASecondAfterIt(decision: Double, isFound: Bool) throws {
        let score = score((try take(2, fired(2, 0.5, decision, 2.6, 0)), try take(2)))
        #expect(score.truths == 1 && score.found == (isFound ? 1 : 0))
        #expect(score.detectionRate == (isFound ? 1 : 0))
        #expect(closeTo(score.delays_s.first, isFound ? decision - 1 : nil))
        #expect(score.own.clips == 1 && score.own.seconds == 3)
        #expect(score.own.false_events == (isFound ? 0 : 1))
        #expect(score.new.clips == 0 && score.known.clips == 0 && score.null.clips == 0)
    }

    @Test func aSecondBeginOfTheSameGestureIsNeitherFoundNorFalse() throws {
        let twice = fired(2, 1, 1.2, 1.4, 0) + fired(2, 1.5, 1.7, 2, 2)
        let score = score((try take(2, twice), try take(2)))
        #expect(score.found == 1 && score.double_fires == 1 && score.own.false_events == 0)
    }

    @Test func beginsOnOtherGesturesAndOnNothingAreFalseThere() throws {
        let fires = fired(2, 1, 1.2, 1.4, 0)
        let score = score(
            (try take(0, fires), try take(0)), (try take(3, fires), try take(3)), (try take(3), try take(3)),
            (try take(1, fires), try take(1)), (try take(1), try take(1)))
        #expect(score.truths == 0 && score.detectionRate == nil)
        #expect(score.own.clips == 0)
        #expect(score.known.clips == 1 && score.known.seconds == 3 && score.known.false_events == 1)
        #expect(score.new.clips == 2 && score.new.seconds == 6 && score.new.false_events == 1)
        #expect(score.null.clips == 2 && score.null.seconds == 6 && score.null.false_events == 1)
    }

    @Test func theModelsOwnEventsAreComparedWithoutTheNewOnes() throws {
        let swipe = fired(0, 1, 1.2, 2, 0)
        let later = fired(0, 1, 1.3, 2, 0)
        let score = score(
            // The same, with the new gesture after it; lost to the new gesture; decided later; a new false one.
            (try take(0, swipe + fired(2, 2, 2.2, 2.4, 2)), try take(0, swipe)),
            (try take(0, fired(2, 1, 1.2, 2, 0)), try take(0, swipe)), (try take(0, later), try take(0, swipe)),
            (try take(1, swipe), try take(1)))
        #expect(score.model.truths == 3 && score.model.found_alone == 3 && score.model.found_beside == 2)
        #expect(score.model.events_alone == 3 && score.model.events_beside == 3)
        #expect(score.model.changed_clips == 3)
    }
}

@Suite struct EnrolmentSummaryTests {
    private let classes: ClassNames

    init() throws { classes = try ClassNames(["swipe", "null", "mine"], nullIndex: 1) }

    /// Two seconds: a class in the second one; the new gesture fires at `decision`.
    private func take(_ classIndex: Int, at decision: Double?) throws -> ClipObservation {
        let truth = Array(repeating: 1, count: 10) + Array(repeating: classIndex, count: 10)
        let events = decision.map { fired(2, $0, $0, $0 + 0.1, 0) } ?? []
        return try clip(truth: truth, said: [], events: events, classes: classes)
    }

    private func trial(_ takes: [ClipObservation], bytes: Int, examples: Int = 1) throws -> EnrolmentTrial {
        var score = EnrolmentScore()
        for take in takes {
            let alone = try clip(
                truth: (0..<take.truth.frames).map { take.truth.classIndex(ofFrame: $0) ?? 1 }, said: [],
                classes: classes)
            score.add(take, alone: alone, classIndex: 2, modelClasses: 2)
        }
        return EnrolmentTrial(
            label: "mine", examples: (0..<examples).map { "clip\($0)" }, draw: 0,
            outcome: .enrolled(bytes: bytes, score))
    }

    private func refused(_ reason: String, examples: Int = 1) -> EnrolmentTrial {
        EnrolmentTrial(
            label: "mine", examples: (0..<examples).map { "clip\($0)" }, draw: 0,
            outcome: .refused(reason: reason, detail: reason + "(1)"))
    }

    private func summary() throws -> EnrolmentSummary {
        EnrolmentSummary(
            [
                // One of two found; one found, with an event on a swipe; three refused, and one of three examples.
                try trial([take(2, at: 1.1), take(2, at: nil), take(1, at: nil)], bytes: 1900),
                try trial([take(2, at: 1.3), take(0, at: 1.5), take(1, at: 0.5), take(1, at: nil)], bytes: 1901),
                refused("noActivity"), refused("tooShort"), refused("tooShort"),
                refused("examplesDisagree", examples: 3),
            ], labels: ["mine"], counts: [1, 3, 5])
    }

    @Test func trialsOfOneNumberMakeARow() throws {
        let rows = try summary().rows
        #expect(rows.map(\.examples) == [1, 3, 5])
        #expect(rows.map(\.attempts) == [5, 1, 0])
        #expect(rows.map(\.enrolled) == [2, 0, 0])
        #expect(rows[0].refusals == ["noActivity": 1, "tooShort": 2])
        #expect(rows[1].refusals == ["examplesDisagree": 1])
        // The mean of a half and one, although there were three true events.
        #expect(closeTo(rows[0].detection_rate, 0.75))
        #expect(closeTo(rows[0].least_detection_rate, 0.5) && closeTo(rows[0].most_detection_rate, 1))
        // 100 ms and 300 ms.
        #expect(closeTo(rows[0].onset_to_decision.median_ms, 200, within: 1e-6))
        // None in six seconds; one in two; one in six.
        #expect(closeTo(rows[0].false_events_per_minute_own, 0))
        #expect(closeTo(rows[0].false_events_per_minute_known, 30) && rows[0].false_events_per_minute_new == nil)
        #expect(closeTo(rows[0].false_events_per_minute_null, 10))
        #expect(closeTo(rows[0].changed_clips, 0))
        // The swipe is found neither alone nor beside.
        #expect(closeTo(rows[0].model_detection_rate_alone, 0) && closeTo(rows[0].model_detection_rate_beside, 0))
        #expect(rows[0].file_bytes == 1901)
        #expect(rows[2].detection_rate == nil && rows[2].file_bytes == nil)
        #expect(rows[1].false_events_per_minute_null == nil && rows[1].changed_clips == nil)
    }

    @Test func theTableSaysIt() throws {
        let table = try summary().table
        #expect(table.rows.allSatisfy { $0.count == table.columns.count })
        #expect(
            table.rows[0] == [
                "mine", "1", "2 of 5", "75.0 %", "50.0 %", "100.0 %", "200", "0", "–", "30", "10", "0.0 %", "1901",
                "tooShort 2, noActivity 1",
            ])
        #expect(table.rows[1].first == "mine" && table.rows[1].last == "examplesDisagree 1")
        #expect(table.rows[2] == ["mine", "5"] + Array(repeating: "–", count: 11) + [""])
    }

    @Test func jsonComesBackAsItWentAndHasTheNamedKeys() throws {
        let summary = try summary()
        let data = try JSONEncoder().encode(summary)
        #expect(try JSONDecoder().decode(EnrolmentSummary.self, from: data) == summary)
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let trials = try #require(root["trials"] as? [[String: Any]])
        #expect(Set(trials[0].keys) == ["draw", "examples", "label", "outcome"])
        #expect(Set((trials[0]["outcome"] as? [String: Any] ?? [:]).keys) == ["bytes", "score"])
        #expect(trials[2]["outcome"] as? [String: String] == ["refusal": "noActivity", "detail": "noActivity(1)"])
    }
}
