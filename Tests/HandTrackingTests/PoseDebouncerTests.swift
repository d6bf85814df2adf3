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
            kept.update(pose, at: Int64(index) * 50_000_000)
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
            kept.update(
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

    /// What is kept and what ends, at 20 frames a second: a thumb for half a second, frames of another reading without a
    /// pose, and the thumb again.
    private func thumbs(_ reading: ShapedHand, _ side: FloatingPointSign, frames: Int) -> (kept: [Name?], ended: Name?)
    {
        let thumb = ShapedHand(right: 0.1)
        var (kept, ended) = (PoseDebouncer(), Name?.none)
        var names: [Name?] = []
        for index in 0..<frames + 20 {
            let isThumb = !(10..<10 + frames).contains(index)
            kept.update(
                isThumb ? Self.pose(.thumbDown, 0.9) : Self.pose(.unknown, 0.9), from: isThumb ? .plus : side,
                of: (isThumb ? thumb : reading).shape, at: Int64(index) * 50_000_000)
            ended = ended ?? kept.ended
            names.append(kept.name)
        }
        return (names, ended)
    }

    /// A hand whose normal and handedness change together is read as its mirror image: no hand has turned over.
    @Test func aMirrorImageKeepsThePose() {
        let mirrored = ShapedHand(turn: .pi, right: 0.95)
        let short = thumbs(mirrored, .minus, frames: 39)
        #expect(short.kept.allSatisfy { $0 == .thumbDown } && short.ended == nil)
        // After two seconds it is over.
        let long = thumbs(mirrored, .minus, frames: 60)
        #expect(long.kept[48] == .thumbDown && long.kept[49..<70].allSatisfy { $0 == nil } && long.ended == nil)
        // The same hand turns over, or the network is unsure of its handedness.
        for right: Float in [0.1, 0.5] {
            let turned = thumbs(ShapedHand(turn: .pi, right: right), .minus, frames: 20)
            #expect(turned.kept[10] == nil && turned.ended == .thumbDown)
        }
        // A hand that moves meanwhile does something else, and so does one that shows no pose from the same side.
        for reading in [ShapedHand(turn: .pi, middle: 0.7, right: 0.95), ShapedHand(right: 0.95)] {
            let other = thumbs(reading, reading.turn == 0 ? .plus : .minus, frames: 20)
            #expect(other.kept[13] == .thumbDown && other.kept[14..<30].allSatisfy { $0 == nil } && other.ended == nil)
        }
    }

    @Test func anotherPoseMayBeOfTheOtherSideAndAResetForgets() {
        var kept = PoseDebouncer()
        kept.update(nil, from: .plus, at: 0)
        kept.update(Self.pose(.openPalm, 0.9), from: .minus, at: 1)
        #expect(kept.name == .openPalm && kept.ended == nil)
        kept.reset()
        kept.update(nil, at: 2)
        #expect(kept.name == nil)
    }

    @Test func aPinchKeepsNoPose() {
        let pinched = palms(from: [.minus, .minus, .minus, .minus], pinching: [1, 2])
        #expect(pinched.map(\.kept) == [.openPalm, nil, nil, .openPalm])
        #expect(pinched.map(\.ended) == [nil, .openPalm, nil, nil])
    }
}
