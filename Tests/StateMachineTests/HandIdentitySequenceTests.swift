import HandTracking
import KernelInterface
import Kernels
import TestSupport
import Testing
import Tracking
import Vocabulary

/// Sees a hand where the test says that it is.
private struct MapHandNetworks: HandNetworks {
    var hand: MapScene.Object?
    private let palm = MapScene.Image(side: BoxAnchors.palms.side)
    private let landmark = MapScene.Image(side: 16)
    private var boxes = [Float](repeating: 0, count: 2_016 * 18)
    private var scores = [Float](repeating: -10, count: 2_016)
    private var points = [Float](repeating: 0, count: 63)
    private let worldPoints = [Float](repeating: 0, count: 63)
    private(set) var presence: Float = 0
    let rightHandedness: Float = 0.9

    var palmImage: ImageBuffer { palm.buffer }
    var landmarkImage: ImageBuffer { landmark.buffer }
    var palmBoxes: Span<Float> { @_lifetime(borrow self) get { boxes.span } }
    var palmScores: Span<Float> { @_lifetime(borrow self) get { scores.span } }
    var landmarks: Span<Float> { @_lifetime(borrow self) get { points.span } }
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { worldPoints.span } }

    init() {}

    mutating func detectPalms() {
        scores[0] = -10
        guard let hand else { return }
        let place = palm.place(hand.place)
        guard (0...192).contains(place.x), (0...192).contains(place.y) else { return }
        let size = Float(hand.size / palm.part.scale)
        let offset = place - BoxAnchors.palms.centers[0] * 192
        let box = [offset.x, offset.y + 0.35 * size, 0.54 * size, 0.54 * size]
        for (index, value) in box.enumerated() { boxes[index] = value }
        for keyPoint in 0..<7 {
            boxes[4 + 2 * keyPoint] = offset.x
            boxes[5 + 2 * keyPoint] = offset.y + (keyPoint == 0 ? size / 2 : 0)
        }
        scores[0] = 4
    }

    mutating func findLandmarks() {
        guard let hand, landmark.object(of: [hand]) != nil else {
            presence = 0.1
            return
        }
        presence = 0.95
        var template = [SIMD2(0, 0.5), SIMD2(-0.2, 0.4), SIMD2(-0.35, 0.25), SIMD2(-0.45, 0.1), SIMD2(-0.5, 0)]
        for finger in 0..<4 {
            let x = -0.15 + 0.15 * Double(finger)
            template += [SIMD2(x, 0), SIMD2(x, -0.2), SIMD2(x, -0.35), SIMD2(x, -0.5)]
        }
        for (index, offset) in template.enumerated() {
            let point = landmark.place(hand.place + hand.size * offset)
            (points[3 * index], points[3 * index + 1]) = (point.x, point.y)
        }
    }

    mutating func pose(of points: TrackedHand.Points) -> TrackedHand.Pose? { nil }
}

/// The rules of the public comments of `HandTracker` and `HandTrackingConfiguration`, for one hand at spots far apart.
private struct PlainHand {
    /// Nanoseconds.
    let interval, hold: Int64
    private(set) var tracked: (identity: Int, spot: Int)?
    private(set) var found = 0
    private(set) var lost = 0
    private var gone: [(identity: Int, spot: Int, time: Int64)] = []
    private var latestDetection: Int64?
    private var isUrgent = false

    init(interval: Int64, hold: Int64) { (self.interval, self.hold) = (interval, hold) }

    mutating func step(_ spot: Int?, at time: Int64) {
        gone.removeAll { time - $0.time > hold }
        if tracked == nil {
            // A lost hand is looked for in the next frame and then every 30 ms.
            let wait = gone.isEmpty ? interval : min(interval, 30_000_000)
            let isDue = latestDetection.map { time - $0 >= wait } ?? true
            if isDue || isUrgent {
                latestDetection = time
                isUrgent = false
                if let spot {
                    let known = gone.firstIndex { $0.spot == spot }
                    tracked = (known.map { gone.remove(at: $0).identity } ?? found, spot)
                    if known == nil { found += 1 }
                }
            }
        }
        if let hand = tracked, hand.spot != spot {
            tracked = nil
            lost += 1
            isUrgent = true
            // Two lost hands are remembered for each hand that may be tracked.
            gone = gone.suffix(1) + [(hand.identity, hand.spot, time)]
        }
    }
}

@Suite struct HandIdentitySequenceTests {
    private struct Setup {
        /// Milliseconds.
        var interval, hold: Int
    }

    private struct Step {
        var spot: Int?
        /// By how much the hand is beside its spot.
        var aside: SIMD2<Double>
        /// Milliseconds.
        var later: Int64
    }

    private static let millisecond: Int64 = 1_000_000

    private static func steps(_ random: inout SplitMix64) -> [Step] {
        var spot: Int?
        let restless = UInt64(random.pick(2...12))
        return (0..<random.pick(1...24)).map { _ in
            if random.isOne(in: restless) {
                spot = random.isOne(in: 2) ? nil : random.isOne(in: 2) ? 0 : random.pick(0...3)
            }
            let later = random.pick([33, 33, 33, 16, 50, 100, 500, 0, 1_000])
            return Step(
                spot: spot, aside: SIMD2(Double(random.pick(-1...1)), Double(random.pick(-1...1))) * 0.25,
                later: Int64(later))
        }
    }

    private static func difference(_ setup: Setup, _ steps: [Step]) throws -> String? {
        var tracker = try HandTracker(
            configuration: HandTrackingConfiguration(
                detectionInterval: .milliseconds(setup.interval), identityHold: .milliseconds(setup.hold)),
            kernels: KernelRegistry.select().crop)
        var networks = MapHandNetworks()
        var model = PlainHand(
            interval: Int64(setup.interval) * millisecond, hold: Int64(setup.hold) * millisecond)
        var time: Int64 = 0
        for (index, step) in steps.enumerated() {
            time += step.later * millisecond
            networks.hand = step.spot.map { MapScene.Object(place: MapScene.spots[$0] + step.aside, size: 7) }
            try MapScene.withFrame { tracker.track($0, at: time, sceneChanged: true, with: &networks) }
            model.step(step.spot, at: time)
            let (found, expected) = (tracker.hands.map(\.identity), model.tracked.map { [$0.identity] } ?? [])
            if found != expected { return "step \(index) at \(time): \(found) instead of \(expected)" }
            if tracker.counts.found != model.found || tracker.counts.lost != model.lost {
                return "step \(index): \(tracker.counts) instead of \(model.found) and \(model.lost)"
            }
        }
        return nil
    }

    @Test func anyComingsAndGoings() throws {
        let property = SequenceProperty<Setup, Step>(
            "identities of a hand", sequences: 500, cost: 50,
            draw: { random in
                let setup = Setup(interval: random.pick([0, 100, 200]), hold: random.pick([0, 300, 500]))
                return (setup, Self.steps(&random))
            }, difference: Self.difference)
        let counterexample = try property.counterexample()
        #expect(counterexample == nil, "\(String(describing: counterexample))")
    }
}
