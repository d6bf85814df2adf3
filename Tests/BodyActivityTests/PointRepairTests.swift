import BodyPose
import BodyTracking
import Foundation
import Testing

/// Points that cannot be trusted are put where they most likely are, and the frame is kept.
@Suite struct PointRepairTests {
    private typealias Joint = TrackedBody.Joint

    /// Without smoothing, so that the results are the repaired points.
    private static func plain(
        _ minima: [String: BodyActivityConfiguration.Minima] = BodyActivityConfiguration.defaultMinima,
        minimum: Double = 0.2, limit: Duration = .milliseconds(400), activities: [BodyActivity] = []
    ) -> BodyActivityConfiguration {
        BodyActivityConfiguration(
            minimumConfidence: minimum, minima: minima, interpolationLimit: limit, smoothingAlpha: 1,
            activities: activities)
    }

    private func joints(_ set: BodyJointSet) -> [TrackedBody.Joint] {
        TrackedBody.Joint.allCases.filter { set.contains($0) }
    }

    /// Joints just above and just below their minimum in an activity.
    @Test(
        arguments: [
            (BodyActivity.squat, [(.leftHip, 0.15), (.leftKnee, 0.25), (.leftAnkle, 0.3), (.leftEar, 0.2)]),
            (.punches, [(.leftWrist, 0.2), (.leftShoulder, 0.35), (.leftElbow, 0.3), (.leftHip, 0.2)]),
            (.tennis, [(.leftWrist, 0.25), (.leftShoulder, 0.3), (.leftHip, 0.35)]),
            // Without minima of its own.
            (.jumpingJacks, [(.leftWrist, 0.2), (.leftAnkle, 0.2)]),
        ] as [(BodyActivity, [(TrackedBody.Joint, Float)])])
    func aPointBelowItsMinimumIsInterpolatedAndTheFrameKept(
        _ activity: BodyActivity, _ minima: [(TrackedBody.Joint, Float)]
    ) throws {
        var watch = try Watch(activity, Self.plain())
        let whole = TrackedBody.mannequin()
        watch.hold([whole], seconds: 0.5)
        var body = whole
        for (left, minimum) in minima {
            for (index, visibility) in [(left.rawValue, minimum + 0.01), (left.rawValue + 1, minimum - 0.01)] {
                body.visibility[index] = visibility
                body.landmarks[index] += SIMD3(repeating: 5)
                body.worldLandmarks[index] += SIMD3(repeating: 5)
            }
        }
        let result = watch.step([body])
        let repaired = try #require(result.body)
        let rights = minima.map { $0.0.rawValue + 1 }
        #expect(joints(result.interpolated).map(\.rawValue) == rights.sorted())
        for (joint, _) in minima {
            for (index, expected) in [(joint.rawValue, body), (joint.rawValue + 1, whole)] {
                #expect(
                    repaired.landmarks[index].isNear(expected.landmarks[index])
                        && repaired.worldLandmarks[index].isNear(expected.worldLandmarks[index]), "\(joint)")
            }
        }
    }

    /// The joint's beats the activity's, which beats the overall one, upward and downward.
    @Test func theNarrowerMinimumHolds() throws {
        let own = BodyActivity(name: "own", minimaName: "shared")
        let configuration = Self.plain(
            [
                "squat": BodyActivityConfiguration.Minima(all: 0.4, joints: ["hip": 0.3, "knee": 0.6]),
                "shared": BodyActivityConfiguration.Minima(joints: ["wrist": 0.1]),
            ], minimum: 0.5, activities: [own])
        let table: [(BodyActivity, Joint, Double)] = [
            (.squat, .leftHip, 0.3), (.squat, .rightKnee, 0.6), (.squat, .nose, 0.4), (.squat, .leftHeel, 0.4),
            (own, .leftWrist, 0.1), (own, .leftHip, 0.5), (.punches, .leftWrist, 0.5), (.tennis, .rightHip, 0.5),
        ]
        for (activity, joint, minimum) in table {
            #expect(configuration.minimum(of: joint, in: activity) == minimum, "\(activity.name) \(joint)")
            for (visibility, isInterpolated) in [(minimum + 0.01, false), (minimum, false), (minimum - 0.01, true)] {
                var watch = try Watch(activity, configuration)
                var body = TrackedBody.mannequin()
                watch.step([body])
                body.visibility[joint.rawValue] = Float(visibility)
                let result = watch.step([body])
                #expect(
                    result.interpolated.contains(joint) == isInterpolated, "\(activity.name) \(joint) of \(visibility)")
                #expect(result.interpolated.count == (isInterpolated ? 1 : 0))
            }
        }
    }

    /// A wrist at a metre a second: its way after it was hidden is the sum of a speed that halves every 69 ms.
    @Test(arguments: [10.0, 30, 60]) func itGoesOnWithTheDyingSpeed(_ rate: Double) throws {
        var watch = try Watch(.squat, Self.plain(), rate: rate)
        var body = TrackedBody.mannequin()
        let start = (body.landmarks[Joint.leftWrist], body.worldLandmarks[Joint.leftWrist])
        let way = SIMD3<Float>(0.6, -0.8, 0)
        var last = SIMD3<Float>.zero
        for frame in 0...Int(2 * rate) {
            last = way * Float(Double(frame) / rate)
            body.landmarks[Joint.leftWrist.rawValue] = start.0 + last
            body.worldLandmarks[Joint.leftWrist.rawValue] = start.1 + last
            watch.step([body])
        }
        body.hide([.leftWrist], at: SIMD3(9, 9, 9))
        let steps = 1_000
        for frame in 1...Int(rate) {
            var gone = 0.0
            let age = Double(frame) / rate
            for step in 0..<steps {
                gone += exp(-10 * age * (Double(step) + 0.5) / Double(steps)) * age / Double(steps)
            }
            let repaired = try #require(watch.step([body]).body)
            let expected = last + way * Float(gone)
            #expect(
                repaired.landmarks[Joint.leftWrist].isNear(start.0 + expected, within: 1e-3)
                    && repaired.worldLandmarks[Joint.leftWrist].isNear(start.1 + expected, within: 1e-3),
                "\(rate) Hz, hidden for \(age) s: \(repaired.worldLandmarks[Joint.leftWrist] - start.1), not \(expected)"
            )
            #expect(gone < 0.1)
        }
    }

    /// A second after its only signal counted as not measured, the movement's phase is not known, and there is nothing to be
    /// confident of.
    @Test(arguments: [Duration.zero, .milliseconds(400), .seconds(2)])
    func afterTheLimitItCountsAsNotMeasured(_ limit: Duration) throws {
        var watch = try Watch(.raise(), Self.plain(limit: limit), rate: 20)
        #expect(watch.hold([Mannequin.body(raising: 0)], seconds: 1).phase == .rest)
        var body = Mannequin.body(raising: 0)
        body.visibility = TrackedBody.Scores(repeating: 0.05)
        let seconds = limit / .seconds(1) + 1
        for frame in 1...Int(20 * seconds) + 10 {
            let age = Double(frame) / 20
            let result = watch.step([body])
            #expect(abs(result.confidence - 0.05) < 1e-6 && result.interpolated.count == 33)
            if abs(age - seconds) < 0.07 { continue }
            #expect(result.phase == (age < seconds ? .rest : .unknown), "limit \(limit), hidden for \(age) s")
        }
        // Seen again, it is followed again.
        #expect(watch.hold([Mannequin.body(raising: 0)], seconds: 0.2).phase == .rest)
    }

    /// At the limit itself it still counts: the phase is known up to a second after the frame at half a second.
    @Test func atTheLimitItCountsAsMeasured() throws {
        var watch = try Watch(.raise(), Self.plain(limit: .milliseconds(500)), rate: 4)
        var body = Mannequin.body(raising: 0)
        #expect(watch.hold([body], seconds: 1).phase == .rest)
        body.visibility = TrackedBody.Scores(repeating: 0.05)
        let phases = (1...8).map { _ in watch.step([body]).phase }
        #expect(phases == [BodyPhase](repeating: .rest, count: 6) + [.unknown, .unknown])
    }

    /// A point that was hidden for longer than the limit starts a new average; a shorter gap continues the old one.
    @Test func whatIsFoundAgainIsNotDragged() throws {
        for (seconds, isFound) in [(0.2, false), (1.0, true)] {
            var watch = try Watch(.squat)
            let before = TrackedBody.mannequin()
            watch.hold([before], seconds: 1)
            var hidden = before
            hidden.hide([.leftWrist], at: .zero)
            watch.hold([hidden], seconds: seconds)
            var after = before
            after.landmarks[Joint.leftWrist.rawValue] += SIMD3(0.3, 0, 0)
            after.worldLandmarks[Joint.leftWrist.rawValue] += SIMD3(0.3, 0, 0)
            let shown = try #require(watch.step([after]).body)
            let offset = after.worldLandmarks[Joint.leftWrist] - shown.worldLandmarks[Joint.leftWrist]
            #expect(abs(offset.x - (isFound ? 0 : 0.65 * 0.3)) < 1e-3, "hidden for \(seconds) s: off by \(offset.x)")
        }
    }

    /// Estimates of a point before it was first visible do not influence its position once it is visible.
    @Test(arguments: [
        SIMD3<Float>(3, -2, 1), SIMD3<Float>(repeating: 40), SIMD3<Float>(repeating: 999),
        SIMD3<Float>(repeating: 1e30),
        SIMD3<Float>(repeating: Float.nan),
    ])
    func pointsHiddenAtFirstDoNotDragTheAverage(_ garbage: SIMD3<Float>) throws {
        for hiddenFrames in [1, 5, 60] {
            var watch = try Watch(.squat)
            let body = TrackedBody.mannequin()
            var hidden = body
            let joints: [Joint] = [.leftWrist, .rightAnkle, .leftKnee, .nose]
            hidden.hide(joints, at: garbage)
            for _ in 0..<hiddenFrames { #expect(try #require(watch.step([hidden]).body).isFinite) }
            let shown = try #require(watch.step([body]).body)
            for joint in joints {
                #expect(
                    shown.landmarks[joint].isNear(body.landmarks[joint])
                        && shown.worldLandmarks[joint].isNear(body.worldLandmarks[joint]),
                    "\(joint) after \(hiddenFrames) frames at \(garbage): \(shown.worldLandmarks[joint])")
            }
        }
    }

    /// However high its visibility.
    @Test(arguments: [Float.nan, Float.infinity, -Float.infinity, Float.greatestFiniteMagnitude, 1e9, -2e3])
    func whatIsNoPlaceIsInterpolated(_ number: Float) throws {
        for first in [true, false] {
            for axis in 0..<3 {
                var watch = try Watch(.squat)
                let body = TrackedBody.mannequin()
                if !first { watch.hold([body], seconds: 0.5) }
                var broken = body
                broken.landmarks[Joint.leftKnee.rawValue][axis] = number
                broken.worldLandmarks[Joint.rightHip.rawValue][axis] = number
                let place = "\(number), axis \(axis), \(first ? "first" : "later")"
                for sign: Float in [1, -1, 1] {
                    broken.worldLandmarks[Joint.nose.rawValue][axis] = sign * number
                    let result = watch.step([broken])
                    #expect(joints(result.interpolated) == [.nose, .rightHip, .leftKnee], "\(place)")
                    let repaired = try #require(result.body)
                    #expect(repaired.isFinite, "\(place)")
                    if !first {
                        #expect(repaired.landmarks[Joint.leftKnee].isNear(body.landmarks[Joint.leftKnee]), "\(place)")
                    }
                }
                let shown = try #require(watch.step([body]).body)
                #expect(shown.worldLandmarks[Joint.rightHip].isNear(body.worldLandmarks[Joint.rightHip]), "\(place)")
            }
        }
    }

    @Test(arguments: [Float.nan, -1, -Float.infinity]) func whatIsNoScoreIsNotAboveAMinimum(_ score: Float) throws {
        var watch = try Watch(.squat, Self.plain())
        var body = TrackedBody.mannequin()
        body.visibility[Joint.leftHip.rawValue] = score
        let result = watch.step([body])
        #expect(joints(result.interpolated) == [.leftHip])
        #expect(abs(result.confidence - 0.9) < 0.06 && result.confidence < 0.9, "\(result.confidence)")
    }

    /// A body that the stream only holds is where it was seen last, so none of it was seen now.
    @Test func aBodyThatIsHeldIsInterpolated() throws {
        var watch = try Watch(.squat, Self.plain())
        watch.hold([.mannequin()], seconds: 1)
        var held = TrackedBody.mannequin()
        held.state = .held
        let result = watch.step([held])
        #expect(result.interpolated.count == 33 && result.body?.state == .held && result.phase == .rest)
        #expect(watch.tracker.statistics.interpolatedPoints == 33)
        #expect(watch.tracker.statistics.framesVisible == watch.tracker.statistics.frames - 1)
    }

    /// Two visible frames within 1/3 s give a speed, with which a hidden point moves on; after a longer gap it stays.
    @Test func onlySightsCloseToEachOtherTellASpeed() throws {
        for (frames, shift) in [(6, Float(0.1) * 0.9502 / 0.3 * 0.1 * 0.3935), (8, 0)] {
            var watch = try Watch(.squat, Self.plain(), rate: 20)
            var body = TrackedBody.mannequin()
            watch.hold([body], seconds: 1)
            let start = body.worldLandmarks[Joint.leftWrist]
            var hidden = body
            hidden.hide([.leftWrist], at: .zero)
            for _ in 1..<frames { watch.step([hidden]) }
            body.worldLandmarks[Joint.leftWrist.rawValue] = start + SIMD3(0.1, 0, 0)
            watch.step([body])
            let repaired = try #require(watch.step([hidden]).body)
            let gone = repaired.worldLandmarks[Joint.leftWrist].x - start.x - 0.1
            #expect(abs(gone - shift) < 1e-4, "seen again after \(frames) frames: it went on by \(gone)")
        }
    }
}
