import HandTracking
import Testing
import Tracking

/// Which pose a hand goes on showing.
@Suite struct PoseDebouncerTests {
    private typealias Name = TrackedHand.Pose.Name

    private static func pose(_ name: Name, _ score: Float) -> TrackedHand.Pose {
        var scores = SIMD8<Float>(repeating: (1 - score) / 7)
        scores[name.place] = score
        return TrackedHand.Pose(scores: scores)
    }

    /// What is kept after frames of 20 a second.
    private func kept(_ frames: [TrackedHand.Pose?]) -> [Name?] {
        var kept = PoseDebouncer()
        return frames.enumerated().map { index, pose in
            kept.see(pose, at: Int64(index) * 50_000_000)
            return kept.name
        }
    }

    @Test func itIsKeptOverAQuarterOfASecond() {
        let palm = Self.pose(.openPalm, 0.6)
        let dip = Self.pose(.openPalm, 0.5)
        let none = Self.pose(.unknown, 0.9)
        #expect(kept([dip, palm]) == [nil, .openPalm])
        #expect(
            kept([palm, dip, none, nil, nil, nil]) == [.openPalm, .openPalm, .openPalm, .openPalm, .openPalm, nil])
        #expect(kept([palm, nil, nil, nil, palm, nil, nil, nil, nil]).allSatisfy { $0 == .openPalm })
    }

    @Test func anotherPoseTakesItsPlace() {
        #expect(
            kept([Self.pose(.openPalm, 0.9), Self.pose(.closedFist, 0.51), nil]) == [
                .openPalm, .closedFist, .closedFist,
            ])
        #expect(kept([Self.pose(.unknown, 1)]) == [nil])
    }

    /// What is kept and what ends after frames of 20 a second, each of an open palm of 0.9.
    private func palms(from sides: [FloatingPointSign?], pinching: [Int] = []) -> [(kept: Name?, ended: Name?)] {
        var kept = PoseDebouncer()
        return sides.enumerated().map { index, side in
            kept.see(
                Self.pose(.openPalm, 0.9), from: side, isPinching: pinching.contains(index),
                at: Int64(index) * 50_000_000)
            return (kept.name, kept.ended)
        }
    }

    @Test func itEndsWhenTheHandTurnsOver() {
        let turned = palms(from: [.minus, .minus, .plus, .plus, .minus, .minus])
        #expect(turned.map(\.kept) == [.openPalm, .openPalm, nil, .openPalm, nil, .openPalm])
        #expect(turned.map(\.ended) == [nil, nil, .openPalm, nil, .openPalm, nil])
        // A side that is seen late is the one that showed the pose.
        #expect(palms(from: [nil, .minus, .minus, .plus]).map(\.kept) == [.openPalm, .openPalm, .openPalm, nil])
        #expect(palms(from: [.plus, .plus, .plus, .plus]).allSatisfy { $0.kept == .openPalm && $0.ended == nil })
    }

    @Test func anotherPoseMayBeOfTheOtherSide() {
        var kept = PoseDebouncer()
        kept.see(nil, from: .plus, at: 0)
        kept.see(Self.pose(.openPalm, 0.9), from: .minus, at: 1)
        #expect(kept.name == .openPalm && kept.ended == nil)
    }

    @Test func aPinchKeepsNoPose() {
        let pinched = palms(from: [.minus, .minus, .minus, .minus], pinching: [1, 2])
        #expect(pinched.map(\.kept) == [.openPalm, nil, nil, .openPalm])
        #expect(pinched.map(\.ended) == [nil, .openPalm, nil, nil])
    }

    @Test func aResetForgets() {
        var kept = PoseDebouncer()
        kept.see(Self.pose(.victory, 0.9), at: 0)
        kept.reset()
        kept.see(nil, at: 1)
        #expect(kept.name == nil)
    }
}
