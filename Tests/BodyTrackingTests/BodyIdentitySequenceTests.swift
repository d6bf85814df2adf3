import BodyTracking
import KernelInterface
import TestSupport
import Testing
import Tracking
import Vocabulary

/// The rules of the comments of `BodyTracker`, for people who stand far from each other: who is seen, held and lost, and who
/// gets which identity.
private struct PlainIdentities {
    struct Body: Equatable {
        var identity: Int
        var spot: Int
        var isSeen: Bool
        var lastSeen: Int64
    }

    let limit: Int
    /// Nanoseconds.
    let interval, hold: Int64
    private(set) var bodies: [Body] = []
    private(set) var found = 0
    private(set) var lost = 0
    private(set) var isLost = false
    private var latestDetection: Int64?

    init(limit: Int, interval: Int64, hold: Int64) {
        (self.limit, self.interval, self.hold) = (limit, interval, hold)
    }

    /// - Parameter sizes: of the person at each spot; nil where nobody is.
    mutating func step(_ sizes: [Double?], at time: Int64) {
        let expired = bodies.filter { !$0.isSeen && time - $0.lastSeen > hold }
        bodies.removeAll { expired.contains($0) }
        lost += expired.count
        if !expired.isEmpty { isLost = true }

        let isDue = latestDetection.map { time - $0 >= interval } ?? true
        if bodies.count(where: { $0.isSeen }) < limit, isDue {
            latestDetection = time
            let present = sizes.indices.filter { sizes[$0] != nil }.sorted { (sizes[$0] ?? 0) > (sizes[$1] ?? 0) }
            for spot in present {
                if let place = bodies.firstIndex(where: { $0.spot == spot }) {
                    bodies[place].isSeen = true
                } else if bodies.count < limit {
                    bodies.append(Body(identity: found, spot: spot, isSeen: true, lastSeen: time))
                    found += 1
                    isLost = false
                }
            }
        }
        for place in bodies.indices where bodies[place].isSeen {
            if sizes[bodies[place].spot] != nil {
                bodies[place].lastSeen = time
            } else {
                bodies[place].isSeen = false
            }
        }
    }
}

@Suite struct BodyIdentitySequenceTests {
    private struct Setup {
        var limit: Int
        /// Milliseconds.
        var interval, hold: Int
    }

    private struct Step {
        /// Sizes of people at the four spots, in pixels, all different.
        var sizes: [Double?]
        /// By how much everybody is beside their spot.
        var aside: SIMD2<Double>
        /// Milliseconds.
        var later: Int64
    }

    private static let millisecond: Int64 = 1_000_000
    /// Positions that are far from each other, in pixels of the frame.
    private static let spots = [SIMD2(40.0, 30), SIMD2(120, 30), SIMD2(40, 90), SIMD2(120, 90)]
    /// Each size is that of a person of another colour; the detector is surest of the smallest.
    private static let sizes = [14.0, 16, 18, 20]

    private static func steps(_ random: inout SplitMix64) -> [Step] {
        var spots: [Int?] = [nil, nil, nil, nil]
        let restless = UInt64(random.pick(2...12))
        return (0..<random.pick(1...24)).map { _ in
            if random.isOne(in: restless) {
                let spot = random.pick(0...3)
                let free = sizes.indices.filter { !spots.contains($0) }
                spots[spot] = spots[spot] == nil ? random.pick(free) : nil
                // Somebody walks to another place between two frames.
                if random.isOne(in: 4) { spots.swapAt(random.pick(0...3), spot) }
            }
            let later = random.pick([33, 33, 33, 50, 100, 500, 0, 1_000])
            return Step(
                sizes: spots.map { $0.map { sizes[$0] } },
                aside: SIMD2(Double(random.pick(-1...1)), Double(random.pick(-1...1))), later: Int64(later))
        }
    }

    private static func difference(_ setup: Setup, _ steps: [Step]) throws -> String? {
        var tracker = try BodyTracker(
            configuration: BodyTrackingConfiguration(
                maximumBodies: setup.limit, detectionInterval: .milliseconds(setup.interval),
                hold: .milliseconds(setup.hold), smoothing: nil),
            kernels: portableCropKernels)
        var networks = PeopleNetworks()
        var scene = SquareScene(width: 160, height: 120)
        var model = PlainIdentities(
            limit: setup.limit, interval: Int64(setup.interval) * millisecond, hold: Int64(setup.hold) * millisecond)
        var time: Int64 = 0
        for (index, step) in steps.enumerated() {
            time += step.later * millisecond
            scene.squares = zip(spots, step.sizes).compactMap { spot, size in
                guard let size, let color = sizes.firstIndex(of: size) else { return nil }
                return SquareScene.Square(
                    x: spot.x + step.aside.x, y: spot.y + step.aside.y, size: size,
                    color: SquareScene.Color.allCases.reversed()[color])
            }
            try scene.withFrame { tracker.track($0, at: time, sceneChanged: true, with: &networks) }
            model.step(step.sizes, at: time)
            let found = tracker.bodies.map { body in
                let middle = SIMD2(body.region.centerX, body.region.centerY)
                let spot = spots.indices.min { one, other in
                    func away(_ index: Int) -> Double {
                        ((spots[index] - middle) * (spots[index] - middle)).sum()
                    }
                    return away(one) < away(other)
                }
                return "\(body.identity) at \(spot ?? -1) \(body.state)"
            }
            let expected = model.bodies.map { "\($0.identity) at \($0.spot) \($0.isSeen ? "seen" : "held")" }
            if found != expected { return "step \(index) at \(time): \(found) instead of \(expected)" }
            if tracker.isBodyLost != model.isLost { return "step \(index): asked back: \(tracker.isBodyLost)" }
            if tracker.counts.found != model.found || tracker.counts.lost != model.lost {
                return "step \(index): \(tracker.counts) instead of \(model.found) and \(model.lost)"
            }
        }
        return nil
    }

    @Test func anyComingsAndGoings() throws {
        let property = SequenceProperty<Setup, Step>(
            "identities of people", sequences: 500, cost: 50,
            draw: { random in
                let setup = Setup(
                    limit: random.pick(1...4), interval: random.pick([0, 100, 200]), hold: random.pick([0, 300, 1_000]))
                return (setup, Self.steps(&random))
            }, difference: Self.difference)
        #expect(try property.counterexample()?.description == nil)
    }
}
