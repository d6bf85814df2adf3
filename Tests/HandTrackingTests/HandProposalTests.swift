import Foundation
import Frames
import HandTracking
import KernelInterface
import TestSupport
import Testing
import Tracking

private let millisecond: Int64 = 1_000_000

/// Networks whose detector misses squares that are too small, as the real one.
private struct ShortSighted: HandNetworks {
    /// Minimum side of a hand in the detector's image.
    static let minimumSide = 20.0

    var scene = SceneNetworks()
    private var noScores = [Float](repeating: -10, count: 2_016)
    private var isBlind = false

    var palmImage: ImageBuffer { scene.palmImage }
    var landmarkImage: ImageBuffer { scene.landmarkImage }
    var palmBoxes: Span<Float> { @_lifetime(borrow self) get { scene.palmBoxes } }
    var palmScores: Span<Float> { @_lifetime(borrow self) get { isBlind ? noScores.span : scene.palmScores } }
    var landmarks: Span<Float> { @_lifetime(borrow self) get { scene.landmarks } }
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { scene.worldLandmarks } }
    var presence: Float { scene.presence }
    var rightHandedness: Float { scene.rightHandedness }

    mutating func detectPalms() {
        scene.detectPalms()
        let sides = [SquareScene.Color.red, .blue].map { scene.images.square(of: $0, inDetection: true)?.side ?? 0 }
        isBlind = sides.allSatisfy { $0 < Self.minimumSide }
    }

    mutating func findLandmarks() { scene.findLandmarks() }
    mutating func pose(of points: TrackedHand.Points) -> TrackedHand.Pose? { scene.pose(of: points) }
}

@Suite struct HandProposalTests {
    private static let hand = SquareScene.Square(x: 400, y: 150, size: 24)
    private static let scene = SquareScene(width: 640, height: 480, squares: [hand])
    private static let region = TrackedRegion(centerX: 405, centerY: 155, side: 90)

    @Test(arguments: [0, 0.6, -2.5]) func findsWhatTheFrameAloneDoesNotShow(_ rotation: Double) throws {
        var alone = try handTracker(stillInterval: nil)
        var near = try handTracker(stillInterval: nil)
        var (first, second) = (ShortSighted(), ShortSighted())
        var region = Self.region
        region.rotation = rotation
        for step in 0..<5 {
            let time = Int64(step) * 33 * millisecond
            try Self.scene.withFrame { frame in
                alone.track(frame, at: time, with: &first)
                near.track(frame, at: time, near: [region], with: &second)
            }
            #expect(alone.hands.isEmpty)
            try #require(near.hands.count == 1)
            #expect(near.hands[0].identity == 0)
        }
        // The region alone was searched, once; a hand that is followed needs no more detections.
        #expect(second.scene.detections == 1 && near.counts.detections == 1)
        let wrist = near.hands[0].landmarks[0]
        let (x, y) = (400 - 12 * sin(rotation), 150 + 12 * cos(rotation))
        #expect(abs(Double(wrist.x) * 640 - x) < 3 && abs(Double(wrist.y) * 480 - y) < 3)
    }

    /// A hand too small for the whole frame is found in one of five tiles; each detection takes the next tile, and after the
    /// last corner the middle again. The hand comes with a frame and is found in the frame of its tile.
    @Test(arguments: [
        (320.0, 240.0, 0, 0), (80, 90, 0, 5), (560, 100, 0, 10), (100, 400, 0, 15), (560, 400, 0, 20),
        (320, 240, 25, 25),
    ])
    func findsASmallHandInATile(_ x: Double, _ y: Double, _ comes: Int, _ isFound: Int) throws {
        var tracker = try handTracker()
        var networks = ShortSighted()
        let hand = SquareScene.Square(x: x, y: y, size: 44)
        for step in 0...isFound {
            let scene = SquareScene(width: 640, height: 480, squares: step < comes ? [] : [hand])
            try scene.withFrame { tracker.track($0, at: Int64(step) * 100 * millisecond, with: &networks) }
            #expect(tracker.hands.isEmpty == (step < isFound), "frame \(step)")
        }
    }

    /// The whole frame is looked at where the regions show nothing, and where none of them can be used.
    @Test func theWholeFrameAsWell() throws {
        let scene = SquareScene(width: 640, height: 480, squares: [SquareScene.Square(x: 400, y: 150, size: 90)])
        let elsewhere = TrackedRegion(centerX: 100, centerY: 400, side: 60)
        var odd: [TrackedRegion] = []
        for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
            odd.append(TrackedRegion(centerX: value, centerY: 155, side: 90))
            odd.append(TrackedRegion(centerX: 405, centerY: value, side: 90))
            odd.append(TrackedRegion(centerX: 405, centerY: 155, side: value))
        }
        odd.append(TrackedRegion(centerX: 405, centerY: 155, side: 90, rotation: .nan))
        odd.append(TrackedRegion(centerX: 405, centerY: 155, side: 0))
        odd.append(TrackedRegion(centerX: 2_000, centerY: 155, side: 90))
        for (regions, detections) in [([elsewhere], 2)] + odd.map({ ([$0], 1) }) {
            var tracker = try handTracker(stillInterval: nil)
            var networks = ShortSighted()
            try scene.withFrame { tracker.track($0, at: 0, near: regions, with: &networks) }
            #expect(tracker.hands.count == 1 && networks.scene.detections == detections, "\(regions)")
        }
    }

    /// Palms are detected at the configured rate however often regions come, and not while enough hands are tracked.
    @Test func atTheConfiguredRate() throws {
        var tracker = try handTracker(stillInterval: nil) {
            ($0.stillness, $0.detectionInterval) = (nil, .milliseconds(100))
        }
        var networks = ShortSighted()
        let nothing = SquareScene(width: 640, height: 480)
        for step in 0..<30 {
            try nothing.withFrame {
                tracker.track($0, at: Int64(step) * 10 * millisecond, near: [Self.region], with: &networks)
            }
        }
        // At 0, 100 and 200 ms, the region and the frame.
        #expect(tracker.counts.detections == 3 && networks.scene.detections == 6)
    }

    /// Time is bounded: of very many regions only the first are looked at.
    @Test func ofManyRegionsTheFirst() throws {
        var tracker = try handTracker(stillInterval: nil)
        var networks = ShortSighted()
        let many = (0..<50).map { TrackedRegion(centerX: 10 * Double($0), centerY: 20, side: 40) }
        try SquareScene(width: 640, height: 480).withFrame { tracker.track($0, at: 0, near: many, with: &networks) }
        #expect(networks.scene.detections == HandTracker.maximumRegions + 1)
    }

    /// In a still scene a region that is new or has moved is looked at, the same one not again.
    @Test func aNewRegionIsAChange() throws {
        var tracker = try handTracker(stillInterval: nil)
        var networks = ShortSighted()
        let nothing = SquareScene(width: 640, height: 480)
        var moved = Self.region
        moved.centerX += 60
        var step: Int64 = 0
        for (regions, detections) in [
            ([], 1), ([], 0), ([Self.region], 2), ([Self.region], 0), ([moved], 2), ([moved], 0), ([], 0),
        ] as [([TrackedRegion], Int)] {
            let before = networks.scene.detections
            try nothing.withFrame {
                tracker.track($0, at: step * 200 * millisecond, near: regions, with: &networks)
            }
            #expect(networks.scene.detections - before == detections, "step \(step)")
            step += 1
        }
    }

    /// The region of a hand that is followed is not looked at for another, and makes no second hand of it.
    @Test func aHandIsFoundOnce() throws {
        var tracker = try handTracker(2, stillInterval: nil) { $0.stillness = nil }
        var networks = ShortSighted()
        var second = Self.region
        second.centerX += 4
        for step in 0..<20 {
            try Self.scene.withFrame {
                tracker.track(
                    $0, at: Int64(step) * 50 * millisecond, near: [Self.region, second], with: &networks)
            }
            #expect(tracker.hands.map(\.identity) == [0])
        }
        // Every look after the first is one at the frame.
        #expect(networks.scene.detections == tracker.counts.detections)
    }

    /// Two small hands by their regions, and one that is lost keeps its identity when its region shows it again.
    @Test func identities() throws {
        let other = SquareScene.Square(x: 200, y: 300, size: 24, color: .blue)
        let regions = [Self.region, TrackedRegion(centerX: 200, centerY: 300, side: 90)]
        var tracker = try handTracker(2, stillInterval: nil)
        var networks = ShortSighted()
        var scene = Self.scene
        for (step, hands) in [[Self.hand, other], [other], [Self.hand, other]].enumerated() {
            scene.squares = hands
            try scene.withFrame {
                tracker.track($0, at: Int64(step) * 150 * millisecond, near: regions, with: &networks)
            }
            #expect(tracker.hands.map(\.identity).sorted() == (hands.count == 2 ? [0, 1] : [1]))
        }
        #expect(tracker.counts.found == 2)
    }
}
