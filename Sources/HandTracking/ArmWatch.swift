/// Evidence for and against swipes from the arm of the gesturing hand. The wrist can be tracked through a stroke in which
/// the hand is too blurred. Its position before the stroke separates a swipe from an arm that is raised or lowered.
///
/// M is the middle of a body's shoulders. The scale W is max(distance of the shoulders, 1.3 * distance of the nose from M),
/// because shoulders that are turned from the camera appear narrow. Positions are relative to M, in W. The axes lean as the
/// body does, so a camera that is held aslant sees the same strokes: x is the mean of the direction of the shoulders and of
/// the one across the neck, and points to the right; y points down the body.
///
/// - A body is accepted if W is large enough, its nose and shoulders are visible, W fits the size of a palm that was seen in
///   the last 3 s and, while a hand is followed, that hand is near one of its wrists. What resembles a body in the picture of
///   a close hand fails this.
/// - The gesturing arm is the one that the hand belongs to. It stays until the other wrist is clearly nearer or, without a
///   hand, until the other wrist has moved clearly farther. At first it is the arm whose wrist is higher.
/// - A stroke is a way of the wrist within 0.13 to 0.73 s that is at least 0.6 W long, as good as straight, mostly along one
///   axis, and neither slower than 1 W a second nor faster than 14. A firm one is at least 1 W long and 2.2 W a second quick.
///   It is evidence for the swipe in its direction.
/// - A wrist that has come up from a rest, more than 0.8 W below the shoulders, is evidence against a swipe up; one that has
///   gone down there, against a swipe down.
///
/// Evidence is added to the logit of the class: it is the logarithm of how many times likelier the arm is in a swipe. The
/// numbers were chosen on recordings of people (`Tools/lab/training/EXPERIMENTS.md`, "Arms").
///
/// A pure value; the caller passes the time. Allocates nothing after initialisation.
package struct ArmWatch: Sendable {
    /// The points of a body that are read, normalised to the upright frame, 0...1. Arm k has the points of index k.
    package struct Points: Sendable, Equatable {
        package var nose = SIMD2<Float>()
        package var noseVisibility: Float = 0
        package var shoulders = Pair(), wrists = Pair()
        /// How likely each is visible, 0...1.
        package var shoulderVisibility = SIMD2<Float>(), wristVisibility = SIMD2<Float>()

        package init() {}

        fileprivate var isFinite: Bool {
            let sum = nose + noseVisibility + shoulders.sum + wrists.sum + shoulderVisibility + wristVisibility
            return (sum.x + sum.y).isFinite
        }
    }

    /// A point of each arm.
    package struct Pair: Sendable, Equatable {
        private var first, second: SIMD2<Float>

        package init(_ first: SIMD2<Float> = .zero, _ second: SIMD2<Float> = .zero) {
            (self.first, self.second) = (first, second)
        }

        package subscript(arm: Int) -> SIMD2<Float> {
            get { arm == 0 ? first : second }
            set { if arm == 0 { first = newValue } else { second = newValue } }
        }

        fileprivate var sum: SIMD2<Float> { first + second }
    }

    /// A followed hand: its wrist, normalised to the frame, 0...1, and its palm's size in heights (`LandmarkFeatures`: s).
    package struct Hand: Sendable, Equatable {
        package var wrist: SIMD2<Float>
        package var size: Float

        package init(wrist: SIMD2<Float>, size: Float) {
            self.wrist = wrist
            self.size = size
        }
    }

    /// A swipe; its raw value is its place in `Evidence`.
    package enum Swipe: Int, Sendable, CaseIterable {
        case left, right, up, down

        /// The label of its class.
        package var label: String {
            switch self {
            case .left: "swipeLeft"
            case .right: "swipeRight"
            case .up: "swipeUp"
            case .down: "swipeDown"
            }
        }
    }

    /// The amount added to the logit of each swipe.
    package typealias Evidence = SIMD4<Float>

    private static let noseToShoulderRatio: Float = 1.3
    private static let minimumScale: Float = 0.06
    private static let minimumVisibility: Float = 0.5
    /// A hand belongs to an arm whose wrist is at most this far away.
    private static let associationRadius: Float = 0.8
    /// Minimum width of a body in sizes of the palm.
    private static let minimumPalmWidths: Float = 3.5
    /// The palm's size counts for this long after the palm was seen, in nanoseconds.
    private static let palmMemory: Int64 = 3_000_000_000
    /// Added to the distance of a wrist that is not visible at all.
    private static let hiddenWristPenalty: Float = 0.5
    /// The arm changes if the other wrist is nearer to the hand by more than this.
    private static let switchMargin: Float = 0.15
    /// Without a hand it changes if the other wrist moved farther by more than this, within `movementWindow`.
    private static let minimumMovement: Float = 0.5
    private static let movementWindow: Int64 = 340_000_000

    /// How long a stroke takes.
    private static let strokeTimes: ClosedRange<Int64> = 130_000_000...735_000_000
    private static let strokeLength: Float = 0.6, firmLength: Float = 1
    private static let strokeSpeeds: ClosedRange<Float> = 1...14
    private static let firmSpeed: Float = 2.2
    /// Minimum share of the way along the stroke's axis that leads to its end.
    private static let minimumStraightness: Float = 0.75
    /// Minimum ratio of the way along the axis to the way across it.
    private static let minimumAxisRatio: Float = 1.8
    /// A way that turns back by more than this is not a stroke.
    private static let maximumOvershoot: Float = 0.1
    private static let strokeVisibility: Float = 0.4
    /// A stroke lies above this.
    private static let maximumStrokeY: Float = 1.6
    /// A wrist rests if it is more than this below the shoulders.
    private static let minimumRestY: Float = 0.8
    /// A wrist has left its rest, or gone there, if it moved by more than this.
    private static let minimumRestMovement: Float = 0.25

    private static let strokeEvidence: Float = 3, firmStrokeEvidence: Float = 4, restEvidence: Float = -5
    /// How long evidence lasts after its frame.
    private static let strokeHold: Int64 = 100_000_000, restHold: Int64 = 270_000_000
    private static let capacity = 32

    /// An accepted body at one moment: its wrists relative to it.
    private struct Reading {
        let time: Int64
        let wrists: Pair
        let visibility: SIMD2<Float>
    }

    /// Evidence and until when it lasts.
    private struct Held {
        var value: Float = 0
        var until: Int64 = .min

        func value(at time: Int64) -> Float { time <= until ? value : 0 }
    }

    private var readings: [Reading] = []
    /// The gesturing arm; nil without an accepted body.
    package private(set) var arm: Int?
    private var palm: (size: Float, time: Int64)?
    private var strokes = [Held](repeating: Held(), count: Swipe.allCases.count)
    private var rests = [Held](repeating: Held(), count: Swipe.allCases.count)

    package init() { readings.reserveCapacity(Self.capacity) }

    /// Forgets every body.
    package mutating func reset() {
        forgetBody()
        palm = nil
        for place in strokes.indices { (strokes[place], rests[place]) = (Held(), Held()) }
    }

    private mutating func forgetBody() {
        readings.removeAll(keepingCapacity: true)
        arm = nil
    }

    /// Evidence for or against each swipe at a time.
    package func evidence(at time: Int64) -> Evidence {
        var evidence = Evidence()
        for place in strokes.indices {
            evidence[place] = strokes[place].value(at: time) + rests[place].value(at: time)
        }
        return evidence
    }

    /// Takes in a frame without a result of the body network.
    package mutating func update(hand: Hand?, at time: Int64) {
        if let hand { palm = (hand.size, time) }
    }

    /// Takes in a frame with a result of the body network.
    /// - Parameters:
    ///   - points: the body that it found; nil if it found none.
    ///   - hand: the gesturing hand, if one is followed.
    ///   - aspect: width over height of the upright frame.
    ///   - time: nanoseconds of any clock.
    package mutating func observe(_ points: Points?, hand: Hand?, aspect: Float, at time: Int64) {
        update(hand: hand, at: time)
        guard let points, let body = Body(points, aspect: aspect) else {
            forgetBody()
            return
        }
        let reading = Reading(
            time: time, wrists: Pair(body.placed(points.wrists[0]), body.placed(points.wrists[1])),
            visibility: points.wristVisibility)
        let place = hand.map { body.placed($0.wrist) }
        guard fits(reading, body.scale, place) else {
            forgetBody()
            return
        }
        if readings.count == Self.capacity { readings.removeFirst() }
        readings.append(reading)
        let arm = chosen(reading, place)
        self.arm = arm
        noteStroke(of: arm, to: reading)
        noteRest(of: arm, to: reading)
    }

    /// The frame of reference of a body.
    private struct Body {
        private let aspect: SIMD2<Float>
        private let middle: SIMD2<Float>
        /// Its x axis in the frame, of length 1.
        private let axis: SIMD2<Float>
        let scale: Float

        /// Nil for what cannot be one.
        init?(_ points: Points, aspect: Float) {
            guard points.isFinite,
                min(points.noseVisibility, points.shoulderVisibility.min()) >= ArmWatch.minimumVisibility
            else {
                return nil
            }
            self.aspect = SIMD2(aspect, 1)
            middle = (points.shoulders[0] + points.shoulders[1]) / 2 * self.aspect
            var shoulders = (points.shoulders[0] - points.shoulders[1]) * self.aspect
            if shoulders.x < 0 { shoulders = -shoulders }
            let neck = (middle - points.nose * self.aspect) * ArmWatch.noseToShoulderRatio
            scale = max(length(shoulders), length(neck))
            guard scale >= ArmWatch.minimumScale else { return nil }
            let lean = shoulders + SIMD2(neck.y, -neck.x)
            axis = lean.x > 0 ? lean / length(lean) : SIMD2(1, 0)
        }

        func placed(_ point: SIMD2<Float>) -> SIMD2<Float> {
            let place = (point * aspect - middle) / scale
            return SIMD2((place * axis).sum(), place.y * axis.x - place.x * axis.y)
        }
    }

    /// Whether a body fits the hands that were seen.
    /// - Parameter hand: the wrist of a hand that is followed, relative to the body.
    private func fits(_ reading: Reading, _ scale: Float, _ hand: SIMD2<Float>?) -> Bool {
        if let palm, reading.time &- palm.time <= Self.palmMemory, scale < Self.minimumPalmWidths * palm.size {
            return false
        }
        guard let hand else { return true }
        return min(length(reading.wrists[0] - hand), length(reading.wrists[1] - hand)) <= Self.associationRadius
    }

    /// The gesturing arm after a new reading, which is the last of `readings`.
    private func chosen(_ reading: Reading, _ hand: SIMD2<Float>?) -> Int {
        if let hand {
            func distance(_ arm: Int) -> Float {
                length(reading.wrists[arm] - hand) + Self.hiddenWristPenalty * (1 - reading.visibility[arm])
            }
            if let arm, distance(1 - arm) + Self.switchMargin >= distance(arm) { return arm }
            return distance(1) < distance(0) ? 1 : 0
        }
        guard let arm else { return reading.wrists[1].y < reading.wrists[0].y ? 1 : 0 }
        guard let oldest = readings.first(where: { reading.time &- $0.time <= Self.movementWindow }) else { return arm }
        func way(_ arm: Int) -> Float {
            length(reading.wrists[arm] - oldest.wrists[arm]) * min(reading.visibility[arm], oldest.visibility[arm])
        }
        return way(1 - arm) > Self.minimumMovement && way(1 - arm) > 2 * way(arm) ? 1 - arm : arm
    }

    /// Finds the longest stroke that ends with the newest reading.
    private mutating func noteStroke(of arm: Int, to reading: Reading) {
        let end = reading.wrists[arm]
        guard reading.visibility[arm] >= Self.strokeVisibility else { return }
        var (next, path, low, high) = (end, SIMD2<Float>(), end, end)
        var best: (swipe: Swipe, length: Float, isFirm: Bool)?
        for earlier in readings.reversed().dropFirst() {
            let age = reading.time &- earlier.time
            guard age <= Self.strokeTimes.upperBound else { break }
            let start = earlier.wrists[arm]
            let (step, way) = (next - start, end - start)
            path += SIMD2(abs(step.x), abs(step.y))
            (next, low, high) = (start, pointwiseMin(low, start), pointwiseMax(high, start))
            let axis = abs(way.y) > abs(way.x) ? 1 : 0
            let (length, across) = (abs(way[axis]), abs(way[1 - axis]))
            let speed = length / Float(Double(age) / 1e9)
            guard age >= Self.strokeTimes.lowerBound, length >= Self.strokeLength, length > best?.length ?? 0,
                Self.strokeSpeeds.contains(speed), length >= Self.minimumStraightness * path[axis],
                length >= Self.minimumAxisRatio * across, length >= high[axis] - low[axis] - Self.maximumOvershoot,
                earlier.visibility[arm] >= Self.strokeVisibility, max(start.y, end.y) < Self.maximumStrokeY
            else { continue }
            let swipe: Swipe = axis == 1 ? (way.y > 0 ? .down : .up) : (way.x > 0 ? .right : .left)
            // Up from a rest, or down to it.
            if axis == 1, max(start.y, end.y) > Self.minimumRestY { continue }
            best = (swipe, length, length >= Self.firmLength && speed >= Self.firmSpeed)
        }
        guard let best else { return }
        strokes[best.swipe.rawValue] = Held(
            value: best.isFirm ? Self.firmStrokeEvidence : Self.strokeEvidence, until: reading.time &+ Self.strokeHold)
    }

    /// Finds whether the wrist has come up from a rest or gone down to it.
    private mutating func noteRest(of arm: Int, to reading: Reading) {
        let end = reading.wrists[arm].y
        for earlier in readings.reversed().dropFirst() {
            guard reading.time &- earlier.time <= Self.strokeTimes.upperBound else { break }
            let start = earlier.wrists[arm].y
            let held = Held(value: Self.restEvidence, until: reading.time &+ Self.restHold)
            if start > Self.minimumRestY, start - end > Self.minimumRestMovement { rests[Swipe.up.rawValue] = held }
            if end > Self.minimumRestY, end - start > Self.minimumRestMovement { rests[Swipe.down.rawValue] = held }
        }
    }
}

/// When the body network runs: at a short interval while the frame changes and the hand is lost or fast, else at a long one,
/// which keeps the region of the body. A pure value; the caller passes the time.
package struct ArmSchedule: Sendable {
    /// Minimum nanoseconds from one run to the next: a thirtieth of a second, a little less for cameras that jitter.
    private static let shortInterval: Int64 = 28_571_000
    private static let longInterval: Int64 = 200_000_000
    /// The longest that the body network waits for a frame in which the palm detector does not run.
    private static let maximumWait: Int64 = 60_000_000
    /// A hand is quick above this many palm sizes a second.
    private static let minimumSpeed: Float = 2.5

    private var latestRun: Int64?
    private var palm: (place: SIMD2<Float>, time: Int64)?

    package init() {}

    /// Whether the network should run in a frame.
    /// - Parameters:
    ///   - moves: whether the frame changes.
    ///   - hand: the gesturing hand's palm: position and size in heights of the frame; nil without a hand.
    ///   - isBusy: whether the palm detector ran in this frame. At 60 frames a second and more the two then take turns.
    package mutating func shouldDetect(at time: Int64, moves: Bool, palm hand: SIMD3<Float>?, isBusy: Bool) -> Bool {
        var isQuick = hand == nil
        if let hand {
            let place = SIMD2(hand.x, hand.y)
            if let palm, time > palm.time {
                let seconds = Float(Double(time &- palm.time) / 1e9)
                isQuick = length(place - palm.place) > Self.minimumSpeed * hand.z * seconds
            }
            palm = (place, time)
        }
        let interval = isQuick && moves ? Self.shortInterval : Self.longInterval
        if let latestRun, time >= latestRun {
            let age = time &- latestRun
            if age < interval || isBusy && age < max(interval, Self.maximumWait) { return false }
        }
        latestRun = time
        return true
    }

    /// Forgets every frame.
    package mutating func reset() {
        latestRun = nil
        palm = nil
    }
}

private func length(_ v: SIMD2<Float>) -> Float { (v.x * v.x + v.y * v.y).squareRoot() }
