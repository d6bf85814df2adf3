import HandTracking
import KernelInterface
import TestSupport
import Testing
import Tracking
import Vocabulary

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

    /// Positions that are far from each other, in pixels of the frame.
    private static let spots = [SIMD2(40.0, 30), SIMD2(120, 30), SIMD2(40, 90), SIMD2(120, 90)]

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
                spot: spot, aside: SIMD2(Double(random.pick(-1...1)), Double(random.pick(-1...1))),
                later: Int64(later))
        }
    }

    private static func difference(_ setup: Setup, _ steps: [Step]) throws -> String? {
        var tracker = try HandTracker(
            configuration: HandTrackingConfiguration(
                detectionInterval: .milliseconds(setup.interval), identityHold: .milliseconds(setup.hold)),
            kernels: portableCropKernels)
        var networks = SceneNetworks()
        var scene = SquareScene(width: 160, height: 120)
        var model = PlainHand(
            interval: Int64(setup.interval) * millisecond, hold: Int64(setup.hold) * millisecond)
        var time: Int64 = 0
        for (index, step) in steps.enumerated() {
            time += step.later * millisecond
            scene.squares =
                step.spot.map { spots[$0] + step.aside }.map { [SquareScene.Square(x: $0.x, y: $0.y, size: 18)] } ?? []
            try scene.withFrame { tracker.track($0, at: time, sceneChanged: true, with: &networks) }
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
        #expect(try property.counterexample()?.description == nil)
    }
}
