import HandTracking
import Testing
import Tracking

/// Which pose a hand goes on showing.
@Suite struct KeptPoseTests {
    private typealias Name = TrackedHand.Pose.Name

    private static func pose(_ name: Name, _ score: Float) -> TrackedHand.Pose {
        var scores = SIMD8<Float>(repeating: (1 - score) / 7)
        scores[name.place] = score
        return TrackedHand.Pose(scores: scores)
    }

    /// What is kept after frames of 20 a second.
    private func kept(_ frames: [TrackedHand.Pose?]) -> [Name?] {
        var kept = KeptPose()
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

    @Test func aResetForgets() {
        var kept = KeptPose()
        kept.see(Self.pose(.victory, 0.9), at: 0)
        kept.reset()
        kept.see(nil, at: 1)
        #expect(kept.name == nil)
    }
}
