/// Measures the arms of a body, to see the stroke of a hand that is too blurred to be tracked: the wrist can be followed.
///
/// Lengths are in heights of the frame. Of a body M is the middle of its shoulders, and its scale
/// W = max(distance of the shoulders, 1.3 * distance of the nose from M), because shoulders that are turned from the camera
/// look narrow. Positions are relative to M, in W; movements are in W a second.
///
/// - A body is believed if W is large enough, its nose and shoulders are visible, W fits the size of a hand that was seen in
///   the last 3 s and, while a hand is followed, that hand is near one of its wrists. What resembles a body in the picture of
///   a close hand fails this. Without a body that is believed the numbers are those of a stream without arms.
/// - The gesturing arm is the one that the hand belongs to. It stays until the other wrist is clearly nearer or, without a
///   hand, until the other wrist has moved clearly farther. At first it is the arm whose wrist is higher.
/// - Movements are between the latest look of the body network and the latest one that is at least 24 ms and at most
///   0.34 s older.
///
/// All arithmetic is Float32, in the order written, so that training and engine agree
/// (`Tools/training/handtrain/arms.py`). A value without a clock. Allocates nothing after initialisation.
package struct ArmWatch: Sendable {
    /// The points of a body that are read: shares of the upright frame. Arm k has the points of index k.
    package struct Points: Sendable, Equatable {
        package var nose = SIMD2<Float>()
        package var shoulders = Pair(), elbows = Pair(), wrists = Pair()
        /// The middle of the knuckles of little and index finger.
        package var knuckles = Pair()
        /// How likely each is visible, 0...1.
        package var noseVisibility: Float = 0
        package var shoulderVisibility = SIMD2<Float>(), elbowVisibility = SIMD2<Float>()
        package var wristVisibility = SIMD2<Float>()

        package init() {}

        fileprivate var isFinite: Bool {
            let sum =
                nose + noseVisibility + shoulders.sum + elbows.sum + wrists.sum + knuckles.sum + shoulderVisibility + elbowVisibility
                + wristVisibility
            return (sum.x + sum.y).isFinite
        }

        /// The same in heights of the frame.
        fileprivate func scaled(by aspect: Float) -> Points {
            let factors = SIMD2(aspect, 1)
            var out = self
            out.nose = nose * factors
            for arm in 0...1 {
                out.shoulders[arm] = shoulders[arm] * factors
                out.elbows[arm] = elbows[arm] * factors
                out.wrists[arm] = wrists[arm] * factors
                out.knuckles[arm] = knuckles[arm] * factors
            }
            return out
        }
    }

    /// A point of each arm.
    package struct Pair: Sendable, Equatable {
        private var first = SIMD2<Float>(), second = SIMD2<Float>()

        package init() {}

        package subscript(arm: Int) -> SIMD2<Float> {
            get { arm == 0 ? first : second }
            set { if arm == 0 { first = newValue } else { second = newValue } }
        }

        fileprivate var sum: SIMD2<Float> { first + second }
    }

    /// A followed hand: its wrist in shares of the frame, and its palm's size in heights (`LandmarkFeatures`: s).
    package struct Hand: Sendable, Equatable {
        package var wrist: SIMD2<Float>
        package var size: Float

        package init(wrist: SIMD2<Float>, size: Float) {
            self.wrist = wrist
            self.size = size
        }
    }

    /// The numbers of a frame; the defaults are those of a stream without arms.
    package struct Numbers: Sendable, Equatable {
        /// 1 if the latest look of the body network found a body that is believed, else 0.
        package var body: Float = 0
        /// t / (t + 0.2) of the seconds t since a body was last found; 1 if none was.
        package var age: Float = 1
        /// M as shares of the frame.
        package var middle = SIMD2<Float>(repeating: 0.5)
        /// W / (W + 0.3).
        package var scale: Float = 0
        package var wrist = SIMD2<Float>(0, 0.5), elbow = SIMD2<Float>(0, 0.5)
        package var shoulder: Float = 0
        /// The middle of the knuckles, from the wrist.
        package var knuckles = SIMD2<Float>()
        package var wristVisibility: Float = 0, elbowVisibility: Float = 0
        /// How far the wrist is inside the frame; negative outside.
        package var inside: Float = 0
        package var wristMove = SIMD2<Float>()
        /// The wrist's way since the oldest look of the last 0.34 s.
        package var stroke = SIMD2<Float>()
        package var other = SIMD2<Float>(0, 0.5)
        package var otherVisibility: Float = 0
        package var otherMove = SIMD2<Float>(), bodyMove = SIMD2<Float>()
        /// Distance of the hand's wrist from the arm's, at most 2; 2 without either.
        package var apart: Float = 2

        package init() {}
    }

    private static let neck: Float = 1.3
    private static let smallest: Float = 0.06
    private static let visible: Float = 0.5
    /// A hand belongs to an arm whose wrist is this near.
    private static let joined: Float = 0.8
    /// A body is at least this many sizes of a palm wide,
    private static let leastPalms: Float = 3.5
    /// which was seen at most this long ago, in nanoseconds.
    private static let recall: Int64 = 3_000_000_000
    /// Added to the distance of a wrist that is not visible at all.
    private static let doubt: Float = 0.5
    /// By this much the other wrist has to be nearer.
    private static let stays: Float = 0.15
    /// By this much the other wrist has to have moved.
    private static let moved: Float = 0.5
    /// Ages of looks that are compared, in nanoseconds.
    private static let ages: ClosedRange<Int64> = 24_000_000...340_000_000
    private static let remembered = 24

    /// A body at one moment, in heights of the frame.
    private struct Reading {
        let time: Int64
        let aspect: Float
        let at: Points
        let middle: SIMD2<Float>
        let scale: Float

        init(_ points: Points, aspect: Float, at time: Int64) {
            self.time = time
            self.aspect = aspect
            at = points.scaled(by: aspect)
            middle = (at.shoulders[0] + at.shoulders[1]) / 2
            scale = max(length(at.shoulders[0] - at.shoulders[1]), ArmWatch.neck * length(at.nose - middle))
        }

        func placed(_ point: SIMD2<Float>) -> SIMD2<Float> { (point - middle) / scale }

        var isPlausible: Bool {
            at.isFinite && scale >= ArmWatch.smallest
                && min(at.noseVisibility, at.shoulderVisibility.min()) >= ArmWatch.visible
        }
    }

    private var readings: [Reading] = []
    /// The gesturing arm; nil without a body that is believed.
    package private(set) var arm: Int?
    /// The latest hand.
    private var palm: (size: Float, time: Int64)?
    private var latest = Numbers()
    /// Those of the latest frame.
    package private(set) var numbers = Numbers()

    package init() { readings.reserveCapacity(Self.remembered) }

    /// Forgets every body.
    package mutating func reset() {
        readings.removeAll(keepingCapacity: true)
        arm = nil
        palm = nil
        latest = Numbers()
        numbers = Numbers()
    }

    /// Takes in a frame at which the body network did not look.
    package mutating func see(hand: Hand?, aspect: Float, at time: Int64) {
        numbers = latest
        if let hand { palm = (hand.size, time) }
        guard let reading = readings.last, let arm else { return }
        let age = Float(Double(time &- reading.time) / 1e9)
        numbers.age = age / (age + 0.2)
        guard let hand else { return }
        let at = hand.wrist * SIMD2(aspect, 1)
        numbers.apart = min(length(at - reading.at.wrists[arm]) / reading.scale, 2)
    }

    /// Takes in a frame at which the body network looked.
    /// - Parameters:
    ///   - points: the body that it found; nil if it found none.
    ///   - hand: the gesturing hand, if one is followed.
    ///   - aspect: width over height of the upright frame.
    ///   - time: nanoseconds of any clock.
    package mutating func look(_ points: Points?, hand: Hand?, aspect: Float, at time: Int64) {
        let wrist = hand.map { $0.wrist * SIMD2(aspect, 1) }
        let reading = points.map { Reading($0, aspect: aspect, at: time) }
        if let hand { palm = (hand.size, time) }
        if let reading, reading.isPlausible, believes(reading, wrist) {
            if readings.count == Self.remembered { readings.removeFirst() }
            readings.append(reading)
            let chosen = choose(reading, wrist)
            arm = chosen
            latest = describe(reading, chosen)
        } else {
            readings.removeAll(keepingCapacity: true)
            arm = nil
            latest = Numbers()
        }
        see(hand: hand, aspect: aspect, at: time)
    }

    private func believes(_ reading: Reading, _ hand: SIMD2<Float>?) -> Bool {
        if let palm, reading.time &- palm.time <= Self.recall, reading.scale < Self.leastPalms * palm.size { return false }
        guard let hand else { return true }
        let near = min(length(reading.at.wrists[0] - hand), length(reading.at.wrists[1] - hand))
        return near <= Self.joined * reading.scale
    }

    /// The gesturing arm after a new reading.
    private func choose(_ reading: Reading, _ hand: SIMD2<Float>?) -> Int {
        if let hand {
            var near = SIMD2<Float>()
            for arm in 0...1 {
                near[arm] =
                    length(reading.at.wrists[arm] - hand) / reading.scale
                    + Self.doubt * (1 - reading.at.wristVisibility[arm])
            }
            if let arm, near[1 - arm] + Self.stays >= near[arm] { return arm }
            return near[1] < near[0] ? 1 : 0
        }
        guard let arm else { return reading.at.wrists[1].y < reading.at.wrists[0].y ? 1 : 0 }
        guard let oldest = oldest(reading) else { return arm }
        var ways = SIMD2<Float>()
        for arm in 0...1 {
            ways[arm] =
                length(reading.placed(reading.at.wrists[arm]) - oldest.placed(oldest.at.wrists[arm]))
                * min(reading.at.wristVisibility[arm], oldest.at.wristVisibility[arm])
        }
        return ways[1 - arm] > Self.moved && ways[1 - arm] > 2 * ways[arm] ? 1 - arm : arm
    }

    private func oldest(_ reading: Reading) -> Reading? {
        readings.first { Self.ages.contains(reading.time &- $0.time) }
    }

    private func describe(_ reading: Reading, _ arm: Int) -> Numbers {
        var out = Numbers()
        let (at, other) = (reading.at, 1 - arm)
        (out.body, out.age) = (1, 0)
        out.middle = SIMD2(reading.middle.x / reading.aspect, reading.middle.y)
        out.scale = reading.scale / (reading.scale + 0.3)
        out.wrist = reading.placed(at.wrists[arm])
        out.elbow = reading.placed(at.elbows[arm])
        out.shoulder = reading.placed(at.shoulders[arm]).x
        out.knuckles = (at.knuckles[arm] - at.wrists[arm]) / reading.scale
        out.wristVisibility = at.wristVisibility[arm]
        out.elbowVisibility = at.elbowVisibility[arm]
        let wrist = at.wrists[arm]
        out.inside = min(wrist.x, reading.aspect - wrist.x, wrist.y, 1 - wrist.y) / reading.scale
        out.other = reading.placed(at.wrists[other])
        out.otherVisibility = at.wristVisibility[other]
        guard let before = readings.last(where: { Self.ages.contains(reading.time &- $0.time) }),
            let oldest = oldest(reading)
        else { return out }
        let seconds = Float(Double(reading.time &- before.time) / 1e9)
        out.wristMove = (out.wrist - before.placed(before.at.wrists[arm])) / seconds
        out.otherMove = (out.other - before.placed(before.at.wrists[other])) / seconds
        out.bodyMove = (reading.middle - before.middle) / reading.scale / seconds
        out.stroke = out.wrist - oldest.placed(oldest.at.wrists[arm])
        return out
    }
}

private func length(_ v: SIMD2<Float>) -> Float { (v.x * v.x + v.y * v.y).squareRoot() }

/// When the body network looks: often while the frame moves and the hand is lost or quick, else now and then, to keep the
/// region of the body. A value without a clock.
package struct ArmSchedule: Sendable {
    /// Least nanoseconds from one look to the next: of a column at 30 a second, a little less for cameras that jitter.
    private static let often: Int64 = 28_571_000
    private static let seldom: Int64 = 200_000_000
    /// A hand is quick above this many palm sizes a second.
    private static let quick: Float = 2.5

    private var looked: Int64?
    private var palm: (place: SIMD2<Float>, time: Int64)?

    package init() {}

    /// Whether the network is to look at a frame.
    /// - Parameters:
    ///   - moves: whether the frame changes.
    ///   - palm: the gesturing hand's palm: position and size in heights of the frame; nil without a hand.
    package mutating func looks(at time: Int64, moves: Bool, palm hand: SIMD3<Float>?) -> Bool {
        var isQuick = hand == nil
        if let hand {
            let place = SIMD2(hand.x, hand.y)
            if let palm, time > palm.time {
                let seconds = Float(Double(time &- palm.time) / 1e9)
                isQuick = length(place - palm.place) > Self.quick * hand.z * seconds
            }
            palm = (place, time)
        }
        let interval = isQuick && moves ? Self.often : Self.seldom
        if let looked, time &- looked < interval, time >= looked { return false }
        looked = time
        return true
    }

    /// Forgets every frame.
    package mutating func reset() {
        looked = nil
        palm = nil
    }
}
