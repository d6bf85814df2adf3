import HandTracking
import Testing
import Tracking
import Vocabulary

/// The share of null's probability that a held pose takes.
@Suite struct HeldPoseTests {
    private typealias Name = TrackedHand.Pose.Name

    /// When a frame of 30 a second is.
    private static func time(_ index: Int, rate: Int = 30) -> Int64 { Int64(index) * 1_000_000_000 / Int64(rate) }

    private static func pose(_ name: Name, _ score: Float) -> TrackedHand.Pose {
        var scores = SIMD8<Float>()
        scores[0] = 1 - score
        scores[Name.allCases.firstIndex(of: name) ?? 0] = score
        return TrackedHand.Pose(scores: scores)
    }

    private static func palm(x: Float = 0.5, size: Float = 0.1) -> ChangeMeter.Palm {
        ChangeMeter.Palm(x: x, y: 0.5, size: size)
    }

    /// Shares of thumbs up after each of `scores`, of which nil is a frame without a hand.
    private func shares(
        _ scores: [Float?], _ configuration: HeldPoseConfiguration = HeldPoseConfiguration(), rate: Int = 30,
        x: (Int) -> Float = { _ in 0.5 }
    ) -> [Float] {
        var held = HeldPose(configuration)
        return scores.enumerated().map { index, score in
            held.update(
                score.map { Self.pose(.thumbUp, $0) }, palm: score.map { _ in Self.palm(x: x(index)) }, aspect: 1,
                at: Self.time(index, rate: rate))
            return held.shares[5]
        }
    }

    @Test func theShareRisesWithTheMean() {
        let none = [Float](repeating: 0, count: 20)
        let found = shares((none + [Float](repeating: 0.8, count: 16)).map { $0 })
        // The mean of 15 frames is above a half from the tenth frame of 0.8 on, and sure from the twelfth.
        #expect(found[..<29].allSatisfy { $0 == 0 })
        #expect(abs(found[29] - 0.333) < 0.001)
        #expect(abs(found[30] - 0.867) < 0.001)
        #expect(found[31...].allSatisfy { $0 == 1 })
    }

    @Test func timeIsTimeAtAnyRate() {
        for rate in [10, 30, 60, 120] {
            let before = [Float](repeating: 0, count: rate)
            let found = shares(
                (before + [Float](repeating: 0.8, count: rate)).map { $0 }, rate: rate)
            let first = found.firstIndex { $0 == 1 } ?? 0
            #expect(abs(Double(first - rate) / Double(rate) - 0.375) <= 1 / Double(rate), "\(rate) a second")
        }
    }

    @Test func aHandThatMovesTellsNothing() {
        let scores = [Float?](repeating: 0.9, count: 30)
        // Fifteen frames are fourteen steps.
        for (reach, expected) in [(Float(0.6), Float(1)), (0.85, 0.5), (1.0, 0), (2, 0)] {
            let found = shares(scores, x: { 0.2 + reach * 0.1 / 14 * Float($0) })
            #expect(abs((found.last ?? -1) - expected) < 0.01, "\(reach) palm sizes")
        }
    }

    @Test func aHandThatIsLostTooOftenTellsNothing() {
        func last(_ pattern: [Float?]) -> Float { shares((0..<30).map { pattern[$0 % pattern.count] }).last ?? -1 }
        #expect(last([1, 1, 1, 1, nil]) == 1)
        // Three of five are seen: less than seven tenths, though the mean is 0.6.
        #expect(last([1, 1, 1, nil, nil]) == 0)
        #expect(last([nil]) == 0)
    }

    /// Of the ten frames that half a second has at this rate.
    @Test(arguments: [(7, false), (8, true)]) func moreThanSevenTenthsMustBeSeen(_ seen: Int, _ counts: Bool) {
        let scores = (0..<30).map { $0 % 10 < seen ? Float(1) : nil }
        #expect((shares(scores, rate: 20).last ?? -1 > 0) == counts)
    }

    @Test func noneOfThePosesIsNoGesture() {
        var held = HeldPose(HeldPoseConfiguration())
        for index in 0..<30 {
            held.update(Self.pose(.unknown, 1), palm: Self.palm(), aspect: 1, at: Self.time(index))
        }
        #expect(held.shares == SIMD8())
    }

    @Test func aResetForgets() {
        var held = HeldPose(HeldPoseConfiguration())
        for index in 0..<30 {
            held.update(Self.pose(.victory, 0.9), palm: Self.palm(), aspect: 1, at: Self.time(index))
        }
        #expect(held.shares[6] == 1)
        held.reset()
        #expect(held.shares == SIMD8())
        held.update(nil, palm: nil, aspect: 1, at: Self.time(30))
        #expect(held.shares == SIMD8())
    }

    /// A pose of the user's own is held as those of the networks are, and comes before them.
    @Test func ownPosesComeFirst() {
        var held = HeldPose(HeldPoseConfiguration())
        var own = SIMD16<Float>()
        own[3] = 1
        for index in 0..<60 {
            held.update(
                Self.pose(.victory, 0.9), own: index < 30 ? SIMD16() : own, palm: Self.palm(), aspect: 1,
                at: Self.time(index))
            #expect(held.shares.sum() + held.ownShares.sum() <= 1, "\(index)")
            if index == 29 { #expect(held.shares[6] == 1 && held.ownShares == SIMD16()) }
        }
        #expect(held.ownShares[3] == 1 && held.shares == SIMD8())
        held.reset()
        #expect(held.ownShares == SIMD16())
    }

    /// At most one pose has a share, whatever the scores.
    @Test func sharesNeverExceedOne() {
        var generator = SplitMix64(seed: 6)
        var held = HeldPose(HeldPoseConfiguration(time: .milliseconds(100)))
        for index in 0..<2000 {
            var scores = SIMD8<Float>()
            for place in scores.indices { scores[place] = Float.random(in: 0...1, using: &generator) }
            scores *= scores * scores
            scores /= scores.sum()
            held.update(
                TrackedHand.Pose(scores: scores), palm: Self.palm(), aspect: 1, at: Self.time(index))
            #expect(held.shares.sum() <= 1 && held.shares.min() >= 0)
        }
    }

    @Test func unusableValuesAreRefused() {
        typealias C = HeldPoseConfiguration
        for (configuration, part) in [
            (C(gestures: [.unknown: "x"]), "gestures"), (C(gestures: [.thumbUp: "a", .victory: "a"]), "gestures"),
            (C(gestures: [.thumbUp: ""]), "gestures"), (C(time: .milliseconds(99)), "time"),
            (C(time: .milliseconds(2001)), "time"), (C(score: 0.49), "score"), (C(score: .nan), "score"),
            (C(score: 0.9), "score"), (C(distanceLimit: 0), "distanceLimit"),
            (C(distanceLimit: .infinity), "distanceLimit"),
            (C(pinch: ""), "pinch"), (C(pinch: "fist"), "pinch"),
        ] {
            #expect {
                try configuration.validate()
            } throws: {
                "\($0)".hasPrefix("HeldPoseConfiguration.\(part)")
            }
        }
        for usable in [C(), C(time: .milliseconds(100), score: 0.5), C(time: .seconds(2), score: 0.89)] {
            #expect(throws: Never.self) { try usable.validate() }
        }
    }
}
