public import HandTracking

extension HandPointer {
    /// The pointer of one hand in one frame.
    public struct Pointer: Sendable, Equatable {
        /// The identity of the hand, as `TrackedHand.identity`; nil if it is absent.
        public internal(set) var identity: Int?
        /// The side of the body that the hand belongs to; see `TrackedHand.handedness`. Nil if it is absent.
        public internal(set) var handedness: TrackedHand.Handedness?
        /// Shares of the screen's width and height from its top left, 0...1; at the edge for a hand outside
        /// `Configuration.region`. An absent pointer keeps its last position.
        public internal(set) var position = SIMD2<Float>(0.5, 0.5)
        /// What the hand does.
        public internal(set) var state = State.absent
        /// The presence of the hand, 0...1. It falls to 0 while the hand is not seen.
        public internal(set) var confidence: Float = 0
        /// What happened in this frame, in this order.
        public internal(set) var events = Events()

        /// An absent pointer.
        public init() {}
    }

    /// What a hand does.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// There is no hand.
        case absent
        /// A hand without a pinch.
        case hovering
        /// A pinch that has not moved by `Configuration.dragDistance` yet.
        case pressed
        /// A pinch that has moved.
        case dragging

        /// Whether the hand pinches.
        public var isPressed: Bool { self == .pressed || self == .dragging }
    }

    /// Why a press ended.
    public enum ReleaseReason: String, Sendable, Hashable, CaseIterable {
        /// The fingers parted.
        case opened
        /// The hand was not seen for `Configuration.lostHandTime`.
        case lost
        /// `reset` was called, or the stream began anew.
        case reset
    }

    /// What happened to a pointer.
    public enum Event: Sendable, Hashable {
        /// A hand came.
        case entered
        /// The position changed, without dragging.
        case moved
        /// The position changed while dragging. The first one has the way since the press.
        case dragged
        /// A pinch began.
        case pressed
        /// The pinch ended. Each `pressed` is followed by exactly one.
        case released(ReleaseReason)
        /// A pinch ended by opening, without dragging. It comes after `released`.
        case clicked
        /// A click soon after another one in nearly the same position. It comes after its `clicked`.
        case doubleClicked
        /// A fist moved: by shares of the screen's width and height, to the right and down.
        case scrolled(SIMD2<Float>)
        /// The hand was not seen for `Configuration.lostHandTime`.
        case left
    }

    /// The events of a pointer in one frame, in their order. It has no storage on the heap.
    public struct Events: Sequence, Sendable, Equatable {
        /// Steps through the events.
        public struct Iterator: IteratorProtocol {
            fileprivate let events: Events
            fileprivate var place = 0

            /// The next event; nil after the last one.
            public mutating func next() -> Event? {
                while place < Events.order.count {
                    defer { place += 1 }
                    if events.bits & 1 << UInt16(place) != 0 { return events.event(place) }
                }
                return nil
            }
        }

        private static let order = 0..<9
        private var bits: UInt16 = 0
        private var reason = ReleaseReason.opened
        private var scroll = SIMD2<Float>()

        init() {}

        /// Whether nothing happened.
        public var isEmpty: Bool { bits == 0 }

        /// Begins at the first event.
        public func makeIterator() -> Iterator { Iterator(events: self) }

        mutating func insert(_ event: Event) {
            switch event {
            case .released(let reason): self.reason = reason
            case .scrolled(let way): scroll = way
            default: break
            }
            bits |= 1 << UInt16(event.place)
        }

        private func event(_ place: Int) -> Event {
            switch place {
            case 0: .entered
            case 1: .moved
            case 2: .dragged
            case 3: .pressed
            case 4: .released(reason)
            case 5: .clicked
            case 6: .doubleClicked
            case 7: .scrolled(scroll)
            default: .left
            }
        }
    }
}

extension HandPointer.Event {
    /// Its place among the events of a frame, 0...8.
    package var place: Int {
        switch self {
        case .entered: 0
        case .moved: 1
        case .dragged: 2
        case .pressed: 3
        case .released: 4
        case .clicked: 5
        case .doubleClicked: 6
        case .scrolled: 7
        case .left: 8
        }
    }
}
