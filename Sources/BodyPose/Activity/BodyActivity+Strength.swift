import BodyTracking

extension BodyActivity {
    // Lengths are those of an adult, as in `squat`: upper arm 0.56 trunks, forearm 0.52, thigh and shin 0.84. The pose
    // network bends limbs less than people do, most of all in depth: a curl from 160 to 40 degrees is 150 to 90 for it.
    // So heights weigh more than angles, and the ranges of angles are the network's.

    /// Push-ups, on the hands and the feet or knees: the elbows bend until the shoulders are near the hands.
    ///
    /// Best seen from a side, from which the arms stay in the camera's plane.
    public static let pushUp = BodyActivity(
        name: "push-up", view: .sagittal,
        movements: [
            BodyMovement(
                name: "push-up",
                parts: [
                    [
                        signal(.height(shoulders, above: wrists), 1, -0.5, 0.25, weight: 3),
                        signal(.angle(.leftShoulder, vertex: .leftElbow, .leftWrist), 155, -65, 25),
                        signal(.angle(.rightShoulder, vertex: .rightElbow, .rightWrist), 155, -65, 25),
                        signal(.height(shoulders, above: hands), 1.05, -0.5, 0.3, weight: 0.5),
                        signal(.height(face, above: wrists + hands), 1, -0.5, 0.45, weight: 0.25),
                    ]
                ],
                conditions: lying(trunk: -0.6...0.75) + [
                    // The arms carry the trunk.
                    BodyMovement.Condition(.height(shoulders, above: wrists), in: 0.5...1.6, at: .rest)
                ],
                minimumDuration: .milliseconds(400))
        ])

    /// Curls of one arm, of both, or of one after the other: the forearms turn up while the upper arms hang.
    public static let curl = BodyActivity(
        name: "curl",
        movements: [
            BodyMovement(
                name: "curl",
                parts: [
                    bentArm(.leftShoulder, .leftElbow, .leftWrist, [.leftPinky, .leftIndex, .leftThumb]),
                    bentArm(.rightShoulder, .rightElbow, .rightWrist, [.rightPinky, .rightIndex, .rightThumb]),
                ],
                conditions: [
                    BodyMovement.Condition(
                        .height([.leftElbow], above: [.leftShoulder]), in: -1...0.3, at: [.rest, .extreme, .way]),
                    BodyMovement.Condition(
                        .height([.rightElbow], above: [.rightShoulder]), in: -1...0.3, at: [.rest, .extreme, .way]),
                    BodyMovement.Condition(.height(shoulders, above: hips), in: 0.4...2),
                ],
                coordination: .either, enter: 0.5, minimumDuration: .milliseconds(400))
        ])

    /// Overhead presses by both arms: from the shoulders the hands go up until the elbows are straight.
    public static let press = BodyActivity(
        name: "press", view: .frontal,
        movements: [
            BodyMovement(
                name: "press",
                parts: [
                    [
                        signal(.height(wrists, above: shoulders), 0.15, 0.8, 0.3, weight: 2),
                        signal(.height(elbows, above: shoulders), -0.3, 0.75, 0.25),
                        signal(.height(hands, above: shoulders), 0.3, 0.8, 0.35, weight: 0.5),
                        signal(.height(wrists + hands, above: face), -0.25, 0.8, 0.4, weight: 0.25),
                        signal(.height(elbows, above: face), -0.8, 0.75, 0.4, weight: 0.25),
                    ],
                    // Arms that rise stretched out, as in a jumping jack, never come to this part's rest.
                    [
                        signal(.angle(.leftShoulder, vertex: .leftElbow, .leftWrist), 75, 55, 20),
                        signal(.angle(.rightShoulder, vertex: .rightElbow, .rightWrist), 75, 55, 20),
                    ],
                ],
                conditions: [
                    BodyMovement.Condition(.height(wrists, above: shoulders), in: -0.45...0.6, at: .rest)
                ],
                minimumDuration: .milliseconds(400))
        ])

    /// Lateral raises by both arms: stretched out, they rise from the thighs to the height of the shoulders.
    ///
    /// Seen from the front; from a side the distance of the hands is hidden.
    public static let lateralRaise = BodyActivity(
        name: "lateral-raise", view: .frontal,
        movements: [
            BodyMovement(
                name: "lateral-raise",
                parts: [
                    leveledArm([.leftElbow], [.leftWrist], [.leftPinky, .leftIndex, .leftThumb]),
                    leveledArm([.rightElbow], [.rightWrist], [.rightPinky, .rightIndex, .rightThumb]),
                    // Arms that rise to the front do not move apart.
                    [
                        signal(.distance([.leftWrist], [.rightWrist]), 1, 1.5, 0.35, weight: 2),
                        signal(.distance([.leftElbow], [.rightElbow]), 1, 0.75, 0.25, weight: 0.5),
                        signal(
                            .distance([.leftPinky, .leftIndex, .leftThumb], [.rightPinky, .rightIndex, .rightThumb]), 1,
                            1.7, 0.4, weight: 0.5),
                    ],
                ],
                conditions: [
                    // Arms that go on over the shoulders do jumping jacks.
                    BodyMovement.Condition(.height(wrists, above: shoulders), in: -2...0.5, at: .way),
                    BodyMovement.Condition(.height(elbows, above: shoulders), in: -2...0.35, at: .way),
                ],
                minimumDuration: .milliseconds(400))
        ])

    /// Lunges, to the front or to the back: one foot far before the other, both knees bend and the hips sink.
    public static let lunge = BodyActivity(
        name: "lunge",
        movements: [
            BodyMovement(
                name: "lunge",
                parts: [
                    [
                        signal(.height(hips, above: ankles), 1.5, -0.6, 0.3, weight: 2),
                        signal(.height(hips, above: feet), 1.6, -0.6, 0.3),
                        signal(.angle(.leftHip, vertex: .leftKnee, .leftAnkle), 160, -55, 25),
                        signal(.angle(.rightHip, vertex: .rightKnee, .rightAnkle), 160, -55, 25),
                        signal(.height(shoulders, above: ankles), 2.5, -0.6, 0.35, weight: 0.5),
                        signal(.height(shoulders, above: feet), 2.6, -0.6, 0.35, weight: 0.25),
                        signal(.height(face, above: ankles + feet), 2.95, -0.6, 0.4, weight: 0.1),
                    ]
                ],
                conditions: [
                    // On rendered people the stride was 0.5 or more in lunges from all sides, and 0.46 or less in squats,
                    // however wide, unless the network placed the shoulders turned otherwise than the feet.
                    BodyMovement.Condition(
                        .separation(.leftAnkle, .rightAnkle, across: .leftShoulder, .rightShoulder), in: 0.54...4,
                        at: .once),
                    // The front shin stays upright while the rear one tilts, by 27 degrees or more. In such a squat the shins
                    // were at most 15 degrees apart, and the shin of a lifted knee hangs.
                    BodyMovement.Condition(
                        .divergence(.leftKnee, .leftAnkle, from: .rightKnee, .rightAnkle), in: 25...180, at: .once),
                    // Feet that are beside each other, too, are those of a side lunge.
                    BodyMovement.Condition(beside, in: -1...0.62, at: .once),
                ],
                // From the front the network measures half of the depth: 0.38 to 0.5 where the hips sink by a fifth of the
                // legs, as in the shallowest lunges. Walking on the spot is 0.25 or less.
                enter: 0.36, leave: 0.22, minimumDuration: .milliseconds(500))
        ])

    /// Side lunges: the feet are wide apart beside each other, one knee bends, and the hips go down to that side while the
    /// other leg stays straight.
    ///
    /// From the front or from behind, turned by up to 30 degrees. A movement for each knee that bends.
    public static let sideLunge = BodyActivity(
        name: "side-lunge", view: .frontal,
        movements: [
            sideLunge(
                "left", .leftHip, .leftKnee, [.leftAnkle], [.leftHeel, .leftFootIndex],
                straight: .rightHip, .rightKnee, [.rightAnkle], [.rightHeel, .rightFootIndex]),
            sideLunge(
                "right", .rightHip, .rightKnee, [.rightAnkle], [.rightHeel, .rightFootIndex],
                straight: .leftHip, .leftKnee, [.leftAnkle], [.leftHeel, .leftFootIndex]),
        ])

    /// How much farther the ankles are apart than they are across the line of the shoulders. On rendered people it was 0.9 or
    /// more in side lunges and 0.4 or less in other lunges.
    private static let beside = BodyMeasure.difference(
        .distance([.leftAnkle], [.rightAnkle]),
        .separation(.leftAnkle, .rightAnkle, across: .leftShoulder, .rightShoulder))

    /// Lengths of legs, not heights of the hips: a stance with straight legs is at rest however wide it is.
    private static func sideLunge(
        _ name: String, _ hip: TrackedBody.Joint, _ knee: TrackedBody.Joint, _ ankle: [TrackedBody.Joint],
        _ foot: [TrackedBody.Joint], straight otherHip: TrackedBody.Joint, _ otherKnee: TrackedBody.Joint,
        _ otherAnkle: [TrackedBody.Joint], _ otherFoot: [TrackedBody.Joint]
    ) -> BodyMovement {
        let angle = BodyMeasure.angle(hip, vertex: knee, ankle[0])
        let otherAngle = BodyMeasure.angle(otherHip, vertex: otherKnee, otherAnkle[0])
        func longer(_ other: [TrackedBody.Joint], than one: [TrackedBody.Joint], from top: [TrackedBody.Joint])
            -> BodyMeasure
        { .difference(.distance(top, other), .distance(top, one)) }
        return BodyMovement(
            name: name,
            parts: [
                [
                    signal(.distance(hips, ankle), 1.5, -0.4, 0.15, weight: 2),
                    signal(.distance(hips, foot), 1.6, -0.4, 0.15, weight: 0.5),
                    signal(angle, 145, -55, 25),
                ],
                // Small tolerances: a lunge to the other side goes beyond rest, which must not be learned from it.
                [
                    signal(longer(otherAnkle, than: ankle, from: hips), 0, 0.5, 0.05, weight: 2),
                    signal(longer(otherFoot, than: foot, from: hips), 0, 0.5, 0.05, weight: 0.5),
                    signal(.difference(otherAngle, angle), 0, 50, 12, weight: 0.5),
                    signal(longer(otherAnkle, than: ankle, from: shoulders), 0, 0.45, 0.05, weight: 0.5),
                    signal(longer([otherKnee], than: [knee], from: shoulders), 0, 0.25, 0.05, weight: 0.25),
                ],
            ],
            conditions: [
                // On rendered people ankles were 1.5 trunks apart or more, and 1.0 in hops from side to side.
                BodyMovement.Condition(.distance(ankle, otherAnkle), in: 1.25...4, at: .once),
                BodyMovement.Condition(beside, in: 0.7...4, at: .once),
            ],
            // As the network placed the legs of rendered people, shallow side lunges were 0.45 or more, and squats with feet
            // far apart at most 0.3.
            enter: 0.38, leave: 0.28, minimumDuration: .milliseconds(300))
    }

    /// Sit-ups: from the back, the trunk rises and lies down again. It counts from a quarter of the way to upright.
    public static let sitUp = BodyActivity(
        name: "sit-up", view: .sagittal,
        movements: [
            BodyMovement(
                name: "sit-up",
                parts: [
                    [
                        signal(.height(shoulders, above: hips), 0.1, 0.75, 0.3, weight: 2),
                        signal(.angle(.leftShoulder, vertex: .leftHip, .leftKnee), 125, -60, 30),
                        signal(.angle(.rightShoulder, vertex: .rightHip, .rightKnee), 125, -60, 30),
                        signal(.height(face, above: hips), 0.25, 0.95, 0.4, weight: 0.5),
                        signal(.height(shoulders, above: ankles), 0.1, 0.75, 0.4, weight: 0.25),
                        signal(.height(face, above: ankles), 0.15, 1, 0.5, weight: 0.1),
                    ]
                ],
                conditions: lying(trunk: -0.6...0.5, at: .rest) + [
                    // The feet stay on the floor, on which the hips are. From a raised camera hips that are farther away
                    // than the feet seem up to 0.75 higher; in a squat they are 0.8 higher or more.
                    BodyMovement.Condition(.height(hips, above: ankles), in: -1.2...0.8, at: [.rest, .extreme, .way])
                ] + bentHips,
                // People rise by 30 to 85 degrees. 30 give 0.5 as the network measures them, and a raised head at most 0.3.
                enter: 0.42, leave: 0.25, minimumDuration: .milliseconds(500), maximumDuration: .seconds(15))
        ])

    /// The hips bend at one moment. In a push-up, whose trunk rises too, they stay at 160 degrees or more.
    private static let bentHips = [
        BodyMovement.Condition(.angle(.leftShoulder, vertex: .leftHip, .leftKnee), in: 0...155, at: .once),
        BodyMovement.Condition(.angle(.rightShoulder, vertex: .rightHip, .rightKnee), in: 0...155, at: .once),
    ]

    static let elbows: [TrackedBody.Joint] = [.leftElbow, .rightElbow]
    static let wrists: [TrackedBody.Joint] = [.leftWrist, .rightWrist]
    static let hands: [TrackedBody.Joint] = [
        .leftPinky, .rightPinky, .leftIndex, .rightIndex, .leftThumb, .rightThumb,
    ]

    /// The trunk is nearly level, and the feet are near the height of the hips.
    /// - Parameter trunk: heights of the shoulders above the hips.
    private static func lying(
        trunk: ClosedRange<Double>, at moments: BodyMovement.Condition.Moments = [.rest, .extreme]
    ) -> [BodyMovement.Condition] {
        [
            BodyMovement.Condition(.height(shoulders, above: hips), in: trunk, at: moments),
            BodyMovement.Condition(.height(hips, above: ankles), in: -1.2...1, at: moments),
        ]
    }

    private static func leveledArm(
        _ elbow: [TrackedBody.Joint], _ wrist: [TrackedBody.Joint], _ hand: [TrackedBody.Joint]
    ) -> [BodySignal] {
        [
            signal(.height(wrist, above: shoulders), -0.95, 0.85, 0.2, weight: 2),
            signal(.height(elbow, above: shoulders), -0.5, 0.45, 0.15),
            signal(.height(hand, above: shoulders), -1.1, 1, 0.25, weight: 0.5),
            signal(.height(wrist + hand, above: face), -1.45, 0.9, 0.35, weight: 0.25),
            signal(.height(elbow, above: face), -1, 0.45, 0.35, weight: 0.25),
        ]
    }

    private static func bentArm(
        _ shoulder: TrackedBody.Joint, _ elbow: TrackedBody.Joint, _ wrist: TrackedBody.Joint,
        _ hand: [TrackedBody.Joint]
    ) -> [BodySignal] {
        [
            signal(.height([wrist], above: [elbow]), -0.45, 0.75, 0.15, weight: 2),
            // An arm that rises stretched out turns its forearm up, too.
            signal(.angle(shoulder, vertex: elbow, wrist), 150, -65, 20, weight: 2),
            signal(.height(hand, above: [elbow]), -0.6, 1, 0.2, weight: 0.5),
            signal(.distance([shoulder], [wrist]), 1, -0.35, 0.15, weight: 0.5),
            signal(.height([wrist], above: shoulders), -0.95, 0.85, 0.25, weight: 0.25),
        ]
    }
}
