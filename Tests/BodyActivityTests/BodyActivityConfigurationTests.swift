import BodyPose
import BodyTracking
import Foundation
import Frames
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

    /// Minima may name the watched activity, listed or not, and no other unknown one. What they do is in `PointRepairTests`.
    @Test func anActivityOfAnAppsOwnHasItsMinima() throws {
        let minima = ["raise": BodyActivityConfiguration.Minima(all: 0.5, joints: ["wrist": 0.1])]
        let unlisted = BodyActivityConfiguration(minima: minima)
        #expect(throws: Never.self) { try BodyActivityConfiguration(minima: minima, activities: [.raise()]).validate() }
        #expect(throws: Never.self) { _ = try BodyActivityTracker(.raise(), unlisted) }
        #expect(throws: ConfigurationError.self) { _ = try BodyActivityTracker(.squat, unlisted) }
    }

    private static func refused(_ measure: BodyMeasure) -> (String, (inout BodyActivity) -> Void) {
        ("raise.parts.measure", { $0.movements[0].parts[0][0].measure = measure })
    }

    /// The path of what is refused, below the activity, and how it came about.
    private static var unusable: [(String, (inout BodyActivity) -> Void)] {
        [
            (
                "movements",
                { activity in
                    let movement = activity.movements[0]
                    activity.movements = (0..<5).map { index in
                        var movement = movement
                        movement.name = "\(index)"
                        return movement
                    }
                }
            ),
            ("movements", { $0.movements.append($0.movements[0]) }),
            ("raise.parts", { $0.movements[0].parts = [] }), ("raise.parts", { $0.movements[0].parts = [[]] }),
            // Empty groups, a difference of an angle and a length, and angles, bones and lines of fewer points than they need.
            refused(.distance([], [.nose])),
            refused(
                .difference(.angle(.leftHip, vertex: .leftKnee, .leftAnkle), .distance([.leftHip], [.leftAnkle]))),
            refused(.angle(.leftHip, vertex: .leftHip, .leftKnee)),
            refused(.divergence(.leftKnee, .leftAnkle, from: .rightKnee, .rightKnee)),
            refused(.separation(.leftAnkle, .rightAnkle, across: .leftHip, .leftHip)),
            ("raise.parts.rest", { $0.movements[0].parts[0][0].rest = .nan }),
            ("raise.parts.extreme", { $0.movements[0].parts[0][0].extreme = 0.009 }),
            ("raise.parts.weight", { $0.movements[0].parts[0][0].weight = 0 }),
            ("raise.parts.tolerance", { $0.movements[0].parts[0][0].tolerance = -1 }),
            ("raise.conditions", { $0.movements[0].conditions = [.init(.height([], above: []), in: 0...1)] }),
            (
                "raise.conditions",
                {
                    $0.movements[0].conditions = [.init(.height([.nose], above: [.leftHip]), in: 0...1, at: [])]
                }
            ),
            ("raise.leave", { $0.movements[0].leave = 0.55 }), ("raise.enter", { $0.movements[0].enter = 1.1 }),
            ("raise.minimumDuration", { $0.movements[0].minimumDuration = .seconds(2) }),
            ("raise.maximumDuration", { $0.movements[0].maximumDuration = .seconds(3_601) }),
        ]
    }

    @Test func movementsThatCannotBeMeasuredAreRefused() throws {
        func refusal(_ change: (inout BodyActivity) -> Void) -> String? {
            var activity = BodyActivity.raise()
            change(&activity)
            #expect(throws: ConfigurationError.self) { _ = try BodyActivityTracker(activity) }
            return #expect(throws: ConfigurationError.self) { try activity.validate() }?.parameter
        }
        #expect(refusal { $0.name = "" } == "BodyActivity.name")
        for (index, (path, change)) in Self.unusable.enumerated() {
            #expect(refusal(change) == "BodyActivity.raise." + path, "\(index)")
        }
        for activity in BodyActivity.all + [.raise()] {
            #expect(throws: Never.self) { try activity.validate() }
            let data = try JSONEncoder().encode(activity)
            #expect(try JSONDecoder().decode(BodyActivity.self, from: data) == activity)
        }
    }
}
