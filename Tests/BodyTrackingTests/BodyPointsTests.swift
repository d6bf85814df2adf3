import BodyTracking
import Testing

@Suite struct BodyPointsTests {
    @Test func everyPointAndScoreHasItsPlace() {
        var points = TrackedBody.Points()
        var scores = TrackedBody.Scores()
        for (index, joint) in TrackedBody.Joint.allCases.enumerated() {
            points[joint] = SIMD3(Float(index), -Float(index), 0.5)
            scores[joint] = Float(index)
        }
        #expect(TrackedBody.Joint.allCases.count == TrackedBody.Points.count)
        for index in 0..<TrackedBody.Points.count {
            #expect(points[index] == SIMD3(Float(index), -Float(index), 0.5))
            #expect(scores[index] == Float(index))
        }
        #expect(points.isFinite)
        points[.rightFootIndex].z = .nan
        #expect(!points.isFinite && points != points)
        points[.rightFootIndex].z = .infinity
        #expect(!points.isFinite)
    }

    /// The pairs of MediaPipe's `POSE_CONNECTIONS`, whichever end comes first.
    private static let pairs: Set<Set<Int>> = [
        [0, 1], [1, 2], [2, 3], [3, 7], [0, 4], [4, 5], [5, 6], [6, 8], [9, 10], [11, 12], [11, 13], [13, 15],
        [15, 17], [15, 19], [15, 21], [17, 19], [12, 14], [14, 16], [16, 18], [16, 20], [16, 22], [18, 20], [11, 23],
        [12, 24], [23, 24], [23, 25], [24, 26], [25, 27], [26, 28], [27, 29], [28, 30], [29, 31], [30, 32], [27, 31],
        [28, 32],
    ]

    @Test func bonesAreMediaPipesLines() {
        let bones = TrackedBody.bones.map { Set([$0.start.rawValue, $0.end.rawValue]) }
        #expect(bones.count == 35 && Set(bones) == Self.pairs)
    }

    /// A group's lines join its points, every point has a line, and every line is in one group.
    @Test func groupsHaveTheirPointsAndLines() {
        var seen: Set<TrackedBody.Joint> = []
        for group in TrackedBody.Group.allCases {
            let ends = Set(group.bones.flatMap { [$0.start, $0.end] })
            #expect(ends == Set(group.joints) && ends.count == group.joints.count, "\(group)")
            seen.formUnion(group.joints)
        }
        #expect(seen == Set(TrackedBody.Joint.allCases))
        #expect(Set(TrackedBody.bones).count == TrackedBody.bones.count)
    }

    /// The right side has what the left has, by the names of the points.
    @Test(arguments: ["Arm", "Hand", "Leg", "Foot"]) func bothSidesAreAlike(_ part: String) throws {
        func group(_ side: String) throws -> TrackedBody.Group {
            try #require(TrackedBody.Group(rawValue: side + part))
        }
        func mirrored(_ joint: TrackedBody.Joint) -> String { "\(joint)".replacing("left", with: "right") }
        let (left, right) = (try group("left"), try group("right"))
        #expect(left.joints.map(mirrored) == right.joints.map { "\($0)" })
        #expect(left.bones.map { mirrored($0.start) + mirrored($0.end) } == right.bones.map { "\($0.start)\($0.end)" })
    }
}
