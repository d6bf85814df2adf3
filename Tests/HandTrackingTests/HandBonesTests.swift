import HandTracking
import Testing

@Suite struct HandBonesTests {
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
