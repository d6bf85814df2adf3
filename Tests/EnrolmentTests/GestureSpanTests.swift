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
        take.gesture = 3..<9
        #expect(try RowProbe.span(take) == 3..<9)
    }
}
