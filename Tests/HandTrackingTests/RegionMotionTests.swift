import HandTracking
import KernelsPortable
import Testing
import Tracking

@Suite struct RegionMotionTests {
    private static func region(_ x: Double, _ y: Double) -> TrackedRegion {
        TrackedRegion(centerX: x, centerY: y, side: 100, rotation: 0.4)
    }

    @Test func mostOfTheMovementGoesOn() {
        let first = Self.region(50, 80)
        var motion = RegionMotion(first)
        #expect(motion.expected(at: 10) == first)
        motion.advance(to: first, at: 10)
        #expect(motion.expected(at: 20) == first)
        let second = Self.region(60, 76)
        motion.advance(to: second, at: 20)
        // After as long a time three quarters of the way, after twice the time one and a half.
        #expect(motion.expected(at: 30) == Self.region(67.5, 73))
        #expect(motion.expected(at: 40) == Self.region(75, 70))
        // A clock that stands or goes back tells nothing.
        #expect(motion.expected(at: 20) == second && motion.expected(at: 5) == second)
        motion.advance(to: first, at: 20)
        #expect(motion.expected(at: 30) == first)
    }

    /// However long the hand was away, it is expected within half a side.
    @Test func neverFurtherThanHalfASide() {
        var motion = RegionMotion(Self.region(0, 0))
        motion.advance(to: Self.region(0, 0), at: 0)
        motion.advance(to: Self.region(30, 40), at: 1)
        #expect(motion.expected(at: 1_000_000) == Self.region(60, 80))
    }

    /// A hand that gains speed until it moves by more than half of its size from frame to frame stays the same hand; where it stops from one frame to
    /// the next it is found where it was.
    @Test func aFastHandIsFollowed() throws {
        var tracker = try HandTracker(kernels: portableCropKernels)
        var networks = SceneNetworks()
        var x = 60.0
        for step in 0..<24 {
            x += step < 14 ? min(3 * Double(step), 24) : 0
            let scene = Scene(width: 640, height: 240, hands: [Scene.Hand(x: x, y: 120)])
            try scene.withFrame { tracker.track($0, at: Int64(step) * 33_333_333, with: &networks) }
            #expect(tracker.hands.map(\.identity) == [0], "step \(step)")
        }
        #expect(tracker.counts.lost == 0 && networks.detections == 1)
    }
}
