import BodyTracking
import Foundation
import Tracking
import Vocabulary

/// A person of bones: joints in metres from given angles, y down, the hips' middle at the origin, facing the camera (its own
/// left is at +x, the camera at -z).
struct Mannequin {
    /// Where arms and legs are; all angles in degrees.
    struct Pose: Sendable {
        /// Of the thigh from straight down, forward.
        var hip = (left: 0.0, right: 0.0)
        /// By which the knee is bent.
        var knee = (left: 0.0, right: 0.0)
        /// Of the whole trunk, forward.
        var lean = 0.0
        /// Of legs outward.
        var spread = 5.0
        /// Of one leg outward, beside `spread`.
        var legOut = (left: 0.0, right: 0.0)
        /// By which the shin is turned back inward from the thigh.
        var kneeIn = (left: 0.0, right: 0.0)
        /// Of the upper arm from straight down, outward.
        var armOut = (left: 8.0, right: 8.0)
        /// The same, forward.
        var armForward = (left: 0.0, right: 0.0)
        /// By which the elbow is bent: forward and up.
        var elbow = (left: 10.0, right: 10.0)
        /// Of the whole body, forward: 90 lies on the belly, -90 on the back.
        var pitch = 0.0

        static let standing = Pose()

        /// Between this and another.
        func mixed(with other: Pose, _ share: Double) -> Pose {
            func mix(_ one: Double, _ two: Double) -> Double { one + (two - one) * share }
            func mix(_ one: (left: Double, right: Double), _ two: (left: Double, right: Double)) -> (Double, Double) {
                (mix(one.left, two.left), mix(one.right, two.right))
            }
            var pose = self
            pose.hip = mix(hip, other.hip)
            pose.knee = mix(knee, other.knee)
            pose.lean = mix(lean, other.lean)
            pose.spread = mix(spread, other.spread)
            pose.legOut = mix(legOut, other.legOut)
            pose.kneeIn = mix(kneeIn, other.kneeIn)
            pose.armOut = mix(armOut, other.armOut)
            pose.armForward = mix(armForward, other.armForward)
            pose.elbow = mix(elbow, other.elbow)
            pose.pitch = mix(pitch, other.pitch)
            return pose
        }
    }

    var trunk = 0.5
    var shoulderWidth = 0.36
    var hipWidth = 0.22
    var upperArm = 0.28
    var forearm = 0.26
    var thigh = 0.42
    var shin = 0.42

    private typealias Point = SIMD3<Double>

    /// The 33 points in a pose, hips' middle at the origin.
    func points(_ pose: Pose) -> [SIMD3<Double>] {
        var points = [Point](repeating: .zero, count: TrackedBody.Points.count)
        func set(_ joint: TrackedBody.Joint, _ point: Point) { points[joint.rawValue] = point }
        // Forward is towards the camera: -z. Down is +y.
        func direction(forward: Double, outward: Double, _ side: Double) -> Point {
            let (f, o) = (forward * .pi / 180, outward * .pi / 180)
            return Point(side * sin(o), cos(o) * cos(f), -cos(o) * sin(f))
        }
        let up = Point(0, -cos(pose.lean * .pi / 180), -sin(pose.lean * .pi / 180))
        let neck = trunk * up
        let head = neck + 0.2 * up
        for index in 0...10 {
            let spread = [0, -1, -1.5, -2, 1, 1.5, 2, -3, 3, -1, 1][index]
            set(
                TrackedBody.Joint(rawValue: index)!,
                head + Point(-0.025 * spread, index > 8 ? 0.05 : -0.02, index == 7 || index == 8 ? 0 : -0.1))
        }
        for isLeft in [true, false] {
            let side = isLeft ? 1.0 : -1
            func pick(_ pair: (left: Double, right: Double)) -> Double { isLeft ? pair.left : pair.right }
            func joint(_ left: TrackedBody.Joint) -> TrackedBody.Joint {
                isLeft ? left : TrackedBody.Joint(rawValue: left.rawValue + 1)!
            }
            let shoulder = neck + Point(side * shoulderWidth / 2, 0, 0)
            set(joint(.leftShoulder), shoulder)
            let upper = direction(forward: pick(pose.armForward), outward: pick(pose.armOut), side)
            let elbow = shoulder + upperArm * upper
            set(joint(.leftElbow), elbow)
            // The forearm turns forward and up; with the arm out beside the head it turns on outward.
            let lower =
                abs(pick(pose.armOut)) > 45
                ? direction(forward: 0, outward: pick(pose.armOut) + pick(pose.elbow), side)
                : direction(
                    forward: pick(pose.armForward) + pick(pose.elbow), outward: pick(pose.armOut) * 0.3, side)
            let wrist = elbow + forearm * lower
            set(joint(.leftWrist), wrist)
            set(joint(.leftPinky), wrist + 0.08 * lower + Point(side * 0.03, 0, 0))
            set(joint(.leftIndex), wrist + 0.09 * lower)
            set(joint(.leftThumb), wrist + 0.05 * lower + Point(-side * 0.03, 0, 0))
            let hip = Point(side * hipWidth / 2, 0, 0)
            set(joint(.leftHip), hip)
            let thighWay = direction(forward: pick(pose.hip), outward: pose.spread + pick(pose.legOut), side)
            let knee = hip + thigh * thighWay
            set(joint(.leftKnee), knee)
            let shinWay = direction(
                forward: pick(pose.hip) - pick(pose.knee),
                outward: pose.spread + pick(pose.legOut) - pick(pose.kneeIn), side)
            let ankle = knee + shin * shinWay
            set(joint(.leftAnkle), ankle)
            set(joint(.leftHeel), ankle + Point(0, 0.06, 0.04))
            set(joint(.leftFootIndex), ankle + Point(side * 0.03, 0.08, -0.14))
        }
        let (c, s) = (cos(pose.pitch * .pi / 180), sin(pose.pitch * .pi / 180))
        return points.map { Point($0.x, c * $0.y - s * $0.z, s * $0.y + c * $0.z) }
    }
}

/// The view of a mannequin, and the errors of a network.
struct Camera {
    /// Degrees by which the person is turned from facing the camera.
    var yaw = 0.0
    /// Of the person's height in the picture.
    var scale = 0.8
    /// Deviation of each coordinate, metres.
    var noise = 0.0
    /// Share of the depth that the network measures.
    var depth = 1.0
    /// Swaps left and right, as a mirrored picture does.
    var isMirrored = false
    /// Points that are never visible.
    var hidden: Set<Int> = []
    /// How many others are hidden in each frame.
    var randomlyHidden = 0

    /// A body as the network would output it; hidden points lie anywhere.
    func body(of points: [SIMD3<Double>], identity: Int = 0, _ random: inout SplitMix64) -> TrackedBody {
        var landmarks = TrackedBody.Points()
        var world = TrackedBody.Points()
        var visibility = TrackedBody.Scores()
        var hidden = hidden
        while hidden.count < self.hidden.count + randomlyHidden { hidden.insert(Int(random.next(below: 33))) }
        let (c, s) = (cos(yaw * .pi / 180), sin(yaw * .pi / 180))
        for index in points.indices {
            // Mirrored, what was a left point is at the place of the right one, and called so.
            let from = isMirrored ? Self.mirror(index) : index
            var point = points[from]
            if isMirrored { point.x = -point.x }
            var turned = SIMD3(c * point.x + s * point.z, point.y, -s * point.x + c * point.z)
            turned.z *= depth
            turned += noise * SIMD3(gauss(&random), gauss(&random), gauss(&random))
            visibility[index] = Float(0.7 + 0.3 * random.unit())
            if hidden.contains(index) {
                visibility[index] = Float(0.1 * random.unit())
                turned = SIMD3(random.unit(), random.unit(), random.unit()) * 2 - 1
            }
            world[index] = SIMD3<Float>(turned)
            landmarks[index] = SIMD3<Float>(
                SIMD3(0.5 + turned.x * scale / 1.75, 0.55 + turned.y * scale / 1.75, turned.z * scale / 1.75))
        }
        return TrackedBody(
            identity: identity, presence: 0.9, landmarks: landmarks, visibility: visibility,
            pointPresence: TrackedBody.Scores(repeating: 1), worldLandmarks: world,
            region: TrackedRegion(centerX: 320, centerY: 240, side: 480))
    }

    private static func mirror(_ index: Int) -> Int {
        switch index {
        case 0: 0
        case 1...3: index + 3
        case 4...6: index - 3
        default: index % 2 == 1 ? index + 1 : index - 1
        }
    }

    /// About normal: the sum of twelve uniform numbers.
    private func gauss(_ random: inout SplitMix64) -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() }
    }
}
