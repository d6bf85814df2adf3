import BodyActivity
import BodyTracking
import Foundation
import Vocabulary

/// What somebody does, as poses over time.
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

    /// Lets a tracker watch it.
    @discardableResult
    func play(
        to tracker: inout BodyActivityTracker, _ camera: Camera = Camera(), rate: Double = 30,
        _ mannequin: Mannequin = Mannequin(), from start: Double = 0, seed: UInt64 = 1
    ) -> [BodyActivityResult] {
        var random = SplitMix64(seed: seed)
        var results: [BodyActivityResult] = []
        for frame in 0...Int(duration * rate) {
            let time = Double(frame) / rate
            let body = camera.see(mannequin.points(pose(at: time)), &random)
            results.append(tracker.step([body], at: .nanoseconds(Int64((start + time) * 1e9))))
        }
        return results
    }
}

extension Mannequin.Pose {
    /// A squat's bottom: thighs nearly level, arms forward.
    static let squatting = {
        var pose = standing
        pose.hip = (82, 82)
        pose.knee = (112, 112)
        pose.lean = 35
        pose.armForward = (70, 70)
        return pose
    }()

    /// A jumping jack's extreme.
    static let spread = {
        var pose = standing
        pose.spread = 27
        pose.armOut = (155, 155)
        return pose
    }()

    /// Fists at the chin.
    static let guarding = {
        var pose = standing
        pose.armForward = (35, 35)
        pose.armOut = (12, 12)
        pose.elbow = (115, 115)
        return pose
    }()

    static let leftPunch = {
        var pose = guarding
        pose.armForward.left = 88
        pose.elbow.left = 6
        return pose
    }()

    static let rightPunch = {
        var pose = guarding
        pose.armForward.right = 88
        pose.elbow.right = 6
        return pose
    }()

    /// On hands and feet, the arms stretched out and upright.
    static let plank = {
        var pose = standing
        pose.pitch = 70
        pose.armForward = (70, 70)
        pose.elbow = (5, 5)
        return pose
    }()

    /// A push-up's bottom: the upper arms level, the forearms upright.
    static let low = {
        var pose = plank
        pose.pitch = 85
        pose.armForward = (0, 0)
        pose.elbow = (85, 85)
        return pose
    }()

    static let curled = {
        var pose = standing
        pose.armForward = (10, 10)
        pose.elbow = (135, 135)
        return pose
    }()

    /// Dumbbells at the shoulders.
    static let racked = {
        var pose = standing
        pose.armOut = (35, 35)
        pose.armForward = (20, 20)
        pose.elbow = (140, 140)
        return pose
    }()

    static let pressed = {
        var pose = standing
        pose.armOut = (165, 165)
        return pose
    }()

    /// Arms level, out to the sides.
    static let winged = {
        var pose = standing
        pose.armOut = (85, 85)
        pose.elbow = (5, 5)
        return pose
    }()

    /// Arms level, to the front.
    static let reaching = {
        var pose = standing
        pose.armForward = (85, 85)
        return pose
    }()

    static let leftLunge = {
        var pose = standing
        pose.hip = (75, -10)
        pose.knee = (75, 80)
        return pose
    }()

    static let rightLunge = {
        var pose = standing
        pose.hip = (-10, 75)
        pose.knee = (80, 75)
        return pose
    }()

    /// The left thigh goes out and forward over an upright shin, and the right leg is straight.
    static let leftSideLunge = {
        var pose = standing
        (pose.hip.left, pose.knee.left) = (75, 90)
        (pose.legOut, pose.kneeIn.left) = ((40, 50), 40)
        return pose
    }()

    static let rightSideLunge = {
        var pose = standing
        (pose.hip.right, pose.knee.right) = (75, 90)
        (pose.legOut, pose.kneeIn.right) = ((50, 40), 40)
        return pose
    }()

    /// On the back, the knees bent and the feet on the floor.
    static let supine = {
        var pose = standing
        pose.pitch = -90
        pose.hip = (55, 55)
        pose.knee = (110, 110)
        pose.armForward = (40, 40)
        return pose
    }()

    static let satUp = {
        var pose = supine
        pose.lean = 75
        return pose
    }()
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
