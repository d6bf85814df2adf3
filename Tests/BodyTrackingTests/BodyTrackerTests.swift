import BodyTracking
import Frames
import KernelsPortable
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
        _ tracked: TrackedBody, _ person: PeopleScene.Person, _ width: Int, _ height: Int
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
        var scene = PeopleScene()
        for step in 0..<60 {
            let person = PeopleScene.Person(
                x: 60 + 3 * Double(step), y: 160 - Double(step), size: 36 + 0.3 * Double(step))
            scene.people = [person]
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

    /// The detector sees black around the frame, the landmark network the frame's edge.
    @Test func whatTheNetworksAreShown() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks()
        let scene = PeopleScene(people: [PeopleScene.Person(x: 12, y: 120)])
        try scene.withFrame { tracker.track($0, at: 0, with: &networks) }
        #expect(networks.landmarkRuns == 1)
        // 320 x 240 in a square: an eighth of it above and below.
        for y in 0..<224 {
            for x in [0, 100, 223] {
                let color = networks.pictures.color(x, y, inDetection: true)
                #expect((28..<196).contains(y) ? color.x > 0.2 : color == .zero, "\(x), \(y)")
            }
        }
        // The region begins left of the frame.
        for y in 0..<BodyPictures.landmarkSide {
            #expect(networks.pictures.color(0, y, inDetection: false).x > 0.2, "row \(y)")
        }
    }

    /// A person who is away for less than the hold keeps place, landmarks and identity.
    @Test func holdsWhoIsAwayForAShortWhile() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks()
        let there = PeopleScene(people: [PeopleScene.Person(x: 100, y: 120)])
        let back = PeopleScene(people: [PeopleScene.Person(x: 112, y: 120)])
        var latest: TrackedBody?
        for step in 0..<60 {
            let scene = step < 20 ? there : step < 45 ? PeopleScene() : back
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
            try #require(tracker.bodies.count == 1, "frame \(step)")
            let body = tracker.bodies[0]
            #expect(body.identity == 0 && tracker.isBodyLost == false)
            #expect(body.state == ((20..<45).contains(step) ? .held : .seen), "frame \(step)")
            if let latest, body.state == .held { #expect(body.landmarks == latest.landmarks) }
            latest = body
        }
        #expect(try Self.error(#require(latest), back.people[0], 320, 240) < 2.5)
        #expect(tracker.counts.found == 1 && tracker.counts.lost == 0)
        // At the start, at once after the loss, and when the scene has changed.
        #expect(networks.detections == 3)
    }

    /// After the hold the body is lost, the user is asked to step back in, and the next person has a new identity.
    @Test func losesAndFindsAnew() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks()
        let scene = PeopleScene(people: [PeopleScene.Person(x: 100, y: 120)])
        var states: [TrackedBody.State?] = []
        var asked: [Bool] = []
        for step in 0..<120 {
            try ((30..<90).contains(step) ? PeopleScene() : scene).withFrame {
                tracker.track($0, at: Int64(step) * frame30, with: &networks)
            }
            states.append(tracker.bodies.first?.state)
            asked.append(tracker.isBodyLost)
            #expect(tracker.bodies.first?.identity ?? 0 == (step < 90 ? 0 : 1))
        }
        // Seen last in frame 29: a second is over after frame 59.
        #expect(states == (0..<120).map { $0 < 30 || $0 >= 90 ? .seen : $0 < 60 ? .held : nil })
        #expect(asked == (0..<120).map { (60..<90).contains($0) })
        #expect(tracker.counts.lost == 1 && tracker.counts.found == 2)
    }

    @Test func withoutAHoldALostBodyEnds() throws {
        var tracker = try Self.tracker { $0.hold = .zero }
        var networks = PeopleNetworks()
        let scene = PeopleScene(people: [PeopleScene.Person(x: 100, y: 120)])
        for (step, people) in [1, 0, 0, 0, 1].enumerated() {
            try (people == 1 ? scene : PeopleScene()).withFrame {
                tracker.track($0, at: Int64(step) * 100 * millisecond, with: &networks)
            }
            #expect(tracker.bodies.map(\.identity) == [[0], [0], [], [], [1]][step])
            #expect(tracker.isBodyLost == [false, false, true, true, false][step])
        }
    }

    /// A person who comes back out of reach of the held place has a new identity, once the place is free.
    @Test func aBodyElsewhereIsANewOne() throws {
        var tracker = try Self.tracker { $0.hold = .milliseconds(500) }
        var networks = PeopleNetworks()
        let there = PeopleScene(people: [PeopleScene.Person(x: 60, y: 120)])
        let elsewhere = PeopleScene(people: [PeopleScene.Person(x: 260, y: 120)])
        var identities: [[Int]] = []
        for step in 0..<40 {
            try (step < 10 ? there : elsewhere).withFrame {
                tracker.track($0, at: Int64(step) * frame30, sceneChanged: true, with: &networks)
            }
            identities.append(tracker.bodies.map(\.identity))
        }
        // 15 frames are half a second from the one seen last; the next look may be three frames after that.
        #expect(identities[0..<25].allSatisfy { $0 == [0] })
        #expect(identities[29..<40].allSatisfy { $0 == [1] })
    }

    @Test(arguments: 1...4) func theLargestFirst(_ limit: Int) throws {
        var tracker = try Self.tracker { $0.maximumBodies = limit }
        var networks = PeopleNetworks()
        // From the surest to the detector to the least sure, the second smallest first.
        let people: [PeopleScene.Person] = [
            .init(x: 80, y: 120, size: 30, color: .yellow), .init(x: 230, y: 120, size: 24, color: .blue),
            .init(x: 380, y: 120, size: 44, color: .green), .init(x: 540, y: 120, size: 60, color: .red),
        ]
        let scene = PeopleScene(width: 640, people: people)
        for step in 0..<10 {
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
        }
        let expected = [people[3], people[2], people[0], people[1]].prefix(limit)
        try #require(tracker.bodies.count == limit)
        #expect(tracker.bodies.map(\.identity) == Array(0..<limit))
        for (body, person) in zip(tracker.bodies, expected) { #expect(Self.error(body, person, 640, 240) < 2.5) }
        #expect(networks.detections == 1)
    }

    /// People pass each other at some distance; each keeps the identity.
    @Test func peopleChangePlaces() throws {
        var tracker = try Self.tracker { $0.maximumBodies = 2 }
        var networks = PeopleNetworks()
        var scene = PeopleScene()
        for step in 0..<60 {
            let x = 60 + 200 * Double(step) / 59
            scene.people = [
                PeopleScene.Person(x: x, y: 60), PeopleScene.Person(x: 320 - x, y: 180, size: 36, color: .blue),
            ]
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
            try #require(tracker.bodies.map(\.identity) == [0, 1], "frame \(step)")
            for (tracked, person) in zip(tracker.bodies, scene.people) {
                #expect(Self.error(tracked, person, 320, 240) < 2.5, "frame \(step)")
            }
        }
        #expect(networks.detections == 1)
    }

    /// Two regions that come to show one person: the one followed longer stays, the other is held and then lost.
    @Test func twoRegionsOfOnePerson() throws {
        var tracker = try Self.tracker { $0.maximumBodies = 2 }
        var networks = PeopleNetworks()
        var scene = PeopleScene(people: [
            PeopleScene.Person(x: 142, y: 120, size: 44), PeopleScene.Person(x: 184, y: 120, color: .blue),
        ])
        try scene.withFrame { tracker.track($0, at: 0, with: &networks) }
        #expect(tracker.bodies.map(\.identity) == [0, 1])
        // Both regions see the blue one, who has moved between them.
        scene.people = [PeopleScene.Person(x: 163, y: 120, color: .blue)]
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
        let red = PeopleScene.Person(x: 120, y: 120, size: 44)
        let blue = PeopleScene.Person(x: 150, y: 120, color: .blue)
        var scene = PeopleScene(people: [red, PeopleScene.Person(x: 200, y: 120, color: .blue)])
        for step in 0..<10 {
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
        }
        #expect(tracker.bodies.map(\.identity) == [0, 1])
        // The red one is away, the blue one within reach of that place.
        for step in 10..<35 {
            scene.people = [PeopleScene.Person(x: max(150, 200 - 10 * Double(step - 9)), y: 120, color: .blue)]
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
            scene.people = [red, PeopleScene.Person(x: x, y: 120, color: .blue)]
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
        }
        #expect(tracker.bodies.map(\.identity) == [0, 1] && tracker.bodies.allSatisfy { $0.state == .seen })
        #expect(Self.error(tracker.bodies[0], red, 320, 240) < 2.5)
    }

    /// One of two goes for good and comes back: the other's identity is not touched, and only the new one is added.
    @Test func theOtherComesBack() throws {
        var tracker = try Self.tracker { $0.maximumBodies = 2 }
        var networks = PeopleNetworks()
        let red = PeopleScene.Person(x: 80, y: 120, size: 44)
        let blue = PeopleScene.Person(x: 240, y: 120, color: .blue)
        var identities: [[Int]] = []
        for step in 0..<100 {
            let scene = PeopleScene(people: (20..<80).contains(step) ? [blue] : [red, blue])
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
            identities.append(tracker.bodies.map(\.identity))
        }
        #expect(identities[0..<50].allSatisfy { $0 == [0, 1] })
        #expect(identities[50..<80].allSatisfy { $0 == [1] })
        #expect(identities[84..<100].allSatisfy { $0 == [1, 2] })
    }

    /// Something moves for a second and then stands still for another, until the app says that something moved.
    @Test(arguments: [(Double?(3), 6), (nil, 9)]) func looksOnSchedule(_ stillness: Double?, _ looks: Int) throws {
        var tracker = try Self.tracker {
            $0.detectionInterval = .milliseconds(250)
            $0.stillness = stillness
        }
        var networks = PeopleNetworks()
        for step in 0...16 {
            let scene = PeopleScene(distraction: (20 + 70 * (min(step, 8) % 4), 100))
            try scene.withFrame {
                tracker.track(
                    $0, at: Int64(step) * 125 * millisecond, sceneChanged: step < 16 ? nil : true, with: &networks)
            }
        }
        #expect(networks.detections == looks)
        #expect(networks.landmarkRuns == 0 && tracker.bodies.isEmpty && tracker.isBodyLost == false)
    }

    /// With turns no call runs both networks: whom the detector finds is read by the next call.
    @Test func networksTakeTurns() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks()
        let scene = PeopleScene(people: [PeopleScene.Person(x: 80, y: 120)])
        try scene.withFrame { tracker.track($0, at: 0, takesTurns: true, with: &networks) }
        #expect(networks.detections == 1 && networks.landmarkRuns == 0 && tracker.bodies.isEmpty)
        try scene.withFrame { tracker.track($0, at: 1, takesTurns: true, with: &networks) }
        #expect(networks.detections == 1 && networks.landmarkRuns == 1 && tracker.bodies.count == 1)
    }

    @Test func resetForgets() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks()
        let scene = PeopleScene(people: [PeopleScene.Person(x: 80, y: 120)])
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
            try PeopleScene(width: 400).withFrame {
                tracker.track($0, at: Int64(step) * frame30, with: &networks)
            }
        }
        #expect(tracker.isBodyLost == true)
        tracker.reset()
        #expect(tracker.isBodyLost == false)
    }

    /// A frame that is stored turned gives the landmarks of the upright one.
    @Test(arguments: ImageOrientation.allCases) func storedTurned(_ orientation: ImageOrientation) throws {
        let person = PeopleScene.Person(x: 100, y: 90)
        var networks = PeopleNetworks()
        var tracker = try Self.tracker { $0.orientation = orientation }
        try PeopleScene(people: [person]).picture.withView(orientation) { frame in
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
        let scene = PeopleScene(people: [
            PeopleScene.Person(x: 150, y: 120), PeopleScene.Person(x: 20, y: 20, size: 60, color: .blue),
        ])
        try scene.withFrame { frame in
            let view = try PixelView(
                frame.plane, format: .rgba, width: 320, height: 240, bytesPerRow: 1_280,
                region: PixelView.Region(x: 60, y: 50, width: 200, height: 150))
            tracker.track(view, at: 0, with: &networks)
        }
        try #require(tracker.bodies.count == 1)
        #expect(Self.error(tracker.bodies[0], PeopleScene.Person(x: 90, y: 70), 200, 150) < 2)
    }

    /// Colours come through every format that has them.
    @Test(arguments: [
        PixelView.Format.rgba, .bgra, .yuyv(.video), .yuyv(.full), .nv12(.video), .nv12(.full), .nv21(.video),
        .i420(.video),
        .i420(.full),
    ]) func everyFormatInColour(_ format: PixelView.Format) throws {
        var networks = PeopleNetworks()
        var tracker = try Self.tracker { $0.maximumBodies = 2 }
        let people = [
            PeopleScene.Person(x: 90, y: 100, size: 48), PeopleScene.Person(x: 230, y: 130, color: .blue),
        ]
        let frame = StoredScene(PeopleScene(people: people), format)
        for step in 0..<3 { try frame.withView { tracker.track($0, at: Int64(step) * frame30, with: &networks) } }
        try #require(tracker.bodies.count == 2)
        for (body, person) in zip(tracker.bodies, people) { #expect(Self.error(body, person, 320, 240) < 2.5) }
    }

    /// A frame without colour is examined, and these networks find no person in it.
    @Test(arguments: [PixelView.Format.gray8, .nv12(.video), .i420(.full)])
    func luminanceAlone(_ format: PixelView.Format) throws {
        var networks = PeopleNetworks()
        var tracker = try Self.tracker()
        let frame = StoredScene(PeopleScene(people: [PeopleScene.Person(x: 90, y: 100)]), format, hasChroma: false)
        try frame.withView { tracker.track($0, at: 0, with: &networks) }
        #expect(networks.detections == 1 && tracker.bodies.isEmpty)
    }

    /// A person in the middle, and from the second detection on another one, that many radii aside.
    private static func beside(_ radii: Float) -> FixedBodyNetworks {
        var networks = FixedBodyNetworks.settled()
        let index = FixedBodyNetworks.settledAnchor + 1
        // The boxes do not overlap; the points are what tells where somebody is.
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
        let other = FixedBodyNetworks.settledAnchor + 1
        for step in 0..<2 {
            networks.scoreNumbers[other] = step == 0 ? -10 : 4
            try PeopleScene().withFrame {
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
        let (first, second) = (FixedBodyNetworks.settledAnchor, FixedBodyNetworks.settledAnchor + 1)
        // The second person is found beside the first one's place, and the points lie on it.
        networks.shifts = [0, 0, -1.2 * 64 / 2.5]
        for step in 0..<3 {
            networks.presence = step == 1 ? 0 : 1
            networks.scoreNumbers[first] = step == 0 ? 4 : -10
            networks.scoreNumbers[second] = step == 2 ? 4 : -10
            try PeopleScene().withFrame {
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
        networks.scoreNumbers[FixedBodyNetworks.settledAnchor + 1] = 4
        // The second one's points, in the second frame. A region of 64 is 2.5 radii wide.
        networks.shifts = [0, 0, 0, (radii - 1) * 64 / 2.5]
        for step in 0..<2 {
            try PeopleScene().withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
        }
        #expect(tracker.bodies.map(\.state) == [.seen, state])
    }
}
