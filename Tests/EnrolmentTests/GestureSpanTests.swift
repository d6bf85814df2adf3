import Enrolment
import Testing

/// Where the gesture is found, in recordings whose distance from rest is written out.
struct GestureSpanTests {
    private func recording(_ levels: [Float]) throws -> GestureRecording {
        try GestureRecording(
            features: levels.flatMap { [1 + $0, 1] }, logits: levels.flatMap { _ in [Float(0), 0] }, featureCount: 2,
            classCount: 2)
    }

    private func span(_ levels: [Float]) throws -> Range<Int> { try GestureSpan(recording(levels), index: 0).slots }

    /// Each level for a number of slots.
    private func levels(_ parts: (Float, Int)...) -> [Float] {
        parts.flatMap { [Float](repeating: $0.0, count: $0.1) }
    }

    @Test func aSingleStrokeIsFoundToWithinTheSmoothing() throws {
        let found = try span(levels((0, 20), (2, 10), (0, 20)))
        #expect(abs(found.lowerBound - 20) <= 2 && abs(found.upperBound - 30) <= 2)
    }

    @Test func aDipIsBridgedAndALatePauseIsNot() throws {
        func stroke(pause: Int) -> [Float] { levels((0, 30), (2, 8), (0, pause), (3, 8), (0, 30)) }
        let together = try span(stroke(pause: 10))
        #expect(abs(together.lowerBound - 30) <= 2 && abs(together.upperBound - 56) <= 2)
        let apart = try span(stroke(pause: 30))
        #expect(abs(apart.lowerBound - 68) <= 2 && abs(apart.upperBound - 76) <= 2)
    }

    /// The hand ends in another place than it began: that too is rest.
    @Test func restMayDifferBetweenStartAndEnd() throws {
        let found = try span(levels((0, 20), (3, 10), (1, 20)))
        #expect(abs(found.lowerBound - 20) <= 2 && abs(found.upperBound - 30) <= 2)
    }

    @Test func theRecordingsOwnRangeCounts() throws {
        var take = try recording([Float](repeating: 0, count: 40))
        for range in [3..<9, 0..<40] {
            take.gesture = range
            #expect(try GestureSpan(take, index: 0).slots == range)
        }
        for range in [3..<3, -1..<9, 3..<41] {
            take.gesture = range
            #expect(throws: EnrolmentError.self) { try GestureSpan(take, index: 0).slots }
        }
    }

    /// Slots below the threshold between two strokes: as many as the network remembers part them. The smoothing takes one from
    /// each end of a pause.
    @Test(arguments: [true, false]) func aDipOfTheMemoryIsAPause(isPeakFirst: Bool) throws {
        for (dip, slots) in [(EnrolmentConfiguration.memory - 1, 34), (EnrolmentConfiguration.memory, 10)] {
            let (first, second): (Float, Float) = isPeakFirst ? (3, 2.9) : (2.9, 3)
            let found = try span(levels((0, 30), (first, 8), (0, dip + 2), (second, 8), (0, 30)))
            #expect(found.count == slots, "\(dip)")
        }
    }

    /// A rest that trembles has the distance 1, the peak 4.84, so the threshold is 1.96: between the squares of these levels of
    /// what lies around the peak.
    @Test(arguments: [(Float(1.35), 14), (1.5, 28)]) func theThresholdIsAQuarterOfTheWay(
        level: Float, slots: Int
    ) throws {
        let (rest, around) = ((0..<20).map { Float($0 % 2 == 0 ? 1 : -1) }, [Float](repeating: level, count: 10))
        let levels = rest + around + [Float](repeating: 2.2, count: 10) + around + rest
        #expect(try span(levels).count == slots)
    }

    /// A stroke of two slots in the middle of the shortest recording.
    @Test func sixteenSlotsAreEnough() throws {
        let levels = (0..<16).map { Float([7, 8].contains($0) ? 3 : 0) }
        #expect(try span(levels).contains(7))
        #expect(throws: EnrolmentError.self) { try span(Array(levels.dropLast())) }
    }

    /// A slot counts as rest to the very last: unrest there leaves too little contrast.
    @Test func theLastSlotBelongsToTheRest() throws {
        var stroke = levels((0, 20), (2, 10), (0, 20))
        #expect(try span(stroke).contains(25))
        stroke[49] = 3
        #expect(throws: EnrolmentError.self) { try span(stroke) }
    }
}
