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
}
