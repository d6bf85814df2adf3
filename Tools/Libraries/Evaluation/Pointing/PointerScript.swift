import HandTracking

/// The arithmetic of a public script that makes a hand a mouse, written anew from its formulas, in an unmirrored frame. `Pointer.md`
/// names the authors and licences.
package protocol PointerScript: Sendable {
    /// Takes in the next frame.
    mutating func step(_ frame: PointerRecording.Frame) -> PointerSample
}

/// handsfree.js 8.5.1: the mean of seven points of the palm, over the whole frame. Each frame begins an animation of a second from where
/// the pointer is to the palm, and ends the one before. The ease is the animation library's default, 1 - (1 - t)^2, as it has none by the
/// name that the script gives. A press lasts while the tips of thumb and index finger are nearer than 50 / 720, by shares of the
/// frame, and keeps its state in frames without a hand.
package struct HandsfreeScript: PointerScript {
    private static let palm = [0, 1, 2, 5, 9, 13, 17]

    private var animation: (start: SIMD2<Float>, end: SIMD2<Float>, begin: Double)?
    private var isPressed = false

    package init() {}

    package mutating func step(_ frame: PointerRecording.Frame) -> PointerSample {
        guard let points = frame.hand?.landmarks else {
            return PointerSample(time: frame.time, position: nil, target: nil, isPressed: isPressed)
        }
        let target = Self.palm.reduce(SIMD2<Float>()) { $0 + points.place($1) } / Float(Self.palm.count)
        var position = target
        if let animation {
            let rest = 1 - Float(min(frame.time - animation.begin, 1))
            position = animation.end + (animation.start - animation.end) * rest * rest
        }
        animation = (position, target, frame.time)
        isPressed = points.distance(.thumbTip, .indexTip) * 720 < 50
        return PointerSample(time: frame.time, position: position, target: target, isPressed: isPressed)
    }
}

/// Gesture-Controlled-Virtual-Mouse: the knuckle of the middle finger moves the cursor by a multiple of its movement since the frame
/// before: none up to 5 pixels, 0.07 a pixel up to 30, 2.1 beyond. A gesture counts once it has been seen in six frames in a row; its
/// pinch is a gap below 0.05, by shares of the frame, with the three other fingers open.
///
/// The script moves the cursor while two fingers or a fist are shown, and its pinch turns the volume. Here the cursor moves in every
/// frame without a pinch, and the pinch is the press.
package struct GestureControlledMouseScript: PointerScript {
    private enum Gesture: Equatable {
        case pinch, twoFingersApart, twoFingersTogether
        /// The open fingers, as bits: 8 is the index finger, 1 the little one.
        case fingers(Int)
    }

    private static let screen = SIMD2<Float>(1920, 1080)
    private static let palm = Gesture.fingers(31)
    /// The fingers apart from the thumb, from the index finger.
    private static let fingers: [(tip: TrackedHand.Joint, knuckle: TrackedHand.Joint)] = [
        (.indexTip, .indexKnuckle), (.middleTip, .middleKnuckle), (.ringTip, .ringKnuckle),
        (.littleTip, .littleKnuckle),
    ]

    private var gesture = Self.palm
    private var latest = Self.palm
    private var repeats = 0
    /// In pixels of the screen.
    private var cursor = Self.screen / 2
    private var knuckle: SIMD2<Float>?

    package init() {}

    package mutating func step(_ frame: PointerRecording.Frame) -> PointerSample {
        guard let points = frame.hand?.landmarks else {
            knuckle = nil
            return PointerSample(time: frame.time, position: nil, target: nil, isPressed: gesture == .pinch)
        }
        let shown = Self.gesture(points)
        repeats = shown == latest ? repeats + 1 : 0
        latest = shown
        if repeats > 4 { gesture = shown }
        let now = (points.place(TrackedHand.Joint.middleKnuckle.rawValue) * Self.screen).rounded(.towardZero)
        let way = now - (knuckle ?? now)
        knuckle = now
        if gesture != .pinch {
            let square = (way * way).sum()
            let factor: Float = square <= 25 ? 0 : square <= 900 ? 0.07 * square.squareRoot() : 2.1
            cursor = (cursor + factor * way).rounded(.toNearestOrEven)
                .clamped(lowerBound: SIMD2(), upperBound: Self.screen - 1)
        }
        return PointerSample(
            time: frame.time, position: cursor / Self.screen, target: nil, isPressed: gesture == .pinch)
    }

    private static func gesture(_ points: TrackedHand.Points) -> Gesture {
        let open = fingers.reduce(0) { 2 * $0 + (isOpen($1.tip, $1.knuckle, points) ? 1 : 0) }
        if open & 7 == 7, points.distance(.thumbTip, .indexTip) < 0.05 { return .pinch }
        guard open == 12 else { return .fingers(open) }
        if points.distance(.indexTip, .middleTip) / points.distance(.indexKnuckle, .middleKnuckle) > 1.7 {
            return .twoFingersApart
        }
        return abs(points[.indexTip].z - points[.middleTip].z) < 0.1 ? .twoFingersTogether : .fingers(4)
    }

    /// Whether the tip is above the knuckle by more than half of the way from wrist to knuckle, rounded to tenths; each way has
    /// the sign of its direction in the image.
    private static func isOpen(
        _ tip: TrackedHand.Joint, _ knuckle: TrackedHand.Joint, _ points: TrackedHand.Points
    ) -> Bool {
        func upward(_ a: TrackedHand.Joint, _ b: TrackedHand.Joint) -> Float {
            points[a].y < points[b].y ? points.distance(a, b) : -points.distance(a, b)
        }
        return (10 * upward(tip, knuckle) / upward(knuckle, .wrist)).rounded(.toNearestOrEven) > 5
    }
}

/// AI Virtual Mouse: the tip of the index finger in whole pixels of a frame of 640 x 480; what is 100 pixels within its edges is the
/// screen. A mean gives a new position a weight of 1/7, from the screen's corner on. A press is two tips nearer than 40 pixels.
///
/// The script's tips are those of index and middle finger. Here they are those of thumb and index finger, as labelled.
package struct VirtualMouseScript: PointerScript {
    private static let frame = SIMD2<Float>(640, 480)
    private static let margin = SIMD2<Float>(100, 100)

    private var mean = SIMD2<Float>()

    package init() {}

    package mutating func step(_ frame: PointerRecording.Frame) -> PointerSample {
        guard let points = frame.hand?.landmarks else {
            return PointerSample(time: frame.time, position: nil, target: nil, isPressed: false)
        }
        let tip = Self.pixel(points, .indexTip)
        let target = ((tip - Self.margin) / (Self.frame - 2 * Self.margin))
            .clamped(lowerBound: SIMD2(), upperBound: SIMD2(repeating: 1))
        mean += (target - mean) / 7
        let way = Self.pixel(points, .thumbTip) - tip
        return PointerSample(
            time: frame.time, position: mean, target: target, isPressed: (way * way).sum().squareRoot() < 40)
    }

    private static func pixel(_ points: TrackedHand.Points, _ joint: TrackedHand.Joint) -> SIMD2<Float> {
        (points.place(joint.rawValue) * frame).rounded(.towardZero)
    }
}

extension TrackedHand.Points {
    /// Where a point is in the image, in shares of the frame.
    fileprivate func place(_ index: Int) -> SIMD2<Float> { SIMD2(self[index].x, self[index].y) }

    /// In the image, by shares of the frame.
    fileprivate func distance(_ a: TrackedHand.Joint, _ b: TrackedHand.Joint) -> Float {
        let way = place(a.rawValue) - place(b.rawValue)
        return (way * way).sum().squareRoot()
    }
}
