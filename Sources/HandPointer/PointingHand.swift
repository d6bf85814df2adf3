import HandTracking
import Platform
import Tracking
import Vocabulary

/// The pointer of one hand, from frame to frame.
struct PointingHand: Sendable {
    /// A hand presses only after it was seen for this long, in seconds.
    private static let minimumAge = 0.15
    /// A pinch has to last this long, in seconds: two frames at 30 a second.
    private static let minimumPinchTime = 0.025
    /// The other fingers may change by this much during a pinch: a hand that closes to a fist moves them too. The usual extension of
    /// fingers is a low-pass value with this time constant, in seconds. A pinch bends the index finger, so its extension is below the
    /// usual one.
    private static let maximumChange: Float = 0.25
    private static let fingersTime = 0.25
    /// The fingers close when the gap is below its low-pass value by this much, and itself below `closingGap`.
    private static let closingChange: Float = 0.15
    private static let closingGap: Float = 0.8
    /// The time constant of that low-pass value, in seconds.
    private static let gapTime = 0.1
    /// The position is held for this long at most, in seconds, and only below this speed, in screens a second.
    private static let maximumHold = 0.3
    private static let maximumHeldSpeed: Float = 1
    /// The share of a movement by which the position approaches the palm again after it was held.
    private static let returnShare: Float = 0.4
    /// A fist has to last this long before it scrolls, in seconds.
    private static let minimumFistTime = 0.1
    /// Frames further apart than this, in seconds, do not show the same movement.
    private static let maximumInterval = 1.0
    /// Changes below this, in shares of the screen, are no movement: a fifth of a pixel of 1920.
    private static let minimumMovement: Float = 0.0001
    /// Two clicks further apart than this, in shares of the screen, are no double click.
    private static let doubleClickDistance: Float = 0.05

    private let configuration: HandPointer.Configuration
    private var filter: OneEuroFilter<SIMD4<Float>>
    private var pointer = HandPointer.Pointer()
    private var presence: Float = 0
    private var entered: Int64 = 0
    /// When the hand was last seen, and then where: the palm in shares of the screen, unfiltered and filtered.
    private var seen: Int64 = 0
    private var raw = SIMD2<Float>()
    private var smooth = SIMD2<Float>()
    /// From `smooth` to the position.
    private var offset = SIMD2<Float>()
    /// Low-pass values of the gap and of the extension of the index finger and of the others.
    private var usualGap: Float = 0
    private var usualIndex: Float = 0
    private var usualOthers: Float = 0
    /// Whether the fingers have been apart since the hand came or pressed.
    private var isArmed = false
    private var pinchSince: Int64?
    private var closingSince: Int64?
    private var fistSince: Int64?
    private var isScrolling = false
    private var pressPosition = SIMD2<Float>()
    private var click: (time: Int64, position: SIMD2<Float>)?

    init(_ configuration: HandPointer.Configuration) {
        self.configuration = configuration
        filter = OneEuroFilter(configuration.smoothing)
    }

    /// The identity of the hand; nil without one.
    var identity: Int? { pointer.identity }

    /// Whether the hand pinches.
    var isPressed: Bool { pointer.state.isPressed }

    /// Takes in a frame with the hand, or without it. `now` is after the frame before.
    mutating func update(_ hand: TrackedHand?, at now: Int64) -> HandPointer.Pointer {
        pointer.events = HandPointer.Events()
        guard let hand, let target = target(hand) else { return miss(at: now) }
        guard pointer.state != .absent else { return enter(hand, target, at: now) }
        let elapsed = Self.seconds(now, since: seen)
        guard elapsed < Self.maximumInterval else { return leave(.lost, at: now) }
        let measures = HandMeasures(hand.worldLandmarks)
        let holds = watch(measures, speed: Self.length(target - raw) / Float(elapsed), at: now)
        let way = move(to: target, holding: holds || isScrolling, at: now)
        (seen, raw) = (now, target)
        press(measures, isInside: Self.isInside(hand), at: now)
        scroll(measures, by: way, at: now)
        usualGap += (min(measures.gap, 2) - usualGap) * Self.share(elapsed, Self.gapTime)
        usualIndex += (measures.index - usualIndex) * Self.share(elapsed, Self.fingersTime)
        usualOthers += (measures.others - usualOthers) * Self.share(elapsed, Self.fingersTime)
        presence = min(max(hand.presence, 0), 1)
        pointer.confidence = presence
        pointer.handedness = hand.handedness
        return pointer
    }

    /// Ends what the hand does.
    mutating func leave(_ reason: HandPointer.ReleaseReason, at now: Int64) -> HandPointer.Pointer {
        pointer.events = HandPointer.Events()
        guard pointer.state != .absent else { return pointer }
        if pointer.state.isPressed { pointer.events.insert(.released(reason)) }
        pointer.events.insert(.left)
        (pointer.state, pointer.confidence) = (.absent, 0)
        defer { (pointer.identity, pointer.handedness) = (nil, nil) }
        return pointer
    }

    private mutating func enter(_ hand: TrackedHand, _ target: SIMD2<Float>, at now: Int64) -> HandPointer.Pointer {
        filter.reset()
        _ = filtered(target, at: now)
        let measures = HandMeasures(hand.worldLandmarks)
        (entered, seen, raw, smooth, offset) = (now, now, target, target, SIMD2())
        (usualGap, usualIndex, usualOthers) = (min(measures.gap, 2), measures.index, measures.others)
        (isArmed, isScrolling, click) = (false, false, nil)
        (pinchSince, closingSince, fistSince) = (nil, nil, nil)
        presence = min(max(hand.presence, 0), 1)
        pointer.identity = hand.identity
        pointer.handedness = hand.handedness
        pointer.position = Self.onScreen(target)
        (pointer.state, pointer.confidence) = (.hovering, presence)
        pointer.events.insert(.entered)
        return pointer
    }

    private mutating func miss(at now: Int64) -> HandPointer.Pointer {
        guard pointer.state != .absent else { return pointer }
        let allowed = Double(configuration.lostHandTime.saturatedNanoseconds) * 1e-9
        let elapsed = Self.seconds(now, since: seen)
        guard elapsed < allowed else { return leave(.lost, at: now) }
        (pinchSince, closingSince, fistSince, isScrolling) = (nil, nil, nil, false)
        pointer.confidence = presence * Float(1 - elapsed / allowed)
        return pointer
    }

    /// Whether the fingers close, so that the position has to be held.
    private mutating func watch(_ measures: HandMeasures, speed: Float, at now: Int64) -> Bool {
        let isClosing =
            !pointer.state.isPressed && measures.gap < Self.closingGap && usualGap - measures.gap > Self.closingChange
            && speed < Self.maximumHeldSpeed
        closingSince = isClosing ? closingSince ?? now : nil
        guard let closingSince else { return false }
        return Self.seconds(now, since: closingSince) < Self.maximumHold
    }

    /// Moves the position.
    /// - Returns: the movement of the smoothed palm.
    private mutating func move(to target: SIMD2<Float>, holding: Bool, at now: Int64) -> SIMD2<Float> {
        let next = filtered(target, at: now)
        let way = next - smooth
        smooth = next
        if holding {
            offset -= way
        } else if pointer.state != .pressed {
            let (left, moved) = (Self.length(offset), Self.length(way))
            if left > 0 { offset *= max(0, 1 - Self.returnShare * moved / left) }
        }
        let position = Self.onScreen(smooth + offset)
        guard Self.length(position - pointer.position) > Self.minimumMovement else { return way }
        pointer.position = position
        if pointer.state == .pressed, Self.length(position - pressPosition) > configuration.dragDistance {
            pointer.state = .dragging
        }
        pointer.events.insert(pointer.state == .dragging ? .dragged : .moved)
        return way
    }

    private mutating func press(_ measures: HandMeasures, isInside: Bool, at now: Int64) {
        if measures.gap > configuration.releaseGap {
            if pointer.state.isPressed { release(at: now) }
            isArmed = true
        }
        let pinches =
            !pointer.state.isPressed && isArmed && isInside && measures.gap < configuration.pressGap
            && measures.isPinchShaped && measures.index < usualIndex
            && abs(measures.others - usualOthers) < Self.maximumChange
            && Self.seconds(now, since: entered) >= Self.minimumAge
        guard pinches else {
            pinchSince = nil
            return
        }
        let since = pinchSince ?? now
        pinchSince = since
        guard Self.seconds(now, since: since) >= Self.minimumPinchTime else { return }
        (pinchSince, isArmed, isScrolling) = (nil, false, false)
        pressPosition = pointer.position
        pointer.state = .pressed
        pointer.events.insert(.pressed)
    }

    private mutating func release(at now: Int64) {
        pointer.events.insert(.released(.opened))
        let isClick = pointer.state == .pressed
        pointer.state = .hovering
        guard isClick else { return }
        pointer.events.insert(.clicked)
        let time = Double(configuration.doubleClickTime.saturatedNanoseconds) * 1e-9
        if let click, Self.seconds(now, since: click.time) <= time,
            Self.length(pointer.position - click.position) <= Self.doubleClickDistance
        {
            pointer.events.insert(.doubleClicked)
            self.click = nil
        } else {
            click = (now, pointer.position)
        }
    }

    private mutating func scroll(_ measures: HandMeasures, by way: SIMD2<Float>, at now: Int64) {
        guard configuration.scrolls, measures.isFist, !pointer.state.isPressed else {
            (fistSince, isScrolling) = (nil, false)
            return
        }
        let since = fistSince ?? now
        fistSince = since
        guard Self.seconds(now, since: since) >= Self.minimumFistTime else { return }
        if isScrolling, Self.length(way) > Self.minimumMovement { pointer.events.insert(.scrolled(way)) }
        isScrolling = true
    }

    /// Where the palm is, in shares of the screen, at most a screen outside it; nil if a coordinate is not finite.
    private func target(_ hand: TrackedHand) -> SIMD2<Float>? {
        guard hand.landmarks.isFinite, hand.worldLandmarks.isFinite, hand.presence.isFinite else { return nil }
        var target = configuration.region.onScreen(HandPointer.palm(of: hand.landmarks))
        if configuration.isMirrored { target.x = 1 - target.x }
        return target.clamped(lowerBound: SIMD2(repeating: -1), upperBound: SIMD2(repeating: 2))
    }

    private mutating func filtered(_ target: SIMD2<Float>, at now: Int64) -> SIMD2<Float> {
        var points = OneEuroFilter<SIMD4<Float>>.Points(repeating: SIMD3(target, 0))
        filter.filter(&points, at: now, scale: 1)
        return SIMD2(points[0].x, points[0].y)
    }

    /// Whether palm and fingertips of a pinch are within the frame: a hand that leaves it is guessed.
    private static func isInside(_ hand: TrackedHand) -> Bool {
        func isInside(_ joint: TrackedHand.Joint) -> Bool {
            let point = hand.landmarks[joint]
            return point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1
        }
        return isInside(.indexKnuckle) && isInside(.littleKnuckle) && isInside(.thumbTip) && isInside(.indexTip)
    }

    private static func onScreen(_ point: SIMD2<Float>) -> SIMD2<Float> {
        point.clamped(lowerBound: SIMD2(), upperBound: SIMD2(repeating: 1))
    }

    private static func length(_ way: SIMD2<Float>) -> Float { (way * way).sum().squareRoot() }

    /// As Double, because the difference of two Int64 times may overflow.
    private static func seconds(_ now: Int64, since before: Int64) -> Double { (Double(now) - Double(before)) * 1e-9 }

    /// The share of a new value that a low-pass filter with a time constant adopts.
    private static func share(_ elapsed: Double, _ constant: Double) -> Float { Float(elapsed / (elapsed + constant)) }
}
