import BodyTracking
import Testing
import Tracking

@Suite struct BodyJointsTests {
    /// A body whose point of number n is at n / 40 from the left and n / 50 from the top, as sure as 0.4 + n / 100.
    static func body() -> TrackedBody {
        var points = TrackedBody.Points()
        var scores = TrackedBody.Scores()
        for index in 0..<TrackedBody.Points.count {
            points[index] = SIMD3(Float(index) / 40, Float(index) / 50, -1)
            scores[index] = 0.4 + Float(index) / 100
        }
        return TrackedBody(
            identity: 0, presence: 0.75, landmarks: points, visibility: scores,
            pointPresence: TrackedBody.Scores(repeating: 1), worldLandmarks: TrackedBody.Points(),
            region: TrackedRegion(centerX: 1, centerY: 1, side: 1))
    }

    @Test func nineteenJointsByVisionsNames() {
        #expect(
            BodyJoints.Name.allCases.map(\.rawValue) == [
                "nose", "leftEye", "rightEye", "leftEar", "rightEar", "neck", "leftShoulder", "rightShoulder",
                "leftElbow", "rightElbow", "leftWrist", "rightWrist", "root", "leftHip", "rightHip", "leftKnee",
                "rightKnee", "leftAnkle", "rightAnkle",
            ])
        #expect(BodyJoints.count == 19)
        let joints = BodyJoints(Self.body())
        #expect(joints.map(\.name) == BodyJoints.Name.allCases)
    }

    @Test func groupsHaveTheirJointsInOrder() {
        #expect(BodyJoints.Group.face.joints == [.nose, .leftEye, .rightEye, .leftEar, .rightEar])
        #expect(
            BodyJoints.Group.torso.joints == [.neck, .rightShoulder, .rightHip, .root, .leftHip, .leftShoulder])
        #expect(BodyJoints.Group.leftArm.joints == [.leftShoulder, .leftElbow, .leftWrist])
        #expect(BodyJoints.Group.rightArm.joints == [.rightShoulder, .rightElbow, .rightWrist])
        #expect(BodyJoints.Group.leftLeg.joints == [.leftHip, .leftKnee, .leftAnkle])
        #expect(BodyJoints.Group.rightLeg.joints == [.rightHip, .rightKnee, .rightAnkle])
        #expect(BodyJoints.Group.all.joints == BodyJoints.Name.allCases)
        let parts = BodyJoints.Group.allCases.filter { $0 != .all }
        #expect(Set(parts.flatMap(\.joints)) == Set(BodyJoints.Name.allCases))
    }

    /// MediaPipe's numbers, not names, so that a joint made of the wrong point shows.
    @Test(arguments: [
        (BodyJoints.Name.nose, 0), (.leftEye, 2), (.rightEye, 5), (.leftEar, 7), (.rightEar, 8), (.leftShoulder, 11),
        (.rightShoulder, 12), (.leftElbow, 13), (.rightElbow, 14), (.leftWrist, 15), (.rightWrist, 16), (.leftHip, 23),
        (.rightHip, 24), (.leftKnee, 25), (.rightKnee, 26), (.leftAnkle, 27), (.rightAnkle, 28),
    ]) func aJointIsItsPointFromTheBottomLeft(_ name: BodyJoints.Name, _ number: Int) throws {
        let point = try #require(BodyJoints(Self.body())[name])
        #expect(abs(point.location.x - Float(number) / 40) < 1e-6)
        #expect(abs(point.location.y - (1 - Float(number) / 50)) < 1e-6)
        #expect(abs(point.confidence - (0.4 + Float(number) / 100)) < 1e-6)
        #expect(name.landmark?.rawValue == number)
    }

    @Test func neckAndRootAreMiddlesAndAsSureAsTheLessSureOne() throws {
        var body = Self.body()
        body.visibility[.leftShoulder] = 0.9
        body.visibility[.rightShoulder] = 0.3
        body.visibility[.leftHip] = 0.2
        body.pointPresence[.rightHip] = 0.15
        let joints = BodyJoints(body)
        let neck = try #require(joints[.neck])
        #expect(abs(neck.location.x - 11.5 / 40) < 1e-6 && abs(neck.location.y - (1 - 11.5 / 50)) < 1e-6)
        #expect(neck.confidence == 0.3)
        let root = try #require(joints[.root])
        #expect(abs(root.location.x - 23.5 / 40) < 1e-6 && abs(root.location.y - (1 - 23.5 / 50)) < 1e-6)
        #expect(root.confidence == 0.15)
        #expect(BodyJoints.Name.neck.landmark == nil && BodyJoints.Name.root.landmark == nil)
        body.visibility[.rightShoulder] = 0
        body.landmarks[.leftHip].y = 1.2
        let without = BodyJoints(body)
        #expect(without[.neck] == nil && without[.leftShoulder] != nil)
        #expect(without[.root] == nil && without[.rightHip] != nil)
    }

    /// Too little visibility, too little presence, outside of the frame, and NaN.
    @Test func confidenceZeroIsLeftOut() {
        var body = Self.body()
        body.visibility[.nose] = 0.09
        body.pointPresence[.leftEye] = 0.05
        body.landmarks[.rightEye].x = -0.01
        body.landmarks[.leftEar].y = 1.01
        body.visibility[.rightEar] = .nan
        body.landmarks[.leftWrist].x = .nan
        body.landmarks[.rightWrist].y = .infinity
        let hidden: Set<BodyJoints.Name> = [
            .nose, .leftEye, .rightEye, .leftEar, .rightEar, .leftWrist, .rightWrist,
        ]
        let joints = BodyJoints(body)
        for name in BodyJoints.Name.allCases { #expect((joints[name] == nil) == hidden.contains(name), "\(name)") }
        #expect(joints[.face].isEmpty)
        #expect(joints.points(of: .face).isEmpty)
        #expect(Set(joints[.leftArm].keys) == [.leftShoulder, .leftElbow])
        #expect(Set(joints[.all].keys) == Set(BodyJoints.Name.allCases).subtracting(hidden))
        #expect(joints.map(\.name) == BodyJoints.Name.allCases.filter { !hidden.contains($0) })
        #expect(joints[.all].allSatisfy { $0.value.confidence > 0 })
        // The unsure ones are there for who asks; the impossible ones are not.
        let more = BodyJoints(body, minimumConfidence: 0)
        #expect(more[.nose] != nil && more[.leftEye] != nil)
        #expect(more[.rightEye] == nil && more[.rightEar] == nil && more[.leftWrist] == nil)
        #expect(Array(BodyJoints()).isEmpty)
        #expect(BodyJoints()[.all].isEmpty)
    }

    @Test func whatIsSetIsReadAndWhatCannotBeIsNil() {
        var joints = BodyJoints()
        for (index, name) in BodyJoints.Name.allCases.enumerated() {
            joints[name] = BodyJoints.Point(location: SIMD2(Float(index) / 20, 0.5), confidence: 0.5)
        }
        for (index, name) in BodyJoints.Name.allCases.enumerated() {
            #expect(joints[name]?.location == SIMD2(Float(index) / 20, 0.5))
        }
        joints[.nose] = BodyJoints.Point(location: SIMD2(0, 1), confidence: 7)
        #expect(joints[.nose]?.confidence == 1)
        for bad in [
            BodyJoints.Point(location: SIMD2(0.5, 0.5), confidence: 0),
            .init(location: SIMD2(0.5, .nan), confidence: 1),
            .init(location: SIMD2(-1, 0.5), confidence: 1), .init(location: SIMD2(0.5, 0.5), confidence: .nan),
            .init(location: SIMD2(0.5, 0.5), confidence: -1),
        ] {
            joints[.neck] = bad
            #expect(joints[.neck] == nil)
            joints[.neck] = BodyJoints.Point(location: SIMD2(0.5, 0.5), confidence: 0.5)
        }
        let before = joints
        joints[.neck] = nil
        #expect(joints != before && joints[.neck] == nil)
    }

    /// A quarter from the left and a tenth from the bottom of 640 x 480.
    @Test func imagePointsCountFromTheBottomLeft() {
        let point = BodyJoints.Point(location: SIMD2(0.25, 0.1), confidence: 1)
        #expect(point.imagePoint(width: 640, height: 480) == SIMD2(160, 48))
        #expect(point.topLeftLocation == SIMD2(0.25, 0.9))
        let corner = BodyJoints.Point(location: SIMD2(1, 1), confidence: 1)
        #expect(corner.imagePoint(width: 640, height: 480) == SIMD2(640, 480))
        #expect(corner.topLeftLocation == SIMD2(1, 0))
    }
}
