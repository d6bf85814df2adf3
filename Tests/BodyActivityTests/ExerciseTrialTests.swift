import BodyPose
import BodyTracking
import Testing
import Vocabulary

/// Six repetitions of a movement in every combination of the values given, and how many of them each movement counts.
private struct Trial: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let activity: BodyActivity
    let counts: [Int]
    let extremes: [Mannequin.Pose]
    var rest = Mannequin.Pose.standing
    var start: Mannequin.Pose?
    var seconds = [2.0]
    var pause = 0.3
    var lead = 1.5
    var views = [90.0]
    var rates = [30.0]
    var depths = [1.0]
    var hidden: Set<Int> = []
    /// Movements that turned back too soon; nil leaves them out.
    var shallow: Int?

    init(
        _ name: String, _ activity: BodyActivity, _ counts: [Int], _ extremes: [Mannequin.Pose],
        _ change: (inout Trial) -> Void
    ) {
        (testDescription, self.activity, self.counts, self.extremes) = (name, activity, counts, extremes)
        change(&self)
    }
}

/// Lunges, side lunges and sit-ups of every depth that people do, from every side, and what resembles them.
@Suite struct ExerciseTrialTests {
    private static let allViews = [0.0, 45, 90, 135, 180]
    private static let frontViews = [-30.0, 0, 15, 30, 180]

    private static func lunges(_ share: Double) -> [Mannequin.Pose] {
        [Mannequin.Pose.leftLunge, .rightLunge].map { Mannequin.Pose.standing.mixed(with: $0, share) }
    }

    private static func bent(_ hip: Double, _ knee: Double, left: Bool) -> Mannequin.Pose {
        .standing.with {
            if left { ($0.hip.left, $0.knee.left) = (hip, knee) } else { ($0.hip.right, $0.knee.right) = (hip, knee) }
        }
    }

    private static let lungeTrials: [Trial] =
        // The hips sink by a fifth of the legs' length at 0.65, and by less than a tenth at 0.35.
        [(0.65, 6), (0.8, 6), (1, 6), (0.2, 0), (0.35, 0)].map { share, count in
            Trial("\(share) of a lunge", .lunge, [count], lunges(share)) {
                ($0.views, $0.rates, $0.seconds, $0.pause) = (allViews, [10, 30], [1.4, 2.2, 3.5], 0.4)
                if count > 0 { $0.depths = [0.6, 1] }
            }
        }
        // One leg alone, and steps from a stance in which the feet are apart.
        + [2.0, 12].flatMap { spread in
            [Mannequin.Pose.leftLunge, .rightLunge].map { pose in
                Trial("one leg, spread by \(spread)", .lunge, [6], [pose.with { $0.spread = spread }]) {
                    $0.rest = .standing.with { $0.spread = spread }
                    ($0.views, $0.seconds, $0.pause) = (allViews, [2.2], 0.4)
                }
            }
        }
        // However far the feet are apart: they stay beside each other.
        + [5.0, 15, 25].map { spread in
            Trial("squats, spread by \(spread)", .lunge, [0], [.squatting.with { $0.spread = spread }]) {
                $0.rest = .standing.with { $0.spread = spread }
                ($0.views, $0.depths, $0.seconds, $0.pause, $0.shallow) = (allViews, [0.6, 1], [2.2], 0.4, 0)
            }
        }
        // On the spot, from slow to quick: walking, marching, lifted knees, jogging.
        + [(25.0, 45.0), (50, 65), (80, 90), (35, 85)].map { hip, knee in
            Trial("steps of \(hip) degrees", .lunge, [0], [true, false].map { bent(hip, knee, left: $0) }) {
                ($0.views, $0.rates, $0.seconds, $0.pause) = (allViews, [10, 30], [0.7, 1, 2], 0)
            }
        }

    private static let sideLunges = [Mannequin.Pose.leftSideLunge, .rightSideLunge]

    private static let sideLungeTrials: [Trial] =
        [0.75, 1].map { share in
            Trial(
                "\(share) of a side lunge", .sideLunge, [3, 3],
                sideLunges.map { Mannequin.Pose.standing.mixed(with: $0, share) }
            ) { ($0.views, $0.rates, $0.seconds) = (frontViews, [10, 15, 30], [1.1, 2, 3.5]) }
        } + [
            Trial("in a wide stance", .sideLunge, [3, 3], sideLunges) {
                ($0.rest, $0.start, $0.pause) = (.wide, .standing, 0)
                ($0.views, $0.rates, $0.seconds) = (frontViews, [10, 15, 30], [1.1, 2, 3.5])
            },
            // Always the same knee: the movement is that knee's.
            Trial("left alone", .sideLunge, [6, 0], [.leftSideLunge]) { $0.views = frontViews },
            Trial("right alone", .sideLunge, [0, 6], [.rightSideLunge]) { $0.views = frontViews },
        ]
        // The other points of a leg stand in for an ankle or a knee that is never visible.
        + [TrackedBody.Joint.leftAnkle, .rightAnkle, .rightKnee].map { joint in
            Trial("\(joint) hidden", .sideLunge, [3, 3], sideLunges) {
                ($0.views, $0.rates, $0.hidden) = ([10], [10, 30], [joint.rawValue])
            }
        }
        + ([
            ("squats", .standing, [.squatting]), ("jumping jacks", .standing, [.spread]),
            (
                "wide squats", .wide,
                [
                    .standing.with {
                        ($0.legOut, $0.kneeIn, $0.hip, $0.knee) = ((40, 40), (40, 40), (60, 60), (70, 70))
                    }
                ]
            ),
            ("lunges", .standing, [.leftLunge, .rightLunge]), ("lifted knees", .standing, [bent(80, 90, left: true)]),
            (
                "side steps", .standing,
                [
                    .standing.with { $0.legOut.left = 30 }, .standing.with { $0.legOut.right = 30 },
                ]
            ),
            ("a leg lifted to a side", .standing, [.standing.with { $0.legOut.left = 50 }]),
            (
                "hips that sway", .wide,
                [
                    .standing.with { $0.legOut = (25, 42) }, .standing.with { $0.legOut = (42, 25) },
                ]
            ),
        ] as [(String, Mannequin.Pose, [Mannequin.Pose])]).map { name, rest, extremes in
            Trial(name + ", no side lunges", .sideLunge, [0, 0], extremes) {
                ($0.rest, $0.views, $0.rates, $0.seconds) = (rest, frontViews, [10, 30], [1, 2.2])
            }
        }
        // Nor are side lunges anything else.
        + BodyActivity.all.filter { !$0.movements.isEmpty && $0 != .sideLunge }.flatMap { activity in
            [(Mannequin.Pose.standing, nil), (.wide, Mannequin.Pose.standing)].map { rest, start in
                Trial(
                    "side lunges, no \(activity.name)", activity, activity.movements.map { _ in 0 }, sideLunges
                ) { ($0.rest, $0.start, $0.views) = (rest, start, frontViews) }
            }
        }

    private static let sitUpTrials: [Trial] =
        // From 30 degrees on, with knees more or less bent, hands at the thighs or behind the head.
        [30.0, 45, 60, 85].flatMap { degrees in
            [(55.0, 110.0, 40.0), (35, 70, 40), (60, 110, 165)].map { hip, knee, arm in
                let rest = Mannequin.Pose.supine.with {
                    ($0.hip, $0.knee, $0.armForward) = ((hip, hip), (knee, knee), (arm, arm))
                    if arm > 90 { $0.elbow = (120, 120) }
                }
                return Trial("\(degrees) degrees, hips bent by \(hip)", .sitUp, [6], [rest.with { $0.lean = degrees }])
                {
                    ($0.rest, $0.views, $0.rates, $0.seconds) = (rest, [60, 90, 110], [10, 30], [1.2, 2, 4])
                    $0.pause = 0.4
                }
            }
        } + [
            // A clip that begins as the first repetition does, and one without a rest between repetitions.
            Trial("from the first frame", .sitUp, [6], [.supine.with { $0.lean = 50 }]) {
                ($0.rest, $0.rates, $0.seconds, $0.pause, $0.lead) = (.supine, [10, 30], [2.2], 0, 0.1)
            }
        ]
        + ([
            ("a raised head", .supine.with { $0.lean = 5 }), ("a head raised more", .supine.with { $0.lean = 10 }),
            ("raised shoulders", .supine.with { $0.lean = 15 }),
            ("legs", .supine.with { ($0.hip, $0.knee) = ((95, 95), (90, 90)) }),
            ("arms", .supine.with { $0.armForward = (150, 150) }),
            ("hips", .supine.with { ($0.hip, $0.pitch, $0.knee) = ((15, 15), -110, (95, 95)) }),
        ] as [(String, Mannequin.Pose)]).map { name, pose in
            Trial(name + ", no sit-up", .sitUp, [0], [pose]) {
                ($0.rest, $0.rates, $0.seconds, $0.pause) = (.supine, [10, 30], [2.2], 0.4)
            }
        }

    /// Arms that rise to the front are no lateral raise, and stretched-out arms that rise over the head no press. Arms curl
    /// alone, and one after the other.
    private static let armTrials: [Trial] =
        ([
            (.lateralRaise, .reaching), (.press, .pressed), (.lateralRaise, .pressed), (.curl, .reaching),
            (.curl, .winged),
        ] as [(BodyActivity, Mannequin.Pose)]).map { activity, pose in
            Trial("other arms, no \(activity.name)", activity, [0], [pose]) {
                ($0.views, $0.seconds) = ([0, 20], [1.7])
            }
        }
        + [[true], [false], [true, false]].map { sides in
            Trial(
                "curls of \(sides.count)", .curl, [6],
                sides.map { isLeft in
                    .standing.with { if isLeft { $0.elbow.left = 135 } else { $0.elbow.right = 135 } }
                }
            ) { ($0.views, $0.seconds) = ([0, 45, 90], [1.2, 2, 4]) }
        }

    @Test(arguments: lungeTrials + sideLungeTrials + sitUpTrials + armTrials) private func trial(_ trial: Trial) throws
    {
        for seconds in trial.seconds {
            let exercise = Exercise.six(
                trial.extremes, from: trial.rest, after: trial.start, seconds: seconds, pause: trial.pause,
                lead: trial.lead)
            for yaw in trial.views {
                for depth in trial.depths {
                    let camera = Camera(yaw: yaw, noise: 0.006, depth: depth, hidden: trial.hidden)
                    for rate in trial.rates {
                        let tempo = try exercise.tempo(of: trial.activity, camera, rate: rate)
                        let name = "\(seconds) s at \(rate) Hz, turned by \(yaw), depth \(depth)"
                        #expect(tempo.map(\.count) == trial.counts, "\(name)")
                        if let shallow = trial.shallow { #expect(tempo[0].shallow == shallow, "\(name)") }
                    }
                }
            }
        }
    }

    @Test(arguments: allViews) func noViewIsAskedForLunges(_ yaw: Double) throws {
        var watch = try Watch(.lunge)
        #expect(watch.hold([.mannequin(yaw: yaw)], seconds: 4).advice == [])
        #expect(BodyActivity.sideLunge.movements.map(\.name) == ["left", "right"])
    }

    /// Measured of legs from any side, and told apart by a condition on a movement of an arm.
    @Test(arguments: allViews) func separationAndDivergenceAreOfTheLegs(_ yaw: Double) throws {
        func isCounted(_ pose: Mannequin.Pose, _ measure: BodyMeasure, in allowed: ClosedRange<Double>) throws -> Bool {
            var activity = BodyActivity.raise(conditions: [BodyMovement.Condition(measure, in: allowed, at: .once)])
            activity.movements[0].parts[0][0] = BodySignal(
                .height([.leftWrist], above: [.leftShoulder]), rest: -1, extreme: 1)
            var watch = try Watch(activity)
            for pose in [pose, pose.with { $0.armOut.left = 170 }, pose] {
                watch.hold([.mannequin(pose, yaw: yaw)], seconds: 1)
            }
            return watch.tracker.statistics.repetitions == 1
        }
        let stride = BodyMeasure.separation(.leftAnkle, .rightAnkle, across: .leftShoulder, .rightShoulder)
        let shins = BodyMeasure.divergence(.leftKnee, .leftAnkle, from: .rightKnee, .rightAnkle)
        let apart = Mannequin.Pose.standing.with { $0.spread = 30 }
        #expect(try isCounted(apart, stride, in: 0...0.01) && isCounted(apart, shins, in: 59...61))
        // One leg level to the front: from the hip, both bones of it are there; the trunk is 0.505 m from shoulder to hip.
        let level = Mannequin.Pose.standing.with { ($0.spread, $0.hip.left) = (0, 90) }
        let length = 2.squareRoot() * 0.84 / 0.505
        #expect(try isCounted(level, stride, in: (length - 0.02)...(length + 0.02)))
        #expect(try isCounted(level, shins, in: 89...91) && !isCounted(level, shins, in: 0...88))
    }
}
