import BodyTracking
public import Vocabulary

/// What a person does before the camera: its counted movements, its best view and its minima of confidence.
public struct BodyActivity: Codable, Sendable, Hashable {
    /// The view from which an activity is best seen.
    public enum View: String, Sendable, Hashable, CaseIterable, Codable {
        /// From the front or from behind.
        case frontal
        /// From a side.
        case sagittal
    }

    /// The activity's name, such as `squat`.
    public var name: String

    /// The key of this activity in `BodyActivityConfiguration.minima`; nil for `name`. Without an entry there, the
    /// overall minimum holds.
    public var minimaName: String?

    /// The view from which it is best seen; nil where every view serves.
    public var view: View?

    /// The movements that are counted, at most four; none for an activity that is only watched.
    public var movements: [BodyMovement]

    /// Makes an app's own activity.
    public init(
        name: String, minimaName: String? = nil, view: BodyActivity.View? = nil, movements: [BodyMovement] = []
    ) {
        self.name = name
        self.minimaName = minimaName
        self.view = view
        self.movements = movements
    }

    /// How many movements an activity may have.
    public static let allowedMovements = 0...4

    /// Checks every value and throws the first fault.
    public func validate() throws(ConfigurationError) {
        guard !name.isEmpty else { throw ConfigurationError("BodyActivity.name", "empty", mustBe: "some text") }
        let path = "BodyActivity." + name
        try ConfigurationError.check(movements.count, path + ".movements", in: Self.allowedMovements)
        for (index, movement) in movements.enumerated() {
            guard !movements[..<index].contains(where: { $0.name == movement.name }) else {
                throw ConfigurationError(
                    path + ".movements", movement.name, mustBe: "a name that no other movement has")
            }
            try movement.validate(path)
        }
    }
}

extension BodyActivity {
    /// The activities of the project. An app's activity may reuse one of these names, unless the app uses both.
    public static let all = [
        squat, jumpingJacks, punches, pushUp, curl, press, lateralRaise, lunge, sideLunge, sitUp, tennis,
    ]

    // Lengths are those of an adult: trunk 0.5 m, thigh and shin 0.42 m, upper arm 0.28 m, forearm 0.26 m.

    /// Squats: the hips sink towards the feet and rise again.
    public static let squat = BodyActivity(
        name: "squat", view: .sagittal,
        movements: [
            BodyMovement(
                name: "squat",
                parts: [
                    [
                        signal(.height(hips, above: ankles), 1.45, -0.5, 0.3, weight: 2),
                        signal(.height(hips, above: feet), 1.6, -0.5, 0.3),
                        signal(.height(hips, above: knees), 0.65, -0.4, 0.2),
                        signal(.angle(.leftHip, vertex: .leftKnee, .leftAnkle), 155, -70, 25),
                        signal(.angle(.rightHip, vertex: .rightKnee, .rightAnkle), 155, -70, 25),
                        signal(.height(shoulders, above: ankles), 2.45, -0.6, 0.35, weight: 0.5),
                        signal(.height(shoulders, above: feet), 2.6, -0.6, 0.35, weight: 0.25),
                        signal(.height(face, above: ankles + feet), 2.9, -0.65, 0.4, weight: 0.1),
                    ]
                ],
                conditions: [
                    // Feet that are farther apart are those of a lunge.
                    BodyMovement.Condition(.distance([.leftAnkle], [.rightAnkle]), in: 0...1.5, at: .way)
                ],
                minimumDuration: .milliseconds(500))
        ])

    /// Jumping jacks: the arms rise beside the head while the legs spread, and both come back.
    public static let jumpingJacks = BodyActivity(
        name: "jumping-jacks", view: .frontal,
        movements: [
            BodyMovement(
                name: "jumping-jack",
                parts: [
                    raisedArm([.leftElbow], [.leftWrist], [.leftPinky, .leftIndex, .leftThumb]),
                    raisedArm([.rightElbow], [.rightWrist], [.rightPinky, .rightIndex, .rightThumb]),
                    [
                        signal(.distance([.leftAnkle], [.rightAnkle]), 0.6, 0.8, 0.2, weight: 2),
                        signal(
                            .distance([.leftHeel, .leftFootIndex], [.rightHeel, .rightFootIndex]), 0.65, 0.85, 0.2),
                        signal(.distance([.leftKnee], [.rightKnee]), 0.5, 0.4, 0.15, weight: 0.5),
                    ],
                ],
                minimumDuration: .milliseconds(350), maximumDuration: .seconds(10))
        ])

    /// Punches by either arm from a guard at the chin, with the minima of boxing.
    ///
    /// Best seen from a side, where an arm moves across the frame instead of into its depth. Both arms are measured
    /// together: the network guesses a hidden arm from the visible one, so it is unknown which arm punched.
    public static let punches = BodyActivity(
        name: "punches", minimaName: "boxing", view: .sagittal,
        movements: [
            BodyMovement(
                name: "punch",
                parts: [
                    extendedArm(.leftShoulder, .leftElbow, .leftWrist, [.leftPinky, .leftIndex, .leftThumb]),
                    extendedArm(.rightShoulder, .rightElbow, .rightWrist, [.rightPinky, .rightIndex, .rightThumb]),
                ],
                conditions: [
                    BodyMovement.Condition(.height([.leftWrist], above: shoulders), in: -0.45...0.6),
                    BodyMovement.Condition(.height([.rightWrist], above: shoulders), in: -0.45...0.6),
                    // Hands that go on over the head press, hands that go down to the hips curl.
                    BodyMovement.Condition(.height(wrists, above: shoulders), in: -0.8...0.5, at: .way),
                ],
                coordination: .byTurns, enter: 0.27, leave: 0.14, minimumDuration: .milliseconds(130),
                maximumDuration: .seconds(5))
        ])

    /// Tennis: minima and a view; no movement is counted.
    public static let tennis = BodyActivity(name: "tennis", view: .sagittal)

    static let hips: [TrackedBody.Joint] = [.leftHip, .rightHip]
    static let knees: [TrackedBody.Joint] = [.leftKnee, .rightKnee]
    static let ankles: [TrackedBody.Joint] = [.leftAnkle, .rightAnkle]
    static let feet: [TrackedBody.Joint] = [.leftHeel, .rightHeel, .leftFootIndex, .rightFootIndex]
    static let shoulders: [TrackedBody.Joint] = [.leftShoulder, .rightShoulder]
    static let face: [TrackedBody.Joint] = [
        .nose, .leftEyeInner, .leftEye, .leftEyeOuter, .rightEyeInner, .rightEye, .rightEyeOuter, .leftEar, .rightEar,
        .leftMouth, .rightMouth,
    ]

    /// - Parameters:
    ///   - range: difference from rest to the extreme.
    static func signal(
        _ measure: BodyMeasure, _ rest: Double, _ range: Double, _ tolerance: Double, weight: Double = 1
    ) -> BodySignal {
        BodySignal(measure, rest: rest, extreme: rest + range, tolerance: tolerance, weight: weight)
    }

    /// The shoulders stand in for the face, which is 0.5 trunks above them, and the face for the shoulders.
    private static func raisedArm(
        _ elbow: [TrackedBody.Joint], _ wrist: [TrackedBody.Joint], _ hand: [TrackedBody.Joint]
    ) -> [BodySignal] {
        [
            signal(.height(wrist, above: shoulders), -0.9, 1.6, 0.2, weight: 2),
            signal(.height(elbow, above: shoulders), -0.45, 0.8, 0.15),
            signal(.height(hand, above: shoulders), -1.05, 1.9, 0.2),
            signal(.height(wrist, above: face), -1.4, 1.6, 0.3, weight: 0.25),
            signal(.height(elbow, above: face), -0.95, 0.8, 0.3, weight: 0.25),
            signal(.height(hand, above: face), -1.55, 1.9, 0.3, weight: 0.1),
        ]
    }

    /// Each range is that of the mean of both arms, of which one is stretched out.
    private static func extendedArm(
        _ shoulder: TrackedBody.Joint, _ elbow: TrackedBody.Joint, _ wrist: TrackedBody.Joint,
        _ hand: [TrackedBody.Joint]
    ) -> [BodySignal] {
        [
            signal(.height([elbow], above: [shoulder]), -0.35, 0.24, 0.12, weight: 1.5),
            signal(.angle(shoulder, vertex: elbow, wrist), 90, 44, 30),
            signal(.distance([shoulder], [wrist]), 0.6, 0.3, 0.2),
            signal(.distance([shoulder], hand), 0.7, 0.35, 0.25, weight: 0.25),
            signal(.distance(face, [wrist]), 0.6, 0.3, 0.25, weight: 0.25),
            signal(.distance(face, hand), 0.6, 0.35, 0.3, weight: 0.25),
            signal(.height([elbow], above: face), -0.85, 0.24, 0.3, weight: 0.25),
        ]
    }
}
