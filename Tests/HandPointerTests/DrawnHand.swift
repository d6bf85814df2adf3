import HandPointer
import HandTracking
import Tracking

/// A hand of ten centimetres from wrist to middle knuckle, in metres and in the frame, whose fingers are placed by numbers.
struct DrawnHand {
    /// Where the palm's middle is, in shares of the frame.
    var place = SIMD2<Float>(0.5, 0.5)
    /// From the tip of the thumb to that of the index finger, in lengths of the palm.
    var gap: Float = 0.8
    /// Extension of the index finger and of the others; see `HandMeasures`.
    var index: Float = 1.8
    var others: Float = 1.8
    var identity = 0
    var presence: Float = 0.9

    static let pinch = DrawnHand(gap: 0.1, index: 1.3)
    static let fist = DrawnHand(gap: 0.5, index: 0.8, others: 0.75)

    func at(_ x: Float, _ y: Float) -> DrawnHand {
        var hand = self
        hand.place = SIMD2(x, y)
        return hand
    }

    func named(_ identity: Int) -> DrawnHand {
        var hand = self
        hand.identity = identity
        return hand
    }

    var tracked: TrackedHand {
        var world = TrackedHand.Points()
        let palm: Float = 0.1
        for (finger, x) in zip([TrackedHand.Finger.index, .middle, .ring, .little], [Float(0), 0, 0, 0]) {
            let knuckle = SIMD3(x, -palm, 0)
            world[finger.joints[0]] = knuckle
            world[finger.tip] = knuckle * (finger == .index ? index : others)
        }
        world[.thumbTip] = world[.indexTip] + SIMD3(gap * palm, 0, 0)
        var frame = TrackedHand.Points()
        for number in 0..<TrackedHand.Points.count {
            frame[number] = SIMD3(place + SIMD2(world[number].x, world[number].y), 0)
        }
        // The mean of wrist and knuckles of index and little finger is at `place`.
        frame[.wrist] = SIMD3(place, 0)
        frame[.indexKnuckle] = SIMD3(place, 0)
        frame[.littleKnuckle] = SIMD3(place, 0)
        return TrackedHand(
            identity: identity, presence: presence, rightHandedness: 1, landmarks: frame, worldLandmarks: world,
            region: TrackedRegion(centerX: 0.5, centerY: 0.5, side: 0.3))
    }
}

/// Frames at a rate, and what a pointer says of them.
struct Script {
    var pointer: HandPointer
    var time = Duration.zero
    var interval = Duration.nanoseconds(33_333_333)
    private(set) var results: [HandPointer.Result] = []

    init(_ configuration: HandPointer.Configuration = HandPointer.Configuration()) throws {
        pointer = try HandPointer(configuration)
    }

    mutating func show(_ hands: [DrawnHand], frames: Int = 1) {
        for _ in 0..<frames {
            results.append(pointer.update(hands.map(\.tracked), at: time))
            time += interval
        }
    }

    mutating func show(_ hand: DrawnHand?, frames: Int = 1) { show(hand.map { [$0] } ?? [], frames: frames) }

    /// The events of the first pointer, a word each, without those of its movement.
    var words: [String] {
        results.flatMap { $0.first.events.map(Self.word) }.filter { $0 != "moved" && $0 != "dragged" }
    }

    static func word(_ event: HandPointer.Event) -> String {
        switch event {
        case .entered: "entered"
        case .moved: "moved"
        case .dragged: "dragged"
        case .pressed: "pressed"
        case .released(let reason): "released:\(reason.rawValue)"
        case .clicked: "clicked"
        case .doubleClicked: "doubleClicked"
        case .scrolled: "scrolled"
        case .left: "left"
        }
    }
}
