import HandTracking
import Testing

/// Evidence of an arm for swipes, on bodies that are made here: shoulders 0.2 of the frame apart in a square frame, so that a
/// shoulder width W is 0.2.
@Suite struct ArmWatchTests {
    private static let step: Int64 = 33_333_333
    private static let width: Float = 0.2

    /// A body whose first wrist is at a place in shoulder widths, x to the right and y down from the middle of its shoulders.
    /// - Parameters:
    ///   - lean: the direction of its x axis, of length 1.
    ///   - aspect: width over height of the frame.
    private static func body(
        _ x: Float, _ y: Float, visibility: Float = 1, lean: SIMD2<Float> = SIMD2(1, 0), aspect: Float = 1
    ) -> ArmWatch.Points {
        func place(_ x: Float, _ y: Float) -> SIMD2<Float> {
            SIMD2(0.5 + (x * lean.x - y * lean.y) * width / aspect, 0.4 + (x * lean.y + y * lean.x) * width)
        }
        var body = ArmWatch.Points()
        (body.nose, body.noseVisibility) = (place(0, -0.6), 1)
        body.shoulders = ArmWatch.Pair(place(0.5, 0), place(-0.5, 0))
        body.wrists = ArmWatch.Pair(place(x, y), place(-0.5, 1.4))
        body.shoulderVisibility = SIMD2(repeating: 1)
        body.wristVisibility = SIMD2(visibility, 1)
        return body
    }

    /// Evidence after a wrist went straight from one place to another in some frames of 30 a second.
    private static func evidence(
        from start: SIMD2<Float>, to end: SIMD2<Float>, frames: Int, later: Int64 = 0, visibility: Float = 1,
        bow: Float = 0, lean: SIMD2<Float> = SIMD2(1, 0), aspect: Float = 1
    ) -> ArmWatch.Evidence {
        var watch = ArmWatch()
        for frame in 0...frames {
            let share = Float(frame) / Float(frames)
            let place = start + (end - start) * share
            let aside = bow * (share < 0.5 ? share : 1 - share)
            watch.observe(
                body(place.x + aside, place.y, visibility: visibility, lean: lean, aspect: aspect), hand: nil,
                aspect: aspect, at: Int64(frame) * step)
        }
        return watch.evidence(at: Int64(frames) * step + later)
    }

    @Test(arguments: [
        (SIMD2<Float>(0.4, 0.2), SIMD2<Float>(-0.4, 0.25), ArmWatch.Swipe.left),
        (SIMD2(-0.2, 0.2), SIMD2(0.6, 0.2), .right), (SIMD2(1, 0.4), SIMD2(1.05, -0.4), .up),
        (SIMD2(1, -0.5), SIMD2(0.95, 0.3), .down),
    ])
    func aStrokeIsEvidenceForItsDirection(_ start: SIMD2<Float>, _ end: SIMD2<Float>, _ swipe: ArmWatch.Swipe) {
        let found = Self.evidence(from: start, to: end, frames: 10)
        for other in ArmWatch.Swipe.allCases {
            #expect((found[other.rawValue] > 0) == (other == swipe), "\(other)")
        }
        // It lasts for a tenth of a second.
        #expect(Self.evidence(from: start, to: end, frames: 10, later: 99_000_000) == found)
        #expect(Self.evidence(from: start, to: end, frames: 10, later: 101_000_000) == .zero)
    }

    /// By 40 degrees to either side, as a camera that is held aslant shows it.
    @Test(arguments: [Float(0.642_788), -0.642_788], [Float(1), 0.5625])
    func aBodyThatLeansHasItsOwnAxes(_ sine: Float, _ aspect: Float) {
        let lean = SIMD2<Float>(0.766_044, sine)
        func evidence(_ start: SIMD2<Float>, _ end: SIMD2<Float>) -> ArmWatch.Evidence {
            Self.evidence(from: start, to: end, frames: 10, lean: lean, aspect: aspect)
        }
        let left = evidence(SIMD2(0.4, 0.2), SIMD2(-0.4, 0.25))
        #expect(left[ArmWatch.Swipe.left.rawValue] > 0 && left.max() == left.sum())
        let up = evidence(SIMD2(1, 0.4), SIMD2(1.05, -0.4))
        #expect(up[ArmWatch.Swipe.up.rawValue] > 0 && up.max() == up.sum())
        let raised = evidence(SIMD2(0.7, 1.4), SIMD2(0.6, 0.5))
        #expect(raised[ArmWatch.Swipe.up.rawValue] < 0)
        // Level in the frame, aslant to the body.
        let start = SIMD2<Float>(0, 0.2)
        #expect(evidence(start, start + 0.8 * SIMD2(lean.x, -lean.y)) == .zero)
    }

    /// A head that hangs far below the shoulders says nothing about the picture: the axes are the frame's.
    @Test func aHeadBelowTheShouldersTurnsNothing() {
        var watch = ArmWatch()
        for frame in 0...10 {
            var body = Self.body(-0.6 + 0.14 * Float(frame), 0.2)
            body.nose.y = 0.4 + 1.2 * Self.width
            watch.observe(body, hand: nil, aspect: 1, at: Int64(frame) * Self.step)
        }
        #expect(watch.evidence(at: 10 * Self.step)[ArmWatch.Swipe.right.rawValue] > 0)
    }

    @Test func aLongQuickStrokeIsFirmer() {
        let short = Self.evidence(from: SIMD2(-0.2, 0.2), to: SIMD2(0.6, 0.2), frames: 10)[1]
        let long = Self.evidence(from: SIMD2(-0.6, 0.2), to: SIMD2(0.8, 0.2), frames: 10)[1]
        #expect(long > short && short > 0)
    }

    @Test func whatIsNoStrokeIsNoEvidence() {
        let none = ArmWatch.Evidence.zero
        // Too short, too slow, too quick, along no axis, bent, not seen, too low.
        #expect(Self.evidence(from: SIMD2(0, 0.2), to: SIMD2(0.55, 0.2), frames: 10) == none)
        #expect(Self.evidence(from: SIMD2(-0.3, 0.2), to: SIMD2(0.5, 0.2), frames: 40) == none)
        #expect(Self.evidence(from: SIMD2(-1.2, 0.2), to: SIMD2(1.2, 0.2), frames: 3) == none)
        #expect(Self.evidence(from: SIMD2(0.2, 0.2), to: SIMD2(0.8, -0.4), frames: 10) == none)
        #expect(Self.evidence(from: SIMD2(0.1, 0.7), to: SIMD2(0.1, -0.1), frames: 10, bow: 3)[2] == 0)
        #expect(Self.evidence(from: SIMD2(-0.3, 0.2), to: SIMD2(0.5, 0.2), frames: 10, visibility: 0.2) == none)
        #expect(Self.evidence(from: SIMD2(-0.3, 1.7), to: SIMD2(0.5, 1.7), frames: 10)[1] == 0)
    }

    @Test func anArmThatIsRaisedFromARestIsNoSwipeUp() {
        let raised = Self.evidence(from: SIMD2(0.7, 1.4), to: SIMD2(0.6, 0.5), frames: 10)
        #expect(raised[ArmWatch.Swipe.up.rawValue] < 0 && raised[ArmWatch.Swipe.down.rawValue] == 0)
        let lowered = Self.evidence(from: SIMD2(0.7, 0.3), to: SIMD2(0.6, 1.5), frames: 10)
        #expect(lowered[ArmWatch.Swipe.down.rawValue] < 0 && lowered[ArmWatch.Swipe.up.rawValue] == 0)
    }

    /// The picture of a close hand resembles a body that is too small for it, also while the hand is lost for a moment; and the
    /// hand of another person belongs to no arm.
    @Test func aBodyThatDoesNotFitTheHandIsNotAccepted() {
        func isAccepted(_ size: Float, _ wrist: SIMD2<Float>, _ delay: Int64, followed: Bool) -> Bool {
            var watch = ArmWatch()
            let hand = ArmWatch.Hand(wrist: wrist, size: size)
            watch.update(hand: hand, at: 0)
            watch.observe(Self.body(0.6, 0.2), hand: followed ? hand : nil, aspect: 1, at: delay)
            return watch.arm != nil
        }
        let own = SIMD2<Float>(0.5 + 0.6 * Self.width, 0.4 + 0.2 * Self.width)
        #expect(isAccepted(0.03, own, Self.step, followed: true) && isAccepted(0.03, own, Self.step, followed: false))
        #expect(!isAccepted(0.1, own, Self.step, followed: true) && !isAccepted(0.1, own, Self.step, followed: false))
        #expect(!isAccepted(0.1, own, 2_900_000_000, followed: false))
        #expect(isAccepted(0.1, own, 3_100_000_000, followed: false))
        #expect(!isAccepted(0.03, SIMD2(0.95, 0.9), Self.step, followed: true))
    }

    @Test func whatIsNoBodyIsForgotten() {
        var hidden = Self.body(0.6, 0.2)
        hidden.noseVisibility = 0.4
        var broken = Self.body(0.6, 0.2)
        broken.wrists[1].x = .nan
        var small = Self.body(0.6, 0.2)
        small.nose = SIMD2(0.5, 0.4)
        small.shoulders = ArmWatch.Pair(SIMD2(0.51, 0.4), SIMD2(0.49, 0.4))
        for body in [hidden, broken, small, nil] {
            var watch = ArmWatch()
            watch.observe(Self.body(0.6, 0.2), hand: nil, aspect: 1, at: 0)
            #expect(watch.arm != nil)
            watch.observe(body, hand: nil, aspect: 1, at: Self.step)
            #expect(watch.arm == nil)
        }
    }

    @Test func theHandsOwnArmGestures() {
        var watch = ArmWatch()
        let body = Self.body(0.6, 0.2)
        watch.observe(body, hand: ArmWatch.Hand(wrist: body.wrists[1], size: 0.03), aspect: 1, at: 0)
        #expect(watch.arm == 1)
        // Without a hand it stays, until the other wrist has moved far.
        watch.observe(body, hand: nil, aspect: 1, at: Self.step)
        #expect(watch.arm == 1)
        for frame in 2..<8 {
            watch.observe(Self.body(0.6, 0.2 - 0.1 * Float(frame)), hand: nil, aspect: 1, at: Int64(frame) * Self.step)
        }
        #expect(watch.arm == 0)
        watch.reset()
        watch.observe(body, hand: nil, aspect: 1, at: 0)
        #expect(watch.arm == 0, "the higher wrist")
    }

    @Test func aStillFrameHasALongInterval() {
        func runs(moves: Bool, palm: SIMD3<Float>?, isBusy: Bool = false) -> Int {
            var schedule = ArmSchedule()
            return (0..<120).count {
                schedule.shouldDetect(at: Int64($0) * 8_333_333, moves: moves, palm: palm, isBusy: isBusy)
            }
        }
        // Of a second at 120 frames: every 200 ms, or every fourth frame; half as often beside the palm detector.
        #expect(runs(moves: false, palm: nil) == 5)
        #expect(runs(moves: true, palm: SIMD3(0.5, 0.5, 0.1)) == 5)
        #expect(runs(moves: true, palm: nil) == 30)
        #expect(runs(moves: true, palm: nil, isBusy: true) == 15)
    }

    @Test func aFastHandHasAShortInterval() {
        var schedule = ArmSchedule()
        let runs = (0..<30).count { frame in
            schedule.shouldDetect(
                at: Int64(frame) * Self.step, moves: true, palm: SIMD3(0.02 * Float(frame), 0.5, 0.1), isBusy: false)
        }
        // From the second frame on it moves by six palm sizes a second.
        #expect(runs == 30)
    }
}
