import HandTracking
import Platform
import Testing

/// Names of poses, and the lines between points.
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

    /// The pairs of MediaPipe's `HAND_CONNECTIONS`, whichever end comes first.
    private static let pairs: Set<Set<Int>> = [
        [0, 1], [1, 2], [2, 3], [3, 4], [0, 5], [5, 6], [6, 7], [7, 8], [5, 9], [9, 10], [10, 11], [11, 12], [9, 13],
        [13, 14], [14, 15], [15, 16], [13, 17], [0, 17], [17, 18], [18, 19], [19, 20],
    ]

    @Test func bonesAreMediaPipesLines() {
        let bones = TrackedHand.bones.map { Set([$0.start.rawValue, $0.end.rawValue]) }
        #expect(bones.count == 21 && Set(bones) == Self.pairs)
        #expect(TrackedHand.bones.suffix(5).elementsEqual(TrackedHand.palmBones, by: ==))
    }

    /// Four points of consecutive numbers to a finger, from the palm outward, and each point in one finger.
    @Test func fingersHaveTheirPointsInOrder() {
        var numbers: [Int] = []
        for finger in TrackedHand.Finger.allCases {
            #expect(finger.joints.count == 4 && finger.joints.last == finger.tip)
            #expect(finger.joints.allSatisfy { $0.finger == finger })
            #expect(finger.bones.map(\.end) == finger.joints.suffix(finger.bones.count))
            #expect(zip(finger.bones, finger.bones.dropFirst()).allSatisfy { $0.end == $1.start })
            #expect(finger.bones.count == (finger == .thumb ? 4 : 3))
            numbers += finger.joints.map(\.rawValue)
        }
        #expect(numbers == Array(1...20))
        #expect(TrackedHand.Joint.wrist.finger == nil)
    }
}
