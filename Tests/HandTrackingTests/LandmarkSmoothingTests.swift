import Frames
import HandTracking
import KernelInterface
import TestSupport
import Testing
import Tracking
import Vocabulary

@Suite struct LandmarkSmoothingTests {
    /// The points of an upright hand, shaken.
    private static func shake(_ networks: inout SceneNetworks, by noise: Double, _ random: inout SplitMix64) {
        networks.points = SceneNetworks.settled().points.map { $0 + Float(noise * (random.unit() - 0.5)) }
        networks.worldPoints = networks.worldPoints.map { _ in Float(0.1 * random.unit()) }
    }

    /// A smoothing tracker gives what filters make of the points of a tracker without smoothing.
    @Test func agreesWithRealNumbers() throws {
        let scene = SquareScene()
        var configuration = HandTrackingConfiguration()
        var plain = try HandTracker(configuration: configuration, kernels: portableCropKernels)
        let smoothing = HandTrackingConfiguration.Smoothing()
        configuration.smoothing = smoothing
        var smooth = try HandTracker(configuration: configuration, kernels: portableCropKernels)
        var networks = SceneNetworks.settled()
        var random = SplitMix64(seed: 30)
        var filters = (0..<63).map { _ in OneEuroReference(smoothing.landmarks) }
        var worldFilters = (0..<63).map { _ in OneEuroReference(smoothing.worldLandmarks) }
        var time: Int64 = 0
        var (rawSteps, smoothSteps) = (0.0, 0.0)
        var before: (TrackedHand.Points, TrackedHand.Points)?
        for _ in 0..<100 {
            let elapsed = 5_000_000 + Int64(random.next(below: 60_000_000))
            time += elapsed
            Self.shake(&networks, by: 0.5, &random)
            try scene.withFrame { plain.track($0, at: time, with: &networks) }
            try scene.withFrame { smooth.track($0, at: time, with: &networks) }
            let (raw, filtered) = try (#require(plain.hands.first), #require(smooth.hands.first))
            // What is followed does not depend on what is shown.
            #expect(raw.region == filtered.region)
            let next = try #require(
                TrackedHand.Region(landmarks: raw.landmarks, frame: FrameSize(width: 320, height: 240)))
            for index in 0..<63 {
                let (point, axis) = index.quotientAndRemainder(dividingBy: 3)
                // In pixels; depth is normalised by the width.
                let unit = axis == 1 ? 240.0 : 320
                let value = filters[index].filter(
                    unit * Double(raw.landmarks[point][axis]), elapsed: Double(elapsed) / 1e9, scale: next.side)
                #expect(abs(unit * Double(filtered.landmarks[point][axis]) - value) < 1e-2)
                let world = worldFilters[index].filter(
                    Double(raw.worldLandmarks[point][axis]), elapsed: Double(elapsed) / 1e9, scale: 1)
                #expect(abs(Double(filtered.worldLandmarks[point][axis]) - world) < 1e-5)
            }
            if let before {
                rawSteps += Double(abs(raw.landmarks[8].x - before.0[8].x))
                smoothSteps += Double(abs(filtered.landmarks[8].x - before.1[8].x))
            }
            before = (raw.landmarks, filtered.landmarks)
        }
        #expect(smoothSteps < 0.8 * rawSteps)
    }

    /// What comes after a frame of the same time is as if that frame had not been there.
    @Test func aRepeatedTimeLeavesNoTrace() throws {
        let scene = SquareScene()
        var configuration = HandTrackingConfiguration()
        configuration.smoothing = HandTrackingConfiguration.Smoothing()
        func last(_ steps: [(time: Int64, depth: Float)]) throws -> TrackedHand {
            var tracker = try HandTracker(configuration: configuration, kernels: portableCropKernels)
            var networks = SceneNetworks.settled()
            for step in steps {
                for index in 0..<21 { networks.worldPoints[3 * index + 2] = step.depth }
                try scene.withFrame { tracker.track($0, at: step.time, with: &networks) }
            }
            return try #require(tracker.hands.first)
        }
        let expected = try last([(1_000, 0), (33_000_000, 0.01)])
        #expect(try last([(1_000, 0), (1_000, 0.05), (33_000_000, 0.01)]).worldLandmarks == expected.worldLandmarks)
    }
}
