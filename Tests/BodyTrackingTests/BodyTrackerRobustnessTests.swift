import BodyTracking
import Foundation
import Frames
import KernelInterface
import TestSupport
import Testing
import Tracking
import Vocabulary

private let second: Int64 = 1_000_000_000

@Suite struct BodyTrackerRobustnessTests {
    private static let scene = SquareScene()

    private static func tracker(_ change: (inout BodyTrackingConfiguration) -> Void = { _ in }) throws -> BodyTracker {
        var configuration = BodyTrackingConfiguration(smoothing: nil)
        change(&configuration)
        return try BodyTracker(configuration: configuration, kernels: portableCropKernels)
    }

    /// A NaN loses the body, in that frame and not before, and the last valid body is held. It does not if no result needs the
    /// number, as those of the points after the circle's.
    @Test(arguments: [(0, true), (33, true), (34, true), (35, false), (38, false)])
    func oddNumbersLoseSight(_ index: Int, _ isUsed: Bool) throws {
        for number in 0..<2 {
            var tracker = try Self.tracker()
            var networks = PeopleNetworks.settled()
            try Self.scene.withFrame { tracker.track($0, at: 0, with: &networks) }
            let before = try #require(tracker.bodies.first)
            networks.points[5 * index + number] = .nan
            try Self.scene.withFrame { tracker.track($0, at: second / 30, with: &networks) }
            let after = try #require(tracker.bodies.first)
            #expect(after.state == (isUsed ? .held : .seen) && after.landmarks.isFinite)
            if isUsed { #expect(after.landmarks == before.landmarks) }
        }
    }

    @Test func presenceMustBeAboveTheMinimum() throws {
        for (presence, isBody) in [(Float(0.5), false), (Float(0.5).nextUp, true), (7, true), (-1, false)] {
            var tracker = try Self.tracker()
            var networks = PeopleNetworks.settled()
            networks.presence = presence
            try Self.scene.withFrame { tracker.track($0, at: 0, with: &networks) }
            #expect(tracker.bodies.count == (isBody ? 1 : 0), "\(presence)")
            if let body = tracker.bodies.first { #expect(body.presence == min(presence, 1)) }
        }
    }

    /// False detections use up no identities and are not examined again and again.
    @Test func detectionsThatAreNoPerson() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks.settled()
        networks.presence = 0.2
        for step in 0..<30 {
            try Self.scene.withFrame { tracker.track($0, at: Int64(step) * second / 30, with: &networks) }
        }
        #expect(tracker.counts.detections == 1 && tracker.counts.landmarkRuns == 1)
        #expect(tracker.counts.found == 0 && tracker.counts.lost == 0)
        networks.presence = 0.9
        try Self.scene.withFrame { tracker.track($0, at: 2 * second, sceneChanged: true, with: &networks) }
        #expect(tracker.bodies.map(\.identity) == [0])
    }

    /// Times that jump and overflow leave every number finite; that detections keep their interval, `DetectionScheduleTests` show.
    @Test func timesOutOfOrder() throws {
        var random = SplitMix64(seed: 21)
        let odd: [Int64] = [.min, .max, -1, 0, 1, second, .min / 2, .max / 2]
        var networks = PeopleNetworks.settled()
        var smoothed = try Self.tracker {
            $0.maximumBodies = 2
            $0.smoothing = BodyTrackingConfiguration.Smoothing()
        }
        var seen = 0
        for _ in 0..<300 {
            let time = odd[Int(random.next(below: UInt64(odd.count)))]
            networks.presence = random.unit() < 0.8 ? 0.9 : 0.1
            try Self.scene.withFrame { smoothed.track($0, at: time, sceneChanged: true, with: &networks) }
            #expect(smoothed.bodies.allSatisfy { $0.landmarks.isFinite && $0.worldLandmarks.isFinite })
            seen += smoothed.bodies.count { $0.state == .seen }
        }
        #expect(seen > 100)
    }

    /// A hold is over by time alone, and not by frames of one time.
    @Test func holdsLastWhileTimeStandsStill() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks.settled()
        try Self.scene.withFrame { tracker.track($0, at: second, with: &networks) }
        networks.presence = 0
        for _ in 0..<100 { try Self.scene.withFrame { tracker.track($0, at: second, with: &networks) } }
        for (time, bodies) in [(2 * second, 1), (2 * second + 1, 0)] {
            try Self.scene.withFrame { tracker.track($0, at: time, with: &networks) }
            #expect(tracker.bodies.count == bodies)
        }
    }

    /// Outputs of any bits at all, in any order, with four people and filters, and with masks.
    @Test(arguments: [(4_000, false), (1_000, true)]) func anyOutputs(_ frames: Int, _ hasMasks: Bool) throws {
        var random = SplitMix64(seed: 22)
        let odd: [Float] = [.nan, .infinity, -.infinity, 0, -0.0, 1e38, -1e38, .leastNonzeroMagnitude, 1e-20, 224, 0.5]
        func number(_ random: inout SplitMix64) -> Float {
            switch random.next(below: 8) {
            case 0: Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            case 1: odd[Int(random.next(below: UInt64(odd.count)))]
            default: Float(100 * random.unit() - 20)
            }
        }
        var tracker = try Self.tracker {
            $0.maximumBodies = 4
            $0.detectionInterval = .zero
            $0.hold = .milliseconds(50)
            $0.smoothing = BodyTrackingConfiguration.Smoothing()
            $0.segmentation = hasMasks
        }
        var networks = PeopleNetworks.settled()
        networks.maskNumbers = [Float](repeating: 3, count: 256 * 256)
        let usual = networks
        let scene = SquareScene(width: 61, height: 47)
        var pixels = [Float](repeating: 0, count: 7 * 5)
        var seen = 0
        try scene.withFrame { frame in
            for step in 0..<frames {
                for _ in 0..<20 {
                    let index = Int(random.next(below: 2_254))
                    networks.scoreNumbers[index] = number(&random)
                    networks.boxNumbers[12 * index + Int(random.next(below: 12))] = number(&random)
                    networks.boxNumbers[12 * PeopleNetworks.settledAnchor + Int(random.next(below: 12))] =
                        number(&random)
                    networks.maps[Int(random.next(below: 64 * 64 * 39))] = number(&random)
                    networks.maskNumbers[Int(random.next(below: 256 * 256))] = number(&random)
                }
                if random.unit() < 0.5 { networks.points[Int(random.next(below: 39 * 5))] = number(&random) }
                if random.unit() < 0.2 { networks.metres[Int(random.next(below: 39 * 3))] = number(&random) }
                networks.presence = random.unit() < 0.5 ? 0.9 : number(&random)
                if step % 7 == 0 { networks = usual }
                tracker.track(frame, at: Int64(step) * second / 120, sceneChanged: true, with: &networks)
                seen += tracker.bodies.count { $0.state == .seen }
                #expect(tracker.bodies.count <= 4)
                for body in tracker.bodies {
                    #expect(body.landmarks.isFinite && body.worldLandmarks.isFinite)
                    #expect(body.presence > 0.5 && body.presence <= 1)
                    for index in 0..<33 {
                        guard (0...1).contains(body.visibility[index]), (0...1).contains(body.pointPresence[index])
                        else {
                            Issue.record("a score of \(body.visibility[index]), \(body.pointPresence[index])")
                            return
                        }
                    }
                    #expect(body.region.isUsable(in: FrameSize(width: 61, height: 47)))
                    var span = pixels.mutableSpan
                    let isWritten = tracker.addMask(of: body.identity, width: 7, height: 5, to: &span)
                    #expect(isWritten == hasMasks)
                }
                #expect(Set(tracker.bodies.map(\.identity)).count == tracker.bodies.count)
            }
        }
        #expect(pixels.allSatisfy { (0...1).contains($0) })
        #expect(seen > frames / 10)
        #expect(tracker.counts.found > frames / 100 && tracker.counts.lost > frames / 100)
    }
}
