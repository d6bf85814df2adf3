import BodyActivity
import BodyTracking
import Testing
import Vocabulary

/// Side lunges from the front, and what resembles them.
@Suite struct SideLungeTests {
    private static let views = [-30.0, 0, 15, 30, 180]

    private func counts(
        of activity: BodyActivity = .sideLunge, _ extremes: [Mannequin.Pose], from rest: Mannequin.Pose = .standing,
        before start: Mannequin.Pose? = nil, seconds: Double = 2, pause: Double = 0.3, _ camera: Camera,
        rate: Double = 30
    ) throws -> [Int] {
        var exercise = Exercise(from: start ?? rest, for: 1.5)
        exercise.move(to: rest, in: 0.7)
        for index in 0..<6 {
            exercise.move(to: extremes[index % extremes.count], in: 0.45 * seconds)
            exercise.rest(0.1 * seconds)
            exercise.move(to: rest, in: 0.45 * seconds)
            exercise.rest(pause)
        }
        exercise.rest(1)
        var tracker = try BodyActivityTracker(activity)
        exercise.play(to: &tracker, camera, rate: rate)
        return tracker.statistics.movements.map(\.count)
    }

    private static func pose(_ change: (inout Mannequin.Pose) -> Void) -> Mannequin.Pose {
        var pose = Mannequin.Pose.standing
        change(&pose)
        return pose
    }

    /// Both legs straight, the feet as far apart as in a side lunge.
    private static let wide = pose { $0.legOut = (35, 35) }

    /// Steps to a side and back, and lunges in a wide stance, into which the person has stepped before.
    @Test(arguments: views, [10.0, 15, 30]) func sideLungesCount(_ yaw: Double, _ rate: Double) throws {
        let camera = Camera(yaw: yaw, noise: 0.006)
        for seconds in [1.1, 2, 3.5] {
            for share in [0.75, 1] {
                let poses = [Mannequin.Pose.leftSideLunge, .rightSideLunge].map {
                    Mannequin.Pose.standing.mixed(with: $0, share)
                }
                let steps = try counts(poses, seconds: seconds, camera, rate: rate)
                #expect(steps == [3, 3], "steps, \(share) of a lunge, \(seconds) s: \(steps)")
            }
            let stance = try counts(
                [.leftSideLunge, .rightSideLunge], from: Self.wide, before: .standing, seconds: seconds, pause: 0,
                camera, rate: rate)
            #expect(stance == [3, 3], "a wide stance, \(seconds) s: \(stance)")
        }
    }

    /// Always the same knee: the movement is that knee's.
    @Test(arguments: views) func eachSideIsItsOwnMovement(_ yaw: Double) throws {
        let camera = Camera(yaw: yaw, noise: 0.006)
        #expect(try counts([.leftSideLunge], camera) == [6, 0])
        #expect(try counts([.rightSideLunge], camera) == [0, 6])
        #expect(BodyActivity.sideLunge.movements.map(\.name) == ["left", "right"])
    }

    /// The other points of a leg stand in for an ankle or a knee that is never visible.
    @Test(arguments: [10.0, 30]) func aHiddenPointDoesNotStopTheCount(_ rate: Double) throws {
        for joint in [TrackedBody.Joint.leftAnkle, .rightAnkle, .rightKnee] {
            var camera = Camera(yaw: 10, noise: 0.006)
            camera.hidden = [joint.rawValue]
            let counted = try counts([.leftSideLunge, .rightSideLunge], camera, rate: rate)
            #expect(counted == [3, 3], "\(joint) is hidden: \(counted)")
        }
    }

    private static let resembling: [(name: String, rest: Mannequin.Pose, extremes: [Mannequin.Pose])] = [
        ("squats", .standing, [.squatting]),
        (
            "wide squats", wide,
            [pose { ($0.legOut, $0.kneeIn, $0.hip, $0.knee) = ((40, 40), (40, 40), (60, 60), (70, 70)) }]
        ),
        ("jumping jacks", .standing, [.spread]),
        ("lunges", .standing, [.leftLunge, .rightLunge]),
        ("lifted knees", .standing, [pose { ($0.hip.left, $0.knee.left) = (80, 90) }]),
        ("side steps", .standing, [pose { $0.legOut.left = 30 }, pose { $0.legOut.right = 30 }]),
        ("a leg lifted to a side", .standing, [pose { $0.legOut.left = 50 }]),
        ("hips that sway", wide, [pose { $0.legOut = (25, 42) }, pose { $0.legOut = (42, 25) }]),
    ]

    @Test(arguments: views, [10.0, 30]) func othersAreNoSideLunges(_ yaw: Double, _ rate: Double) throws {
        for other in Self.resembling {
            for seconds in [1.0, 2.2] {
                let counted = try counts(
                    other.extremes, from: other.rest, seconds: seconds, Camera(yaw: yaw, noise: 0.006), rate: rate)
                #expect(counted == [0, 0], "\(other.name), \(seconds) s: \(counted)")
            }
        }
    }

    /// Nor are side lunges anything else.
    @Test(arguments: BodyActivity.all.filter { !$0.movements.isEmpty && $0 != .sideLunge })
    func sideLungesAreNothingElse(_ activity: BodyActivity) throws {
        for yaw in Self.views {
            for (rest, start) in [(Mannequin.Pose.standing, nil), (Self.wide, Mannequin.Pose.standing)] {
                let counted = try counts(
                    of: activity, [.leftSideLunge, .rightSideLunge], from: rest, before: start,
                    Camera(yaw: yaw, noise: 0.006))
                #expect(counted.allSatisfy { $0 == 0 }, "\(activity.name), turned by \(yaw): \(counted)")
            }
        }
    }
}
