import BodyTracking
import Testing
import Tracking

@Suite struct BodyObservationTests {
    private static let frame = FrameSize(width: 640, height: 480)

    /// A body whose points spread over a box, normalised to the frame.
    private static func body(x: ClosedRange<Float>, y: ClosedRange<Float>) -> TrackedBody {
        var body = BodyJointsTests.body()
        for index in 0..<TrackedBody.Points.count {
            let share = Float(index) / 32
            body.landmarks[index] = SIMD3(
                x.lowerBound + share * (x.upperBound - x.lowerBound),
                y.lowerBound + share * (y.upperBound - y.lowerBound), 0)
        }
        return body
    }

    private static func quality(_ bodies: TrackedBody...) -> [BodyQuality] {
        BodyObservation.all(bodies, in: frame, at: .zero).map(\.quality)
    }

    @Test func itHasTheBodyItsJointsAndTheTime() throws {
        let body = BodyJointsTests.body()
        let observation = try #require(
            BodyObservation.all([body], in: Self.frame, at: .milliseconds(1_234)).first)
        #expect(observation.confidence == 0.75 && observation.body == body)
        #expect(observation.joints == body.joints && observation.time == .milliseconds(1_234))
        #expect(observation.quality == [])
        #expect(BodyObservation.all([], in: Self.frame, at: .zero).isEmpty)
    }

    /// A third of 480 is 160.
    @Test func aBodyBelowAThirdOfTheHeightIsTooSmall() {
        #expect(Self.quality(Self.body(x: 0.4...0.5, y: 0.2...0.54)) == [[]])
        #expect(Self.quality(Self.body(x: 0.4...0.5, y: 0.2...0.52)) == [.tooSmall])
        // Somebody who lies: 160 of 640 columns.
        #expect(Self.quality(Self.body(x: 0.2...0.46, y: 0.5...0.6)) == [[]])
        #expect(Self.quality(Self.body(x: 0.2...0.44, y: 0.5...0.6)) == [.tooSmall])
    }

    /// Points outside of the image count for the size, but not as visible.
    @Test func aNearBodyIsNotTooSmall() {
        let near = Self.body(x: 0.4...0.6, y: 0.5...3)
        #expect(Self.quality(near) == [.keyRegionsHidden])
    }

    @Test func fourOfSixRegionsAreMost() {
        var body = BodyJointsTests.body()
        for joint in [TrackedBody.Joint.leftKnee, .leftAnkle, .rightKnee, .rightAnkle] { body.visibility[joint] = 0 }
        #expect(Self.quality(body) == [[]])
        // A wrist and an elbow less, and one arm is not seen either.
        body.visibility[.leftWrist] = 0
        #expect(Self.quality(body) == [[]])
        body.visibility[.leftElbow] = 0
        #expect(Self.quality(body) == [.keyRegionsHidden])
    }

    @Test func bodiesThatCoverEachOtherAreACrowd() {
        let left = Self.body(x: 0.1...0.4, y: 0.1...0.9)
        let middle = Self.body(x: 0.35...0.6, y: 0.1...0.9)
        let right = Self.body(x: 0.7...0.9, y: 0.1...0.9)
        #expect(Self.quality(left, middle, right) == [.crowded, .crowded, []])
    }

    @Test func anyNumbersAreSurvived() {
        var body = BodyJointsTests.body()
        for index in 0..<TrackedBody.Points.count { body.landmarks[index] = SIMD3(repeating: .nan) }
        let observation = BodyObservation.all([body, body], in: Self.frame, at: .zero)[0]
        #expect(Array(observation.joints).isEmpty)
        #expect(observation.quality.contains(.tooSmall) && observation.quality.contains(.keyRegionsHidden))
    }
}
