import BodyTracking
import Frames
import KernelInterface
import TestSupport
import Testing
import Tracking

private let frame30: Int64 = 33_333_333

@Suite struct BodyMaskTests {
    private static func tracker(people: Int = 1, segmentation: Bool = true, maskSide: Int = 256) throws -> BodyTracker {
        try BodyTracker(
            configuration: BodyTrackingConfiguration(
                maximumBodies: people, hold: .milliseconds(100), segmentation: segmentation),
            maskSide: maskSide, kernels: portableCropKernels)
    }

    /// The mask of a body at a size; nil where the tracker has none.
    private static func mask(_ tracker: borrowing BodyTracker, of identity: Int, _ width: Int, _ height: Int)
        -> [Float]?
    {
        var pixels = [Float](repeating: 0, count: width * height)
        var span = pixels.mutableSpan
        let isThere = tracker.addMask(of: identity, width: width, height: height, to: &span)
        return isThere ? pixels : nil
    }

    private static func required(_ mask: [Float]?) throws -> [Float] { try #require(mask) }

    /// Each of two people has a mask of the own square, at the frame's size and at others, whatever the network's size.
    @Test(arguments: [(320, 240), (160, 120), (80, 240), (33, 21)], [256, 128])
    func coversThePerson(_ size: (width: Int, height: Int), _ maskSide: Int) throws {
        let (width, height) = size
        var tracker = try Self.tracker(people: 2, maskSide: maskSide)
        var networks = PeopleNetworks(segmentation: true, maskSide: maskSide)
        let people = [
            SquareScene.Square(x: 90, y: 100, size: 60), SquareScene.Square(x: 240, y: 140, size: 48, color: .blue),
        ]
        try SquareScene(squares: people).withFrame { tracker.track($0, at: 0, with: &networks) }
        try #require(tracker.bodies.map(\.identity) == [0, 1])
        for (identity, person) in people.enumerated() {
            let pixels = try Self.required(Self.mask(tracker, of: identity, width, height))
            for y in 0..<height {
                for x in 0..<width {
                    let place = SIMD2(
                        (Double(x) + 0.5) * 320 / Double(width), (Double(y) + 0.5) * 240 / Double(height))
                    let distance = max(abs(place.x - person.x), abs(place.y - person.y)) - person.size / 2
                    let share = pixels[y * width + x]
                    // A pixel of 64 of the network is about two of the frame.
                    if distance < -4 { #expect(share > 0.99, "\(x), \(y)") }
                    if distance > 4 { #expect(share < 0.01, "\(x), \(y)") }
                }
            }
        }
    }

    /// A number stays where it is greater already.
    @Test func raisesOnly() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks(segmentation: true)
        try SquareScene(squares: [SquareScene.Square(x: 100, y: 100)]).withFrame {
            tracker.track($0, at: 0, with: &networks)
        }
        let alone = try Self.required(Self.mask(tracker, of: 0, 32, 24))
        var pixels = (0..<32 * 24).map { Float($0 % 5) / 5 }
        let before = pixels
        var span = pixels.mutableSpan
        let isThere = tracker.addMask(of: 0, width: 32, height: 24, to: &span)
        #expect(isThere)
        #expect(pixels == zip(before, alone).map { max($0, $1) })
        #expect(alone.contains { $0 > 0.99 })
    }

    /// A region that reaches beyond the frame, on every side.
    @Test(arguments: [(4.0, 4.0), (316, 236), (4, 236), (160, 2)]) func atTheEdge(_ x: Double, _ y: Double) throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks(segmentation: true)
        try SquareScene(squares: [SquareScene.Square(x: x, y: y, size: 60)]).withFrame {
            tracker.track($0, at: 0, with: &networks)
        }
        try #require(tracker.bodies.count == 1)
        let pixels = try Self.required(Self.mask(tracker, of: 0, 320, 240))
        #expect(pixels[Int(y) * 320 + Int(x)] > 0.99)
        #expect(pixels[120 * 320 + 160] < 0.01 && pixels.allSatisfy { (0...1).contains($0) })
    }

    /// A person who comes after others have left has a mask of their own, up to the number of people tracked at once.
    @Test func masksAreUsedAgain() throws {
        var tracker = try Self.tracker(people: 2)
        var networks = PeopleNetworks(segmentation: true)
        var time: Int64 = 0
        for round in 0..<12 {
            let people = [
                SquareScene.Square(x: 80, y: 60 + 10 * Double(round), size: 48),
                SquareScene.Square(x: 230, y: 60 + 10 * Double(round), color: .blue),
            ]
            // One, both, or the other are there; then nobody, for longer than they are held.
            let shown = round % 3 == 0 ? people : [people[round % 2]]
            for _ in 0..<5 {
                try SquareScene(squares: shown).withFrame {
                    tracker.track($0, at: time, sceneChanged: true, with: &networks)
                }
                time += frame30
            }
            try #require(tracker.bodies.count == shown.count, "round \(round)")
            for (body, person) in zip(tracker.bodies, shown) {
                let pixels = try Self.required(Self.mask(tracker, of: body.identity, 320, 240))
                #expect(pixels[Int(person.y) * 320 + Int(person.x)] > 0.99)
                #expect(pixels[Int(person.y) * 320 + 310 - Int(person.x)] < 0.01)
            }
            for _ in 0..<8 {
                try SquareScene().withFrame { tracker.track($0, at: time, sceneChanged: true, with: &networks) }
                time += frame30
            }
            #expect(tracker.bodies.isEmpty)
        }
    }

    /// A body that is held has the mask it was seen with last.
    @Test func heldWithItsMask() throws {
        var tracker = try Self.tracker()
        var networks = PeopleNetworks(segmentation: true)
        let scene = SquareScene(squares: [SquareScene.Square(x: 100, y: 100)])
        try scene.withFrame { tracker.track($0, at: 0, with: &networks) }
        let seen = try Self.required(Self.mask(tracker, of: 0, 40, 30))
        try SquareScene().withFrame { tracker.track($0, at: frame30, with: &networks) }
        #expect(tracker.bodies.map(\.state) == [.held])
        #expect((Self.mask(tracker, of: 0, 40, 30) == seen) == true)
    }

    @Test func masksAreMadeForPeopleAndOnRequestAlone() throws {
        var tracker = try Self.tracker()
        #expect((Self.mask(tracker, of: 0, 4, 3) == nil) == true)
        let scene = SquareScene(squares: [SquareScene.Square(x: 100, y: 100)])
        var networks = PeopleNetworks(segmentation: true)
        try scene.withFrame { tracker.track($0, at: 0, with: &networks) }
        #expect((Self.mask(tracker, of: 0, 4, 3) != nil) == true)
        let others = [Self.mask(tracker, of: 1, 4, 3), Self.mask(tracker, of: -1, 4, 3)]
        #expect(others == [nil, nil])
        tracker.reset()
        #expect((Self.mask(tracker, of: 0, 4, 3) == nil) == true)

        var plain = try Self.tracker(segmentation: false)
        var unmasked = PeopleNetworks()
        try scene.withFrame { plain.track($0, at: 0, with: &unmasked) }
        #expect(plain.bodies.count == 1)
        #expect((Self.mask(plain, of: 0, 4, 3) == nil) == true)
    }

    /// NaN is background; infinities are all or nothing.
    @Test func oddLogits() throws {
        for (logit, share) in [(Float.nan, Float(0)), (.infinity, 1), (-.infinity, 0), (0, 0.5)] {
            var tracker = try Self.tracker()
            var networks = PeopleNetworks.settled()
            networks.maskNumbers = [Float](repeating: logit, count: 256 * 256)
            try SquareScene().withFrame { tracker.track($0, at: 0, with: &networks) }
            let pixels = try Self.required(Self.mask(tracker, of: 0, 32, 24))
            #expect(pixels[12 * 32 + 16] == share)
        }
    }
}
