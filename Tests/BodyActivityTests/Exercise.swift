import BodyPose
import BodyTracking
import Foundation
import Vocabulary

/// Poses over time.
struct Exercise {
    /// The poses, by when they are taken, in seconds; between them the body moves smoothly.
    var keys: [(time: Double, pose: Mannequin.Pose)] = []

    var duration: Double { keys.last?.time ?? 0 }

    init(from pose: Mannequin.Pose, for seconds: Double) {
        keys = [(0, pose), (seconds, pose)]
    }

    mutating func move(to pose: Mannequin.Pose, in seconds: Double) { keys.append((duration + seconds, pose)) }

    mutating func rest(_ seconds: Double) { keys.append((duration + seconds, keys[keys.count - 1].pose)) }

    func pose(at time: Double) -> Mannequin.Pose {
        guard let next = keys.firstIndex(where: { $0.time > time }), next > 0 else {
            return time <= 0 ? keys[0].pose : keys[keys.count - 1].pose
        }
        let (from, to) = (keys[next - 1], keys[next])
        let share = (time - from.time) / (to.time - from.time)
        return from.pose.mixed(with: to.pose, (1 - cos(share * .pi)) / 2)
    }

    /// So many repetitions of 1 to 4 seconds.
    static func repetitions(_ count: Int, rest: Mannequin.Pose, extremes: [Mannequin.Pose], seed: UInt64) -> Exercise {
        var random = SplitMix64(seed: seed)
        var exercise = Exercise(from: rest, for: 1.5)
        for index in 0..<count {
            let tempo = 1 + 3 * random.unit()
            exercise.move(to: extremes[index % extremes.count], in: 0.45 * tempo)
            exercise.rest(0.1 * tempo)
            exercise.move(to: rest, in: 0.45 * tempo)
            exercise.rest(0.3 * random.unit())
        }
        exercise.rest(1)
        return exercise
    }

    /// Six repetitions of equal length, with a pause after each; before them the person is in another pose, if one is given.
    static func six(
        _ extremes: [Mannequin.Pose], from rest: Mannequin.Pose = .standing, after start: Mannequin.Pose? = nil,
        seconds: Double = 2, pause: Double = 0.3, lead: Double = 1.5
    ) -> Exercise {
        var exercise = Exercise(from: start ?? rest, for: lead)
        if start != nil { exercise.move(to: rest, in: 0.7) }
        for index in 0..<6 {
            exercise.move(to: extremes[index % extremes.count], in: 0.45 * seconds)
            exercise.rest(0.1 * seconds)
            exercise.move(to: rest, in: 0.45 * seconds)
            exercise.rest(pause)
        }
        exercise.rest(1)
        return exercise
    }

    /// What a new tracker counts of it.
    func tempo(
        of activity: BodyActivity, _ camera: Camera = Camera(), rate: Double = 30, _ mannequin: Mannequin = Mannequin(),
        seed: UInt64 = 1
    ) throws -> [BodyTempo] {
        var tracker = try BodyActivityTracker(activity)
        play(to: &tracker, camera, rate: rate, mannequin, seed: seed)
        return tracker.statistics.movements
    }

    /// Feeds it to a tracker.
    @discardableResult
    func play(
        to tracker: inout BodyActivityTracker, _ camera: Camera = Camera(), rate: Double = 30,
        _ mannequin: Mannequin = Mannequin(), from start: Double = 0, seed: UInt64 = 1
    ) -> [BodyActivityResult] {
        var random = SplitMix64(seed: seed)
        var results: [BodyActivityResult] = []
        for frame in 0...Int(duration * rate) {
            let time = Double(frame) / rate
            let body = camera.body(of: mannequin.points(pose(at: time)), &random)
            results.append(tracker.step([body], at: .nanoseconds(Int64((start + time) * 1e9))))
        }
        return results
    }
}

extension Mannequin.Pose {
    /// The same pose with a change.
    func with(_ change: (inout Mannequin.Pose) -> Void) -> Mannequin.Pose {
        var pose = self
        change(&pose)
        return pose
    }

    /// A squat's bottom: thighs nearly level, arms forward.
    static let squatting = standing.with {
        ($0.hip, $0.knee, $0.lean, $0.armForward) = ((82, 82), (112, 112), 35, (70, 70))
    }
    /// A jumping jack's extreme.
    static let spread = standing.with { ($0.spread, $0.armOut) = (27, (155, 155)) }
    /// Fists at the chin.
    static let guarding = standing.with { ($0.armForward, $0.armOut, $0.elbow) = ((35, 35), (12, 12), (115, 115)) }
    static let leftPunch = guarding.with { ($0.armForward.left, $0.elbow.left) = (88, 6) }
    static let rightPunch = guarding.with { ($0.armForward.right, $0.elbow.right) = (88, 6) }
    /// On hands and feet, the arms stretched out and upright.
    static let plank = standing.with { ($0.pitch, $0.armForward, $0.elbow) = (70, (70, 70), (5, 5)) }
    /// A push-up's bottom: the upper arms level, the forearms upright.
    static let low = plank.with { ($0.pitch, $0.armForward, $0.elbow) = (85, (0, 0), (85, 85)) }
    static let curled = standing.with { ($0.armForward, $0.elbow) = ((10, 10), (135, 135)) }
    /// Dumbbells at the shoulders.
    static let racked = standing.with { ($0.armOut, $0.armForward, $0.elbow) = ((35, 35), (20, 20), (140, 140)) }
    static let pressed = standing.with { $0.armOut = (165, 165) }
    /// Arms level, out to the sides.
    static let winged = standing.with { ($0.armOut, $0.elbow) = ((85, 85), (5, 5)) }
    /// Arms level, to the front.
    static let reaching = standing.with { $0.armForward = (85, 85) }
    static let leftLunge = standing.with { ($0.hip, $0.knee) = ((75, -10), (75, 80)) }
    static let rightLunge = standing.with { ($0.hip, $0.knee) = ((-10, 75), (80, 75)) }
    /// The left thigh goes out and forward over an upright shin, and the right leg is straight.
    static let leftSideLunge = standing.with {
        ($0.hip.left, $0.knee.left, $0.legOut, $0.kneeIn.left) = (75, 90, (40, 50), 40)
    }
    static let rightSideLunge = standing.with {
        ($0.hip.right, $0.knee.right, $0.legOut, $0.kneeIn.right) = (75, 90, (50, 40), 40)
    }
    /// Both legs straight, the feet as far apart as in a side lunge.
    static let wide = standing.with { $0.legOut = (35, 35) }
    /// On the back, the knees bent and the feet on the floor.
    static let supine = standing.with {
        ($0.pitch, $0.hip, $0.knee, $0.armForward) = (-90, (55, 55), (110, 110), (40, 40))
    }
    static let satUp = supine.with { $0.lean = 75 }
}

/// An activity with the exercise that shows it.
struct Routine: CustomStringConvertible, Sendable {
    let activity: BodyActivity
    let rest: Mannequin.Pose
    let extremes: [Mannequin.Pose]
    /// Degrees of the view that the activity is best seen from.
    let yaw: Double

    var description: String { activity.name }

    /// Without the side lunge: its sides go past each other's rest, and with a leg's points hidden it cannot be counted.
    static let all = [
        Routine(activity: .squat, rest: .standing, extremes: [.squatting], yaw: 90),
        Routine(activity: .jumpingJacks, rest: .standing, extremes: [.spread], yaw: 0),
        Routine(activity: .punches, rest: .guarding, extremes: [.leftPunch, .rightPunch], yaw: 90),
        Routine(activity: .pushUp, rest: .plank, extremes: [.low], yaw: 90),
        Routine(activity: .curl, rest: .standing, extremes: [.curled], yaw: 45),
        Routine(activity: .press, rest: .racked, extremes: [.pressed], yaw: 0),
        Routine(activity: .lateralRaise, rest: .standing, extremes: [.winged], yaw: 0),
        Routine(activity: .lunge, rest: .standing, extremes: [.leftLunge, .rightLunge], yaw: 90),
        Routine(activity: .sitUp, rest: .supine, extremes: [.satUp], yaw: 90),
    ]

    func exercise(_ count: Int, seed: UInt64) -> Exercise {
        Exercise.repetitions(count, rest: rest, extremes: extremes, seed: seed)
    }
}
