import BodyActivity
import BodyTracking
import Foundation
import Testing
import Vocabulary

/// What is counted and what is not, movement by movement.
@Suite struct MovementCounterTests {
    private struct Row: CustomStringConvertible, Sendable {
        let name, input, output: String
        var description: String { name }
    }

    private static let rows = [
        Row(name: "one", input: "0004699640000", output: "...<^^^^>!..."),
        Row(name: "two", input: "0006996000996000", output: "...^^^^!..^^^!.."),
        Row(name: "beyond the extreme", input: "00046XXX64000", output: "...<^^^^^>!.."),
        Row(name: "trembling at the extreme", input: "0004694696464000", output: "...<^^>^^^>^>!.."),
        Row(name: "hesitating on the way", input: "0004445444696000", output: "...<<<<<<<^^^!.."),
        Row(name: "too shallow is reported", input: "0004555400000", output: "...<<<<<s...."),
        Row(name: "too shallow to be reported", input: "0004444400000", output: "...<<<<<....."),
        Row(name: "too shallow and too short", input: "0005500000000", output: "...<<........"),
        Row(name: "too fast", input: "0009900000000", output: "...^^........"),
        Row(name: "just not too fast", input: "0009990000000", output: "...^^^!......"),
        Row(name: "too long", input: "000999999999999999999000", output: "...^^^^^^^^^^^^^^^^??..."),
        Row(
            name: "again after too long", input: "0009999999999999999990009990", output: "...^^^^^^^^^^^^^^^^??...^^^!"),
        Row(name: "begins at the extreme", input: "9990000999000", output: "???....^^^!.."),
        Row(name: "begins on the way", input: "4444000999000", output: "????...^^^!.."),
        Row(name: "lost on the way", input: "000699--99900000", output: "...^^^?????....."),
        Row(name: "hidden for less than a second", input: "000699*****99000", output: "...^^^^^^^^^^!.."),
        Row(
            name: "hidden for more than a second", input: "000699************99000999000",
            output: "...^^^^^^^^^^^^^????...^^^!.."),
    ]

    @Test(arguments: rows) private func marbles(_ row: Row) throws {
        let marbles = try Marbles(row.input)
        #expect(marbles.output == row.output, "\(row.name): \(row.input)")
        let (counted, shallow) = (row.output.filter { $0 == "!" }.count, row.output.filter { $0 == "s" }.count)
        let tempo = marbles.statistics.movements[0]
        #expect(tempo.count == counted && tempo.shallow == shallow && tempo.fast == 0, "\(row.name)")
        #expect(marbles.results.last?.repetitions == counted)
    }

    /// A return that ended above rest holds the next movement back only until the body is seen at rest.
    @Test func restAfterAnIncompleteReturn() throws {
        let marbles = try Marbles(
            "000XXX2************06660", activity: .raise(leave: 0.1, maximumDuration: .seconds(10)))
        #expect(marbles.output.suffix(5) == ".^^^!", "\(marbles.output)")
        #expect(marbles.completed.filter(\.isCounted).count == 2)
    }

    @Test func phasesComeInOrder() throws {
        let marbles = try Marbles("00045678999876543200004567899987654000")
        var order: [BodyPhase] = []
        for result in marbles.results where result.phase != order.last { order.append(result.phase) }
        let cycle: [BodyPhase] = [.outward, .extreme, .inward, .rest]
        #expect(order == [.rest] + cycle + cycle)
        #expect(marbles.completed.map(\.number) == [1, 2])
    }

    /// Begin is the last moment at rest, middle when it was at its most, end when it was at rest again.
    @Test func aRepetitionHasItsTimesAndDepth() throws {
        let marbles = try Marbles("000046794000")
        let repetition = try #require(marbles.completed.first)
        #expect(marbles.output == "....<^^^>!..")
        #expect(repetition.movement == 0 && repetition.number == 1 && repetition.isCounted)
        #expect(repetition.begin == .milliseconds(300) && repetition.middle == .milliseconds(700))
        #expect(repetition.end == .milliseconds(900) && repetition.duration == .milliseconds(600))
        #expect(abs(repetition.depth - 0.9) < 1e-4, "\(repetition.depth)")
    }

    @Test func aShallowOneHasTheNumberBefore() throws {
        let marbles = try Marbles("000999000455540000999000")
        #expect(marbles.output == "...^^^!..<<<<<s...^^^!..")
        #expect(marbles.completed.map(\.number) == [1, 1, 2])
        #expect(marbles.completed.map(\.isCounted) == [true, false, true])
        #expect(marbles.completed[1].duration == .milliseconds(600) && abs(marbles.completed[1].depth - 0.5) < 1e-4)
        #expect(marbles.results.map(\.repetitions).max() == 2)
    }

    /// Shorter than half, or longer than twice, the mean of at least three repetitions before.
    @Test func fastAndSlowAfterThree() throws {
        func tempo(_ tenths: [Int]) throws -> (anomalies: [BodyAnomalies], tempo: BodyTempo) {
            let input = tenths.map { "00" + String(repeating: "9", count: $0) }.joined() + "000"
            let marbles = try Marbles(input, activity: .raise(maximumDuration: .seconds(10)))
            return (marbles.completed.map(\.anomalies), marbles.statistics.movements[0])
        }
        let table: [([Int], [BodyAnomalies])] = [
            ([10, 4, 25], [[], [], []]), ([10, 10, 10, 4], [[], [], [], .fast]), ([10, 10, 10, 5], [[], [], [], []]),
            // A duration is one tenth more: exactly half of the mean.
            ([11, 11, 11, 5], [[], [], [], []]),
            ([10, 10, 10, 20], [[], [], [], []]), ([10, 10, 10, 22], [[], [], [], .slow]),
            ([4, 4, 25, 10, 4], [[], [], [], [], .fast]),
        ]
        for (tenths, anomalies) in table {
            let (found, tempo) = try tempo(tenths)
            #expect(found == anomalies, "\(tenths)")
            #expect(tempo.count == tenths.count, "an unusual one counts: \(tenths)")
            #expect(tempo.fast == anomalies.filter { $0 == .fast }.count, "\(tenths)")
            #expect(tempo.slow == anomalies.filter { $0 == .slow }.count, "\(tenths)")
            // From the last frame of rest before it to the first one after it.
            let durations = tenths.map { Duration.milliseconds(100 * ($0 + 1)) }
            #expect(tempo.minimum == durations.min(), "\(tenths)")
            #expect(tempo.maximum == durations.max(), "\(tenths)")
            #expect(tempo.mean == durations.reduce(.zero, +) / tenths.count, "\(tenths)")
        }
    }

    /// It counts when it is back at `leave`, and is complete when the body is still.
    @Test func aRepetitionLastsFromRestToRest() throws {
        for (input, output, begin, end, counted) in [
            // Slowly there and slowly back.
            ("00012345678987654321000", ".....<<<^^^^^^^>>>>>!..", 200, 2_000, 1_800),
            // It stays above its rest: the end is where it stopped.
            ("0000999999222222000000", "....^^^^^^>>!.........", 300, 1_000, 1_000),
            // It turns to the next one before it is at rest.
            ("000099999219999999900000", "....^^^^^>>!^^^^^^^!....", 300, 1_000, 900),
        ] as [(String, String, Int, Int, Int)] {
            let marbles = try Marbles(input)
            #expect(marbles.output == output, "\(input)")
            let repetition = try #require(marbles.completed.first)
            #expect(repetition.begin == .milliseconds(begin) && repetition.end == .milliseconds(end), "\(repetition)")
            let first = try #require(marbles.results.first { $0.repetitions == 1 })
            #expect(first.time == .milliseconds(counted), "\(input): \(first.time)")
        }
    }

    /// A body that stops above its rest is still there after 150 ms, in the third frame of 50.
    @Test func itIsStillAfterThreeFramesOfFifty() throws {
        var watch = try Watch(
            .raise(), BodyActivityConfiguration(interpolationLimit: .zero, smoothingAlpha: 1), rate: 20)
        watch.hold([Mannequin.body(raising: 0)], seconds: 0.5)
        watch.hold([Mannequin.body(raising: 0.9)], seconds: 0.5)
        let isComplete = (0..<5).map { _ in watch.step([Mannequin.body(raising: 0.2)]).completed != nil }
        #expect(isComplete == [false, false, false, true, false])
    }

    /// A body that is lost on its last way to rest has done its movement.
    @Test func aCountedMovementStaysCounted() throws {
        let marbles = try Marbles("0000999999-000000")
        #expect(marbles.statistics.movements[0].count == 0)
        let counted = try Marbles("00009999992-000000")
        #expect(counted.statistics.movements[0].count == 1 && counted.results.last?.repetitions == 1)
        #expect(counted.statistics.movements[0].mean == .milliseconds(700))
    }

    /// Durations are those of the exercise, from rest to rest.
    @Test(arguments: Routine.all, [30.0, 10]) func durationsAreThoseOfTheExercise(_ routine: Routine, _ rate: Double)
        throws
    {
        for seconds in [1.2, 2, 3.5] {
            var exercise = Exercise(from: routine.rest, for: 1.5)
            for index in 0..<6 {
                exercise.move(to: routine.extremes[index % routine.extremes.count], in: 0.45 * seconds)
                exercise.rest(0.1 * seconds)
                exercise.move(to: routine.rest, in: 0.45 * seconds)
                exercise.rest(0.8)
            }
            let tempo = try count(exercise, routine.activity, Camera(yaw: routine.yaw), rate: rate)[0]
            #expect(tempo.count == 6, "\(routine), \(seconds) s")
            #expect(
                abs(tempo.mean / .seconds(1) - seconds) < 0.18 * seconds + 0.05,
                "\(routine), \(seconds) s at \(rate) Hz: \(tempo.mean)")
        }
    }

    /// The wrist must not be before the body when the movement reaches its extreme.
    @Test func conditionsMustHold() throws {
        let aside = BodyMovement.Condition(.distance([.leftWrist], [.leftShoulder]), in: 0...0.75)
        for (input, counted) in [("0007770000", 1), ("0007979700", 1), ("0009990000", 0), ("0009777000", 0)] {
            let marbles = try Marbles(input, activity: .raise(conditions: [aside]))
            #expect(marbles.results.last?.repetitions == counted, "\(input): \(marbles.output)")
        }
    }

    /// Conditions of every frame, and of one frame at least.
    @Test func conditionsOfTheWayAndOfOneMoment() throws {
        let (low, high) = (0.0...0.75, 0.75...2)
        for (allowed, moments, input, counted) in [
            (low, .way, "0007770000", 1), (low, .way, "0007970000", 0), (low, .extreme, "0007970000", 1),
            (high, .once, "0007770000", 0), (high, .once, "0007797000", 1), (high, .extreme, "0007797000", 0),
        ] as [(ClosedRange<Double>, BodyMovement.Condition.Moments, String, Int)] {
            let condition = BodyMovement.Condition(
                .distance([.leftWrist], [.leftShoulder]), in: allowed, at: moments)
            let marbles = try Marbles(input, activity: .raise(conditions: [condition]))
            #expect(marbles.results.last?.repetitions == counted, "\(moments), \(input): \(marbles.output)")
        }
    }

    @Test func severalMovementsAreCountedEach() throws {
        var both = BodyActivity.raise()
        var other = both.movements[0]
        other.name = "high"
        (other.enter, other.leave) = (0.85, 0.75)
        both.movements.append(other)
        let marbles = try Marbles("000777000999000999000", activity: both)
        #expect(marbles.statistics.movements.map(\.count) == [3, 2])
        #expect(marbles.results.last?.repetitions == 5)
        // The first of those that ended together.
        #expect(marbles.completed.map(\.movement) == [0, 0, 0])
    }

    /// Parts that move together, by turns, or either of them.
    @Test func partsMoveAsTheirCoordinationSays() throws {
        func wrists(_ left: Double, _ right: Double) -> TrackedBody {
            var body = Mannequin.body(raising: left)
            let shoulder = body.worldLandmarks[TrackedBody.Joint.rightShoulder]
            let unit = shoulder.y - body.worldLandmarks[TrackedBody.Joint.rightHip].y
            body.worldLandmarks[TrackedBody.Joint.rightWrist.rawValue] = shoulder + SIMD3(0, Float(right) * unit, 0)
            return body
        }
        for (coordination, both, one, turns) in [
            (.together, 1, 0, 0), (.byTurns, 1, 0, 1), (.either, 1, 1, 1),
        ] as [(BodyMovement.Coordination, Int, Int, Int)] {
            var activity = BodyActivity.raise()
            activity.movements[0].parts.append([
                BodySignal(.height([.rightWrist], above: [.rightShoulder]), rest: 0, extreme: 1)
            ])
            activity.movements[0].coordination = coordination
            for (poses, counted) in [
                ([(0.9, 0.9)], both), ([(0.9, 0)], one), ([(0.9, 0.3), (0.3, 0.9)], turns),
            ] {
                var watch = try Watch(
                    activity, BodyActivityConfiguration(interpolationLimit: .zero, smoothingAlpha: 1), rate: 10)
                watch.hold([wrists(0, 0)], seconds: 0.5)
                for (left, right) in poses { watch.hold([wrists(left, right)], seconds: 0.5) }
                watch.hold([wrists(0, 0)], seconds: 0.5)
                #expect(
                    watch.tracker.statistics.repetitions == counted, "\(coordination), \(poses)")
            }
        }
    }

    // MARK: People

    private func count(_ exercise: Exercise, _ activity: BodyActivity, _ camera: Camera = Camera(), rate: Double = 30)
        throws -> [BodyTempo]
    {
        var tracker = try BodyActivityTracker(activity)
        exercise.play(to: &tracker, camera, rate: rate)
        return tracker.statistics.movements
    }

    /// Half a squat is reported as incomplete and not counted; the squat after it is counted.
    @Test(arguments: [10.0, 30]) func aShallowSquatIsReported(_ rate: Double) throws {
        var exercise = Exercise(from: .standing, for: 1.5)
        let half = Mannequin.Pose.standing.mixed(with: .squatting, 0.47)
        for pose in [Mannequin.Pose.squatting, half, half, .squatting] {
            exercise.move(to: pose, in: 0.8)
            exercise.move(to: .standing, in: 0.8)
            exercise.rest(0.4)
        }
        let tempo = try count(exercise, .squat, Camera(yaw: 90), rate: rate)[0]
        #expect(tempo.count == 2 && tempo.shallow == 2, "\(tempo.count), \(tempo.shallow)")
    }

    @Test func whoSitsDownDoesNotSquat() throws {
        var exercise = Exercise(from: .standing, for: 1.5)
        exercise.move(to: .squatting, in: 1)
        exercise.rest(20)
        exercise.move(to: .standing, in: 1)
        exercise.rest(1)
        #expect(try count(exercise, .squat, Camera(yaw: 90))[0].count == 0)
        exercise.move(to: .squatting, in: 0.7)
        exercise.move(to: .standing, in: 0.7)
        exercise.rest(1)
        #expect(try count(exercise, .squat, Camera(yaw: 90))[0].count == 1)
    }

    /// What people do besides, as poses to and fro.
    private struct Idle: CustomStringConvertible, Sendable {
        let name: String
        let poses: [Mannequin.Pose]
        var seconds = 0.6
        var description: String { name }
    }

    private static func pose(_ change: (inout Mannequin.Pose) -> Void) -> Mannequin.Pose {
        var pose = Mannequin.Pose.standing
        change(&pose)
        return pose
    }

    private static let idle = [
        Idle(name: "standing", poses: [.standing]),
        Idle(
            name: "shifting weight",
            poses: [
                pose {
                    $0.hip.left = 12
                    $0.knee.left = 20
                },
                pose {
                    $0.hip.right = 12
                    $0.knee.right = 20
                    $0.lean = 5
                },
            ]),
        Idle(
            name: "waving one arm",
            poses: [
                pose { $0.armOut.left = 130 }, pose { $0.armOut.left = 160 }, pose { $0.armOut.left = 120 }, .standing,
            ],
            seconds: 0.4),
        Idle(
            name: "walking on the spot",
            poses: [
                pose {
                    $0.hip.left = 40
                    $0.knee.left = 60
                    $0.armForward.right = 25
                },
                pose {
                    $0.hip.right = 40
                    $0.knee.right = 60
                    $0.armForward.left = 25
                },
            ], seconds: 0.5),
        Idle(name: "stepping aside", poses: [pose { $0.spread = 20 }, .standing]),
        Idle(name: "bowing", poses: [pose { $0.lean = 50 }, .standing], seconds: 1),
        Idle(name: "pointing ahead", poses: [.reaching, .standing], seconds: 1),
    ]

    @Test(arguments: idle, Routine.all) private func whatIsNoExerciseIsNotCounted(_ idle: Idle, _ routine: Routine)
        throws
    {
        for rate in [10.0, 30] {
            for yaw in [0.0, 30, 90] {
                var exercise = Exercise(from: .standing, for: 1.5)
                for index in 0..<30 { exercise.move(to: idle.poses[index % idle.poses.count], in: idle.seconds) }
                exercise.rest(1)
                let counts = try count(exercise, routine.activity, Camera(yaw: yaw, noise: 0.008), rate: rate)
                #expect(
                    counts.allSatisfy { $0.count == 0 },
                    "\(idle.name) as \(routine) at \(rate) Hz, turned by \(yaw): \(counts.map(\.count))")
            }
        }
    }

    @Test(arguments: Routine.all, Routine.all) func oneExerciseIsNotAnother(_ done: Routine, _ asked: Routine) throws {
        guard done.activity != asked.activity else { return }
        for yaw in [0.0, 45, 90] {
            for seed in 1...5 as ClosedRange<UInt64> {
                let counts = try count(
                    done.exercise(6, seed: seed), asked.activity, Camera(yaw: yaw, noise: 0.008))
                #expect(
                    counts.allSatisfy { $0.count == 0 },
                    "\(done) as \(asked), turned by \(yaw), seed \(seed): \(counts.map(\.count))")
            }
        }
    }

    /// Arms that rise to the front are no lateral raise, and stretched-out arms that rise over the head no press.
    @Test func armsThatRiseOtherwiseAreNotCounted() throws {
        for (activity, pose) in [
            (BodyActivity.lateralRaise, Mannequin.Pose.reaching), (.press, .pressed), (.lateralRaise, .pressed),
            (.curl, .reaching), (.curl, .winged),
        ] {
            for yaw in [0.0, 20] {
                var exercise = Exercise(from: .standing, for: 1.5)
                for _ in 0..<5 {
                    exercise.move(to: pose, in: 0.8)
                    exercise.move(to: .standing, in: 0.8)
                    exercise.rest(0.3)
                }
                let tempo = try count(exercise, activity, Camera(yaw: yaw, noise: 0.008))[0]
                #expect(tempo.count == 0, "\(activity.name), turned by \(yaw): \(tempo.count)")
            }
        }
    }

    /// Curls of one arm, and of one arm after the other.
    @Test(arguments: [0.0, 45, 90]) func armsCurlAlone(_ yaw: Double) throws {
        func curled(_ arm: WritableKeyPath<Mannequin.Pose, Double>) -> Mannequin.Pose {
            Self.pose { $0[keyPath: arm] = 135 }
        }
        for poses in [[curled(\.elbow.left)], [curled(\.elbow.right)], [curled(\.elbow.left), curled(\.elbow.right)]] {
            let exercise = Exercise.repetitions(8, rest: .standing, extremes: poses, seed: 3)
            #expect(try count(exercise, .curl, Camera(yaw: yaw, noise: 0.008))[0].count == 8, "\(yaw)")
        }
    }

    /// A movement that the project does not know: a knee lifted to the hip.
    @Test(arguments: [10.0, 30]) func aMovementOfAnAppsOwnCounts(_ rate: Double) throws {
        let lift = BodyActivity(
            name: "knee-lift", view: nil,
            movements: [
                BodyMovement(
                    name: "left",
                    parts: [
                        [
                            BodySignal(
                                .height([.leftKnee], above: [.leftHip]), rest: -0.83, extreme: -0.1, tolerance: 0.1),
                            BodySignal(
                                .angle(.leftShoulder, vertex: .leftHip, .leftKnee), rest: 175, extreme: 95,
                                tolerance: 15),
                        ]
                    ])
            ])
        func exercise(_ side: WritableKeyPath<Mannequin.Pose, Double>, _ knee: WritableKeyPath<Mannequin.Pose, Double>)
            -> Exercise
        {
            var exercise = Exercise(from: .standing, for: 1)
            for _ in 0..<7 {
                var pose = Mannequin.Pose.standing
                pose[keyPath: side] = 85
                pose[keyPath: knee] = 90
                exercise.move(to: pose, in: 0.5)
                exercise.move(to: .standing, in: 0.5)
                exercise.rest(0.2)
            }
            return exercise
        }
        let left = try count(exercise(\.hip.left, \.knee.left), lift, Camera(yaw: 40, noise: 0.008), rate: rate)
        #expect(left.map(\.count) == [7])
        let right = try count(exercise(\.hip.right, \.knee.right), lift, Camera(yaw: 40, noise: 0.008), rate: rate)
        #expect(right.map(\.count) == [0])
    }

    /// A rest that lies beyond the known one is learned with a time constant of 0.3 s: after that, 63 % of the way.
    @Test func aRestBeyondTheKnownOneIsLearnedFast() throws {
        var activity = BodyActivity.raise()
        activity.movements[0].parts[0][0].tolerance = 0.3
        for (value, phase) in [(0.17, BodyPhase.rest), (0.18, .outward)] {
            var watch = try Watch(
                activity, BodyActivityConfiguration(interpolationLimit: .zero, smoothingAlpha: 1), rate: 10)
            watch.hold([Mannequin.body(raising: 0)], seconds: 1)
            watch.hold([Mannequin.body(raising: -0.2)], seconds: 0.3)
            // Of 0.3, where a movement begins, 0.126 have been learned.
            #expect(watch.step([Mannequin.body(raising: value)]).phase == phase, "\(value)")
        }
    }
}
