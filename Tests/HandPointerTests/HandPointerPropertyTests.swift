import HandPointer
import TestSupport
import Testing
import Vocabulary

/// The same input gives the same output, on every tier and day. What holds for any input, `FuzzTarget.pointer` checks.
@Suite struct HandPointerPropertyTests {
    @Test func theSameInputGivesTheSameBits() throws {
        func run() throws -> [HandPointer.Result] {
            var numbers = SplitMix64(seed: 7)
            var pointer = try HandPointer()
            return (0..<500).map { frame in
                var hand = numbers.next(below: 2) == 0 ? DrawnHand.pinch : DrawnHand()
                hand.place = SIMD2(Float(numbers.unit()), Float(numbers.unit()))
                hand.identity = Int(numbers.next(below: 2))
                return pointer.update(frame / 5 % 3 == 0 ? [] : [hand.tracked], at: .milliseconds(33 * frame))
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
