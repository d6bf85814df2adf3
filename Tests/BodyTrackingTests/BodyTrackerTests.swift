import BodyTracking
import Frames
import KernelInterface
import TestSupport
import Testing
import Tracking

private let millisecond: Int64 = 1_000_000
private let frame30: Int64 = 33_333_333

@Suite struct BodyTrackerTests {
    private static func tracker(_ change: (inout BodyTrackingConfiguration) -> Void = { _ in }) throws -> BodyTracker {
        var configuration = BodyTrackingConfiguration(smoothing: nil)
        change(&configuration)
        return try BodyTracker(configuration: configuration, kernels: portableCropKernels)
    }

    /// How far any point of a tracked body is from where the scene has it, in pixels.
    private static func error(
        _ tracked: TrackedBody, _ person: SquareScene.Square, _ width: Int, _ height: Int
    ) -> Double {
        (0..<TrackedBody.Points.count).map { index in
            let expected = SIMD2(person.x, person.y) + person.size * bodyTemplate[index]
            let found = SIMD2(
                Double(tracked.landmarks[index].x) * Double(width), Double(tracked.landmarks[index].y) * Double(height))
            return max(abs(found.x - expected.x), abs(found.y - expected.y))
        }.max() ?? .infinity
    }

    @Test func findsAndFollows() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks()
        var scene = SquareScene()
        for step in 0..<60 {
            let person = SquareScene.Square(
                x: 60 + 3 * Double(step), y: 160 - Double(step), size: 36 + 0.3 * Double(step))
            scene.squares = [person]
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
            try #require(tracker.bodies.count == 1, "frame \(step)")
            let tracked = tracker.bodies[0]
            #expect(Self.error(tracked, person, 320, 240) < 2.5, "frame \(step)")
            #expect(tracked.identity == 0 && tracked.state == .seen && tracked.presence == 0.95)
            #expect(abs(tracked.visibility[.nose] - 0.9526) < 1e-4)
            #expect(abs(tracked.pointPresence[.nose] - 0.9820) < 1e-4)
            #expect(abs(tracked.region.rotation) < 0.05)
        }
        // One look for people was enough.
        #expect(networks.detections == 1 && networks.landmarkRuns == 60)
        #expect(tracker.counts.frames == 60 && tracker.counts.detections == 1)
        #expect(tracker.counts.landmarkRuns == 60 && tracker.counts.found == 1 && tracker.counts.lost == 0)
        #expect(tracker.isBodyLost == false)
    }

    /// The detector reads black around the frame, the landmark network the frame's edge.
    @Test func whatTheNetworksAreShown() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks()
        let scene = SquareScene(squares: [SquareScene.Square(x: 12, y: 120)])
        try scene.withFrame { tracker.track($0, at: 0, with: &networks) }
        #expect(networks.landmarkRuns == 1)
        // 320 x 240 in a square: an eighth of it above and below.
        for y in 0..<224 {
            for x in [0, 100, 223] {
                let color = networks.images.color(x, y, inDetection: true)
                #expect((28..<196).contains(y) ? color.x > 0.2 : color == .zero, "\(x), \(y)")
            }
        }
        // The region begins left of the frame.
        for y in 0..<NetworkImages.landmarkSide {
            #expect(networks.images.color(0, y, inDetection: false).x > 0.2, "row \(y)")
        }
    }

    /// A person who is away for less than the hold keeps place, landmarks and identity.
    @Test func holdsWhoIsAwayForAShortWhile() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks()
        let there = SquareScene(squares: [SquareScene.Square(x: 100, y: 120)])
        let back = SquareScene(squares: [SquareScene.Square(x: 112, y: 120)])
        var latest: TrackedBody?
        for step in 0..<60 {
            let scene = step < 20 ? there : step < 45 ? SquareScene() : back
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
            try #require(tracker.bodies.count == 1, "frame \(step)")
            let body = tracker.bodies[0]
            #expect(body.identity == 0 && tracker.isBodyLost == false)
            #expect(body.state == ((20..<45).contains(step) ? .held : .seen), "frame \(step)")
            if let latest, body.state == .held { #expect(body.landmarks == latest.landmarks) }
            latest = body
        }
        #expect(try Self.error(#require(latest), back.squares[0], 320, 240) < 2.5)
        #expect(tracker.counts.found == 1 && tracker.counts.lost == 0)
        // At the start, at once after the loss, and when the scene has changed.
        #expect(networks.detections == 3)
    }

    /// People pass each other at some distance; each keeps the identity.
    @Test func peopleChangePlaces() throws {
        var tracker = try Self.tracker { $0.maximumBodies = 2 }
        var networks = PeopleNetworks()
        var scene = SquareScene()
        for step in 0..<60 {
            let x = 60 + 200 * Double(step) / 59
            scene.squares = [
                SquareScene.Square(x: x, y: 60), SquareScene.Square(x: 320 - x, y: 180, size: 36, color: .blue),
            ]
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
            try #require(tracker.bodies.map(\.identity) == [0, 1], "frame \(step)")
            for (tracked, person) in zip(tracker.bodies, scene.squares) {
                #expect(Self.error(tracked, person, 320, 240) < 2.5, "frame \(step)")
            }
        }
        #expect(networks.detections == 1)
    }

    /// Two regions that come to show one person: the one followed longer stays, the other is held and then lost.
    @Test func twoRegionsOfOnePerson() throws {
        var tracker = try Self.tracker { $0.maximumBodies = 2 }
        var networks = PeopleNetworks()
        var scene = SquareScene(squares: [
            SquareScene.Square(x: 142, y: 120, size: 44), SquareScene.Square(x: 184, y: 120, color: .blue),
        ])
        try scene.withFrame { tracker.track($0, at: 0, with: &networks) }
        #expect(tracker.bodies.map(\.identity) == [0, 1])
        // Both regions see the blue one, who has moved between them.
        scene.squares = [SquareScene.Square(x: 163, y: 120, color: .blue)]
        for step in 1..<60 {
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
            #expect(tracker.bodies.map(\.identity) == (step <= 30 ? [0, 1] : [0]), "frame \(step)")
            #expect(tracker.bodies.map(\.state) == (step <= 30 ? [.seen, .held] : [.seen]), "frame \(step)")
        }
        #expect(tracker.counts.lost == 1 && tracker.counts.found == 2)
    }

    /// One person walks behind another; the visible one is tracked on and does not take the held identity.
    @Test func whoIsSeenDoesNotBecomeWhoIsHeld() throws {
        var tracker = try Self.tracker { $0.maximumBodies = 2 }
        var networks = PeopleNetworks()
        let red = SquareScene.Square(x: 120, y: 120, size: 44)
        let blue = SquareScene.Square(x: 150, y: 120, color: .blue)
        var scene = SquareScene(squares: [red, SquareScene.Square(x: 200, y: 120, color: .blue)])
        for step in 0..<10 {
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
        }
        #expect(tracker.bodies.map(\.identity) == [0, 1])
        // The red one is away, the blue one within reach of that place.
        for step in 10..<35 {
            scene.squares = [SquareScene.Square(x: max(150, 200 - 10 * Double(step - 9)), y: 120, color: .blue)]
            try scene.withFrame {
                tracker.track($0, at: Int64(step) * frame30, sceneChanged: true, with: &networks)
            }
            try #require(tracker.bodies.map(\.identity) == [0, 1], "frame \(step)")
            #expect(tracker.bodies.map(\.state) == [.held, .seen], "frame \(step)")
        }
        #expect(Self.error(tracker.bodies[1], blue, 320, 240) < 2.5)
        // And is taken up again on coming back.
        for step in 35..<45 {
            let x = min(200, 150 + 10 * Double(step - 34))
            scene.squares = [red, SquareScene.Square(x: x, y: 120, color: .blue)]
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
        }
        #expect(tracker.bodies.map(\.identity) == [0, 1] && tracker.bodies.allSatisfy { $0.state == .seen })
        #expect(Self.error(tracker.bodies[0], red, 320, 240) < 2.5)
    }

    /// Something moves for a second and then stands still for another, until the app reports movement.
    @Test(arguments: [(Double?(3), 6), (nil, 9)]) func detectsOnSchedule(_ stillness: Double?, _ detections: Int) throws
    {
        var tracker = try Self.tracker {
            $0.detectionInterval = .milliseconds(250)
            $0.stillness = stillness
        }
        var networks = PeopleNetworks()
        for step in 0...16 {
            let scene = SquareScene(distraction: (20 + 70 * (min(step, 8) % 4), 100))
            try scene.withFrame {
                tracker.track(
                    $0, at: Int64(step) * 125 * millisecond, sceneChanged: step < 16 ? nil : true, with: &networks)
            }
        }
        #expect(networks.detections == detections)
        #expect(networks.landmarkRuns == 0 && tracker.bodies.isEmpty && tracker.isBodyLost == false)
    }

    /// With turns no call runs both networks: whom the detector finds is read by the next call.
    @Test func networksTakeTurns() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks()
        let scene = SquareScene(squares: [SquareScene.Square(x: 80, y: 120)])
        try scene.withFrame { tracker.track($0, at: 0, takesTurns: true, with: &networks) }
        #expect(networks.detections == 1 && networks.landmarkRuns == 0 && tracker.bodies.isEmpty)
        try scene.withFrame { tracker.track($0, at: 1, takesTurns: true, with: &networks) }
        #expect(networks.detections == 1 && networks.landmarkRuns == 1 && tracker.bodies.count == 1)
    }

    @Test func resetForgets() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks()
        let scene = SquareScene(squares: [SquareScene.Square(x: 80, y: 120)])
        try scene.withFrame { tracker.track($0, at: 0, with: &networks) }
        tracker.reset()
        #expect(tracker.bodies.isEmpty)
        try scene.withFrame { tracker.track($0, at: 1, with: &networks) }
        #expect(networks.detections == 2 && tracker.bodies.map(\.identity) == [1])
        // So does a frame of another size, at once.
        var larger = scene
        larger.width = 400
        try larger.withFrame { tracker.track($0, at: 2, with: &networks) }
        #expect(networks.detections == 3 && tracker.bodies.map(\.identity) == [2])
        // And a request to step back in.
        for step in 1..<80 {
            try SquareScene(width: 400).withFrame {
                tracker.track($0, at: Int64(step) * frame30, with: &networks)
            }
        }
        #expect(tracker.isBodyLost == true)
        tracker.reset()
        #expect(tracker.isBodyLost == false)
    }

    /// A frame that is stored turned gives the landmarks of the upright one.
    @Test(arguments: ImageOrientation.allCases) func storedTurned(_ orientation: ImageOrientation) throws {
        let person = SquareScene.Square(x: 100, y: 90)
        var networks = PeopleNetworks()
        var tracker = try Self.tracker { $0.orientation = orientation }
        try SquareScene(squares: [person]).picture.withView(orientation) { frame in
            tracker.track(frame, at: 0, with: &networks)
            tracker.track(frame, at: frame30, with: &networks)
        }
        try #require(tracker.bodies.count == 1)
        #expect(Self.error(tracker.bodies[0], person, 320, 240) < 2)
    }

    /// A region of interest is looked at as if it were the frame.
    @Test func lookedAtInPart() throws {
        var networks = PeopleNetworks()
        var tracker = try Self.tracker()
        let scene = SquareScene(squares: [
            SquareScene.Square(x: 150, y: 120), SquareScene.Square(x: 20, y: 20, size: 60, color: .blue),
        ])
        try scene.withFrame { frame in
            let view = try PixelView(
                frame.plane, format: .rgba, width: 320, height: 240, bytesPerRow: 1_280,
                region: PixelView.Region(x: 60, y: 50, width: 200, height: 150))
            tracker.track(view, at: 0, with: &networks)
        }
        try #require(tracker.bodies.count == 1)
        #expect(Self.error(tracker.bodies[0], SquareScene.Square(x: 90, y: 70), 200, 150) < 2)
    }

    /// A person in the middle, and from the second detection on another one, that many radii aside.
    private static func beside(_ radii: Float) -> PeopleNetworks {
        var networks = PeopleNetworks.settled()
        let index = PeopleNetworks.settledAnchor + 1
        // The boxes do not overlap; the points are the position of a person.
        for (number, value) in [60, 60, 4, 4, 40 * radii, 0, 40 * radii, -40].enumerated() {
            networks.boxNumbers[12 * index + number] = value
        }
        return networks
    }

    /// A detection within half a radius of a tracked person is that person.
    @Test(arguments: [(Float(0.46), 1), (0.54, 2)])
    func whoIsFollowedIsNotFoundAgain(_ radii: Float, _ count: Int) throws {
        var tracker = try Self.tracker { $0.maximumBodies = 2 }
        var networks = Self.beside(radii)
        let other = PeopleNetworks.settledAnchor + 1
        for step in 0..<2 {
            networks.scoreNumbers[other] = step == 0 ? -10 : 4
            try SquareScene().withFrame {
                tracker.track($0, at: Int64(step) * 200 * millisecond, sceneChanged: true, with: &networks)
            }
        }
        #expect(tracker.counts.detections == 2 && tracker.bodies.count == count)
        #expect(tracker.counts.landmarkRuns == 1 + count)
    }

    /// A body that is only held does not keep another one from being found at the same place.
    @Test func aHeldBodyHidesNoOther() throws {
        var tracker = try Self.tracker { $0.maximumBodies = 2 }
        var networks = Self.beside(1.2)
        let (first, second) = (PeopleNetworks.settledAnchor, PeopleNetworks.settledAnchor + 1)
        // The second person is found beside the first one's place, and the points lie on it.
        networks.shifts = [0, 0, -1.2 * 64 / 2.5]
        for step in 0..<3 {
            networks.presence = step == 1 ? 0 : 1
            networks.scoreNumbers[first] = step == 0 ? 4 : -10
            networks.scoreNumbers[second] = step == 2 ? 4 : -10
            try SquareScene().withFrame {
                tracker.track($0, at: Int64(step) * 200 * millisecond, sceneChanged: true, with: &networks)
            }
        }
        #expect(tracker.bodies.map(\.state) == [.held, .seen])
        #expect(tracker.bodies.map(\.identity) == [0, 1])
    }

    /// Two new detections within 0.15 sides of the larger box, which is two radii, are one person.
    @Test(arguments: [(Float(0.27), TrackedBody.State.held), (0.33, .seen)])
    func bodiesThatComeTogetherAreOne(_ radii: Float, _ state: TrackedBody.State) throws {
        var tracker = try Self.tracker { $0.maximumBodies = 2 }
        var networks = Self.beside(1)
        networks.scoreNumbers[PeopleNetworks.settledAnchor + 1] = 4
        // The second one's points, in the second frame. A region of 64 is 2.5 radii wide.
        networks.shifts = [0, 0, 0, (radii - 1) * 64 / 2.5]
        for step in 0..<2 {
            try SquareScene().withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
        }
        #expect(tracker.bodies.map(\.state) == [.seen, state])
    }
}
