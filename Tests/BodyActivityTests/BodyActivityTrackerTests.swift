import BodyPose
import BodyTracking
import Frames
import Scheduling
import Testing
import Vocabulary

/// The values of a result beside the points, and those that a session keeps.
@Suite struct BodyActivityTrackerTests {
    // MARK: The result

    @Test func aResultCarriesPointsConfidenceLatencyAndDetail() throws {
        var watch = try Watch(.squat)
        let body = TrackedBody.mannequin(yaw: 90, identity: 3)
        let result = watch.step([body], latency: .milliseconds(17))
        #expect(result.body == body && result.interpolated == BodyJointSet())
        #expect(abs(result.confidence - 0.9) < 1e-6 && result.latency == .milliseconds(17))
        #expect(result.interfaceDetail == 2 && result.time == .zero)
        #expect(result.phase == .rest && result.repetitions == 0 && result.completed == nil && result.advice == [])
        let empty = watch.step([], latency: .milliseconds(3))
        #expect(empty.body == nil && empty.confidence == 0 && empty.interpolated == BodyJointSet())
        #expect(empty.latency == .milliseconds(3) && empty.phase == .unknown && empty.interfaceDetail == 2)
    }

    /// Of the points that the activity measures.
    @Test func confidenceIsThatOfWhatCounts() throws {
        for (part, changes) in [
            (BodyPart.wrist, true), (.shoulder, true), (.hip, false), (.foot, false), (.face, false),
        ] {
            var watch = try Watch(.raise())
            var body = TrackedBody.mannequin()
            for joint in TrackedBody.Joint.allCases where BodyPart(joint) == part {
                body.visibility[joint.rawValue] = 0.5
            }
            let confidence = watch.step([body]).confidence
            #expect(abs(confidence - (changes ? 0.7 : 0.9)) < 1e-6, "\(part): \(confidence)")
        }
        // One without movements measures all of them.
        var watch = try Watch(.tennis)
        var body = TrackedBody.mannequin()
        body.visibility[TrackedBody.Joint.nose.rawValue] = 0.57
        #expect(abs(watch.step([body]).confidence - 0.89) < 1e-6)
    }

    /// Points are averaged as `ExponentialSmoother` does it.
    @Test func pointsAreAveraged() throws {
        var watch = try Watch(.tennis)
        var body = TrackedBody.mannequin()
        watch.step([body])
        let nose = TrackedBody.Joint.nose.rawValue
        body.landmarks[nose].x += 0.1
        body.worldLandmarks[nose].y -= 0.1
        let shown = try #require(watch.step([body]).body)
        #expect(abs(body.landmarks[nose].x - shown.landmarks[nose].x - 0.065) < 1e-5)
        #expect(abs(body.worldLandmarks[nose].y - shown.worldLandmarks[nose].y + 0.065) < 1e-5)
    }

    // MARK: The budget

    @Test func detailFallsByOneAfterThreeLateResultsAndRecovers() throws {
        let (inTime, late) = (Duration.milliseconds(25), Duration.microseconds(25_001))
        let marbles: [(Duration, Int)] = [
            (inTime, 2), (late, 2), (late, 2), (inTime, 2), (late, 2), (late, 2), (late, 1), (late, 1), (late, 1),
            (inTime, 2), (late, 2),
        ]
        var impatient = try Watch(.squat, BodyActivityConfiguration(frameSkipThreshold: 1))
        #expect(impatient.step([], latency: late).interfaceDetail == 1)
        var watch = try Watch(.squat)
        for (index, (latency, detail)) in marbles.enumerated() {
            #expect(watch.step([.mannequin()], latency: latency).interfaceDetail == detail, "frame \(index)")
        }
        #expect(watch.tracker.statistics.lateResults == 8)
        // Results without anybody are late, too.
        for detail in [2, 1] { #expect(watch.step([], latency: late).interfaceDetail == detail) }
    }

    /// Heat and battery as the schedule's table has them, by what the tracker does with it.
    @Test func budgetByHeatAndBattery() throws {
        let table: [(DeviceReading.ThermalState, Double?, SchedulerState.Pace, Int, Int)] = [
            (.nominal, nil, .full, 25, 2), (.nominal, 0.1999, .third, 25, 2), (.nominal, 0.2, .half, 25, 2),
            (.nominal, 0.5, .full, 25, 2), (.nominal, .nan, .full, 25, 2), (.fair, 0.1, .half, 30, 1),
            (.serious, 1, .third, 45, 0), (.critical, 0.1, .sixth, 45, 0), (.nominal, 0.0499, .sixth, 25, 2),
        ]
        for (thermal, battery, pace, milliseconds, detail) in table {
            let (name, latency) = (
                "\(thermal), battery \(String(describing: battery))", Duration.milliseconds(milliseconds)
            )
            let budget = SchedulerState.Budget(
                thermal: thermal, battery: battery, configuration: BodyActivityConfiguration().budget)
            #expect(budget.pace == pace && budget.latency == latency && budget.interfaceDetail == detail, "\(name)")
            var watch = try Watch(.squat)
            watch.tracker.update(DeviceReading(thermal: thermal, battery: battery))
            #expect(watch.step([], latency: latency).interfaceDetail == detail, "\(name)")
            watch.step([], latency: latency + .nanoseconds(1))
            #expect(watch.tracker.statistics.lateResults == 1, "\(name)")
        }
    }

    @Test func warningLevelAndThrottleStateAreTheConfigurations() {
        for level in [0, 0.02, 0.05, 0.3, 0.7, 1] {
            let budget = BodyActivityConfiguration(batteryWarningLevel: level).budget
            #expect(throws: Never.self) { try budget.validate() }
            for battery in [0, 0.01, 0.03, 0.06, 0.1, 0.29, 0.31, 0.49, 0.6, 0.8, 1] {
                let pace = SchedulerState.Budget(thermal: .nominal, battery: battery, configuration: budget).pace
                // Nearly empty is a twentieth, or the level itself if that is lower.
                let low: SchedulerState.Pace = battery < 0.05 ? .sixth : .third
                let expected: SchedulerState.Pace = battery < level ? low : battery < 0.5 ? .half : .full
                #expect(pace == expected, "level \(level), battery \(battery)")
            }
        }
        for state in DeviceReading.ThermalState.allCases {
            let budget = BodyActivityConfiguration(thermalThrottleState: state).budget
            for thermal in DeviceReading.ThermalState.allCases where thermal > .nominal {
                let detail = SchedulerState.Budget(thermal: thermal, battery: nil, configuration: budget)
                    .interfaceDetail
                let expected = thermal < state ? 2 : thermal == .fair ? 1 : 0
                #expect(detail == expected, "\(thermal) where \(state) is spared")
            }
        }
    }

    /// From the throttle state on, each step to a warmer one.
    @Test func thermalEventsAreCountedFromFairOn() throws {
        let readings: [DeviceReading.ThermalState] = [
            .nominal, .fair, .fair, .serious, .fair, .nominal, .critical, .serious, .critical, .nominal, .fair,
        ]
        let table: [(DeviceReading.ThermalState, [Int])] = [
            (.nominal, [0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5]), (.fair, [0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5]),
            (.serious, [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3]), (.critical, [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2]),
        ]
        for (state, counts) in table {
            var tracker = try BodyActivityTracker(.squat, BodyActivityConfiguration(thermalThrottleState: state))
            for (index, (reading, count)) in zip(readings, counts).enumerated() {
                tracker.update(DeviceReading(thermal: reading))
                #expect(tracker.statistics.thermalEvents == count, "from \(state) on, reading \(index)")
            }
        }
    }

    // MARK: The light

    private func observe(_ watch: inout Watch, luma: UInt8) throws {
        let bytes = [UInt8](repeating: luma, count: 64 * 48)
        let view = try PixelView(bytes.span, format: .gray8, width: 64, height: 48, bytesPerRow: 64)
        watch.tracker.observe(at: view, at: .nanoseconds(Int64((watch.time * 1e9).rounded())))
    }

    /// Later light is compared with the light of the first two seconds; 1.6 times as bright is reported.
    @Test(arguments: [1.0, -1]) func lightThatDriftsIsReported(_ direction: Double) throws {
        var watch = try Watch(.squat)
        var reportedFrom: Double?
        for _ in 0..<300 {
            let change = max(1, min(2.4, 1 + 0.3 * (watch.time - 3)))
            let luma = 100 * (direction > 0 ? change : 1 / change)
            try observe(&watch, luma: UInt8(luma))
            let isReported = watch.step([.mannequin(yaw: 90)]).advice.contains(.exposureDrifted)
            if isReported, reportedFrom == nil { reportedFrom = change }
            if !isReported { #expect(reportedFrom == nil, "not any more at \(luma)") }
        }
        let change = try #require(reportedFrom)
        #expect((1.6...1.9).contains(change), "reported when the light had changed to \(change)")
        for _ in 0..<60 {
            try observe(&watch, luma: 100)
            watch.step([.mannequin(yaw: 90)])
        }
        #expect(!watch.step([.mannequin(yaw: 90)]).advice.contains(.exposureDrifted))
    }

    @Test func otherLightIsNoDriftWithinTheFirstSeconds() throws {
        for (lock, isReported) in [(Duration.seconds(1), true), (.seconds(6), false)] {
            var watch = try Watch(.squat, BodyActivityConfiguration(exposureLockDuration: lock))
            for _ in 0..<150 {
                try observe(&watch, luma: watch.time < 3 ? 80 : 180)
                let advice = watch.step([.mannequin(yaw: 90)]).advice
                if watch.time < 3 { #expect(advice == [], "\(watch.time) s") }
            }
            try observe(&watch, luma: 180)
            #expect(watch.step([]).advice.contains(.exposureDrifted) == isReported, "locked after \(lock)")
        }
    }

    @Test func darknessBrightnessAndDistanceAreReported() throws {
        for (luma, scale, advice) in [
            (UInt8(100), 0.8, BodyAdvice()), (10, 0.8, .tooDark), (255, 0.8, .tooBright), (100, 0.25, .comeCloser),
            (10, 0.25, [.tooDark, .comeCloser]),
        ] {
            var watch = try Watch(.watched(from: nil))
            for _ in 0..<30 {
                try observe(&watch, luma: luma)
                watch.step([.mannequin(scale: scale)])
            }
            #expect(watch.step([.mannequin(scale: scale)]).advice == advice, "luma \(luma), height \(scale)")
        }
    }

    // MARK: The subject

    @Test func theLargestFirstThenTheSamePerson() throws {
        var watch = try Watch(.squat)
        func bodies(_ heights: [(Int, Double)]) -> [TrackedBody] {
            heights.map { .mannequin(yaw: 90, identity: $0.0, scale: $0.1) }
        }
        let steps: [([(identity: Int, height: Double)], subject: Int?, changes: Int)] = [
            ([(0, 0.3), (1, 0.8), (2, 0.5)], 1, 0), ([(0, 0.9), (1, 0.2), (2, 0.5)], 1, 0), ([(1, 0.2)], 1, 0),
            // Lost, the largest of the others follows.
            ([(0, 0.4), (2, 0.5)], 2, 1), ([(0, 0.9), (1, 0.95), (2, 0.1)], 2, 1),
            // Nobody, and the same one again.
            ([], nil, 1), ([], nil, 1), ([(2, 0.4)], 2, 1), ([], nil, 1), ([(1, 0.4)], 1, 2), ([(0, 0.4)], 0, 3),
        ]
        for (index, (heights, subject, changes)) in steps.enumerated() {
            let result = watch.step(bodies(heights))
            #expect(result.body?.identity == subject, "step \(index): \(heights)")
            #expect(watch.tracker.statistics.subjectChanges == changes, "step \(index): \(heights)")
        }
        // Of two that are as large the first.
        var other = try Watch(.squat)
        #expect(other.step(bodies([(7, 0.5), (3, 0.5)])).body?.identity == 7)
    }

    /// Counts stay when another person follows, whose first repetition begins at rest.
    @Test func countsStayWhenAnotherFollows() throws {
        var watch = try Watch(.squat)
        func squat(_ identity: Int) {
            for pose in [Mannequin.Pose.standing, .squatting, .standing] {
                watch.hold([.mannequin(pose, yaw: 90, identity: identity)], seconds: 0.8)
            }
        }
        squat(0)
        #expect(watch.tracker.statistics.repetitions == 1)
        watch.hold([.mannequin(.squatting, yaw: 90)], seconds: 0.8)
        let next = watch.hold([.mannequin(.standing, yaw: 90, identity: 1)], seconds: 1)
        #expect(next.repetitions == 1 && next.phase == .rest)
        squat(1)
        #expect(watch.tracker.statistics.repetitions == 2 && watch.tracker.statistics.subjectChanges == 1)
    }

    /// A child after a giant: lengths are measured in trunks of the person in view.
    @Test func anotherPersonHasAnotherTrunk() throws {
        var watch = try Watch(.raise())
        var giant = Mannequin.body(raising: 0)
        for index in 0..<TrackedBody.Points.count { giant.worldLandmarks[index] *= 2 }
        watch.hold([giant], seconds: 5)
        for (progress, phase) in [(0, BodyPhase.rest), (0.7, .extreme)] {
            var child = Mannequin.body(raising: progress)
            child.identity = 1
            #expect(watch.hold([child], seconds: 0.5).phase == phase, "\(progress)")
        }
    }

    @Test func steppingBackInIsPassedOn() throws {
        var watch = try Watch(.watched(from: nil))
        for isNeeded in [false, true, false] {
            for bodies in [[], [TrackedBody.mannequin()]] {
                let advice = watch.step(bodies, isBodyLost: isNeeded).advice
                #expect(advice == (isNeeded ? .stepBackIn : []), "\(isNeeded), \(bodies.count) bodies")
            }
        }
    }

    // MARK: The session

    /// Squats of three seconds each for an hour.
    @Test func anHourInConstantMemory() throws {
        let rate = 10.0
        let period = (0..<30).map { frame -> TrackedBody in
            var exercise = Exercise(from: .standing, for: 0.8)
            exercise.move(to: .squatting, in: 0.7)
            exercise.move(to: .standing, in: 0.7)
            return .mannequin(exercise.pose(at: Double(frame) / rate), yaw: 90)
        }
        var watch = try Watch(.squat, rate: rate)
        var largest = 0
        for minute in 1...60 {
            for frame in 0..<600 { watch.step([period[frame % 30]]) }
            let statistics = watch.tracker.statistics
            #expect(statistics.frames == 600 * minute && statistics.framesVisible == 600 * minute)
            #expect(statistics.movements.map(\.count) == [20 * minute], "minute \(minute)")
            #expect(watch.tracker.latestRepetitions.count == min(20 * minute, 64), "minute \(minute)")
            largest = max(largest, watch.tracker.sampledKeyframes.count)
            // While the capacity lasts, the share of 0.15 that whole blocks of seven make.
            if 600 * minute / 7 < 1_000 {
                #expect(watch.tracker.sampledKeyframes.count == 600 * minute / 7, "minute \(minute)")
            }
        }
        #expect(largest == 1_000)
        let (statistics, keyframes) = (watch.tracker.statistics, watch.tracker.sampledKeyframes)
        #expect(statistics.duration == .milliseconds(3_599_900) && statistics.timeVisible == statistics.duration)
        #expect(statistics.movements[0].shallow == 0 && statistics.subjectChanges == 0)
        // An even sample, in order: each third of the hour has about a third of it.
        #expect(keyframes.map(\.time) == keyframes.map(\.time).sorted())
        for third in 0..<3 {
            let count = keyframes.filter { Int($0.time / .seconds(1)) / 1_200 == third }.count
            #expect((250...420).contains(count), "third \(third): \(count)")
        }
        let latest = watch.tracker.latestRepetitions
        #expect(latest.map(\.number) == Array(1_137...1_200))
    }

    @Test func keyframesAreAShareUpToACapacityAndATime() throws {
        for (share, capacity, session, expected) in [
            (0.15, 1_000, 3_600.0, 128), (1, 1_000, 3_600, 900), (0.5, 1_000, 3_600, 450), (0.5, 100, 3_600, 100),
            (1, 1, 3_600, 1), (1, 1_000, 10, 301), (0.5, 1_000, 1, 15),
        ] {
            var watch = try Watch(
                .squat,
                BodyActivityConfiguration(
                    keyframeShare: share, keyframeCapacity: capacity, maximumSession: .seconds(session)))
            for _ in 0..<900 { watch.step([.mannequin(yaw: 90)]) }
            let count = watch.tracker.sampledKeyframes.count
            #expect(count == expected, "share \(share), capacity \(capacity), \(session) s: \(count)")
            #expect(watch.tracker.statistics.frames == 900)
        }
    }

    /// A keyframe is the frame as it was shown.
    @Test func aKeyframeIsWhatWasShown() throws {
        var watch = try Watch(.squat, BodyActivityConfiguration(keyframeShare: 1))
        var shown: [BodyActivityResult] = []
        for pose in [Mannequin.Pose.standing, .squatting, .standing] {
            shown.append(watch.step([.mannequin(pose, yaw: 90)]))
        }
        let keyframes = watch.tracker.sampledKeyframes
        #expect(keyframes.map(\.time) == shown.map(\.time) && keyframes.map(\.phase) == shown.map(\.phase))
        #expect(keyframes.map(\.landmarks) == shown.map(\.body?.landmarks))
        #expect(keyframes.map(\.worldLandmarks) == shown.map(\.body?.worldLandmarks))
    }

    private static let oneSquat = {
        var exercise = Exercise(from: .standing, for: 1)
        exercise.move(to: .squatting, in: 0.7)
        exercise.move(to: .standing, in: 0.7)
        exercise.rest(0.5)
        return exercise
    }()

    @Test func resetForgetsEverything() throws {
        var tracker = try BodyActivityTracker(.squat)
        Self.oneSquat.play(to: &tracker, Camera(yaw: 20))
        tracker.update(DeviceReading(thermal: .serious))
        #expect(tracker.statistics.repetitions == 1 && tracker.statistics.calibratedAngle != nil)
        tracker.reset()
        let statistics = tracker.statistics
        #expect(statistics.frames == 0 && statistics.repetitions == 0 && statistics.thermalEvents == 0)
        #expect(statistics.duration == .zero && statistics.calibratedAngle == nil)
        #expect(tracker.sampledKeyframes.isEmpty && tracker.latestRepetitions.isEmpty)
        // And is as a new one.
        var fresh = try BodyActivityTracker(.squat)
        let (again, first) = (Self.oneSquat.play(to: &tracker), Self.oneSquat.play(to: &fresh))
        #expect(again.map(\.phase) == first.map(\.phase) && again.map(\.body) == first.map(\.body))
        #expect(again.last?.repetitions == 1 && again.last?.interfaceDetail == 2)
    }

    // MARK: Absurd input

    /// A timestamp that does not advance counts as no time passed; later timestamps count again.
    @Test func timesThatRunBackwardCountAsNone() throws {
        var tracker = try BodyActivityTracker(.squat)
        let body = TrackedBody.mannequin(yaw: 90)
        for (time, duration) in [
            (10, 0), (10, 0), (9, 0), (11, 2), (11, 2), (-5, 2), (-4, 3), (1_000_000, 23), (1_000_001, 24),
        ] as [(Int, Int)] {
            let result = tracker.step([body], at: .seconds(time))
            #expect(result.time == .seconds(time))
            #expect(tracker.statistics.duration == .seconds(duration), "at \(time) s")
        }
    }

    /// A repetition's times are those of the frames, even after a jump.
    @Test func repetitionsAreReportedByTheFramesClock() throws {
        let start = 1_000_000.0
        var tracker = try BodyActivityTracker(.squat)
        _ = tracker.step([.mannequin(yaw: 90)], at: .seconds(5))
        let results = Self.oneSquat.play(to: &tracker, Camera(yaw: 90), from: start)
        let repetition = try #require(results.compactMap(\.completed).first)
        let begin = repetition.begin / .seconds(1) - start
        #expect((1...1.5).contains(begin) && repetition.end < .seconds(start + 2.5), "\(repetition)")
    }

    /// A person who comes afterwards is counted, whatever was seen before.
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func absurdInputIsSurvived(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let routine = Routine.all[Int(seed) % Routine.all.count]
        var tracker = try BodyActivityTracker(routine.activity)
        var time = Duration.zero
        for _ in 0..<400 {
            switch random.next(below: 12) {
            case 0: tracker.update(Self.reading(&random))
            case 1:
                let bytes = (0..<64).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                let view = try PixelView(bytes.span, format: .gray8, width: 8, height: 8, bytesPerRow: 8)
                tracker.observe(at: view, at: Self.time(&random))
            case 2: time = Self.time(&random)
            case 3: time -= .milliseconds(Int64(random.next(below: 100)))
            case 4: break
            default: time += .milliseconds(33)
            }
            let bodies = (0..<random.next(below: 3)).map { _ in Self.body(&random) }
            let result = tracker.step(bodies, at: time, latency: Self.time(&random))
            let body = result.body
            #expect(body.map(\.isFinite) ?? true, "seed \(seed)")
            #expect((0...1).contains(result.confidence) && (0...2).contains(result.interfaceDetail), "seed \(seed)")
            #expect(result.viewDeviation.map { (0...90).contains($0) } ?? true, "seed \(seed)")
        }
        let before = tracker.statistics.movements.map(\.count)
        // The same person goes on where there is one.
        routine.exercise(6, seed: seed).play(to: &tracker, Camera(yaw: routine.yaw, noise: 0.005), from: 1e8)
        let counted = zip(tracker.statistics.movements.map(\.count), before).map { $0 - $1 }
        let each = 6 / routine.activity.movements.count
        #expect(counted == Array(repeating: each, count: counted.count), "\(routine), seed \(seed)")
        let angle = try #require(tracker.statistics.calibratedAngle)
        #expect((0...90).contains(angle), "seed \(seed): \(angle)")
    }

    private static func pick<Value>(_ values: [Value], _ random: inout SplitMix64) -> Value {
        values[Int(random.next(below: UInt64(values.count)))]
    }

    private static func number(_ random: inout SplitMix64) -> Float {
        guard random.next(below: 3) == 0 else { return Float(4 * random.unit() - 2) }
        return pick(
            [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0, 1e30, -1e9], &random)
    }

    private static func time(_ random: inout SplitMix64) -> Duration {
        pick(
            [
                .seconds(Int64.max), .seconds(Int64.min), .zero, .nanoseconds(Int64.max), .nanoseconds(Int64.min),
                .nanoseconds(1), .seconds(3), .milliseconds(-40),
            ], &random)
    }

    private static func reading(_ random: inout SplitMix64) -> DeviceReading {
        DeviceReading(
            thermal: pick(DeviceReading.ThermalState.allCases, &random), celsius: Double(number(&random)),
            battery: Double(number(&random)))
    }

    private static func body(_ random: inout SplitMix64) -> TrackedBody {
        var body = TrackedBody.mannequin(
            pick([.standing, .squatting], &random), yaw: 360 * random.unit(), identity: pick([0, 1, 2], &random))
        if random.next(below: 4) == 0 { body.state = .held }
        guard random.next(below: 3) > 0 else { return body }
        for index in 0..<TrackedBody.Points.count where random.next(below: 4) == 0 {
            body.landmarks[index] = SIMD3(number(&random), number(&random), number(&random))
            body.worldLandmarks[index] = SIMD3(number(&random), number(&random), number(&random))
            body.visibility[index] = number(&random)
        }
        return body
    }
}
