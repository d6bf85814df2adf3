import HandTracking
import Testing

/// Which side a hand shows, and when one is known to be the back.
@Suite struct HandSidesTests {
    private static let palm = ShapedHand(turn: .pi)
    private static let back = ShapedHand(turn: 0)
    private static let edge = ShapedHand(turn: .pi / 2)

    /// The sides after frames of 30 a second, of which nil is one without a hand.
    private func sides(_ frames: [ShapedHand?], identities: (Int) -> Int = { _ in 0 }) -> [HandSides] {
        var sides = HandSides()
        return frames.enumerated().map { index, hand in
            sides.update(hand?.shape, of: identities(index), at: Int64(index) * 1_000_000_000 / 30)
            return sides
        }
    }

    @Test func theShapeTellsTheSidesApart() throws {
        let (palm, back) = (try #require(Self.palm.shape), try #require(Self.back.shape))
        let (edge, left) = (try #require(Self.edge.shape), try #require(ShapedHand(turn: 0, right: 0.1).shape))
        #expect(palm.normalZ > 0.9 && back.normalZ < -0.9)
        #expect(palm.facing > 0.7 && back.facing < -0.7)
        #expect(abs(edge.normalZ) < 0.1)
        // A left hand shows its palm with the other normal.
        #expect(left.facing > 0.7)
        var none = [UInt8](repeating: 128, count: LandmarkFeatures.count)
        none[0] = 0
        #expect(HandShape(none.span) == nil)
    }

    @Test func aHandSeenFromItsEdgeKeepsItsSide() {
        let seen = sides([Self.edge, Self.palm, Self.edge, nil, Self.back])
        #expect(seen.map(\.shown) == [nil, .plus, .plus, .plus, .minus])
    }

    @Test func theBackIsKnownOnceBothSidesWereShown() {
        // The first frame is no evidence of how long a side is shown.
        let seen = sides(
            ShapedHand.frames((Self.back, 20), (Self.palm, 5), (Self.palm, 10), (Self.back, 3), (Self.palm, 3)))
        #expect(seen[..<35].allSatisfy { !$0.isBack })
        #expect(seen[35..<38].allSatisfy { $0.isBack })
        #expect(seen[38...].allSatisfy { !$0.isBack })
    }

    @Test func aGlanceAtTheOtherSideIsNotEnough() {
        let seen = sides(ShapedHand.frames((Self.palm, 20), (Self.back, 5), (Self.edge, 10), (Self.back, 1)))
        #expect(seen[..<35].allSatisfy { !$0.isBack })
        #expect(seen[35].isBack)
    }

    /// The handedness may be misread in every frame, as that of hands with a skeleton drawn over them.
    @Test func aHandThatShowsOneSideIsNeverRefused() {
        let misread = ShapedHand(turn: .pi, right: 0.05)
        #expect(misread.shape?.facing ?? 0 < -0.7)
        #expect(sides(ShapedHand.frames((misread, 90), (Self.edge, 9), (misread, 90))).allSatisfy { !$0.isBack })
        // Nor one whose two sides both look like a back.
        #expect(sides(ShapedHand.frames((misread, 30), (Self.back, 30))).allSatisfy { !$0.isBack })
    }

    @Test func anotherHandBeginsAnew() {
        let turned = ShapedHand.frames((Self.palm, 20), (Self.back, 20))
        #expect(sides(turned).last?.isBack == true)
        #expect(sides(turned, identities: { $0 < 20 ? 0 : 1 }).last?.isBack == false)
        #expect(sides(ShapedHand.frames((Self.palm, 20), (nil, 14), (Self.back, 20))).last?.isBack == true)
        #expect(sides(ShapedHand.frames((Self.palm, 20), (nil, 15), (Self.back, 20))).last?.isBack == false)
        var sides = HandSides()
        sides.update(Self.palm.shape, of: 0, at: 0)
        sides.reset()
        #expect(sides.shown == nil)
    }
}
