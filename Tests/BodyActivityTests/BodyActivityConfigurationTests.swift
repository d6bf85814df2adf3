import BodyActivity
import BodyTracking
import Foundation
import Frames
import Preprocessing
import Scheduling
import Testing
import Vocabulary

@Suite struct BodyActivityConfigurationTests {
    @Test func defaultsAreTheSources() {
        let defaults = BodyActivityConfiguration()
        #expect(defaults.minimumConfidence == 0.2 && defaults.smoothingAlpha == 0.35)
        #expect(defaults.frameSkipThreshold == 3 && defaults.batteryWarningLevel == 0.2)
        #expect(defaults.thermalThrottleState == .fair && defaults.maximumAngle == 30)
        #expect(defaults.exposureLockDuration == .seconds(2) && defaults.keyframeShare == 0.15)
        #expect(defaults.maximumSession == .seconds(60 * 60))
        #expect(
            defaults.minima.mapValues(\.joints) == [
                "squat": ["hip": 0.15, "knee": 0.25, "ankle": 0.3],
                "boxing": ["wrist": 0.2, "shoulder": 0.35, "elbow": 0.3],
                "tennis": ["wrist": 0.25, "shoulder": 0.3, "hip": 0.35],
            ])
        #expect(defaults.minima.values.allSatisfy { $0.all == nil })
        // Ours.
        #expect(defaults.interpolationLimit == .milliseconds(400) && defaults.keyframeCapacity == 1_000)
        #expect(defaults.quality == QualityConfiguration() && defaults.activities.isEmpty)
        #expect(defaults.budget == SchedulingConfiguration.Budget())
        #expect(throws: Never.self) { try defaults.validate() }
    }

    @Test func minimaOfTheActivities() {
        let defaults = BodyActivityConfiguration()
        let table: [(BodyActivity, TrackedBody.Joint, Double)] = [
            (.squat, .leftHip, 0.15), (.squat, .rightKnee, 0.25), (.squat, .leftAnkle, 0.3), (.squat, .leftWrist, 0.2),
            (.punches, .rightWrist, 0.2), (.punches, .leftShoulder, 0.35), (.punches, .rightElbow, 0.3),
            (.tennis, .leftWrist, 0.25), (.tennis, .rightShoulder, 0.3), (.tennis, .leftHip, 0.35),
            (.jumpingJacks, .leftWrist, 0.2),
        ]
        for (activity, joint, minimum) in table {
            #expect(defaults.minimum(of: joint, in: activity) == minimum, "\(activity.name) \(joint)")
        }
    }

    /// Every point belongs to a part, and the left and right points of a pair belong to the same one.
    @Test func everyPointIsOfAPart() {
        var counts: [BodyPart: Int] = [:]
        for joint in TrackedBody.Joint.allCases { counts[BodyPart(joint), default: 0] += 1 }
        #expect(
            counts == [
                .face: 11, .shoulder: 2, .elbow: 2, .wrist: 2, .hand: 6, .hip: 2, .knee: 2, .ankle: 2, .foot: 4,
            ])
    }

    // MARK: What is refused

    private typealias Fault = (parameter: String, change: (inout BodyActivityConfiguration) -> Void)

    private func each<Value>(
        _ parameter: String, _ path: WritableKeyPath<BodyActivityConfiguration, Value>, _ values: [Value]
    ) -> [Fault] {
        values.map { value in (parameter, { $0[keyPath: path] = value }) }
    }

    private var faults: [Fault] {
        each("minimumConfidence", \.minimumConfidence, [-0.001, 1.001, .nan, .infinity])
            + each("interpolationLimit", \.interpolationLimit, [.nanoseconds(-1), .milliseconds(5_001)])
            + each("smoothingAlpha", \.smoothingAlpha, [0, -1, 1.001, .nan])
            + each("frameSkipThreshold", \.frameSkipThreshold, [0, -1, 1_001, .max])
            + each("batteryWarningLevel", \.batteryWarningLevel, [-0.001, 1.001, .nan])
            + each("maximumAngle", \.maximumAngle, [-0.001, 90.001, .nan])
            + each("exposureLockDuration", \.exposureLockDuration, [.nanoseconds(-1), .seconds(61)])
            + each("keyframeShare", \.keyframeShare, [0, -0.15, 1.001, .nan])
            + each("keyframeCapacity", \.keyframeCapacity, [0, -1, 100_001, .max])
            + each("maximumSession", \.maximumSession, [.zero, .milliseconds(999), .seconds(86_401)])
            + [
                ("minima.squat.all", { $0.minima["squat"]?.all = 1.5 }),
                ("minima.squat.all", { $0.minima["squat"]?.all = .nan }),
                ("minima.squat.hip", { $0.minima["squat"]?.joints["hip"] = -0.1 }),
                ("minima.boxing.elbow", { $0.minima["boxing"]?.joints["elbow"] = .nan }),
            ]
    }

    @Test func eachValueHasItsRange() {
        for (index, fault) in faults.enumerated() {
            var configuration = BodyActivityConfiguration()
            fault.change(&configuration)
            let name = "\(fault.parameter), \(index)"
            let error = #expect(throws: ConfigurationError.self, "\(name)") { try configuration.validate() }
            #expect(error?.parameter == "BodyActivityConfiguration." + fault.parameter, "\(name)")
            #expect(error?.value.isEmpty == false && error?.requirement.isEmpty == false, "\(name)")
            // The tracker refuses it as well.
            let refusal = #expect(throws: ConfigurationError.self, "\(name)") {
                _ = try BodyActivityTracker(.squat, configuration)
            }
            #expect(refusal == error, "\(name)")
        }
    }

    @Test func theEndsOfTheRangesAreAllowed() throws {
        for isHigh in [false, true] {
            let configuration = BodyActivityConfiguration(
                minimumConfidence: isHigh ? 1 : 0, minima: [:],
                interpolationLimit: isHigh ? .seconds(5) : .zero, smoothingAlpha: isHigh ? 1 : 0.001,
                frameSkipThreshold: isHigh ? 1_000 : 1, batteryWarningLevel: isHigh ? 1 : 0,
                thermalThrottleState: isHigh ? .critical : .nominal, maximumAngle: isHigh ? 90 : 0,
                exposureLockDuration: isHigh ? .seconds(60) : .zero, keyframeShare: isHigh ? 1 : 0.000_001,
                keyframeCapacity: isHigh ? 100_000 : 1, maximumSession: .seconds(isHigh ? 86_400 : 1))
            var watch = try Watch(.squat, configuration)
            watch.hold([.mannequin(yaw: 90)], seconds: 1)
        }
    }

    @Test func qualityIsCheckedToo() {
        var configuration = BodyActivityConfiguration()
        configuration.quality.lowLight.set = -1
        let error = #expect(throws: ConfigurationError.self) { try configuration.validate() }
        #expect(error?.parameter == "QualityConfiguration.lowLight.set")
    }

    @Test func unknownNamesAreRefused() {
        let table: [([String: BodyActivityConfiguration.Minima], parameter: String, value: String, known: String)] = [
            (["yoga": .init()], "minima", "yoga", "squat"), (["Squat": .init()], "minima", "Squat", "squat"),
            (["": .init()], "minima", "", "tennis"),
            (["squat": .init(joints: ["hips": 0.1])], "minima.squat", "hips", "hip"),
            (["boxing": .init(joints: ["leftWrist": 0.1])], "minima.boxing", "leftWrist", "wrist"),
            // Of several the first by name.
            (["yoga": .init(), "curling": .init(), "squat": .init()], "minima", "curling", "squat"),
        ]
        for (minima, parameter, value, known) in table {
            let error = #expect(throws: ConfigurationError.self) {
                try BodyActivityConfiguration(minima: minima).validate()
            }
            #expect(error?.parameter == "BodyActivityConfiguration." + parameter, "\(minima)")
            #expect(error?.value == value && error?.requirement.contains(known) == true, "\(minima)")
        }
        // Both the activity's name and that of its minima are known.
        for name in ["boxing", "punches", "jumping-jacks", "squat", "tennis"] {
            #expect(throws: Never.self) { try BodyActivityConfiguration(minima: [name: .init(all: 0.3)]).validate() }
        }
    }

    @Test func codableRoundTrip() throws {
        let defaults = BodyActivityConfiguration()
        let changed = BodyActivityConfiguration(
            minimumConfidence: 0.31, minima: ["squat": .init(all: 0.4, joints: ["face": 0.1])],
            interpolationLimit: .milliseconds(123), smoothingAlpha: 0.5, frameSkipThreshold: 7,
            batteryWarningLevel: 0.11, thermalThrottleState: .serious, maximumAngle: 12.5,
            exposureLockDuration: .milliseconds(1_500), quality: QualityConfiguration(onset: .milliseconds(17)),
            keyframeShare: 0.4, keyframeCapacity: 33, maximumSession: .seconds(77), activities: [.raise(), .punches])
        for configuration in [defaults, changed] {
            let data = try JSONEncoder().encode(configuration)
            #expect(try JSONDecoder().decode(BodyActivityConfiguration.self, from: data) == configuration)
        }
        #expect(defaults != changed)
    }

    // MARK: Activities of an app's own

    @Test func anActivityOfAnAppsOwnHasItsMinima() throws {
        let own = BodyActivity.raise()
        let minima = ["raise": BodyActivityConfiguration.Minima(all: 0.5, joints: ["wrist": 0.1])]
        let configuration = BodyActivityConfiguration(minima: minima, activities: [own])
        #expect(configuration.minimum(of: .leftWrist, in: own) == 0.1)
        #expect(configuration.minimum(of: .leftShoulder, in: own) == 0.5)
        #expect(configuration.minimum(of: .leftShoulder, in: .squat) == 0.2)
        #expect(throws: Never.self) { try configuration.validate() }
        var body = TrackedBody.mannequin()
        body.visibility = TrackedBody.Scores(repeating: 0.3)
        var watch = try Watch(own, configuration)
        let interpolated = watch.step([body]).interpolated
        #expect(interpolated.count == 31 && !interpolated.contains(.leftWrist) && !interpolated.contains(.rightWrist))
        // The one that is watched is known, listed or not.
        #expect(throws: Never.self) {
            _ = try BodyActivityTracker(own, BodyActivityConfiguration(minima: minima))
        }
        #expect(throws: ConfigurationError.self) {
            _ = try BodyActivityTracker(.squat, BodyActivityConfiguration(minima: minima))
        }
    }

    @Test func movementsThatCannotBeMeasuredAreRefused() throws {
        let good = BodyActivity.raise()
        let table: [(String, String, (inout BodyActivity) -> Void)] = [
            ("no name", "BodyActivity.name", { $0.name = "" }),
            (
                "five movements", "BodyActivity.raise.movements",
                { activity in
                    activity.movements = (0..<5).map { index in
                        var movement = activity.movements[0]
                        movement.name = "\(index)"
                        return movement
                    }
                }
            ),
            ("a name twice", "BodyActivity.raise.movements", { $0.movements.append($0.movements[0]) }),
            ("no parts", "BodyActivity.raise.raise.parts", { $0.movements[0].parts = [] }),
            ("an empty part", "BodyActivity.raise.raise.parts", { $0.movements[0].parts = [[]] }),
            (
                "an empty group", "BodyActivity.raise.raise.parts.measure",
                { $0.movements[0].parts[0][0].measure = .distance([], [.nose]) }
            ),
            (
                "a difference of an angle and a length", "BodyActivity.raise.raise.parts.measure",
                {
                    $0.movements[0].parts[0][0].measure = .difference(
                        .angle(.leftHip, vertex: .leftKnee, .leftAnkle), .distance([.leftHip], [.leftAnkle]))
                }
            ),
            (
                "an angle of two points", "BodyActivity.raise.raise.parts.measure",
                { $0.movements[0].parts[0][0].measure = .angle(.leftHip, vertex: .leftHip, .leftKnee) }
            ),
            (
                "a bone of one point", "BodyActivity.raise.raise.parts.measure",
                {
                    $0.movements[0].parts[0][0].measure = .divergence(
                        .leftKnee, .leftAnkle, from: .rightKnee, .rightKnee)
                }
            ),
            (
                "a line of one point", "BodyActivity.raise.raise.parts.measure",
                {
                    $0.movements[0].parts[0][0].measure = .separation(
                        .leftAnkle, .rightAnkle, across: .leftHip, .leftHip)
                }
            ),
            ("no rest", "BodyActivity.raise.raise.parts.rest", { $0.movements[0].parts[0][0].rest = .nan }),
            ("no way", "BodyActivity.raise.raise.parts.extreme", { $0.movements[0].parts[0][0].extreme = 0.009 }),
            ("no weight", "BodyActivity.raise.raise.parts.weight", { $0.movements[0].parts[0][0].weight = 0 }),
            (
                "a tolerance below none", "BodyActivity.raise.raise.parts.tolerance",
                { $0.movements[0].parts[0][0].tolerance = -1 }
            ),
            (
                "an empty condition", "BodyActivity.raise.raise.conditions",
                { $0.movements[0].conditions = [BodyMovement.Condition(.height([], above: []), in: 0...1)] }
            ),
            (
                "a condition of no moment", "BodyActivity.raise.raise.conditions",
                {
                    $0.movements[0].conditions = [
                        BodyMovement.Condition(.height([.nose], above: [.leftHip]), in: 0...1, at: [])
                    ]
                }
            ),
            ("leaves where it enters", "BodyActivity.raise.raise.leave", { $0.movements[0].leave = 0.55 }),
            ("enters beyond 1", "BodyActivity.raise.raise.enter", { $0.movements[0].enter = 1.1 }),
            (
                "no time", "BodyActivity.raise.raise.minimumDuration",
                { $0.movements[0].minimumDuration = .seconds(2) }
            ),
            (
                "more than an hour", "BodyActivity.raise.raise.maximumDuration",
                { $0.movements[0].maximumDuration = .seconds(3_601) }
            ),
        ]
        for (name, parameter, change) in table {
            var activity = good
            change(&activity)
            let error = #expect(throws: ConfigurationError.self, "\(name)") { try activity.validate() }
            #expect(error?.parameter == parameter, "\(name)")
            #expect(throws: ConfigurationError.self, "\(name)") { _ = try BodyActivityTracker(activity) }
        }
        for activity in BodyActivity.all + [good] {
            #expect(throws: Never.self) { try activity.validate() }
            let data = try JSONEncoder().encode(activity)
            #expect(try JSONDecoder().decode(BodyActivity.self, from: data) == activity)
        }
    }
}
