import HandPointer
import TestSupport

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
