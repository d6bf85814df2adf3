import HandTracking
import Platform
import Testing

/// Scores by names.
@Suite struct HandPoseTests {
    private typealias Name = TrackedHand.Pose.Name

    /// The order of the classifier's outputs, which MediaPipe's file lists beside it.
    @Test func namesAreThoseOfTheClassifierInItsOrder() {
        #expect(
            Name.allCases.map(\.rawValue) == [
                "None", "Closed_Fist", "Open_Palm", "Pointing_Up", "Thumb_Down", "Thumb_Up", "Victory", "ILoveYou",
            ])
        let pose = TrackedHand.Pose(scores: SIMD8(0, 1, 2, 3, 4, 5, 6, 7))
        #expect(Name.allCases.map { pose[$0] } == [0, 1, 2, 3, 4, 5, 6, 7])
    }

    @Test func theNameIsThatOfTheHighestScore() {
        for (index, name) in Name.allCases.enumerated() {
            var scores = SIMD8<Float>(repeating: 0.1)
            scores[index] = 0.3
            #expect(TrackedHand.Pose(scores: scores).name == name)
        }
        // Of equal ones the first.
        #expect(TrackedHand.Pose(scores: SIMD8(repeating: 0.125)).name == .unknown)
        #expect(TrackedHand.Pose(scores: SIMD8(0, 0, 0, 0.5, 0.5, 0, 0, 0)).name == .pointingUp)
    }

    @Test func whatIsNotANumberIsNoPose() {
        let sound: [Float] = [0, 0.5, 0.5, 0, 0, 0, 0, 0]
        let embedding = (0..<128).map { Float($0) }
        let pose = TrackedHand.Pose(network: sound.span, of: embedding.span)
        #expect(pose?.name == .closedFist)
        #expect(embedding.indices.allSatisfy { pose?.embedding[$0] == embedding[$0] })
        let same = TrackedHand.Pose(network: sound.span, of: embedding.span)
        let backwards = Array(embedding.reversed())
        let other = TrackedHand.Pose(network: sound.span, of: backwards.span)
        #expect(pose == same)
        #expect(pose != other)
        for index in sound.indices {
            for number in [Float.nan, .infinity] {
                var scores = sound
                scores[index] = number
                let none = TrackedHand.Pose(network: scores.span, of: embedding.span)
                #expect(none == nil)
            }
        }
    }
}
