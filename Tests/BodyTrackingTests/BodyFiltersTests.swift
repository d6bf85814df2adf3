import BodyTracking
import KernelInterface
import TestSupport
import Testing
import Tracking
import Vocabulary

@Suite struct BodyFiltersTests {
    /// A person who fills every region, moved by pixels of the image.
    private static func shake(_ networks: inout PeopleNetworks, by noise: Double, _ random: inout SplitMix64) {
        let settled = PeopleNetworks.settled()
        for index in networks.points.indices {
            networks.points[index] = settled.points[index] + Float(noise * (random.unit() - 0.5))
        }
        for index in networks.metres.indices { networks.metres[index] = Float(0.1 * random.unit()) }
    }

    private static func tracker(_ smoothing: BodyTrackingConfiguration.Smoothing?) throws -> BodyTracker {
        try BodyTracker(
            configuration: BodyTrackingConfiguration(smoothing: smoothing), kernels: portableCropKernels)
    }

    /// A point of the picture in pixels of the frame.
    private static func place(_ networks: PeopleNetworks, _ index: Int, _ region: TrackedRegion) -> SIMD2<Double> {
        region.place(SIMD2(networks.points[5 * index], networks.points[5 * index + 1]) / 64)
    }

    /// A smoothing tracker gives what filters make of the points of a tracker without smoothing. The unit of speed is the
    /// diameter of the circle that the network gives; visibility is a low-pass of 0.1.
    @Test(arguments: [(320, 240), (240, 320)]) func agreesWithRealNumbers(_ width: Int, _ height: Int) throws {
        let scene = SquareScene(width: width, height: height)
        let smoothing = BodyTrackingConfiguration.Smoothing()
        var plain = try Self.tracker(nil)
        var smooth = try Self.tracker(smoothing)
        var networks = PeopleNetworks.settled()
        var random = SplitMix64(seed: 30)
        var filters = (0..<99).map { _ in OneEuroReference(smoothing.landmarks) }
        var worldFilters = (0..<99).map { _ in OneEuroReference(smoothing.worldLandmarks) }
        let regional = OneEuroParameters(minimumCutoff: 0.01, speedCoefficient: 10, speedCutoff: 1)
        var regionFilters = (0..<4).map { _ in OneEuroReference(regional) }
        var visibility: [Double]?
        var time: Int64 = 0
        var (rawSteps, smoothSteps) = (0.0, 0.0)
        var before: (TrackedBody, TrackedBody)?
        var expectedRegion: (hips: SIMD2<Double>, edge: SIMD2<Double>)?
        for step in 0..<100 {
            let elapsed = 5_000_000 + Int64(random.next(below: 60_000_000))
            time += elapsed
            let seconds = Double(elapsed) / 1e9
            Self.shake(&networks, by: 2, &random)
            try scene.withFrame { plain.track($0, at: time, with: &networks) }
            try scene.withFrame { smooth.track($0, at: time, with: &networks) }
            let (bodies, smoothBodies) = (plain.bodies, smooth.bodies)
            let (raw, filtered) = try (#require(bodies.first), #require(smoothBodies.first))
            // What is followed does not depend on what is shown: its points are always filtered.
            #expect(raw.region == filtered.region)
            if let (hips, edge) = expectedRegion {
                #expect(abs(raw.region.centerX - hips.x) < 0.02 && abs(raw.region.centerY - hips.y) < 0.02)
                let radius = ((edge - hips) * (edge - hips)).sum().squareRoot()
                #expect(abs(raw.region.side - 2.5 * radius) < 0.1, "step \(step)")
            }
            let (hips, edge) = (Self.place(networks, 33, raw.region), Self.place(networks, 34, raw.region))
            let diameter = 2 * ((edge - hips) * (edge - hips)).sum().squareRoot()
            let carriers = [hips.x, hips.y, edge.x, edge.y].enumerated().map { index, value in
                regionFilters[index].filter(value, elapsed: seconds, scale: diameter)
            }
            expectedRegion = (SIMD2(carriers[0], carriers[1]), SIMD2(carriers[2], carriers[3]))

            for index in 0..<99 {
                let (point, axis) = index.quotientAndRemainder(dividingBy: 3)
                // In pixels; depth is normalised by the width.
                let unit = axis == 1 ? Double(height) : Double(width)
                let value = filters[index].filter(
                    unit * Double(raw.landmarks[point][axis]), elapsed: seconds, scale: diameter)
                #expect(abs(unit * Double(filtered.landmarks[point][axis]) - value) < 2e-2, "step \(step)")
                let world = worldFilters[index].filter(
                    Double(raw.worldLandmarks[point][axis]), elapsed: seconds, scale: 1)
                #expect(abs(Double(filtered.worldLandmarks[point][axis]) - world) < 1e-5)
            }
            let seen = (0..<33).map { Double(raw.visibility[$0]) }
            visibility = visibility.map { zip($0, seen).map { 0.9 * $0 + 0.1 * $1 } } ?? seen
            for index in 0..<33 {
                #expect(abs(Double(filtered.visibility[index]) - (visibility?[index] ?? 0)) < 1e-5)
            }
            #expect(raw.pointPresence == filtered.pointPresence)
            if let before {
                rawSteps += Double(abs(raw.landmarks[8].x - before.0.landmarks[8].x))
                smoothSteps += Double(abs(filtered.landmarks[8].x - before.1.landmarks[8].x))
            }
            before = (raw, filtered)
        }
        #expect(smoothSteps < 0.8 * rawSteps)
    }

    /// A person who is found again after a hold is not pulled towards the filters' old state.
    @Test func startsAnewAfterAHold() throws {
        let scene = SquareScene()
        var smooth = try Self.tracker(BodyTrackingConfiguration.Smoothing())
        var networks = PeopleNetworks.settled()
        for step in 0..<20 { try scene.withFrame { smooth.track($0, at: Int64(step) * 33_333_333, with: &networks) } }
        networks.presence = 0
        try scene.withFrame { smooth.track($0, at: 700_000_000, with: &networks) }
        networks.presence = 0.9
        for index in networks.metres.indices { networks.metres[index] = 0.7 }
        try scene.withFrame { smooth.track($0, at: 900_000_000, with: &networks) }
        let bodies = smooth.bodies
        let body = try #require(bodies.first)
        #expect(body.state == .seen && body.identity == 0)
        #expect((0..<33).allSatisfy { abs(body.worldLandmarks[$0].z - 0.7) < 1e-6 })
    }

    /// A visibility of 1 adopts the new point entirely, one of 0 not at all.
    @Test(arguments: [Float(0), 0.1, 1]) func visibilityAdopts(_ share: Float) throws {
        var tracker = try Self.tracker(BodyTrackingConfiguration.Smoothing(visibility: share))
        var networks = PeopleNetworks.settled()
        for index in 0..<33 { networks.points[5 * index + 3] = -100 }
        try SquareScene().withFrame { tracker.track($0, at: 0, with: &networks) }
        for index in 0..<33 { networks.points[5 * index + 3] = 100 }
        try SquareScene().withFrame { tracker.track($0, at: 33_333_333, with: &networks) }
        let bodies = tracker.bodies
        let body = try #require(bodies.first)
        for index in 0..<33 { #expect(abs(body.visibility[index] - share) < 1e-6) }
    }
}
