import Foundation
import HandTracking
import KernelInterface
import Platform
import TestSupport
import Testing
import Tracking
import Vocabulary

/// A region in MediaPipe's own coordinates, normalised by a frame's width and height, each by itself.
private struct NormalisedRegion {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var rotation: Double

    private static func wrapped(_ angle: Double) -> Double {
        angle - 2 * .pi * ((angle + .pi) / (2 * .pi)).rounded(.down)
    }

    private static func rotation(_ from: SIMD2<Double>, _ to: SIMD2<Double>, _ width: Double, _ height: Double)
        -> Double
    {
        wrapped(.pi / 2 - atan2(-(to.y - from.y) * height, (to.x - from.x) * width))
    }

    /// `RectTransformationCalculator` with `square_long`.
    private mutating func transform(scale: Double, shift: Double, _ frameWidth: Double, _ frameHeight: Double) {
        x += -(frameHeight * height * shift * sin(rotation)) / frameWidth
        y += (frameHeight * height * shift * cos(rotation)) / frameHeight
        let long = max(width * frameWidth, height * frameHeight)
        width = scale * long / frameWidth
        height = scale * long / frameHeight
    }

    /// A palm, normalised to the frame.
    init(palm: BoxDetection, _ frameWidth: Double, _ frameHeight: Double) {
        // The letterbox: the frame in the middle of a square.
        let long = max(frameWidth, frameHeight)
        func share(_ point: SIMD2<Float>) -> SIMD2<Double> {
            let padding = SIMD2(1 - frameWidth / long, 1 - frameHeight / long) / 2
            return (SIMD2(Double(point.x), Double(point.y)) - padding) / (1 - 2 * padding)
        }
        let (low, high) = (share(palm.minimum), share(palm.maximum))
        (x, y) = ((low.x + high.x) / 2, (low.y + high.y) / 2)
        (width, height) = (high.x - low.x, high.y - low.y)
        rotation = Self.rotation(share(palm.keyPoints[0]), share(palm.keyPoints[2]), frameWidth, frameHeight)
        transform(scale: 2.6, shift: -0.5, frameWidth, frameHeight)
    }

    init(landmarks: TrackedHand.Points, _ frameWidth: Double, _ frameHeight: Double) {
        let points = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18].map {
            SIMD2(Double(landmarks[$0].x), Double(landmarks[$0].y))
        }
        let finger = ((points[4] + points[8]) / 2 + points[6]) / 2
        let angle = Self.rotation(points[0], finger, frameWidth, frameHeight)
        let xs = points.map(\.x)
        let ys = points.map(\.y)
        let middle = SIMD2(xs.min()! + xs.max()!, ys.min()! + ys.max()!) / 2
        let turned = points.map { point in
            let (x, y) = ((point.x - middle.x) * frameWidth, (point.y - middle.y) * frameHeight)
            return SIMD2(x * cos(-angle) - y * sin(-angle), x * sin(-angle) + y * cos(-angle))
        }
        let (us, vs) = (turned.map(\.x), turned.map(\.y))
        let (u, v) = ((us.min()! + us.max()!) / 2, (vs.min()! + vs.max()!) / 2)
        x = (u * cos(angle) - v * sin(angle) + frameWidth * middle.x) / frameWidth
        y = (u * sin(angle) + v * cos(angle) + frameHeight * middle.y) / frameHeight
        width = (us.max()! - us.min()!) / frameWidth
        height = (vs.max()! - vs.min()!) / frameHeight
        rotation = angle
        transform(scale: 2, shift: -0.1, frameWidth, frameHeight)
    }

    func distance(_ region: TrackedHand.Region, _ frameWidth: Double, _ frameHeight: Double) -> Double {
        let angle = abs(rotation - region.rotation)
        return max(
            abs(x * frameWidth - region.centerX), abs(y * frameHeight - region.centerY),
            abs(width * frameWidth - region.side), abs(height * frameHeight - region.side),
            100 * min(angle, 2 * .pi - angle))
    }
}

private let frames = [(640, 480), (480, 640), (1_280, 720), (100, 100), (333, 1_001)]

@Suite struct HandRegionTests {
    private static func palm(_ random: inout SplitMix64) -> BoxDetection {
        let place = SIMD2(Float(0.3 + 0.4 * random.unit()), Float(0.3 + 0.4 * random.unit()))
        let half = SIMD2(Float(0.03 + 0.1 * random.unit()), Float(0.03 + 0.1 * random.unit()))
        var palm = BoxDetection(
            minimum: place - half, maximum: place + half, keyPoints: .init(repeating: place), score: 0.9)
        for index in 0..<7 {
            palm.keyPoints[index] += SIMD2(Float(random.unit() - 0.5), Float(random.unit() - 0.5)) * 0.2
        }
        return palm
    }

    private static func landmarks(_ random: inout SplitMix64) -> TrackedHand.Points {
        let place = SIMD3(Float(random.unit()), Float(random.unit()), 0)
        var points = TrackedHand.Points(repeating: place)
        for index in 0..<TrackedHand.Points.count {
            points[index] += SIMD3(Float(random.unit() - 0.5), Float(random.unit() - 0.5), 0) * 0.3
        }
        return points
    }

    @Test(arguments: frames) func ofPalms(_ width: Int, _ height: Int) throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<200 {
            let palm = Self.palm(&random)
            let size = FrameSize(width: width, height: height)
            let region = TrackedHand.Region(palm: palm, in: TrackedRegion(around: size), frame: size)
            let expected = NormalisedRegion(palm: palm, Double(width), Double(height))
            #expect(try expected.distance(#require(region), Double(width), Double(height)) < 1e-3)
        }
    }

    @Test(arguments: frames) func ofLandmarks(_ width: Int, _ height: Int) throws {
        var random = SplitMix64(seed: 4)
        for _ in 0..<200 {
            let points = Self.landmarks(&random)
            let region = TrackedHand.Region(landmarks: points, frame: FrameSize(width: width, height: height))
            let expected = NormalisedRegion(landmarks: points, Double(width), Double(height))
            #expect(try expected.distance(#require(region), Double(width), Double(height)) < 1e-3)
        }
    }

    /// A palm in a turned and smaller square: the same picture makes the same region of the square.
    @Test func aPalmInATurnedSquare() throws {
        var random = SplitMix64(seed: 6)
        let size = FrameSize(width: 640, height: 480)
        let upright = TrackedRegion(centerX: 320, centerY: 240, side: 100)
        let turned = TrackedRegion(centerX: 200, centerY: 300, side: 50, rotation: .pi / 2)
        for _ in 0..<50 {
            let palm = Self.palm(&random)
            let first = try #require(TrackedHand.Region(palm: palm, in: upright, frame: size))
            let second = try #require(TrackedHand.Region(palm: palm, in: turned, frame: size))
            // What is right in the square is down in the frame.
            #expect(abs(second.centerX - (200 - (first.centerY - 240) / 2)) < 1e-4)
            #expect(abs(second.centerY - (300 + (first.centerX - 320) / 2)) < 1e-4)
            #expect(abs(2 * second.side - first.side) < 1e-4)
            let difference = (second.rotation - first.rotation) / (2 * .pi)
            #expect(abs((difference - 0.25) - (difference - 0.25).rounded()) < 1e-5)
        }
    }

    /// NaN, a hand without size, and one outside of the frame give no region.
    @Test func unusable() {
        let size = FrameSize(width: 640, height: 480)
        var random = SplitMix64(seed: 6)
        let points = Self.landmarks(&random)
        for index in [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18] {
            for odd in [Float.nan, .infinity, -.infinity, 1e30] {
                var broken = points
                broken[index].x = odd
                #expect(TrackedHand.Region(landmarks: broken, frame: size) == nil, "\(index) \(odd)")
            }
        }
        #expect(TrackedHand.Region(landmarks: TrackedHand.Points(repeating: SIMD3(0.5, 0.5, 0)), frame: size) == nil)
    }

    /// Strides 8 and three times 16 of 192; two anchors a cell and layer.
    @Test func anchors() {
        let anchors = BoxAnchors.palms
        #expect(anchors.count == 2_016 && anchors.side == 192 && anchors.numbersPerBox == 18)
        for (index, place) in [
            (0, SIMD2<Float>(4, 4)), (1, SIMD2(4, 4)), (2, SIMD2(12, 4)), (1_151, SIMD2(188, 188)),
            (1_152, SIMD2(8, 8)), (2_015, SIMD2(184, 184)),
        ] {
            #expect(anchors.centers[index] == place / 192, "anchor \(index)")
        }
    }

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
        // A clock that stands or goes back gives no speed.
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

    /// A hand that gains speed until it moves by more than half of its size from frame to frame stays the same hand; where it
    /// stops from one frame to the next it is found where it was.
    @Test func aFastHandIsFollowed() throws {
        var tracker = try HandTracker(kernels: portableCropKernels)
        var networks = SceneNetworks()
        var x = 60.0
        for step in 0..<24 {
            x += step < 14 ? min(3 * Double(step), 24) : 0
            let scene = SquareScene(width: 640, height: 240, squares: [SquareScene.Square(x: x, y: 120)])
            try scene.withFrame { tracker.track($0, at: Int64(step) * 33_333_333, with: &networks) }
            #expect(tracker.hands.map(\.identity) == [0], "step \(step)")
        }
        #expect(tracker.counts.lost == 0 && networks.detections == 1)
    }
}
