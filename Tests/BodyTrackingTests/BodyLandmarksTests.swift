import BodyTracking
import Foundation
import Frames
import KernelInterface
import TestSupport
import Testing
import Tracking
import Vocabulary

/// Where the points of a body come from: the picture turned and scaled into the frame, as MediaPipe's calculators have it one
/// after the other, in real numbers.
@Suite struct BodyLandmarksTests {
    /// A body as a tracker that smooths nothing has it in the first frame.
    private static func body(
        _ networks: inout PeopleNetworks, _ width: Int = 320, _ height: Int = 240
    ) throws -> TrackedBody {
        var tracker = try BodyTracker(
            configuration: BodyTrackingConfiguration(smoothing: nil), kernels: portableCropKernels)
        try SquareScene(width: width, height: height).withFrame { tracker.track($0, at: 0, with: &networks) }
        let bodies = tracker.bodies
        return try #require(bodies.first)
    }

    /// `RefineLandmarksFromHeatmapCalculator` with a kernel of 7 and a confidence of 0.5; normalised to the image.
    private static func refined(_ networks: PeopleNetworks, _ index: Int) -> SIMD2<Double> {
        let point = SIMD2(Double(networks.points[5 * index]) / 64, Double(networks.points[5 * index + 1]) / 64)
        let (column, row) = (Int((point.x * 64).rounded(.down)), Int((point.y * 64).rounded(.down)))
        guard (0..<64).contains(column), (0..<64).contains(row) else { return point }
        var (sum, most, weighted) = (0.0, 0.0, SIMD2<Double>.zero)
        for y in row - 3...row + 3 {
            for x in column - 3...column + 3 where (0..<64).contains(x) && (0..<64).contains(y) {
                let confidence = 1 / (1 + exp(-Double(networks.maps[(y * 64 + x) * 39 + index])))
                sum += confidence
                most = max(most, confidence)
                weighted += confidence * SIMD2(Double(x), Double(y))
            }
        }
        return most >= 0.5 && sum > 0 ? weighted / (64 * sum) : point
    }

    /// Where a point of the picture is in the frame, normalised.
    private static func placed(_ point: SIMD2<Double>, _ region: TrackedRegion, _ width: Int, _ height: Int) -> SIMD2<
        Double
    > {
        let (sine, cosine) = (sin(region.rotation), cos(region.rotation))
        let (x, y) = (point.x - 0.5, point.y - 0.5)
        return SIMD2(
            (region.centerX + region.side * (cosine * x - sine * y)) / Double(width),
            (region.centerY + region.side * (sine * x + cosine * y)) / Double(height))
    }

    @Test(arguments: [(320, 240), (240, 320), (200, 200)]) func pointsInTheFrame(_ width: Int, _ height: Int) throws {
        var random = SplitMix64(seed: 20)
        var networks = PeopleNetworks.settled()
        for _ in 0..<40 {
            // The body points anywhere.
            let angle = 2 * .pi * random.unit()
            networks.boxNumbers[12 * PeopleNetworks.settledAnchor + 6] = Float(40 * sin(angle))
            networks.boxNumbers[12 * PeopleNetworks.settledAnchor + 7] = Float(-40 * cos(angle))
            for index in 0..<33 {
                for number in 0..<5 { networks.points[5 * index + number] = Float(70 * random.unit() - 3) }
                for number in 0..<3 { networks.metres[3 * index + number] = Float(random.unit() - 0.5) }
            }
            let body = try Self.body(&networks, width, height)
            let region = body.region
            #expect(abs(remainder(region.rotation - angle, 2 * .pi)) < 1e-5)
            let (sine, cosine) = (sin(region.rotation), cos(region.rotation))
            for index in 0..<33 {
                let numbers = (0..<5).map { Double(networks.points[5 * index + $0]) }
                let place = Self.placed(SIMD2(numbers[0], numbers[1]) / 64, region, width, height)
                let expected = SIMD3(place.x, place.y, numbers[2] / 64 * region.side / Double(width))
                let difference = SIMD3<Double>(body.landmarks[index]) - expected
                #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) < 1e-5)
                #expect(abs(Double(body.visibility[index]) - 1 / (1 + exp(-numbers[3]))) < 1e-6)
                #expect(abs(Double(body.pointPresence[index]) - 1 / (1 + exp(-numbers[4]))) < 1e-6)
                let (u, v, depth) = (
                    Double(networks.metres[3 * index]), Double(networks.metres[3 * index + 1]),
                    Double(networks.metres[3 * index + 2])
                )
                let turned = SIMD3(cosine * u - sine * v, sine * u + cosine * v, depth)
                let error = SIMD3<Double>(body.worldLandmarks[index]) - turned
                #expect(max(abs(error.x), abs(error.y), abs(error.z)) < 1e-6)
            }
        }
    }

    /// Heat maps of any confidence, for points anywhere in the picture, at its edges and beyond.
    @Test func heatMapsMovePoints() throws {
        var random = SplitMix64(seed: 21)
        var networks = PeopleNetworks.settled()
        var (moved, left) = (0, 0)
        for round in 0..<12 {
            // From maps that are sure nowhere to such as are sure almost everywhere.
            let bias = Float(round) - 9
            for index in networks.maps.indices { networks.maps[index] = bias + Float(8 * random.unit()) }
            for index in 0..<33 {
                networks.points[5 * index] = Float(72 * random.unit() - 4)
                networks.points[5 * index + 1] = Float(72 * random.unit() - 4)
            }
            let body = try Self.body(&networks)
            for index in 0..<33 {
                let refined = Self.refined(networks, index)
                let plain = SIMD2(Double(networks.points[5 * index]), Double(networks.points[5 * index + 1])) / 64
                if refined == plain { left += 1 } else { moved += 1 }
                let expected = Self.placed(refined, body.region, 320, 240)
                #expect(abs(Double(body.landmarks[index].x) - expected.x) < 1e-5, "round \(round), point \(index)")
                #expect(abs(Double(body.landmarks[index].y) - expected.y) < 1e-5, "round \(round), point \(index)")
            }
        }
        #expect(moved > 100 && left > 50)
    }

    /// NaN in a heat map leaves its point where it is.
    @Test(arguments: [Float.nan, .infinity, -.infinity]) func oddHeatMaps(_ odd: Float) throws {
        var networks = PeopleNetworks.settled()
        networks.maps = [Float](repeating: odd, count: 64 * 64 * 39)
        let body = try Self.body(&networks)
        #expect(body.landmarks.isFinite && body.state == .seen)
        for index in 0..<33 {
            let expected = Self.placed(Self.refined(networks, index), body.region, 320, 240)
            #expect(abs(Double(body.landmarks[index].x) - expected.x) < 1e-5)
        }
    }
}
