import BodyPose
import BodyTracking
import Foundation
import Testing

/// The view of a person is measured in the first seconds; more than 30 degrees off, they are asked to turn.
@Suite struct ViewAngleTests {
    private static let turns = [0.0, 29, 31, 60, 90]

    private func turnAdvice(_ result: BodyActivityResult) -> BodyAdvice {
        result.advice.intersection([.faceCamera, .turnSideways])
    }

    /// Whether the calibrated angle is known and near another.
    private static func isNear(_ tracker: BodyActivityTracker, _ angle: Double, within tolerance: Double) throws -> Bool
    {
        abs(try #require(tracker.statistics.calibratedAngle) - angle) < tolerance
    }

    @Test(arguments: [BodyActivity.jumpingJacks, .squat], turns)
    func adviceAboveThirtyDegreesAfterCalibration(_ activity: BodyActivity, _ turn: Double) throws {
        let isFrontal = activity.view == .frontal
        let deviation = isFrontal ? turn : 90 - turn
        let expected: BodyAdvice = deviation > 30 ? (isFrontal ? .faceCamera : .turnSideways) : []
        // To either side, and with the back to the camera.
        for yaw in [turn, -turn, 180 - turn, 180 + turn] {
            let name = "\(activity.name), turned by \(yaw)"
            var watch = try Watch(activity)
            let body = TrackedBody.mannequin(yaw: yaw)
            let first = watch.step([body])
            let measured = try #require(first.viewDeviation)
            #expect(abs(measured - deviation) < 0.1 && first.advice == [], "\(name): \(measured)")
            while watch.time < 1.95 { #expect(turnAdvice(watch.step([body])) == [], "\(name), \(watch.time) s") }
            #expect(watch.tracker.statistics.calibratedAngle == nil, "\(name)")
            let later = watch.hold([body], seconds: 0.2)
            #expect(turnAdvice(later) == expected, "\(name): \(later.advice.names)")
            #expect(try Self.isNear(watch.tracker, turn, within: 2), "\(name)")
        }
    }

    /// The frame with which the first two seconds are over has the angle.
    @Test func theAngleIsKnownAfterTwoSeconds() throws {
        var watch = try Watch(.jumpingJacks, rate: 4)
        let body = TrackedBody.mannequin(yaw: 31)
        for frame in 0...8 {
            watch.step([body])
            #expect((watch.tracker.statistics.calibratedAngle != nil) == (frame == 8), "\(frame)")
        }
    }

    /// The view measured from a person in motion, with noisy points, some of them hidden.
    @Test(arguments: Routine.all, [0.0, 31, 60, 90]) func theAngleIsMeasuredInMotion(_ routine: Routine, _ yaw: Double)
        throws
    {
        var tracker = try BodyActivityTracker(routine.activity)
        let camera = Camera(yaw: yaw, noise: 0.01, randomlyHidden: 5)
        routine.exercise(3, seed: 3).play(to: &tracker, camera, seed: 7)
        #expect(try Self.isNear(tracker, yaw, within: 2))
    }

    /// A person who was asked to turn has to come within 27 degrees.
    @Test(arguments: [BodyActivity.View.frontal, .sagittal]) func threeDegreesOnTheWayBack(_ view: BodyActivity.View)
        throws
    {
        var watch = try Watch(.watched(from: view), rate: 15)
        let expected: BodyAdvice = view == .frontal ? .faceCamera : .turnSideways
        for (deviation, isAsked) in [
            (29.0, false), (31, true), (29, true), (27.5, true), (26.5, false), (29, false), (29.5, false), (31, true),
            (0, false),
        ] {
            // The angle is an average over two seconds.
            let yaw = view == .frontal ? deviation : 90 - deviation
            let result = watch.hold([.mannequin(yaw: yaw)], seconds: 20)
            #expect(turnAdvice(result) == (isAsked ? expected : []), "\(view), off by \(deviation)")
            #expect(abs(try #require(result.viewDeviation) - deviation) < 0.1, "\(view), off by \(deviation)")
        }
    }

    /// The view measured in the first seconds stays, even if the person turns later.
    @Test func theCalibratedAngleIsKept() throws {
        var watch = try Watch(.jumpingJacks)
        watch.hold([.mannequin(yaw: 10)], seconds: 3)
        let result = watch.hold([.mannequin(yaw: 60)], seconds: 20)
        #expect(abs(try #require(result.viewDeviation) - 60) < 0.1)
        #expect(try Self.isNear(watch.tracker, 10, within: 2))
    }

    @Test func limitAndCalibrationAreTheConfigurations() throws {
        let configuration = BodyActivityConfiguration(maximumAngle: 50, exposureLockDuration: .seconds(5))
        for (yaw, expected) in [(48.0, BodyAdvice()), (52, .faceCamera)] {
            var watch = try Watch(.watched(from: .frontal), configuration)
            let body = TrackedBody.mannequin(yaw: yaw)
            #expect(turnAdvice(watch.hold([body], seconds: 4.9)) == [], "\(yaw)")
            #expect(watch.tracker.statistics.calibratedAngle == nil, "\(yaw)")
            #expect(turnAdvice(watch.hold([body], seconds: 0.3)) == expected, "\(yaw)")
        }
    }

    /// It is measured all the same.
    @Test func noAdviceWhereTheViewDoesNotMatter() throws {
        var watch = try Watch(.watched(from: nil))
        let result = watch.hold([.mannequin(yaw: 60)], seconds: 5)
        #expect(result.viewDeviation == nil && result.advice == [])
        #expect(try Self.isNear(watch.tracker, 60, within: 2))
    }

    // MARK: The box

    /// A person in the shape of an upright ellipsoid of the given width and depth by its height, by head, hands and feet alone;
    /// shoulders and hips are hidden anywhere.
    private func ellipsoid(yaw: Double, wide: Double = 0.30, deep: Double = 0.15) -> TrackedBody {
        var body = TrackedBody.mannequin()
        let height = 1.7
        // How far it reaches to a side, by looking at all of its outline.
        let reach = (0..<3_600).map { step in
            let angle = Double(step) * .pi / 1_800
            let (across, along) = (wide / 2 * cos(angle), deep / 2 * sin(angle))
            return height * (across * cos(yaw * .pi / 180) + along * sin(yaw * .pi / 180))
        }.max()!
        for joint in TrackedBody.Joint.allCases {
            let side: Double = "\(joint)".hasPrefix("left") ? 1 : -1
            let place: SIMD3<Double>
            switch BodyPart(joint) {
            case .face: place = SIMD3(0, -height / 2, 0)
            case .foot: place = SIMD3(0, height / 2, 0)
            default: place = SIMD3(side * reach, 0, 0)
            }
            body.worldLandmarks[joint.rawValue] = SIMD3<Float>(place)
        }
        body.hide([.leftShoulder, .rightShoulder, .leftHip, .rightHip], at: SIMD3(2, 0, -5))
        return body
    }

    @Test(arguments: [BodyActivity.View.frontal, .sagittal], turns)
    func withoutShouldersAndHipsTheBoxIsMeasured(_ view: BodyActivity.View, _ yaw: Double) throws {
        var watch = try Watch(.watched(from: view))
        let result = watch.hold([ellipsoid(yaw: yaw)], seconds: 2.5)
        #expect(try Self.isNear(watch.tracker, yaw, within: 0.5))
        let expected: BodyAdvice =
            switch view {
            case .frontal: yaw > 30 ? .faceCamera : []
            case .sagittal: yaw < 60 ? .turnSideways : []
            }
        if view == .sagittal, yaw == 60 { return }
        #expect(turnAdvice(result) == expected, "\(view), turned by \(yaw)")
    }

    /// Shapes wider or narrower than any person count as frontal or as seen from a side.
    @Test func boxesOfOtherShapes() throws {
        for (wide, expected) in [(0.9, 0.0), (0.31, 0), (0.14, 90), (0.01, 90)] {
            var watch = try Watch(.watched(from: .frontal))
            watch.hold([ellipsoid(yaw: 0, wide: wide)], seconds: 2.5)
            #expect(try Self.isNear(watch.tracker, expected, within: 0.5), "\(wide)")
        }
    }

    /// A person is no ellipsoid, but frontal and from a side differ.
    @Test(arguments: [0.0, 90]) func theBoxOfAMannequin(_ yaw: Double) throws {
        for activity in [BodyActivity.squat, .jumpingJacks] {
            var watch = try Watch(activity)
            var body = TrackedBody.mannequin(yaw: yaw)
            body.hide([.leftShoulder, .rightHip], at: SIMD3(2, 0, -5))
            watch.hold([body], seconds: 3)
            #expect(try Self.isNear(watch.tracker, yaw, within: 15), "\(activity.name)")
        }
    }

    /// Without head or feet the box is not that of a person.
    @Test(arguments: [[BodyPart.face], [.ankle, .foot]]) func withoutHeadOrFeetNothingIsReported(_ parts: [BodyPart])
        throws
    {
        var watch = try Watch(.watched(from: .frontal))
        var body = ellipsoid(yaw: 60)
        body.hide(TrackedBody.Joint.allCases.filter { parts.contains(BodyPart($0)) })
        let result = watch.hold([body], seconds: 5)
        #expect(result.viewDeviation == nil && result.advice == [])
        #expect(watch.tracker.statistics.calibratedAngle == nil)
    }

    @Test func anotherPersonIsMeasuredAnew() throws {
        var watch = try Watch(.jumpingJacks)
        #expect(turnAdvice(watch.hold([.mannequin(yaw: 60)], seconds: 3)) == .faceCamera)
        let other = TrackedBody.mannequin(yaw: 20, identity: 1)
        let first = watch.step([other])
        #expect(turnAdvice(first) == [])
        #expect(abs(try #require(first.viewDeviation) - 20) < 0.1)
        #expect(watch.tracker.statistics.calibratedAngle == nil)
        #expect(turnAdvice(watch.hold([other], seconds: 3)) == [])
        #expect(try Self.isNear(watch.tracker, 20, within: 2))
        // The same person, lost and found, is not.
        watch.hold([], seconds: 1)
        watch.step([other])
        #expect(watch.tracker.statistics.calibratedAngle != nil)
    }
}
