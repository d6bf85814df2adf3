import Frames
import Testing
import Tracking

@Suite struct TrackedRegionTests {
    /// A side of a pixel at least and of four frames at most, and a corner that may reach the frame.
    @Test func usable() {
        let size = FrameSize(width: 640, height: 480)
        #expect(!TrackedRegion(centerX: 320, centerY: 240, side: 0.9).isUsable(in: size))
        #expect(TrackedRegion(centerX: 320, centerY: 240, side: 1).isUsable(in: size))
        #expect(TrackedRegion(centerX: 320, centerY: 240, side: 2_560).isUsable(in: size))
        #expect(!TrackedRegion(centerX: 320, centerY: 240, side: 2_561).isUsable(in: size))
        #expect(!TrackedRegion(centerX: -100, centerY: 240, side: 100).isUsable(in: size))
        #expect(!TrackedRegion(centerX: 320, centerY: 600, side: 100).isUsable(in: size))
        #expect(TrackedRegion(centerX: -40, centerY: 240, side: 100).isUsable(in: size))
        #expect(
            TrackedRegion(around: FrameSize(width: 16_384, height: 1)).isUsable(
                in: FrameSize(width: 16_384, height: 1)))
    }

    @Test func overlaps() {
        let one = TrackedRegion(centerX: 50, centerY: 50, side: 100, rotation: 1)
        #expect(one.overlap(one) == 1)
        #expect(one.overlap(TrackedRegion(centerX: 100, centerY: 50, side: 100)) == 1.0 / 3)
        #expect(one.overlap(TrackedRegion(centerX: 50, centerY: 50, side: 50)) == 0.25)
        #expect(one.overlap(TrackedRegion(centerX: 150, centerY: 50, side: 100)) == 0)
        #expect(one.overlap(TrackedRegion(centerX: 50, centerY: 300, side: 100)) == 0)
    }

    @Test func frameSizes() {
        let region = PixelView.Region(x: 3, y: 4, width: 30, height: 20)
        for orientation in ImageOrientation.allCases {
            let expected =
                orientation.rawValue < 5 ? FrameSize(width: 30, height: 20) : FrameSize(width: 20, height: 30)
            #expect(FrameSize(region, orientation) == expected)
        }
    }
}
