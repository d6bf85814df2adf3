import BodyTracking
import Testing
import Tracking

@Suite struct BodyHandsTests {
    private static let (width, height) = (1280, 720)

    /// A person whose left arm goes from the elbow to a wrist and on to knuckles, in pixels.
    private static func body(
        elbow: SIMD2<Float>, wrist: SIMD2<Float>, index: SIMD2<Float>, pinky: SIMD2<Float>, visibility: Float = 1
    ) -> TrackedBody {
        var points = TrackedBody.Points()
        func place(_ joint: TrackedBody.Joint, _ point: SIMD2<Float>) {
            points[joint] = SIMD3(point.x / Float(width), point.y / Float(height), 0)
        }
        place(.leftElbow, elbow)
        place(.leftWrist, wrist)
        place(.leftIndex, index)
        place(.leftPinky, pinky)
        var visible = TrackedBody.Scores()
        visible[.leftWrist] = visibility
        return TrackedBody(
            identity: 0, presence: 1, landmarks: points, visibility: visible, pointPresence: TrackedBody.Scores(),
            worldLandmarks: points, region: TrackedRegion(centerX: 0, centerY: 0, side: 1))
    }

    @Test func anUprightHand() throws {
        let body = Self.body(elbow: [600, 460], wrist: [600, 400], index: [590, 370], pinky: [620, 370])
        let (left, right) = body.handRegions(width: Self.width, height: Self.height)
        let region = try #require(left)
        #expect(right == nil, "the other wrist is not visible")
        // The middle finger's knuckle is at 600, 370.
        #expect(abs(region.side - 5.4 * 30) < 1e-3)
        #expect(abs(region.rotation) < 1e-4)
        #expect(abs(region.centerX - 600) < 1e-2 && abs(region.centerY - (370 - 16.2)) < 1e-2)
    }

    /// The region goes with the arm, to whatever side it points and however large it is.
    @Test func turnsAndGrowsWithTheHand() throws {
        for (size, quarter) in [(10, 0), (10, 1), (20, 2), (20, 3), (5, 1)] {
            func place(_ along: Float, _ across: Float) -> SIMD2<Float> {
                let (x, y) = [(across, -along), (along, across), (-across, along), (-along, -across)][quarter]
                return SIMD2(640, 360) + Float(size) * SIMD2(x, y)
            }
            let body = Self.body(elbow: place(-6, 0), wrist: place(0, 0), index: place(3, -1), pinky: place(3, 2))
            let region = try #require(body.handRegions(width: Self.width, height: Self.height).left)
            #expect(abs(region.side - 5.4 * 3 * Double(size)) < 1e-2)
            let turns = (region.rotation - .pi / 2 * Double(quarter)) / (2 * .pi)
            #expect(abs(turns - turns.rounded()) < 1e-4)
            let center = place(3 + 0.1 * 5.4 * 3, 0)
            #expect(abs(region.centerX - Double(center.x)) < 1e-2 && abs(region.centerY - Double(center.y)) < 1e-2)
        }
    }

    /// A hand that points at the camera has the size that the forearm gives.
    @Test func foreshortened() throws {
        let body = Self.body(elbow: [600, 500], wrist: [600, 400], index: [600, 395], pinky: [600, 395])
        let region = try #require(body.handRegions(width: Self.width, height: Self.height).left)
        #expect(abs(region.side - 5.4 * 40) < 1e-2)
    }

    @Test func whatMakesNone() {
        func region(_ body: TrackedBody) -> TrackedRegion? {
            body.handRegions(width: Self.width, height: Self.height).left
        }
        let good = Self.body(elbow: [600, 460], wrist: [600, 400], index: [590, 370], pinky: [620, 370])
        #expect(region(good) != nil)
        var held = good
        held.state = .held
        #expect(region(held) == nil)
        for visibility in [Float(0), 0.1, .nan] {
            var hidden = good
            hidden.visibility[.leftWrist] = visibility
            #expect(region(hidden) == nil)
        }
        for joint in [TrackedBody.Joint.leftElbow, .leftWrist, .leftIndex, .leftPinky] {
            for value in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
                var odd = good
                odd.landmarks[joint].x = value
                #expect(region(odd) == nil, "\(joint) at \(value)")
            }
        }
        // All at one place, and outside of the frame.
        #expect(region(Self.body(elbow: [9, 9], wrist: [9, 9], index: [9, 9], pinky: [9, 9])) == nil)
        #expect(
            region(Self.body(elbow: [60, -1460], wrist: [60, -1400], index: [60, -1370], pinky: [60, -1370])) == nil)
    }
}
