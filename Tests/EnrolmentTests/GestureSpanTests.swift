import Enrolment
import Testing

/// Where the gesture is found, in recordings whose distance from rest is written out.
struct GestureSpanTests {
    private func recording(_ levels: [Float]) throws -> GestureRecording {
        try GestureRecording(
            features: levels.flatMap { [1 + $0, 1] }, logits: levels.flatMap { _ in [Float(0), 0] }, featureCount: 2,
            classCount: 2)
    }

    @Test func aSingleStrokeIsFoundToWithinTheSmoothing() throws {
        let levels =
            [Float](repeating: 0, count: 20) + [Float](repeating: 2, count: 10) + [Float](repeating: 0, count: 20)
        let found = try RowProbe.span(recording(levels))
        #expect(abs(found.lowerBound - 20) <= 2 && abs(found.upperBound - 30) <= 2)
    }

    @Test func aDipIsBridgedAndALatePauseIsNot() throws {
        func stroke(pause: Int) -> [Float] {
            [Float](repeating: 0, count: 30) + [Float](repeating: 2, count: 8) + [Float](repeating: 0, count: pause)
                + [Float](repeating: 3, count: 8) + [Float](repeating: 0, count: 30)
        }
        let together = try RowProbe.span(recording(stroke(pause: 10)))
        #expect(abs(together.lowerBound - 30) <= 2 && abs(together.upperBound - 56) <= 2)
        let apart = try RowProbe.span(recording(stroke(pause: 30)))
        #expect(abs(apart.lowerBound - 68) <= 2 && abs(apart.upperBound - 76) <= 2)
    }

    /// The hand ends in another place than it began: that too is rest.
    @Test func restMayDifferBetweenStartAndEnd() throws {
        let levels =
            [Float](repeating: 0, count: 20) + [Float](repeating: 3, count: 10) + [Float](repeating: 1, count: 20)
        let found = try RowProbe.span(recording(levels))
        #expect(abs(found.lowerBound - 20) <= 2 && abs(found.upperBound - 30) <= 2)
    }

    @Test func theRecordingsOwnRangeCounts() throws {
        var take = try recording([Float](repeating: 0, count: 40))
        for range in [3..<9, 0..<40] {
            take.gesture = range
            #expect(try RowProbe.span(take) == range)
        }
        for range in [3..<3, -1..<9, 3..<41] {
            take.gesture = range
            #expect(throws: EnrolmentError.self) { try RowProbe.span(take) }
        }
    }

    /// Slots below the threshold between two strokes: as many as the network remembers part them. The smoothing takes one from
    /// each end of a pause.
    @Test(arguments: [true, false]) func aDipOfTheMemoryIsAPause(isPeakFirst: Bool) throws {
        for (dip, slots) in [(EnrolmentConfiguration.memory - 1, 34), (EnrolmentConfiguration.memory, 10)] {
            let strokes = [[Float](repeating: 3, count: 8), [Float](repeating: 2.9, count: 8)]
            let levels =
                [Float](repeating: 0, count: 30) + (isPeakFirst ? strokes[0] : strokes[1])
                + [Float](repeating: 0, count: dip + 2) + (isPeakFirst ? strokes[1] : strokes[0])
                + [Float](repeating: 0, count: 30)
            #expect(try RowProbe.span(recording(levels)).count == slots, "\(dip)")
        }
    }

    /// A rest that trembles has the distance 1, the peak 4.84, so the threshold is 1.96: between the squares of these levels of
    /// what lies around the peak.
    @Test(arguments: [(Float(1.35), 14), (1.5, 28)]) func theThresholdIsAQuarterOfTheWay(
        level: Float, slots: Int
    ) throws {
        let (rest, around) = ((0..<20).map { Float($0 % 2 == 0 ? 1 : -1) }, [Float](repeating: level, count: 10))
        let levels = rest + around + [Float](repeating: 2.2, count: 10) + around + rest
        #expect(try RowProbe.span(recording(levels)).count == slots)
    }

    /// A stroke of two slots in the middle of the shortest recording.
    @Test func sixteenSlotsAreEnough() throws {
        let levels = (0..<16).map { Float([7, 8].contains($0) ? 3 : 0) }
        #expect(try RowProbe.span(recording(levels)).contains(7))
        #expect(throws: EnrolmentError.self) { try RowProbe.span(recording(Array(levels.dropLast()))) }
    }

    /// A slot counts as rest to the very last: unrest there leaves too little contrast.
    @Test func theLastSlotBelongsToTheRest() throws {
        var levels =
            [Float](repeating: 0, count: 20) + [Float](repeating: 2, count: 10) + [Float](repeating: 0, count: 20)
        #expect(try RowProbe.span(recording(levels)).contains(25))
        levels[49] = 3
        #expect(throws: EnrolmentError.self) { try RowProbe.span(recording(levels)) }
    }
}
