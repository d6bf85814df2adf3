import Platform
package import Tracking

extension TrackedHand {
    /// A square around a hand, turned so that the hand points up in it.
    package typealias Region = TrackedRegion
}

extension TrackedRegion {
    /// The region of a palm that was found in a square of a frame; nil if the numbers give no usable region.
    ///
    /// As in MediaPipe: the palm's box, moved by half of its height from the wrist towards the fingers, 2.6 times its
    /// longer side.
    package init?(palm: BoxDetection, in square: TrackedRegion, frame: FrameSize) {
        let (wrist, knuckle) = (square.place(palm.keyPoints[0]), square.place(palm.keyPoints[2]))
        let (first, last) = (square.place(palm.minimum), square.place(palm.maximum))
        let (diagonal, (right, down)) = (last - first, square.axes)
        self.init(
            center: (first + last) / 2, size: SIMD2((diagonal * right).sum(), (diagonal * down).sum()),
            pointing: knuckle - wrist, shift: 0.5, scale: 2.6, frame: frame)
    }

    /// The region of the hand in the next frame; nil if the numbers give no usable region.
    ///
    /// As in MediaPipe: the smallest box, turned like the hand, around wrist, thumb, knuckles and middle joints without
    /// the finger tips; moved by a tenth of its height towards the fingers, twice its longer side. The hand points from
    /// the wrist to the knuckles; the middle finger's knuckle has the weight of its two neighbours together.
    /// - Parameter points: x and y normalised to the frame, 0...1.
    package init?(landmarks points: TrackedHand.Points, frame: FrameSize) {
        guard points.isFinite else { return nil }
        func place(_ index: Int) -> SIMD2<Double> {
            SIMD2(Double(points[index].x) * frame.width, Double(points[index].y) * frame.height)
        }
        let direction = (place(5) + place(13)) / 4 + place(9) / 2 - place(0)
        let rotation = Self.rotation(pointing: direction)
        let (right, down) = Self.axes(rotation)
        var minimum = SIMD2(repeating: Double.infinity)
        var maximum = -minimum
        for index in Self.framed.indices {
            let point = place(Self.framed[index])
            let turned = SIMD2((point * right).sum(), (point * down).sum())
            minimum.replace(with: turned, where: turned .< minimum)
            maximum.replace(with: turned, where: turned .> maximum)
        }
        let middle = (minimum + maximum) / 2
        self.init(
            center: middle.x * right + middle.y * down, size: maximum - minimum, pointing: direction, shift: 0.1,
            scale: 2, frame: frame)
    }

    /// Wrist, thumb without its tip, and of each finger the knuckle and the joint after it.
    private static let framed = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]

    private init?(
        center: SIMD2<Double>, size: SIMD2<Double>, pointing direction: SIMD2<Double>, shift: Double, scale: Double,
        frame: FrameSize
    ) {
        let rotation = Self.rotation(pointing: direction)
        let moved = center - shift * size.y * Self.axes(rotation).down
        self.init(centerX: moved.x, centerY: moved.y, side: scale * max(size.x, size.y), rotation: rotation)
        guard isUsable(in: frame) else { return nil }
    }
}

extension TrackedHand.Points {
    /// Radii of the discs about a hand and about a palm, in lengths of the palm; measured on recordings of people, D21.
    private static let discs = (hand: 1.4, palm: 1.0)

    /// Whether the points of two hands are those of one hand: the disc about the smaller palm lies within the disc about
    /// the larger one's hand.
    ///
    /// The palm detector also finds palms within a hand, such as its curled fingers. Their points are a second hand of
    /// about half the size on the first one, so the regions of the two overlap little. MediaPipe's
    /// `HandLandmarksDeduplicationCalculator` counts the points that lie close to those of the same number: 10 of 21
    /// within a fifth of the palm's length. A palm within a hand often takes other fingers for its own, so palms are
    /// compared here. A palm's length is that calculator's: the longest side of the triangle of the wrist and the
    /// knuckles of index and little finger.
    func isSameHand(as other: TrackedHand.Points, in frame: FrameSize) -> Bool {
        let (palm, otherPalm) = (palm(in: frame), other.palm(in: frame))
        let way = palm.middle - otherPalm.middle
        let larger = max(palm.length, otherPalm.length)
        let smaller = min(palm.length, otherPalm.length)
        return (way * way).sum().squareRoot() + Self.discs.palm * smaller < Self.discs.hand * larger
    }

    /// The mean of wrist and knuckles, in pixels of the frame, and the length of the palm.
    private func palm(in frame: FrameSize) -> (middle: SIMD2<Double>, length: Double) {
        func place(_ joint: TrackedHand.Joint) -> SIMD2<Double> {
            SIMD2(Double(self[joint].x) * frame.width, Double(self[joint].y) * frame.height)
        }
        let (wrist, index, little) = (place(.wrist), place(.indexKnuckle), place(.littleKnuckle))
        let middle = (wrist + index + place(.middleKnuckle) + place(.ringKnuckle) + little) / 5
        let sides = (index - wrist, little - index, wrist - little)
        let square = max((sides.0 * sides.0).sum(), (sides.1 * sides.1).sum(), (sides.2 * sides.2).sum())
        return (middle, square.squareRoot())
    }
}

/// The region of a tracked hand, its movement, and the region expected in the next frame.
///
/// A fast hand moves by more than half of its region between two frames at 30 a second, out of its old region. The
/// movement between the latest two frames, continued, is a better guess. Only part of it is used, because strokes stop
/// and turn, and at most half of a side, because the measurement may have been wrong.
package struct RegionMotion: Sendable {
    /// The share of the movement that is expected to continue; measured on recordings of people, D21.
    package static let gain = 0.75
    /// The furthest expected movement, in sides of the region.
    package static let maximumSides = 0.5

    /// The region of the latest landmarks, or of the palm that was found.
    package private(set) var region: TrackedRegion
    /// Pixels per nanosecond.
    private var velocity = SIMD2<Double>.zero
    /// The time of the latest landmarks; nil while only the palm was found.
    private var seen: Int64?

    /// Starts with the region of a palm.
    package init(_ region: TrackedRegion) { self.region = region }

    /// Takes in the region that the latest landmarks give.
    package mutating func advance(to next: TrackedRegion, at time: Int64) {
        if let seen, time > seen {
            let way = SIMD2(next.centerX - region.centerX, next.centerY - region.centerY)
            velocity = way / Double(time &- seen)
        } else {
            velocity = .zero
        }
        (region, seen) = (next, time)
    }

    /// The region in which the hand is expected at a time.
    package func expected(at time: Int64) -> TrackedRegion {
        guard let seen, time > seen else { return region }
        var way = Self.gain * Double(time &- seen) * velocity
        let length = (way * way).sum().squareRoot()
        let limit = Self.maximumSides * region.side
        if length > limit { way *= limit / length }
        var moved = region
        moved.centerX += way.x
        moved.centerY += way.y
        return moved
    }
}
