import Foundation
import Frames
import HandTracking
import KernelInterface
import TestSupport
import Testing
import Tracking
import Vocabulary

private let second: Int64 = 1_000_000_000

@Suite struct HandTrackerRobustnessTests {
    private static let scene = SquareScene()

    /// Where the points come from: the picture turned and scaled into the frame, depth normalised by its width, as MediaPipe's
    /// calculators have it one after the other, in real numbers.
    @Test(arguments: [(320, 240), (240, 320), (200, 200)]) func pointsInTheFrame(_ width: Int, _ height: Int) throws {
        var random = SplitMix64(seed: 20)
        var scene = Self.scene
        (scene.width, scene.height) = (width, height)
        var networks = SceneNetworks.settled()
        for _ in 0..<40 {
            var tracker = try handTracker()
            // The palm points anywhere.
            let angle = 2 * .pi * random.unit()
            networks.boxes[18 * SceneNetworks.settledAnchor + 4 + 4] = Float(20 * sin(angle))
            networks.boxes[18 * SceneNetworks.settledAnchor + 5 + 4] = Float(15 - 20 * cos(angle))
            for index in 0..<63 {
                networks.points[index] = Float(10 + 44 * random.unit())
                networks.worldPoints[index] = Float(random.unit() - 0.5)
            }
            try scene.withFrame { tracker.track($0, at: 0, with: &networks) }
            let hand = try #require(tracker.hands.first)
            let region = hand.region
            #expect(abs(remainder(region.rotation - angle, 2 * .pi)) < 1e-5)
            let (sine, cosine) = (sin(region.rotation), cos(region.rotation))
            for index in 0..<21 {
                let (x, y, z) = (
                    Double(networks.points[3 * index]) / 64 - 0.5, Double(networks.points[3 * index + 1]) / 64 - 0.5,
                    Double(networks.points[3 * index + 2]) / 64 / 0.4
                )
                let (w, h) = (region.side / Double(width), region.side / Double(height))
                // Normalised by both sides, as the region is square in pixels.
                let expected = SIMD3(
                    (cosine * x - sine * y) * w + region.centerX / Double(width),
                    (sine * x + cosine * y) * h + region.centerY / Double(height), z * w)
                let difference = SIMD3<Double>(hand.landmarks[index]) - expected
                #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) < 1e-5)
                let (u, v, depth) = (
                    Double(networks.worldPoints[3 * index]), Double(networks.worldPoints[3 * index + 1]),
                    Double(networks.worldPoints[3 * index + 2])
                )
                let turned = SIMD3(cosine * u - sine * v, sine * u + cosine * v, depth)
                let error = SIMD3<Double>(hand.worldLandmarks[index]) - turned
                #expect(max(abs(error.x), abs(error.y), abs(error.z)) < 1e-6)
            }
        }
    }

    @Test func presenceMustBeAboveTheMinimum() throws {
        for (presence, isHand) in [(Float(0.5), false), (Float(0.5).nextUp, true), (7, true), (-1, false)] {
            var tracker = try handTracker()
            var networks = SceneNetworks.settled()
            networks.presence = presence
            try Self.scene.withFrame { tracker.track($0, at: 0, with: &networks) }
            #expect(tracker.hands.count == (isHand ? 1 : 0), "\(presence)")
            if let hand = tracker.hands.first { #expect(hand.presence == min(presence, 1)) }
        }
    }

    /// A hand that is lost is looked for, however still the scene.
    @Test func aLossIsAChange() throws {
        var tracker = try handTracker()
        var networks = SceneNetworks.settled()
        for (time, presence, detections, hands) in [
            (Int64(0), Float(0.9), 1, 1), (second, 0.1, 1, 0), (second + second / 30, 0.9, 2, 1),
        ] {
            networks.presence = presence
            try Self.scene.withFrame { tracker.track($0, at: time, with: &networks) }
            #expect(tracker.counts.detections == detections && tracker.hands.count == hands, "\(time)")
        }
        #expect(tracker.hands.map(\.identity) == [0])
    }

    /// False palms use up no identities, and detection runs again every half second only.
    @Test func palmsThatAreNone() throws {
        var tracker = try handTracker()
        var networks = SceneNetworks.settled()
        networks.presence = 0.2
        for step in 0..<30 {
            try Self.scene.withFrame { tracker.track($0, at: Int64(step) * second / 30, with: &networks) }
        }
        #expect(tracker.counts.detections == 2 && tracker.counts.landmarkRuns == 2)
        #expect(tracker.counts.found == 0 && tracker.counts.lost == 0)
        networks.presence = 0.9
        try Self.scene.withFrame { tracker.track($0, at: 2 * second, sceneChanged: true, with: &networks) }
        #expect(tracker.hands.map(\.identity) == [0])
    }

    /// Times that jump and overflow leave every number finite; that detections keep their interval, `DetectionScheduleTests`
    /// show.
    @Test func timesOutOfOrder() throws {
        var random = SplitMix64(seed: 21)
        let odd: [Int64] = [.min, .max, -1, 0, 1, second, .min / 2, .max / 2]
        var networks = SceneNetworks.settled()
        var smoothed = try handTracker(2) { $0.smoothing = HandTrackingConfiguration.Smoothing() }
        for _ in 0..<300 {
            let time = odd[Int(random.next(below: UInt64(odd.count)))]
            networks.presence = random.unit() < 0.8 ? 0.9 : 0.1
            try Self.scene.withFrame { smoothed.track($0, at: time, sceneChanged: true, with: &networks) }
            #expect(smoothed.hands.allSatisfy { hand in (0..<21).allSatisfy { hand.landmarks[$0].x.isFinite } })
        }
    }

    /// Outputs of any bits at all, in any order, with two hands and filters.
    @Test func anyOutputs() throws {
        var random = SplitMix64(seed: 22)
        let odd: [Float] = [.nan, .infinity, -.infinity, 0, -0.0, 1e38, -1e38, .leastNonzeroMagnitude, 1e-20, 192, 0.5]
        func number(_ random: inout SplitMix64) -> Float {
            switch random.next(below: 8) {
            case 0: Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            case 1: odd[Int(random.next(below: UInt64(odd.count)))]
            default: Float(100 * random.unit() - 20)
            }
        }
        var tracker = try handTracker(2) {
            $0.detectionInterval = .zero
            $0.smoothing = HandTrackingConfiguration.Smoothing()
        }
        var networks = SceneNetworks.settled()
        let usual = networks
        let scene = SquareScene(width: 61, height: 47)
        var seen = 0
        try scene.withFrame { frame in
            for step in 0..<20_000 {
                for _ in 0..<20 {
                    let index = Int(random.next(below: 2_016))
                    networks.scores[index] = number(&random)
                    networks.boxes[18 * index + Int(random.next(below: 18))] = number(&random)
                    networks.boxes[18 * SceneNetworks.settledAnchor + Int(random.next(below: 18))] = number(&random)
                }
                if random.unit() < 0.5 { networks.points[Int(random.next(below: 63))] = number(&random) }
                if random.unit() < 0.2 { networks.worldPoints[Int(random.next(below: 63))] = number(&random) }
                networks.presence = random.unit() < 0.5 ? 0.9 : number(&random)
                networks.rightHandedness = random.unit() < 0.5 ? 0.9 : number(&random)
                if step % 7 == 0 { networks = usual }
                tracker.track(frame, at: Int64(step) * second / 120, sceneChanged: true, with: &networks)
                seen += tracker.hands.count
                #expect(tracker.hands.count <= 2)
                for hand in tracker.hands {
                    let isFinite = (0..<21).allSatisfy { index in
                        let sum = hand.landmarks[index].sum() + hand.worldLandmarks[index].sum()
                        return (sum * 0).isZero
                    }
                    #expect(isFinite && hand.presence > 0.5 && hand.presence <= 1)
                    #expect((0...1).contains(hand.rightHandedness))
                    #expect(hand.region.isUsable(in: FrameSize(width: 61, height: 47)))
                }
                #expect(Set(tracker.hands.map(\.identity)).count == tracker.hands.count)
            }
        }
        #expect(seen > 1_000)
        #expect(tracker.counts.found > 100 && tracker.counts.lost > 100)
    }
}
