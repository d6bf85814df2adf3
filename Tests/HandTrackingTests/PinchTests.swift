import HandTracking
import Testing

/// When the tips of thumb and index finger touch while the other fingers are open.
@Suite struct PinchTests {
    private static let open = ShapedHand(turn: .pi, gap: 0.3)
    private static let touching = ShapedHand(turn: .pi, gap: 0.02)
    private static let between = ShapedHand(turn: .pi, gap: 0.1)
    private static let fist = ShapedHand(turn: .pi, gap: 0.02, isOpen: false)

    private func pinches(_ frames: [ShapedHand?], rate: Int = 30) -> [Pinch] {
        var pinch = Pinch()
        return frames.enumerated().map { index, hand in
            pinch.update(
                hand?.shape, at: SIMD2(Float(index), 0.5), time: Int64(index) * 1_000_000_000 / Int64(rate))
            return pinch
        }
    }

    @Test func theHandsAreWhatTheyAreCalled() throws {
        let (open, touching) = (try #require(Self.open.shape), try #require(Self.touching.shape))
        let (between, fist) = (try #require(Self.between.shape), try #require(Self.fist.shape))
        #expect(open.gap > 1 && touching.gap < 0.7 && (0.7...1).contains(between.gap) && fist.gap < 0.7)
        #expect(open.straightness > 0.9 && touching.straightness > 0.9 && fist.straightness < 0)
    }

    @Test func itBeginsWithTheSecondFrameAndEndsLikewise() {
        let held = pinches(ShapedHand.frames((Self.open, 2), (Self.touching, 4), (Self.open, 3))).map(\.isHeld)
        #expect(held == [false, false, false, true, true, true, true, false, false])
        // A frame between the two neither begins nor ends it, and breaks a count.
        let flicker = [Self.open, Self.touching, Self.between, Self.touching, Self.between]
        #expect(pinches(flicker).allSatisfy { !$0.isHeld })
        #expect(pinches(ShapedHand.frames((Self.touching, 2), (Self.between, 30))).dropFirst().allSatisfy { $0.isHeld })
        let parting = ShapedHand.frames((Self.touching, 2), (Self.open, 1), (Self.between, 1), (Self.open, 1))
        #expect(pinches(parting).last?.isHeld == true)
    }

    @Test func timeIsTimeAtAnyRate() {
        // The first frame after more than 25 ms: the third at 60 and the fifth at 120 a second.
        for (rate, frame) in [(10, 1), (30, 1), (60, 2), (120, 4)] {
            let held = pinches(ShapedHand.frames((Self.touching, 9)), rate: rate).firstIndex(where: \.isHeld)
            #expect(held == frame, "\(rate) a second")
        }
    }

    @Test func aFistAndAHandFromItsEdgeAreNoPinch() {
        #expect(pinches(ShapedHand.frames((ShapedHand(turn: .pi / 2), 20))).allSatisfy { !$0.isHeld })
        #expect(pinches(ShapedHand.frames((Self.fist, 20))).allSatisfy { !$0.isHeld && !$0.isTouching })
        // A pinch that closes to a fist ends.
        #expect(
            pinches(ShapedHand.frames((Self.touching, 3), (Self.fist, 2))).map(\.isHeld).suffix(2) == [true, false])
    }

    @Test func aLostHandPinchesForAQuarterOfASecond() {
        let held = pinches(ShapedHand.frames((Self.touching, 2), (nil, 10))).map(\.isHeld)
        #expect(held[1...8].allSatisfy { $0 } && !held[9])
        // The place is that of the latest frame with a hand.
        #expect(pinches(ShapedHand.frames((Self.touching, 3), (nil, 4))).last?.point == SIMD2(2, 0.5))
        var pinch = Pinch()
        for index in 0..<3 { pinch.update(Self.touching.shape, at: SIMD2(), time: Int64(index) * 40_000_000) }
        pinch.reset()
        #expect(!pinch.isHeld && !pinch.isTouching)
    }
}
