public import HandTracking
import Platform
public import Vocabulary

/// A hand as a mouse: landmarks and times in; a position, a state and events out. A pure value without a clock.
///
/// The position follows the palm, which moves less than the fingertips when the fingers close. It is smoothed by a one-euro
/// filter, and held while thumb and index finger close, so a click does not shift it. A pinch of these two fingers presses. A fist
/// that moves scrolls.
///
///     var pointer = try HandPointer()
///     for (hands, time) in frames {
///         let result = pointer.update(hands, at: time)
///         for event in result.first.events where event == .clicked { press(at: result.first.position) }
///     }
public struct HandPointer: Sendable {
    /// The pointers of up to two hands in one frame.
    public struct Result: Sendable, Equatable {
        /// The time that `update` was given.
        public internal(set) var time: Duration = .zero
        /// The pointer of the hand that came first and is still there; absent without a hand. When that hand has left, another
        /// one leaves `second` and enters here, as soon as it is not pressed.
        public internal(set) var first = Pointer()
        /// The pointer of another hand; absent without one.
        public internal(set) var second = Pointer()
        /// The two pointers together, while both are pressed or dragging.
        public internal(set) var pair: Pair?

        /// No hand.
        public init() {}
    }

    /// Two pressed pointers, for zooming and rotating.
    public struct Pair: Sendable, Equatable {
        /// From the first to the second pointer, in widths of the screen, 0 or more.
        public let distance: Float
        /// The direction from the first to the second pointer in radians, -pi...pi: 0 to the right, pi / 2 down.
        public let angle: Float
        /// `distance` over its value when the second hand pressed; above 1 zooms in. 1 if that value was nearly 0.
        public let zoom: Float
        /// The change of `angle` since the second hand pressed, -pi...pi; above 0 is clockwise on the screen.
        public let rotation: Float
    }

    private let configuration: Configuration
    private var first: PointingHand
    private var second: PointingHand
    private var latest: Result?
    /// Distance and angle when both hands pressed.
    private var start: (distance: Float, angle: Float)?
    /// Whether hands from before `reset` still have to be released.
    private var isInterrupted = false

    /// Makes a pointer without hands; throws for a configuration that cannot be used.
    public init(_ configuration: Configuration = Configuration()) throws(ConfigurationError) {
        try configuration.validate()
        self.configuration = configuration
        first = PointingHand(configuration)
        second = PointingHand(configuration)
    }

    /// Takes in the hands of the next frame.
    /// - Parameters:
    ///   - hands: those tracked longer come first, as from a stream. The pointer follows two of them by their identities. A hand
    ///     with a coordinate that is not finite counts as not seen.
    ///   - time: when the frame was taken. A time that is not after the one before changes nothing, and its result has no events.
    public mutating func update(_ hands: [TrackedHand], at time: Duration) -> Result {
        let now = time.saturatedNanoseconds
        if var latest, now <= latest.time.saturatedNanoseconds {
            latest.first.events = Events()
            latest.second.events = Events()
            return latest
        }
        var result = Result()
        result.time = .nanoseconds(now)
        if isInterrupted {
            isInterrupted = false
            result.first = first.leave(.reset, at: now)
            result.second = second.leave(.reset, at: now)
        } else {
            let others = (first.identity, second.identity)
            result.first = first.update(Self.hand(for: others.0, besides: others.1, of: hands), at: now)
            // A hand that is alone leaves the second pointer and enters the first one with the next frame.
            if first.identity == nil, !second.isPressed {
                result.second = second.leave(.lost, at: now)
            } else {
                result.second = second.update(
                    Self.hand(for: others.1, besides: first.identity, of: hands), at: now)
            }
        }
        result.pair = pair(result)
        latest = result
        return result
    }

    /// Forgets all hands. The next result releases and leaves what was pressed and present.
    /// After it, times may begin anew.
    public mutating func reset() {
        isInterrupted = isInterrupted || latest != nil
        latest = nil
    }

    /// The point that the position follows, in shares of the upright frame: the mean of the wrist and of the knuckles of index and
    /// little finger. Of the points that were compared it moves least when the fingers close.
    package static func palm(of points: TrackedHand.Points) -> SIMD2<Float> {
        let palm = (points[.wrist] + points[.indexKnuckle] + points[.littleKnuckle]) / 3
        return SIMD2(palm.x, palm.y)
    }

    /// The hand with an identity; for a pointer without one the first hand that the other pointer does not follow.
    private static func hand(for identity: Int?, besides other: Int?, of hands: [TrackedHand]) -> TrackedHand? {
        for index in hands.indices {
            let candidate = hands[index].identity
            if identity == nil ? candidate != other : candidate == identity { return hands[index] }
        }
        return nil
    }

    private mutating func pair(_ result: Result) -> Pair? {
        guard result.first.state.isPressed, result.second.state.isPressed else {
            start = nil
            return nil
        }
        let across = result.second.position.x - result.first.position.x
        let down = (result.second.position.y - result.first.position.y) / configuration.screenAspect
        let distance = (across * across + down * down).squareRoot()
        let angle = Float(Math.atan2(y: Double(down), x: Double(across)))
        let start = start ?? (distance, angle)
        self.start = start
        var rotation = angle - start.angle
        if rotation > .pi { rotation -= 2 * .pi }
        if rotation < -.pi { rotation += 2 * .pi }
        return Pair(
            distance: distance, angle: angle, zoom: start.distance > 0.001 ? distance / start.distance : 1,
            rotation: min(max(rotation, -.pi), .pi))
    }
}
