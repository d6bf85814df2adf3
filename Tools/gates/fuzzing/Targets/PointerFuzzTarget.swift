import HandPointer
import HandTracking
import TestSupport
import Vocabulary

/// A pointer and its frames: one stream of bytes decides the settings, and then of up to 100 frames the time and the hands.
///
/// Ends the process if the events of a pointer break a rule of its documentation.
enum PointerFuzzTarget {
    private static let frameLimit = 100

    /// - Returns: whether the settings were taken and a hand pressed.
    static func enter(_ bytes: [UInt8]) -> Bool {
        var decisions = Decisions(bytes)
        guard var pointer = try? HandPointer(configuration(&decisions)) else { return false }
        var (first, second, time, hasPressed) = (Rules(), Rules(), Int64.min / 2, false)
        var latest: Duration?
        // The same hands for some frames, so that presses happen.
        var hands: [TrackedHand] = []
        for _ in 0..<frameLimit where !decisions.isEmpty {
            let kind = decisions.byte()
            if kind & 1 == 1 { hands = (0..<Int(decisions.byte() % 4)).map { _ in hand(&decisions) } }
            switch kind >> 1 {
            case 0..<100: time &+= Int64(kind) * 500_000
            case 100..<110: time -= 1_000_000
            case 110..<118: time = decisions.word() / 2
            case 118..<124: break
            default:
                pointer.reset()
                latest = nil
            }
            let result = pointer.update(hands, at: .nanoseconds(time))
            if let latest {
                precondition(result.time >= latest, "time runs backwards")
                if .nanoseconds(time) <= latest {
                    precondition(result.first.events.isEmpty && result.second.events.isEmpty, "events of no new frame")
                }
            }
            latest = result.time
            first.check(result.first)
            second.check(result.second)
            if let pair = result.pair {
                let all = [pair.distance, pair.angle, pair.zoom, pair.rotation]
                precondition(
                    all.allSatisfy(\.isFinite) && first.isPressed && second.isPressed, "a pair without two presses")
            }
            hasPressed = hasPressed || first.isPressed
        }
        return hasPressed
    }

    private static func configuration(_ decisions: inout Decisions) -> HandPointer.Configuration {
        var configuration = HandPointer.Configuration(isMirrored: decisions.byte() & 1 == 1)
        if decisions.byte() & 1 == 1 {
            configuration.region.x = decisions.share()
            configuration.region.width = decisions.share()
            configuration.pressGap = decisions.share()
            configuration.releaseGap = decisions.share() * 2
            configuration.dragDistance = decisions.share()
            configuration.screenAspect = decisions.share() * 4
            configuration.lostHandTime = .milliseconds(decisions.choice([0, 150, 2_000]))
            configuration.doubleClickTime = .milliseconds(decisions.choice([0, 500]))
        }
        configuration.scrolls = decisions.byte() & 1 == 1
        return configuration
    }

    /// A hand that may be usual, or have any numbers in some places.
    private static func hand(_ decisions: inout Decisions) -> TrackedHand {
        let kind = decisions.byte()
        var drawn = kind & 1 == 1 ? DrawnHand.pinch : kind & 2 == 2 ? .fist : DrawnHand()
        drawn.place = SIMD2(decisions.share(), decisions.share())
        drawn.presence = kind & 4 == 4 ? decisions.share() : 0.9
        drawn.identity = Int(kind >> 3 & 3)
        var hand = drawn.tracked
        guard kind >= 224 else { return hand }
        for _ in 0...decisions.byte() % 4 {
            let place = Int(decisions.byte()) % TrackedHand.Points.count
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: decisions.word()))
            switch decisions.byte() % 4 {
            case 0: hand.landmarks[place].x = value
            case 1: hand.worldLandmarks[place].y = value
            case 2: hand.landmarks[place] = SIMD3(repeating: value)
            default: hand.worldLandmarks = TrackedHand.Points(repeating: SIMD3(repeating: value))
            }
        }
        return hand
    }

    /// The rules between the events of one pointer, written from the documentation.
    private struct Rules {
        private var isPresent = false
        private(set) var isPressed = false

        mutating func check(_ pointer: HandPointer.Pointer) {
            for event in pointer.events {
                switch event {
                case .entered:
                    precondition(!isPresent, "enters twice")
                    isPresent = true
                case .pressed:
                    precondition(isPresent && !isPressed, "presses without a hand or twice")
                    isPressed = true
                case .released:
                    precondition(isPressed, "releases without a press")
                    isPressed = false
                case .clicked, .doubleClicked: precondition(!isPressed, "clicks while it is pressed")
                case .moved, .dragged: precondition(isPresent, "moves without a hand")
                case .scrolled(let way):
                    precondition(
                        isPresent && !isPressed && way.x.isFinite && way.y.isFinite, "scrolls without a free hand")
                case .left:
                    precondition(isPresent && !isPressed, "leaves without a hand or pressed")
                    isPresent = false
                }
            }
            precondition(isPresent == (pointer.state != .absent), "events and state differ about the hand")
            precondition(isPressed == pointer.state.isPressed, "events and state differ about the press")
            let position = pointer.position
            precondition((0...1).contains(position.x) && (0...1).contains(position.y), "is outside the screen")
            precondition((0...1).contains(pointer.confidence), "has a confidence outside 0...1")
        }
    }
}
