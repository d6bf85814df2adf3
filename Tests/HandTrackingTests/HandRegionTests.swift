import Foundation
import HandTracking
import Platform
import Testing
import Tracking
import Vocabulary

/// A region in MediaPipe's own coordinates: shares of a frame's width and height, each by itself.
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

    /// A palm in shares of the frame.
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

    /// The letterbox of 640 x 480 has 80 rows above the frame.
    @Test func anUprightPalm() throws {
        var palm = BoxDetection(
            minimum: SIMD2(0.4, 0.5), maximum: SIMD2(0.5, 0.7), keyPoints: .init(repeating: SIMD2(0.45, 0.7)),
            score: 1)
        palm.keyPoints[2] = SIMD2(0.45, 0.5)
        let size = FrameSize(width: 640, height: 480)
        let whole = TrackedRegion(around: size)
        let region = try #require(TrackedHand.Region(palm: palm, in: whole, frame: size))
        #expect(abs(region.rotation) < 1e-6)
        #expect(abs(region.centerX - 0.45 * 640) < 1e-3)
        // Half the palm's height of 128 above its middle.
        #expect(abs(region.centerY - (0.6 * 640 - 80 - 64)) < 1e-3)
        #expect(abs(region.side - 2.6 * 128) < 1e-3)
        // Pointing to the right is a quarter turn clockwise.
        palm.keyPoints[2] = SIMD2(0.6, 0.7)
        let turned = try #require(TrackedHand.Region(palm: palm, in: whole, frame: size))
        #expect(abs(turned.rotation - .pi / 2) < 1e-6)
        #expect(abs(turned.centerX - (0.45 * 640 + 64)) < 1e-3)
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

    /// A hand turned in the frame has the same region, turned: on a frame of any shape.
    @Test(arguments: frames) func turnsWithTheHand(_ width: Int, _ height: Int) throws {
        var random = SplitMix64(seed: 5)
        let size = FrameSize(width: width, height: height)
        let middle = SIMD2(Double(width), Double(height)) / 2
        for _ in 0..<100 {
            let angle = 2 * .pi * random.unit()
            var (straight, turned) = (TrackedHand.Points(), TrackedHand.Points())
            for index in 0..<TrackedHand.Points.count {
                let offset = SIMD2(random.unit() - 0.5, random.unit() - 0.5) * 40
                let other = SIMD2(
                    offset.x * cos(angle) - offset.y * sin(angle), offset.x * sin(angle) + offset.y * cos(angle))
                let (one, two) = (middle + offset, middle + other)
                straight[index] = SIMD3(Float(one.x / size.width), Float(one.y / size.height), 0)
                turned[index] = SIMD3(Float(two.x / size.width), Float(two.y / size.height), 0)
            }
            let first = try #require(TrackedHand.Region(landmarks: straight, frame: size))
            let second = try #require(TrackedHand.Region(landmarks: turned, frame: size))
            let difference = second.rotation - first.rotation - angle
            #expect(abs(difference - 2 * .pi * (difference / (2 * .pi)).rounded()) < 1e-3)
            #expect(abs(first.side - second.side) < 1e-2)
            let offset = SIMD2(first.centerX, first.centerY) - middle
            #expect(abs(second.centerX - middle.x - offset.x * cos(angle) + offset.y * sin(angle)) < 1e-2)
            #expect(abs(second.centerY - middle.y - offset.x * sin(angle) - offset.y * cos(angle)) < 1e-2)
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
}
