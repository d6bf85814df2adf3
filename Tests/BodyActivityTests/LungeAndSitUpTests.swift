import BodyActivity
import BodyTracking
import Testing
import Vocabulary

/// Lunges and sit-ups of every depth that people do, from every side, and what resembles them.
@Suite struct LungeAndSitUpTests {
    private static let views = [0.0, 45, 90, 135, 180]

    /// Repetitions one after the other with rests between them, counted at a rate.
    private func count(
        _ activity: BodyActivity, _ extremes: [Mannequin.Pose], from rest: Mannequin.Pose = .standing,
        seconds: Double = 2.2, pause: Double = 0.4, _ camera: Camera, rate: Double, start: Double = 1.5
    ) throws -> BodyTempo {
        var exercise = Exercise(from: rest, for: start)
        for index in 0..<6 {
            exercise.move(to: extremes[index % extremes.count], in: 0.45 * seconds)
            exercise.rest(0.1 * seconds)
            exercise.move(to: rest, in: 0.45 * seconds)
            exercise.rest(pause)
        }
        exercise.rest(1)
        var tracker = try BodyActivityTracker(activity)
        exercise.play(to: &tracker, camera, rate: rate)
        return tracker.statistics.movements[0]
    }

    private static func pose(_ change: (inout Mannequin.Pose) -> Void) -> Mannequin.Pose {
        var pose = Mannequin.Pose.standing
        change(&pose)
        return pose
    }

    // MARK: Lunges

    /// Both legs' lunges, by the share of a whole one. The hips sink by a fifth of the legs' length at 0.65.
    private static func lunges(_ share: Double) -> [Mannequin.Pose] {
        [.standing.mixed(with: .leftLunge, share), .standing.mixed(with: .rightLunge, share)]
    }

    @Test(arguments: views, [10.0, 30]) func lungesCountFromEverySide(_ yaw: Double, _ rate: Double) throws {
        for share in [0.65, 0.8, 1] {
            for depth in [0.6, 1] {
                let camera = Camera(yaw: yaw, noise: 0.006, depth: depth)
                for seconds in [1.4, 2.2, 3.5] {
                    let tempo = try count(.lunge, Self.lunges(share), seconds: seconds, camera, rate: rate)
                    #expect(tempo.count == 6, "\(share) of a lunge, depth \(depth), \(seconds) s: \(tempo.count)")
                }
            }
        }
    }

    /// One leg alone, and steps from a stance in which the feet are apart.
    @Test(arguments: views) func oneLegLunges(_ yaw: Double) throws {
        for extremes in [[Mannequin.Pose.leftLunge], [.rightLunge]] {
            for spread in [2.0, 12] {
                let rest = Self.pose { $0.spread = spread }
                let poses = extremes.map { pose in
                    var pose = pose
                    pose.spread = spread
                    return pose
                }
                let tempo = try count(.lunge, poses, from: rest, Camera(yaw: yaw, noise: 0.006), rate: 30)
                #expect(tempo.count == 6, "legs spread by \(spread): \(tempo.count)")
            }
        }
    }

    /// The hips sink by less than a tenth of the legs' length.
    @Test(arguments: views, [10.0, 30]) func aThirdOfALungeDoesNotCount(_ yaw: Double, _ rate: Double) throws {
        for share in [0.2, 0.35] {
            let tempo = try count(.lunge, Self.lunges(share), Camera(yaw: yaw, noise: 0.006), rate: rate)
            #expect(tempo.count == 0, "\(share) of a lunge: \(tempo.count)")
        }
    }

    /// However far the feet are apart: they stay beside each other.
    @Test(arguments: views, [5.0, 15, 25]) func squatsAreNoLunges(_ yaw: Double, _ spread: Double) throws {
        var squat = Mannequin.Pose.squatting
        squat.spread = spread
        let rest = Self.pose { $0.spread = spread }
        for depth in [0.6, 1] {
            let camera = Camera(yaw: yaw, noise: 0.006, depth: depth)
            let tempo = try count(.lunge, [squat], from: rest, camera, rate: 30)
            #expect(tempo.count == 0 && tempo.shallow == 0, "depth \(depth): \(tempo.count), \(tempo.shallow)")
        }
    }

    private static let steps: [(name: String, hip: Double, knee: Double)] = [
        ("walking", 25, 45), ("marching", 50, 65), ("knees lifted", 80, 90), ("jogging", 35, 85),
    ]

    /// On the spot, from slow to quick.
    @Test(arguments: views) func stepsAreNoLunges(_ yaw: Double) throws {
        for step in Self.steps {
            let poses = [
                Self.pose { ($0.hip.left, $0.knee.left) = (step.hip, step.knee) },
                Self.pose { ($0.hip.right, $0.knee.right) = (step.hip, step.knee) },
            ]
            for seconds in [0.7, 1, 2] {
                for rate in [10.0, 30] {
                    let tempo = try count(
                        .lunge, poses, seconds: seconds, pause: 0, Camera(yaw: yaw, noise: 0.006), rate: rate)
                    #expect(tempo.count == 0, "\(step.name), \(seconds) s at \(rate) Hz: \(tempo.count)")
                }
            }
        }
    }

    @Test(arguments: views) func noViewIsAskedForLunges(_ yaw: Double) throws {
        var watch = try Watch(.lunge)
        #expect(watch.hold([.mannequin(yaw: yaw)], seconds: 4).advice == [])
    }

    // MARK: Sit-ups

    private static func sitUp(_ degrees: Double, _ change: (inout Mannequin.Pose) -> Void = { _ in })
        -> (rest: Mannequin.Pose, extreme: Mannequin.Pose)
    {
        var rest = Mannequin.Pose.supine
        change(&rest)
        var extreme = rest
        extreme.lean = degrees
        return (rest, extreme)
    }

    /// From 30 degrees on, with knees more or less bent, hands at the thighs or behind the head.
    @Test(arguments: [30.0, 45, 60, 85], [10.0, 30]) func sitUpsOfEveryDepthCount(_ degrees: Double, _ rate: Double)
        throws
    {
        for (hip, knee, arm) in [(55.0, 110.0, 40.0), (35, 70, 40), (60, 110, 165)] {
            let (rest, extreme) = Self.sitUp(degrees) {
                $0.hip = (hip, hip)
                $0.knee = (knee, knee)
                $0.armForward = (arm, arm)
                if arm > 90 { $0.elbow = (120, 120) }
            }
            for yaw in [60.0, 90, 110] {
                for seconds in [1.2, 2, 4] {
                    let tempo = try count(
                        .sitUp, [extreme], from: rest, seconds: seconds, Camera(yaw: yaw, noise: 0.006), rate: rate)
                    #expect(tempo.count == 6, "hips bent by \(hip), turned by \(yaw), \(seconds) s: \(tempo.count)")
                }
            }
        }
    }

    /// A clip that begins as the first repetition does, and one without a rest between repetitions.
    @Test(arguments: [10.0, 30]) func sitUpsCountFromTheFirstFrame(_ rate: Double) throws {
        let (rest, extreme) = Self.sitUp(50)
        let tempo = try count(
            .sitUp, [extreme], from: rest, pause: 0, Camera(yaw: 90, noise: 0.006), rate: rate, start: 0.1)
        #expect(tempo.count == 6)
    }

    @Test(arguments: [10.0, 30]) func aRaisedHeadIsNoSitUp(_ rate: Double) throws {
        for degrees in [5.0, 10, 15] {
            let (rest, extreme) = Self.sitUp(degrees)
            let tempo = try count(.sitUp, [extreme], from: rest, Camera(yaw: 90, noise: 0.006), rate: rate)
            #expect(tempo.count == 0, "\(degrees) degrees: \(tempo.count)")
        }
    }

    /// Of a person who lies on the back: legs that rise, arms that move, hips that are lifted.
    @Test func otherMovementsOnTheBackAreNoSitUps() throws {
        let rest = Mannequin.Pose.supine
        var legs = rest
        (legs.hip, legs.knee) = ((95, 95), (90, 90))
        var arms = rest
        arms.armForward = (150, 150)
        var bridge = rest
        (bridge.hip, bridge.pitch, bridge.knee) = ((15, 15), -110, (95, 95))
        for (name, pose) in [("legs", legs), ("arms", arms), ("hips", bridge)] {
            for rate in [10.0, 30] {
                let tempo = try count(.sitUp, [pose], from: rest, Camera(yaw: 90, noise: 0.006), rate: rate)
                #expect(tempo.count == 0, "\(name) at \(rate) Hz: \(tempo.count)")
            }
        }
    }

    // MARK: Measures

    /// Measured of legs from any side, and told apart by a condition on a movement of an arm.
    @Test(arguments: views) func separationAndDivergenceAreOfTheLegs(_ yaw: Double) throws {
        func isCounted(_ pose: Mannequin.Pose, _ measure: BodyMeasure, in allowed: ClosedRange<Double>) throws -> Bool {
            var activity = BodyActivity.raise(conditions: [BodyMovement.Condition(measure, in: allowed, at: .once)])
            activity.movements[0].parts[0][0] = BodySignal(
                .height([.leftWrist], above: [.leftShoulder]), rest: -1, extreme: 1)
            var watch = try Watch(activity)
            var raised = pose
            raised.armOut.left = 170
            watch.hold([.mannequin(pose, yaw: yaw)], seconds: 1)
            watch.hold([.mannequin(raised, yaw: yaw)], seconds: 1)
            return watch.hold([.mannequin(pose, yaw: yaw)], seconds: 1).repetitions == 1
        }
        let stride = BodyMeasure.separation(.leftAnkle, .rightAnkle, across: .leftShoulder, .rightShoulder)
        let shins = BodyMeasure.divergence(.leftKnee, .leftAnkle, from: .rightKnee, .rightAnkle)
        let wide = Self.pose { $0.spread = 30 }
        #expect(try isCounted(wide, stride, in: 0...0.01) && isCounted(wide, shins, in: 59...61))
        // One leg level to the front: from the hip, both bones of it are there; the trunk is 0.505 m from shoulder to hip.
        let level = Self.pose { ($0.spread, $0.hip.left) = (0, 90) }
        let length = 2.squareRoot() * 0.84 / 0.505
        #expect(try isCounted(level, stride, in: (length - 0.02)...(length + 0.02)))
        #expect(try isCounted(level, shins, in: 89...91) && !isCounted(level, shins, in: 0...88))
    }
}
