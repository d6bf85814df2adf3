import BodyTracking
import Foundation
import Platform
import Testing
import Tracking

@Suite struct BodyRegionTests {
    private static let frame = FrameSize(width: 640, height: 480)

    /// 1.25 times the circle about the hips, turned so that the point on the circle is above them.
    @Test(arguments: [
        (SIMD2(0.0, -80.0), 200.0, 0.0), (SIMD2(80, 0), 200, Double.pi / 2), (SIMD2(0, 80), 200, -Double.pi),
        (SIMD2(-80, 0), 200, -Double.pi / 2), (SIMD2(60, -80), 250, 0.643_501_108_8),
        (SIMD2(-30, -40), 125, -0.643_501_108_8),
    ]) func byHand(_ offset: SIMD2<Double>, _ side: Double, _ rotation: Double) throws {
        let hips = SIMD2(300.0, 250)
        let region = try #require(TrackedRegion(hips: hips, edge: hips + offset, frame: Self.frame))
        #expect(region.centerX == 300 && region.centerY == 250)
        #expect(abs(region.side - side) < 1e-9)
        #expect(abs(remainder(region.rotation - rotation, 2 * .pi)) < 1e-9)
        #expect((-Double.pi..<Double.pi).contains(region.rotation))
        // The point on the circle is straight above the middle in the region: 0.4 of its side.
        let share = region.place(SIMD2<Float>(0.5, 0.1)) - hips
        #expect(abs(share.x - offset.x) < 1e-4 && abs(share.y - offset.y) < 1e-4)
    }

    /// Key points are normalised to the square around the frame: 640 x 480 has 80 rows above it.
    @Test func ofADetection() throws {
        var body = BoxDetection(
            minimum: .zero, maximum: .zero, keyPoints: .init(repeating: .zero), score: 1)
        body.keyPoints[0] = SIMD2(0.5, 0.6)
        body.keyPoints[1] = SIMD2(0.5, 0.35)
        let region = try #require(TrackedRegion(body: body, frame: Self.frame))
        #expect(abs(region.centerX - 320) < 1e-3 && abs(region.centerY - (0.6 * 640 - 80)) < 1e-3)
        #expect(abs(region.side - 2.5 * 160) < 1e-3 && abs(region.rotation) < 1e-6)
        // The box, a face's, has no say.
        (body.minimum, body.maximum) = (SIMD2(repeating: .nan), SIMD2(repeating: .infinity))
        #expect(TrackedRegion(body: body, frame: Self.frame) == region)
    }

    /// NaN, a circle without size or too large, and one outside of the frame give no region.
    @Test func unusable() {
        let (hips, edge) = (SIMD2(300.0, 250), SIMD2(300.0, 170))
        for odd in [Double.nan, .infinity, -.infinity, 1e300] {
            for axis in 0..<2 {
                var broken = hips
                broken[axis] = odd
                #expect(TrackedRegion(hips: broken, edge: edge, frame: Self.frame) == nil)
                broken = edge
                broken[axis] = odd
                #expect(TrackedRegion(hips: hips, edge: broken, frame: Self.frame) == nil)
            }
        }
        #expect(TrackedRegion(hips: hips, edge: hips, frame: Self.frame) == nil)
        // A side of a pixel at least, of four frames at most.
        for (radius, isRegion) in [(0.39, false), (0.41, true), (1_023, true), (1_025, false)] {
            let region = TrackedRegion(hips: hips, edge: hips + SIMD2(0, radius), frame: Self.frame)
            #expect((region != nil) == isRegion, "\(radius)")
        }
        #expect(TrackedRegion(hips: hips + SIMD2(900, 0), edge: edge + SIMD2(900, 0), frame: Self.frame) == nil)
    }

    /// Strides 8, 16 and three times 32 of 224; two anchors a cell and layer.
    @Test func anchors() {
        let anchors = BoxAnchors.bodies
        #expect(anchors.count == 2_254 && anchors.side == 224 && anchors.numbersPerBox == 12)
        func cell(_ x: Int, _ y: Int, of cells: Int) -> SIMD2<Float> {
            SIMD2((Float(x) + 0.5) / Float(cells), (Float(y) + 0.5) / Float(cells))
        }
        for (index, place) in [
            (0, cell(0, 0, of: 28)), (1, cell(0, 0, of: 28)), (2, cell(1, 0, of: 28)), (56, cell(0, 1, of: 28)),
            (1_567, cell(27, 27, of: 28)), (1_568, cell(0, 0, of: 14)), (1_959, cell(13, 13, of: 14)),
            (1_960, cell(0, 0, of: 7)), (1_965, cell(0, 0, of: 7)), (1_966, cell(1, 0, of: 7)),
            (2_253, cell(6, 6, of: 7)),
        ] {
            let distance = anchors.centers[index] - place
            #expect(abs(distance.x) < 1e-6 && abs(distance.y) < 1e-6, "anchor \(index)")
        }
    }
}
