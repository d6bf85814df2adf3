import Frames
import HandTracking
import KernelInterface
import TestSupport
import Testing
import Tracking
import Vocabulary

private let millisecond: Int64 = 1_000_000
private let frame30: Int64 = 33_333_333

extension TrackedHand.Points {
    /// Mean of all points, in pixels of a frame.
    fileprivate func middle(_ width: Int, _ height: Int) -> SIMD2<Double> {
        (0..<TrackedHand.Points.count).reduce(.zero) { sum, index in
            sum + SIMD2(Double(self[index].x) * Double(width), Double(self[index].y) * Double(height)) / 21
        }
    }
}

@Suite struct HandTrackerTests {
    private static let templateMiddle = handTemplate.reduce(.zero, +) / 21

    /// How far the points of a tracked hand are from where the scene has it, in pixels.
    private static func error(_ tracked: TrackedHand, _ hand: SquareScene.Square, _ scene: SquareScene) -> Double {
        let expected = SIMD2(hand.x, hand.y) + hand.size * templateMiddle
        let difference = tracked.landmarks.middle(scene.width, scene.height) - expected
        return max(abs(difference.x), abs(difference.y))
    }

    @Test func findsAndFollows() throws {
        var tracker = try handTracker()
        var networks = SceneNetworks()
        var scene = SquareScene()
        for step in 0..<60 {
            let hand = SquareScene.Square(
                x: 60 + 3 * Double(step), y: 160 - Double(step), size: 36 + 0.3 * Double(step))
            scene.squares = [hand]
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
            try #require(tracker.hands.count == 1, "frame \(step)")
            let tracked = tracker.hands[0]
            #expect(Self.error(tracked, hand, scene) < 2, "frame \(step)")
            #expect(tracked.identity == 0 && tracked.presence == 0.95 && tracked.handedness == .right)
        }
        // One look for a palm was enough.
        #expect(networks.detections == 1 && networks.landmarkRuns == 60)
        #expect(tracker.counts.frames == 60 && tracker.counts.detections == 1)
        #expect(tracker.counts.landmarkRuns == 60 && tracker.counts.found == 1 && tracker.counts.lost == 0)
    }

    /// Poses are computed from the reported points, in pixels: x and z by the upright frame's width, y by its height.
    @Test(arguments: [ImageOrientation.up, .left]) func posesAreOfThePointsInOneScale(
        _ orientation: ImageOrientation
    ) throws {
        var tracker = try handTracker(2, orientation) { $0.smoothing = HandTrackingConfiguration.Smoothing() }
        var networks = SceneNetworks()
        let hands = [SquareScene.Square(x: 80, y: 120), SquareScene.Square(x: 240, y: 120, color: .blue)]
        for step in 0..<3 {
            try SquareScene(squares: hands).withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
        }
        try #require(tracker.hands.count == 2)
        let scale: SIMD3<Float> = orientation == .up ? SIMD3(320, 240, 320) : SIMD3(240, 320, 240)
        for (hand, asked) in zip(tracker.hands, networks.posed.suffix(2)) {
            for index in 0..<TrackedHand.Points.count { #expect(asked[index] == hand.landmarks[index] * scale) }
            #expect(asked[9].z != 0)
            #expect(hand.pose?.name == (hand.handedness == .right ? .openPalm : .closedFist))
        }
    }

    /// The detector reads black around the frame, the landmark network the frame's edge.
    @Test func whatTheNetworksAreShown() throws {
        var tracker = try handTracker()
        var networks = SceneNetworks()
        let scene = SquareScene(squares: [SquareScene.Square(x: 6, y: 120)])
        try scene.withFrame { tracker.track($0, at: 0, with: &networks) }
        #expect(networks.landmarkRuns == 1)
        // 320 x 240 in a square: an eighth of it above and below.
        for y in 0..<192 {
            for x in [2, 100, 189] {
                let red = networks.images.color(x, y, inDetection: true).x
                // At the edge a pixel is the mean of places on both sides.
                #expect((23...168).contains(y) || red == 0, "\(x), \(y)")
                #expect(!(26..<166).contains(y) || red > 0.2, "\(x), \(y)")
            }
        }
        // The hand's region begins left of the frame.
        for y in 0..<NetworkImages.landmarkSide {
            #expect(networks.images.color(0, y, inDetection: false).x > 0.2, "row \(y)")
        }
    }

    @Test func losesAndFindsAgain() throws {
        var tracker = try handTracker()
        var networks = SceneNetworks()
        var scene = SquareScene()
        var seen: [Bool] = []
        var detections: [Int] = []
        for step in 0..<90 {
            // There for a second, away for a second, somewhere else.
            switch step {
            case 0..<30: scene.squares = [SquareScene.Square(x: 100, y: 120)]
            case 30..<60: scene.squares = []
            default: scene.squares = [SquareScene.Square(x: 230, y: 90)]
            }
            let before = networks.detections
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
            seen.append(!tracker.hands.isEmpty)
            if networks.detections > before { detections.append(step) }
        }
        #expect(seen == (0..<90).map { !(30..<60).contains($0) })
        // At the start, in every frame of the half second after the loss, and when the scene changes again.
        #expect(detections == [0] + Array(31...45) + [60])
        #expect(tracker.hands[0].identity == 1)
        #expect(tracker.counts.lost == 1 && tracker.counts.found == 2)
    }

    /// Something moves for a second and then stands still for another, until the app reports movement.
    @Test(arguments: [(Double?(3), 6), (nil, 9)]) func detectsOnSchedule(_ stillness: Double?, _ detections: Int) throws
    {
        var tracker = try handTracker {
            $0.detectionInterval = .milliseconds(250)
            ($0.stillness, $0.stillDetectionInterval) = (stillness, nil)
        }
        var networks = SceneNetworks()
        for step in 0...16 {
            let scene = SquareScene(distraction: (20 + 70 * (min(step, 8) % 4), 100))
            try scene.withFrame {
                tracker.track(
                    $0, at: Int64(step) * 125 * millisecond, sceneChanged: step < 16 ? nil : true, with: &networks)
            }
        }
        #expect(
            tracker.counts.detections == detections && networks.detections == detections && networks.landmarkRuns == 0)
    }

    /// In a scene that moves, a missing hand is searched for in every frame at 30 a second, and a second hand ten times a second.
    @Test func furtherHandsAreSearchedForLessOften() throws {
        for (squares, detections) in [([], 30), ([SquareScene.Square(x: 40, y: 30, size: 18)], 10)] {
            var tracker = try handTracker(2)
            var networks = SceneNetworks()
            var scene = SquareScene(width: 160, height: 120)
            scene.squares = squares
            for step in 0..<30 {
                try scene.withFrame {
                    tracker.track($0, at: Int64(step) * frame30, sceneChanged: true, with: &networks)
                }
            }
            #expect(tracker.hands.count == squares.count && tracker.counts.detections == detections)
        }
    }

    /// After a detection without a hand the next follows in half a second, and shows another tile.
    @Test func aStillSceneIsLookedAtFromTimeToTime() throws {
        var tracker = try handTracker()
        var networks = SceneNetworks()
        for (step, detections) in [(0, 1), (15, 1), (16, 2), (31, 2), (32, 3)] {
            try SquareScene().withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
            #expect(tracker.counts.detections == detections && networks.detections == 2 * detections, "frame \(step)")
        }
    }

    /// A tile follows the one before after half a second, and not a nanosecond earlier.
    @Test(arguments: [(Int64(0), 5), (1, 4)]) func aTileIsSearchedInItsTime(_ early: Int64, _ detections: Int) throws {
        var tracker = try handTracker { $0.stillDetectionInterval = .milliseconds(500) }
        var networks = SceneNetworks()
        for time in [0, 250 * millisecond, 500 * millisecond - early] {
            try SquareScene().withFrame { tracker.track($0, at: time, sceneChanged: true, with: &networks) }
        }
        #expect(tracker.counts.detections == 3 && networks.detections == detections)
    }

    /// A twelfth of the picture's height, where four blocks meet.
    @Test func aSmallHandIsAChange() throws {
        var tracker = try handTracker()
        var networks = SceneNetworks()
        var scene = SquareScene(width: 1_280, height: 720)
        try scene.withFrame { tracker.track($0, at: 0, with: &networks) }
        scene.squares = [SquareScene.Square(x: 641, y: 361, size: 60)]
        try scene.withFrame { tracker.track($0, at: 200 * millisecond, with: &networks) }
        #expect(tracker.counts.detections == 2)
    }

    @Test func oneHandUnlessTwoAreAskedFor() throws {
        let scene = SquareScene(squares: [
            SquareScene.Square(x: 80, y: 120), SquareScene.Square(x: 240, y: 120, color: .blue),
        ])
        for hands in 1...2 {
            var tracker = try handTracker(hands)
            var networks = SceneNetworks()
            for step in 0..<10 { try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) } }
            #expect(tracker.hands.map(\.handedness) == (hands == 1 ? [.right] : [.right, .left]))
            #expect(tracker.hands.map(\.identity) == Array(0..<hands))
            #expect(networks.detections == 1)
        }
    }

    /// The hands pass each other at some distance and change places; each keeps its identity.
    @Test func twoHandsChangePlaces() throws {
        var tracker = try handTracker(2)
        var networks = SceneNetworks()
        var scene = SquareScene()
        for step in 0..<60 {
            let x = 60 + 200 * Double(step) / 59
            scene.squares = [SquareScene.Square(x: x, y: 60), SquareScene.Square(x: 320 - x, y: 180, color: .blue)]
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
            try #require(tracker.hands.map(\.identity) == [0, 1], "frame \(step)")
            #expect(tracker.hands.map(\.handedness) == [.right, .left])
            for (tracked, hand) in zip(tracker.hands, scene.squares) {
                #expect(Self.error(tracked, hand, scene) < 2.5, "frame \(step)")
            }
        }
        #expect(networks.detections == 1)
    }

    /// One of two goes and comes: the other's identity is not touched, and the detector, which finds both, adds only the new
    /// one.
    @Test func theOtherComesBack() throws {
        var tracker = try handTracker(2)
        var networks = SceneNetworks()
        let red = SquareScene.Square(x: 80, y: 120)
        let blue = SquareScene.Square(x: 240, y: 120, color: .blue)
        var identities: [[Int]] = []
        for step in 0..<120 {
            let scene = SquareScene(
                squares: (20..<40).contains(step) || (60..<65).contains(step) ? [blue] : [red, blue])
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
            identities.append(tracker.hands.map(\.identity))
        }
        #expect(identities[19] == [0, 1])
        #expect(identities[20..<40].allSatisfy { $0 == [1] })
        // After two thirds of a second it is a new hand, after a sixth the same one.
        #expect(identities[44] == [1, 2])
        #expect(identities[62] == [1])
        #expect(identities[119] == [1, 2])
    }

    /// A hand is lost at 100 ms; half a second later, to the nanosecond, it is still the same one.
    @Test(arguments: [(0, 0), (1, 1)]) func theHoldOfAnIdentityEnds(_ late: Int64, _ identity: Int) throws {
        var tracker = try handTracker { $0.identityHold = .milliseconds(500) }
        var networks = SceneNetworks()
        for (count, time) in [(1, Int64(0)), (0, 100 * millisecond), (1, 600 * millisecond + late)] {
            let scene = SquareScene(squares: Array(repeating: SquareScene.Square(x: 160, y: 120), count: count))
            try scene.withFrame { tracker.track($0, at: time, sceneChanged: true, with: &networks) }
        }
        #expect(tracker.hands.map(\.identity) == [identity])
    }

    /// Of two hands that were lost near where a hand is found, that hand is the nearer one.
    @Test(arguments: [(157.0, 0), (163, 1)]) func theNearerOfTwoComesBack(_ x: Double, _ identity: Int) throws {
        var tracker = try handTracker(2) { $0.regionOverlap = 0.3 }
        var networks = SceneNetworks()
        var scene = SquareScene(squares: [
            SquareScene.Square(x: 140, y: 120), SquareScene.Square(x: 180, y: 120, color: .blue),
        ])
        for step in 0..<3 {
            if step == 1 { scene.squares = [] }
            if step == 2 { scene.squares = [SquareScene.Square(x: x, y: 120)] }
            try scene.withFrame { tracker.track($0, at: Int64(step) * frame30, with: &networks) }
            #expect(tracker.counts.lost == (step == 0 ? 0 : 2))
        }
        #expect(tracker.hands.map(\.identity) == [identity])
    }

    /// Two regions that come to show the same hand: the one followed longer stays.
    @Test func twoRegionsOfOneHand() throws {
        var tracker = try handTracker(2)
        var networks = SceneNetworks()
        var scene = SquareScene(squares: [
            SquareScene.Square(x: 140, y: 120), SquareScene.Square(x: 180, y: 120, color: .blue),
        ])
        try scene.withFrame { tracker.track($0, at: 0, with: &networks) }
        #expect(tracker.hands.map(\.identity) == [0, 1])
        // Both regions see the red hand, which has moved between them.
        scene.squares = [SquareScene.Square(x: 160, y: 120)]
        try scene.withFrame { tracker.track($0, at: frame30, with: &networks) }
        #expect(tracker.hands.map(\.identity) == [0])
        #expect(tracker.counts.lost == 1)
        try scene.withFrame { tracker.track($0, at: 2 * frame30, with: &networks) }
        #expect(tracker.hands.map(\.identity) == [0])
    }

    /// A palm that the detector finds within a hand of 80 pixels is no second hand, in the first frame and later; one
    /// beside it is.
    @Test(arguments: [
        (150.0, 116.0, 30.0, 1), (170, 112, 40, 1), (160, 140, 36, 1), (180, 100, 20, 1), (216, 120, 30, 2),
        (250, 120, 64, 2),
    ])
    func aPalmWithinAHand(_ x: Double, _ y: Double, _ size: Double, _ count: Int) throws {
        var tracker = try handTracker(2)
        var networks = SceneNetworks()
        let hand = SquareScene.Square(x: 160, y: 120, size: 80)
        let both = SquareScene(squares: [hand, SquareScene.Square(x: x, y: y, size: size, color: .blue)])
        try both.withFrame { tracker.track($0, at: 0, with: &networks) }
        #expect(tracker.hands.count == count && tracker.hands.first?.handedness == .right)
        tracker.reset()
        try SquareScene(squares: [hand]).withFrame { tracker.track($0, at: 0, with: &networks) }
        for step in 1...3 {
            try both.withFrame { tracker.track($0, at: Int64(step) * 1_000 * millisecond, with: &networks) }
        }
        #expect(tracker.hands.map(\.identity) == Array(count..<2 * count))
        #expect(tracker.counts.found == 2 * count && tracker.counts.lost == 0)
    }

    @Test func resetForgets() throws {
        var tracker = try handTracker()
        var networks = SceneNetworks()
        let scene = SquareScene(squares: [SquareScene.Square(x: 80, y: 120)])
        try scene.withFrame { tracker.track($0, at: 0, with: &networks) }
        tracker.reset()
        #expect(tracker.hands.isEmpty)
        try scene.withFrame { tracker.track($0, at: 1, with: &networks) }
        #expect(networks.detections == 2 && tracker.hands.map(\.identity) == [1])
        // So does a frame of another size, at once.
        var larger = scene
        larger.width = 400
        try larger.withFrame { tracker.track($0, at: 2, with: &networks) }
        #expect(networks.detections == 3 && tracker.hands.map(\.identity) == [2])
    }

    /// A frame that is stored turned gives the landmarks of the upright one.
    @Test(arguments: ImageOrientation.allCases) func storedTurned(_ orientation: ImageOrientation) throws {
        let hand = SquareScene.Square(x: 100, y: 90)
        let upright = SquareScene(squares: [hand])
        var networks = SceneNetworks()
        var tracker = try handTracker(1, orientation)
        try upright.picture.withView(orientation) { frame in
            tracker.track(frame, at: 0, with: &networks)
            tracker.track(frame, at: frame30, with: &networks)
        }
        try #require(tracker.hands.count == 1)
        #expect(Self.error(tracker.hands[0], hand, upright) < 1)
    }

    /// A region of interest is looked at as if it were the frame.
    @Test func lookedAtInPart() throws {
        var networks = SceneNetworks()
        var tracker = try handTracker()
        let scene = SquareScene(squares: [SquareScene.Square(x: 150, y: 120), SquareScene.Square(x: 20, y: 20)])
        try scene.withFrame { frame in
            let view = try PixelView(
                frame.plane, format: .rgba, width: 320, height: 240, bytesPerRow: 1_280,
                region: PixelView.Region(x: 60, y: 50, width: 200, height: 150))
            tracker.track(view, at: 0, with: &networks)
        }
        try #require(tracker.hands.count == 1)
        let middle = tracker.hands[0].landmarks.middle(200, 150)
        let expected = SIMD2(90.0, 70) + 40 * Self.templateMiddle
        #expect(abs(middle.x - expected.x) < 1 && abs(middle.y - expected.y) < 1)
    }
}
