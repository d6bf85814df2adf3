import Evaluation
import Testing

@Suite struct EventMatchingTests {
    typealias Pair = EventMatching.Pair

    private func truth(_ classIndex: Int, _ onset: Double, _ end: Double) -> ClipLabels.Event {
        .init(classIndex: classIndex, onset: onset, end: end)
    }

    private func gesture(_ classIndex: Int, _ onset: Double, _ end: Double, at decision: Double? = nil)
        -> ObservedGesture
    {
        .init(classIndex: classIndex, onset: onset, decision: decision ?? onset, end: end)
    }

    /// One truth of swipe from 1 s to 2 s.
    @Test(arguments: [
        // The same interval; half of it, at either end and within.
        (1.0, 2.0, true), (1.0, 1.5, true), (1.5, 2.0, true), (1.2, 1.7, true),
        // Less than half.
        (1.0, 1.499, false), (1.501, 2.0, false), (1.3, 1.7, false),
        // Twice as long, all around; a little longer.
        (0.5, 2.5, true), (1.0, 3.0, true), (0.0, 2.0, true), (0.499, 2.5, false), (0.5, 2.501, false),
        // Half of the truth is covered, by a third of the union: overlap is a share of the truth.
        (1.5, 2.5, true), (1.5, 3.5, true), (0.5, 1.5, true),
        // Beside it, touching it, nothing at all.
        (3.0, 4.0, false), (2.0, 3.0, false), (0.0, 1.0, false), (1.5, 1.5, false),
    ])
    func shrecIntervals(onset: Double, end: Double, isFound: Bool) {
        let matching = EventMatching.shrec([gesture(0, onset, end)], truth: [truth(0, 1, 2)])
        #expect(matching.pairs == (isFound ? [Pair(truth: 0, gesture: 0)] : []))
        #expect(matching.falseGestures == (isFound ? [] : [0]))
        #expect(matching.repeats.isEmpty)
    }

    @Test func shrecNeedsTheLabel() {
        let matching = EventMatching.shrec([gesture(1, 1, 2)], truth: [truth(0, 1, 2)])
        #expect(matching.pairs.isEmpty && matching.falseGestures == [0])
    }

    /// Where any overlap is enough, intervals that only touch still do not match.
    @Test(arguments: [(2.0, false), (1.99, true)]) func shrecNeedsSomeOverlap(onset: Double, isFound: Bool) {
        var rules = EvaluationRules()
        rules.leastOverlap = 0
        let matching = EventMatching.shrec([gesture(0, onset, 3)], truth: [truth(0, 1, 2)], rules: rules)
        #expect(matching.pairs.isEmpty != isFound)
    }

    @Test func roundedTimesOnTheEdgeStillFit() {
        // Frames 34 to 38 at 30 Hz, written with four decimals: half of it is 0.0667 s, two frames are 0.06666 s.
        let event = truth(0, 1.1333, 1.2667)
        #expect(EventMatching.shrec([gesture(0, 36.0 / 30, 38.0 / 30)], truth: [event]).pairs.count == 1)
        #expect(EventMatching.shrec([gesture(0, 34.0 / 30, 42.0 / 30)], truth: [event]).pairs.count == 1)
        #expect(EventMatching.shrec([gesture(0, 37.0 / 30, 38.0 / 30)], truth: [event]).pairs.isEmpty)
    }

    @Test func aTinyTruthStillNeedsOverlap() {
        #expect(EventMatching.shrec([gesture(0, 1.00005, 1.00005)], truth: [truth(0, 1, 1.00001)]).pairs.isEmpty)
    }

    @Test func eachTruthIsFoundOnceByTheFirstThatFits() {
        let matching = EventMatching.shrec(
            [gesture(0, 1, 1.5), gesture(0, 1.5, 2), gesture(0, 3, 4)], truth: [truth(0, 1, 2), truth(0, 3, 4)])
        #expect(matching.pairs == [Pair(truth: 0, gesture: 0), Pair(truth: 1, gesture: 2)])
        #expect(matching.falseGestures == [1])
    }

    @Test func aGestureFindsOneTruthOnly() {
        // It covers both, each by half or more, and is short enough.
        let matching = EventMatching.shrec([gesture(0, 1, 3)], truth: [truth(0, 1, 2), truth(0, 2, 3)])
        #expect(matching.pairs == [Pair(truth: 0, gesture: 0)])
        #expect(matching.falseGestures.isEmpty)
    }

    /// One truth of swipe from 1 s to 2 s, with half a second after it.
    @Test(arguments: [
        (0.99, false), (1.0, true), (1.5, true), (2.0, true), (2.5, true), (2.51, false), (0.0, false), (9.0, false),
    ])
    func lenientDecisions(decision: Double, isFound: Bool) {
        let matching = EventMatching.lenient([gesture(0, 0, 9, at: decision)], truth: [truth(0, 1, 2)])
        #expect(matching.pairs.count == (isFound ? 1 : 0))
        #expect(matching.falseGestures == (isFound ? [] : [0]))
    }

    @Test func secondBeginsOfATruthAreRepeats() {
        let matching = EventMatching.lenient(
            [
                gesture(0, 1, 1.2, at: 1.1), gesture(0, 1.5, 1.6, at: 1.6), gesture(0, 2.2, 2.3, at: 2.4),
                gesture(1, 1.5, 1.6, at: 1.6), gesture(0, 5, 6, at: 5),
            ], truth: [truth(0, 1, 2)])
        #expect(matching.pairs == [Pair(truth: 0, gesture: 0)])
        #expect(matching.repeats == [1, 2])
        #expect(matching.falseGestures == [3, 4])
    }

    @Test func aSecondTruthWithinTheToleranceIsNoRepeat() {
        let matching = EventMatching.lenient(
            [gesture(0, 1, 1.5, at: 1.2), gesture(0, 2, 2.5, at: 2.3)], truth: [truth(0, 1, 2), truth(0, 2.2, 3)])
        #expect(matching.pairs == [Pair(truth: 0, gesture: 0), Pair(truth: 1, gesture: 1)])
        #expect(matching.repeats.isEmpty)
    }

    @Test func nothingMatchesNothing() {
        #expect(EventMatching.shrec([], truth: []) == EventMatching.lenient([], truth: []))
        #expect(EventMatching.shrec([], truth: [truth(0, 0, 1)]).pairs.isEmpty)
        #expect(EventMatching.lenient([gesture(0, 0, 1)], truth: []).falseGestures == [0])
    }

    private func event(_ kind: ObservedEvent.Kind, _ classIndex: Int, _ onset: Double, _ sequence: UInt64)
        -> ObservedEvent
    {
        .init(kind: kind, classIndex: classIndex, onset: onset, decision: onset + 0.1, sequence: sequence)
    }

    @Test func beginsAndEndsBecomeIntervals() {
        let gestures = ObservedGesture.gestures(
            of: [
                event(.begin, 0, 1, 0), event(.end, 0, 2, 1), event(.begin, 1, 3, 2), event(.end, 1, 4, 3),
            ], until: 9)
        #expect(
            gestures == [
                .init(classIndex: 0, onset: 1, decision: 1.1, end: 2),
                .init(classIndex: 1, onset: 3, decision: 3.1, end: 4),
            ])
    }

    @Test func theOrderIsThatOfTheSequence() {
        let events = [event(.begin, 0, 1, 0), event(.end, 0, 2, 1), event(.begin, 1, 3, 2), event(.end, 1, 4, 3)]
        let straight = ObservedGesture.gestures(of: events, until: 9)
        #expect(ObservedGesture.gestures(of: events.reversed(), until: 9) == straight)
        #expect(straight.count == 2)
    }

    @Test func whatDoesNotEndLastsToTheNextBeginOrTheClipsEnd() {
        let gestures = ObservedGesture.gestures(of: [event(.begin, 0, 1, 0), event(.begin, 1, 3, 2)], until: 9)
        #expect(gestures.map(\.end) == [3, 9])
    }

    @Test func straysAndBackwardEndsAreHarmless() {
        let gestures = ObservedGesture.gestures(
            of: [
                event(.end, 0, 0.5, 0), event(.begin, 0, 1, 1), event(.end, 1, 1.5, 2), event(.end, 0, 0.2, 3),
                event(.end, 0, 3, 4),
            ], until: 9)
        #expect(gestures == [.init(classIndex: 0, onset: 1, decision: 1.1, end: 1)])
        #expect(ObservedGesture.gestures(of: [event(.begin, 0, 5, 0)], until: 2).map(\.end) == [5])
    }
}
