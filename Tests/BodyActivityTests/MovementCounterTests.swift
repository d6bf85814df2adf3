import BodyPose
import BodyTracking
import Foundation
import Testing
import Vocabulary

/// What is counted and what is not, movement by movement.
@Suite struct MovementCounterTests {
    private static let rows = [
        ("one", "0004699640000", "...<^^^^>!..."),
        ("two", "0006996000996000", "...^^^^!..^^^!.."),
        ("beyond the extreme", "00046XXX64000", "...<^^^^^>!.."),
        ("trembling at the extreme", "0004694696464000", "...<^^>^^^>^>!.."),
        ("hesitating on the way", "0004445444696000", "...<<<<<<<^^^!.."),
        ("too shallow is reported", "0004555400000", "...<<<<<s...."),
        ("too shallow to be reported", "0004444400000", "...<<<<<....."),
        ("too shallow and too short", "0005500000000", "...<<........"),
        ("too fast", "0009900000000", "...^^........"),
        ("just not too fast", "0009990000000", "...^^^!......"),
        ("too long", "000999999999999999999000", "...^^^^^^^^^^^^^^^^??..."),
        ("again after too long", "0009999999999999999990009990", "...^^^^^^^^^^^^^^^^??...^^^!"),
        ("begins at the extreme", "9990000999000", "???....^^^!.."),
        ("begins on the way", "4444000999000", "????...^^^!.."),
        ("lost on the way", "000699--99900000", "...^^^?????....."),
        ("hidden for less than a second", "000699*****99000", "...^^^^^^^^^^!.."),
        ("hidden for more than a second", "000699************99000999000", "...^^^^^^^^^^^^^????...^^^!.."),
    ]

    @Test(arguments: rows) func marbles(_ name: String, _ input: String, _ output: String) throws {
        let marbles = try Marbles(input)
        #expect(marbles.output == output)
        let (counted, shallow) = (output.count { $0 == "!" }, output.count { $0 == "s" })
        let tempo = marbles.statistics.movements[0]
        #expect(tempo.count == counted && tempo.shallow == shallow && tempo.fast == 0)
        #expect(marbles.results.last?.repetitions == counted)
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
            #expect(tempo.minimum == durations.min() && tempo.maximum == durations.max(), "\(tenths)")
            #expect(tempo.mean == durations.reduce(.zero, +) / tenths.count, "\(tenths)")
        }
    }

    /// Begin is the last moment at rest, middle when the progress was largest, and end when the body was still again. The
    /// movement counts when it is back at `leave`. Times in milliseconds.
    @Test(arguments: [
        ("000046794000", "....<^^^>!..", [300, 700, 900], 900),
        // Slowly there and slowly back.
        ("00012345678987654321000", ".....<<<^^^^^^^>>>>>!..", [200, 1_100, 2_000], 1_800),
        // It stays above its rest: the end is where it stopped.
        ("0000999999222222000000", "....^^^^^^>>!.........", [300, 400, 1_000], 1_000),
        // It turns to the next one before it is at rest.
        ("000099999219999999900000", "....^^^^^>>!^^^^^^^!....", [300, 400, 1_000], 900),
    ]) func aRepetitionLastsFromRestToRest(_ input: String, _ output: String, _ times: [Int], _ counted: Int) throws {
        let marbles = try Marbles(input)
        #expect(marbles.output == output)
        let repetition = try #require(marbles.completed.first)
        #expect([repetition.begin, repetition.middle, repetition.end] == times.map { .milliseconds($0) })
        #expect(repetition.movement == 0 && repetition.number == 1 && repetition.isCounted)
        #expect(repetition.duration == .milliseconds(times[2] - times[0]) && abs(repetition.depth - 0.9) < 1e-4)
        #expect(marbles.results.first { $0.repetitions == 1 }?.time == .milliseconds(counted))
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
        #expect(try Marbles("0000999999-000000").statistics.movements[0].count == 0)
        let counted = try Marbles("00009999992-000000")
        #expect(counted.statistics.movements[0].count == 1 && counted.results.last?.repetitions == 1)
        #expect(counted.statistics.movements[0].mean == .milliseconds(700))
        // The next one begins at the rest that is measured first, however incomplete the return was.
        let hidden = try Marbles(
            "000XXX2************06660", activity: .raise(leave: 0.1, maximumDuration: .seconds(10)))
        #expect(hidden.output.suffix(5) == ".^^^!" && hidden.completed.filter(\.isCounted).count == 2)
    }

    /// Durations are those of the exercise, from rest to rest.
    @Test(arguments: Routine.all, [30.0, 10]) func durationsAreThoseOfTheExercise(_ routine: Routine, _ rate: Double)
        throws
    {
        for seconds in [1.2, 2, 3.5] {
            let exercise = Exercise.six(routine.extremes, from: routine.rest, seconds: seconds, pause: 0.8)
            let tempo = try exercise.tempo(of: routine.activity, Camera(yaw: routine.yaw), rate: rate)[0]
            #expect(tempo.count == 6, "\(routine), \(seconds) s")
            #expect(
                abs(tempo.mean / .seconds(1) - seconds) < 0.18 * seconds + 0.05,
                "\(routine), \(seconds) s at \(rate) Hz: \(tempo.mean)")
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

    // MARK: People

    /// Half a squat is reported as incomplete and not counted; the squat after it is counted.
    @Test(arguments: [10.0, 30]) func aShallowSquatIsReported(_ rate: Double) throws {
        var exercise = Exercise(from: .standing, for: 1.5)
        let half = Mannequin.Pose.standing.mixed(with: .squatting, 0.47)
        for pose in [Mannequin.Pose.squatting, half, half, .squatting] {
            exercise.move(to: pose, in: 0.8)
            exercise.move(to: .standing, in: 0.8)
            exercise.rest(0.4)
        }
        let tempo = try exercise.tempo(of: .squat, Camera(yaw: 90), rate: rate)[0]
        #expect(tempo.count == 2 && tempo.shallow == 2, "\(tempo.count), \(tempo.shallow)")
    }

    @Test func sittingDownIsNoSquat() throws {
        var exercise = Exercise(from: .standing, for: 1.5)
        exercise.move(to: .squatting, in: 1)
        exercise.rest(20)
        exercise.move(to: .standing, in: 1)
        exercise.rest(1)
        #expect(try exercise.tempo(of: .squat, Camera(yaw: 90))[0].count == 0)
        exercise.move(to: .squatting, in: 0.7)
        exercise.move(to: .standing, in: 0.7)
        exercise.rest(1)
        #expect(try exercise.tempo(of: .squat, Camera(yaw: 90))[0].count == 1)
    }

    /// What people do besides, as poses to and fro.
    private struct Idle: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let poses: [Mannequin.Pose]
        var seconds = 0.6
    }

    private static func pose(_ change: (inout Mannequin.Pose) -> Void) -> Mannequin.Pose { .standing.with(change) }

    private static let idle = [
        Idle(testDescription: "standing", poses: [.standing]),
        Idle(
            testDescription: "shifting weight",
            poses: [
                pose { ($0.hip.left, $0.knee.left) = (12, 20) },
                pose { ($0.hip.right, $0.knee.right, $0.lean) = (12, 20, 5) },
            ]),
        Idle(
            testDescription: "waving one arm",
            poses: [130.0, 160, 120].map { angle in pose { $0.armOut.left = angle } }
                + [.standing],
            seconds: 0.4),
        Idle(
            testDescription: "walking on the spot",
            poses: [
                pose { ($0.hip.left, $0.knee.left, $0.armForward.right) = (40, 60, 25) },
                pose { ($0.hip.right, $0.knee.right, $0.armForward.left) = (40, 60, 25) },
            ], seconds: 0.5),
        Idle(testDescription: "stepping aside", poses: [pose { $0.spread = 20 }, .standing]),
        Idle(testDescription: "bowing", poses: [pose { $0.lean = 50 }, .standing], seconds: 1),
        Idle(testDescription: "pointing ahead", poses: [.reaching, .standing], seconds: 1),
    ]

    @Test(arguments: idle, Routine.all) private func whatIsNoExerciseIsNotCounted(_ idle: Idle, _ routine: Routine)
        throws
    {
        var exercise = Exercise(from: .standing, for: 1.5)
        for index in 0..<30 { exercise.move(to: idle.poses[index % idle.poses.count], in: idle.seconds) }
        exercise.rest(1)
        for rate in [10.0, 30] {
            for yaw in [0.0, 30, 90] {
                let tempo = try exercise.tempo(of: routine.activity, Camera(yaw: yaw, noise: 0.008), rate: rate)
                #expect(tempo.allSatisfy { $0.count == 0 }, "\(rate) Hz, turned by \(yaw): \(tempo.map(\.count))")
            }
        }
    }

    @Test(arguments: Routine.all, Routine.all) func oneExerciseIsNotAnother(_ done: Routine, _ asked: Routine) throws {
        guard done.activity != asked.activity else { return }
        for yaw in [0.0, 45, 90] {
            for seed in 1...5 as ClosedRange<UInt64> {
                let tempo = try done.exercise(6, seed: seed).tempo(of: asked.activity, Camera(yaw: yaw, noise: 0.008))
                #expect(tempo.allSatisfy { $0.count == 0 }, "turned by \(yaw), seed \(seed): \(tempo.map(\.count))")
            }
        }
    }

    /// A movement that the project does not know: a knee lifted to the hip.
    @Test(arguments: [10.0, 30]) func aMovementOfAnAppsOwnCounts(_ rate: Double) throws {
        let signals = [
            BodySignal(.height([.leftKnee], above: [.leftHip]), rest: -0.83, extreme: -0.1, tolerance: 0.1),
            BodySignal(
                .angle(.leftShoulder, vertex: .leftHip, .leftKnee), rest: 175, extreme: 95, tolerance: 15),
        ]
        let lift = BodyActivity(
            name: "knee-lift", view: nil, movements: [BodyMovement(name: "left", parts: [signals])])
        let left = Mannequin.Pose.standing.with { ($0.hip.left, $0.knee.left) = (85, 90) }
        let right = Mannequin.Pose.standing.with { ($0.hip.right, $0.knee.right) = (85, 90) }
        for (pose, count) in [(left, 6), (right, 0)] {
            let exercise = Exercise.six([pose], seconds: 1.1, pause: 0.2, lead: 1)
            #expect(try exercise.tempo(of: lift, Camera(yaw: 40, noise: 0.008), rate: rate).map(\.count) == [count])
        }
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
