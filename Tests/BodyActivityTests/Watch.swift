import BodyPose
import BodyTracking
import Tracking
import Vocabulary

/// A tracker with a clock: it is fed at a constant rate.
struct Watch {
    var tracker: BodyActivityTracker
    let rate: Double
    private(set) var frame = 0

    init(
        _ activity: BodyActivity, _ configuration: BodyActivityConfiguration = BodyActivityConfiguration(),
        rate: Double = 30
    ) throws {
        tracker = try BodyActivityTracker(activity, configuration)
        self.rate = rate
    }

    /// Of the next frame, in seconds.
    var time: Double { Double(frame) / rate }

    @discardableResult
    mutating func step(
        _ bodies: [TrackedBody], isBodyLost: Bool = false, latency: Duration = .zero
    ) -> BodyActivityResult {
        defer { frame += 1 }
        return tracker.step(
            bodies, at: .nanoseconds(Int64((time * 1e9).rounded())), isBodyLost: isBodyLost,
            latency: latency)
    }

    /// Feeds the same bodies for a time; the last result.
    @discardableResult
    mutating func hold(_ bodies: [TrackedBody], seconds: Double) -> BodyActivityResult {
        for _ in 1..<max(1, Int((seconds * rate).rounded())) { step(bodies) }
        return step(bodies)
    }
}

extension TrackedBody {
    /// A mannequin of which every point is visible.
    static func mannequin(
        _ pose: Mannequin.Pose = .standing, yaw: Double = 0, identity: Int = 0, scale: Double = 0.8
    ) -> TrackedBody {
        var random = SplitMix64(seed: 1)
        var body = Camera(yaw: yaw, scale: scale).body(of: Mannequin().points(pose), identity: identity, &random)
        body.visibility = TrackedBody.Scores(repeating: 0.9)
        return body
    }

    /// Hides points, and puts them anywhere.
    mutating func hide(_ joints: [TrackedBody.Joint], at place: SIMD3<Float>? = nil) {
        for joint in joints {
            visibility[joint.rawValue] = 0.01
            guard let place else { continue }
            landmarks[joint.rawValue] = place
            worldLandmarks[joint.rawValue] = place
        }
    }

    /// Whether every number of its points is finite.
    var isFinite: Bool {
        TrackedBody.Joint.allCases.allSatisfy { landmarks[$0] * 0 == .zero && worldLandmarks[$0] * 0 == .zero }
    }
}

extension SIMD3<Float> {
    func isNear(_ other: SIMD3<Float>, within tolerance: Float = 1e-5) -> Bool {
        let offset = self - other
        return (offset * offset).sum().squareRoot() <= tolerance
    }
}

extension BodyActivity {
    /// A movement of an app's own, of one signal that is exactly its progress: trunks by which the left wrist is above the
    /// shoulder.
    static func raise(
        enter: Double = 0.55, leave: Double = 0.3, conditions: [BodyMovement.Condition] = [],
        minimumDuration: Duration = .milliseconds(300), maximumDuration: Duration = .milliseconds(1_500)
    ) -> BodyActivity {
        BodyActivity(
            name: "raise",
            movements: [
                BodyMovement(
                    name: "raise",
                    parts: [
                        [BodySignal(.height([.leftWrist], above: [.leftShoulder]), rest: 0, extreme: 1)]
                    ],
                    conditions: conditions, enter: enter, leave: leave, minimumDuration: minimumDuration,
                    maximumDuration: maximumDuration)
            ])
    }

    /// One that is only watched.
    static func watched(from view: BodyActivity.View?) -> BodyActivity { BodyActivity(name: "watched", view: view) }
}

extension Mannequin {
    /// A synthetic person whose `raise` has got so far.
    static func body(raising progress: Double) -> TrackedBody {
        var body = TrackedBody.mannequin()
        let shoulder = body.worldLandmarks[TrackedBody.Joint.leftShoulder]
        // The unit is what the tracker measures: from the shoulder to the hip, which is a little aside.
        let offset = shoulder - body.worldLandmarks[TrackedBody.Joint.leftHip]
        let trunk = (offset * offset).sum().squareRoot()
        body.worldLandmarks[TrackedBody.Joint.leftWrist.rawValue] = shoulder - SIMD3(0, Float(progress) * trunk, 0)
        return body
    }
}
