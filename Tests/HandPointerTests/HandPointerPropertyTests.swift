import HandPointer
import HandTracking
import Testing
import Tracking
import Vocabulary

/// What holds for any input.
@Suite struct HandPointerPropertyTests {
    /// The rules between the events of one pointer, written from the documentation.
    private struct Rules {
        var isPresent = false
        var isPressed = false
        var faults: [String] = []

        mutating func check(_ pointer: HandPointer.Pointer) {
            func require(_ holds: Bool, _ rule: String) { if !holds { faults.append(rule) } }
            for event in pointer.events {
                switch event {
                case .entered:
                    require(!isPresent, "enters twice")
                    isPresent = true
                case .pressed:
                    require(isPresent && !isPressed, "presses without a hand or twice")
                    isPressed = true
                case .released:
                    require(isPressed, "releases without a press")
                    isPressed = false
                case .clicked, .doubleClicked: require(!isPressed, "clicks while it is pressed")
                case .moved, .dragged: require(isPresent, "moves without a hand")
                case .scrolled(let way):
                    require(isPresent && !isPressed && way.x.isFinite && way.y.isFinite, "scrolls without a free hand")
                case .left:
                    require(isPresent && !isPressed, "leaves without a hand or pressed")
                    isPresent = false
                }
            }
            require(isPresent == (pointer.state != .absent), "events and state differ about the hand")
            require(isPressed == pointer.state.isPressed, "events and state differ about the press")
            let position = pointer.position
            require((0...1).contains(position.x) && (0...1).contains(position.y), "is outside the screen")
            require((0...1).contains(pointer.confidence), "has a confidence outside 0...1")
        }
    }

    private static let odd: [Float] = [
        .nan, .infinity, -.infinity, 0, -0.0, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
        .leastNonzeroMagnitude, 1e20, -1e20,
    ]

    /// A hand that may be usual, or have unusual numbers in any place.
    private static func hand(_ numbers: inout SplitMix64, identities: UInt64) -> TrackedHand {
        var drawn = numbers.next(below: 2) == 0 ? DrawnHand.pinch : numbers.next(below: 4) == 0 ? .fist : DrawnHand()
        drawn.place = SIMD2(Float(numbers.unit() * 1.1 - 0.1), Float(numbers.unit() * 1.1 - 0.1))
        drawn.presence = Float(numbers.unit())
        drawn.identity = numbers.next(below: 4) == 0 ? Int(numbers.next(below: identities)) : 0
        var hand = drawn.tracked
        guard numbers.next(below: 6) == 0 else { return hand }
        for _ in 0...numbers.next(below: 4) {
            let place = Int(numbers.next(below: UInt64(TrackedHand.Points.count)))
            let value = odd[Int(numbers.next(below: UInt64(odd.count)))]
            switch numbers.next(below: 4) {
            case 0: hand.landmarks[place].x = value
            case 1: hand.worldLandmarks[place].y = value
            case 2: hand.landmarks[place] = SIMD3(repeating: value)
            default: hand.worldLandmarks = TrackedHand.Points(repeating: SIMD3(repeating: value))
            }
        }
        return hand
    }

    @Test func anyInputKeepsTheRules() throws {
        var numbers = SplitMix64(seed: 69)
        var presses = 0
        for round in 0..<400 {
            var pointer = try HandPointer()
            var (first, second) = (Rules(), Rules())
            var time = Int64.min / 2
            var latest: Duration?
            // The same hand for some frames, so that presses happen.
            var hands: [TrackedHand] = []
            for frame in 0..<200 {
                if numbers.next(below: 6) == 0 {
                    hands = (0..<numbers.next(below: 4)).map { _ in Self.hand(&numbers, identities: 3) }
                }
                switch numbers.next(below: 40) {
                case 0: time = Int64(truncatingIfNeeded: numbers.next()) / 2
                case 1: time -= 1_000_000
                case 2: time += 3_000_000_000
                case 3: break
                default: time += Int64(numbers.next(below: 60_000_000))
                }
                if numbers.next(below: 60) == 0 {
                    pointer.reset()
                    latest = nil
                }
                let result = pointer.update(hands, at: .nanoseconds(time))
                if let latest {
                    #expect(result.time >= latest)
                    if .nanoseconds(time) <= latest {
                        #expect(result.first.events.isEmpty && result.second.events.isEmpty && result.time == latest)
                    }
                }
                latest = result.time
                first.check(result.first)
                second.check(result.second)
                if let pair = result.pair {
                    let all = [pair.distance, pair.angle, pair.zoom, pair.rotation]
                    #expect(all.allSatisfy(\.isFinite) && first.isPressed && second.isPressed)
                }
                if result.first.events.contains(.pressed) { presses += 1 }
                let faults = first.faults + second.faults
                try #require(faults.isEmpty, "round \(round), frame \(frame): \(faults)")
            }
        }
        // The rules would hold for a pointer that never presses.
        #expect(presses > 200)
    }

    @Test func theSameInputGivesTheSameBits() throws {
        func run() throws -> [HandPointer.Result] {
            var numbers = SplitMix64(seed: 7)
            var pointer = try HandPointer()
            return (0..<500).map { frame in
                let hands = frame / 5 % 3 == 0 ? [] : [Self.hand(&numbers, identities: 2)]
                return pointer.update(hands, at: .milliseconds(33 * frame))
            }
        }
        #expect(try run() == run())
    }

    /// A hand comes, points, clicks twice, drags, is lost, scrolls with a fist, and leaves.
    @Test func theLogOfAVisit() throws {
        var script = try Script(HandPointer.Configuration(isMirrored: false))
        let open = DrawnHand()
        script.show(nil, frames: 2)
        for step in 0..<8 { script.show(open.at(0.3 + 0.025 * Float(step), 0.5)) }
        script.show(open.at(0.475, 0.5), frames: 10)
        for _ in 0..<2 {
            script.show(DrawnHand.pinch.at(0.475, 0.5), frames: 3)
            script.show(open.at(0.475, 0.5), frames: 3)
        }
        script.show(DrawnHand.pinch.at(0.475, 0.5), frames: 3)
        for step in 0..<6 { script.show(DrawnHand.pinch.at(0.475 + 0.03 * Float(step), 0.5)) }
        script.show(nil, frames: 5)
        script.show(open.at(0.6, 0.4), frames: 8)
        script.show(DrawnHand.fist.at(0.6, 0.4), frames: 6)
        for step in 0..<3 { script.show(DrawnHand.fist.at(0.6, 0.4 - 0.04 * Float(step))) }
        script.show(nil, frames: 5)
        let lines = script.results.enumerated().compactMap { index, result -> String? in
            let pointer = result.first
            guard !pointer.events.isEmpty else { return nil }
            let words = pointer.events.map(Script.word).joined(separator: " ")
            let place = [pointer.position.x, pointer.position.y].map { Int(($0 * 1000).rounded()) }
            return "\(index) \(pointer.state.rawValue) \(place[0]),\(place[1]) \(words)"
        }
        #expect(lines.joined(separator: "\n") == Self.log)
    }

    private static let log = """
        2 hovering 167,500 entered
        3 hovering 191,500 moved
        4 hovering 232,500 moved
        5 hovering 277,500 moved
        6 hovering 321,500 moved
        7 hovering 365,500 moved
        8 hovering 407,500 moved
        9 hovering 450,500 moved
        10 hovering 457,500 moved
        11 hovering 458,500 moved
        12 hovering 458,500 moved
        21 pressed 458,500 pressed
        23 hovering 458,500 released:opened clicked
        27 pressed 458,500 pressed
        29 hovering 458,500 released:opened clicked doubleClicked
        33 pressed 458,500 pressed
        36 dragging 489,500 dragged
        37 dragging 540,500 dragged
        38 dragging 594,500 dragged
        39 dragging 646,500 dragged
        40 dragging 698,500 dragged
        45 absent 698,500 released:lost left
        46 hovering 667,333 entered
        61 hovering 667,333 scrolled
        62 hovering 667,333 scrolled
        67 absent 667,333 left
        """
}
