package import HandTracking

extension GestureEngine {
    /// Which of the tracked hands gestures.
    ///
    /// The column of a frame describes one hand, so one hand gestures at a time. The choice keeps to a hand: it does not
    /// jump between two hands that are about as good.
    public enum HandChoice: String, Codable, Sendable, Hashable, CaseIterable {
        /// The hand that has been tracked longest.
        case first
        /// A left hand alone, by the mean of `TrackedHand.rightHandedness` since it was found. In a mirrored frame this
        /// is a right hand.
        case left
        /// A right hand alone, likewise.
        case right
        /// The hand that is largest in the frame, by the side of its region: most often the nearest. Another hand takes
        /// over when it is lost, or when the other's region has more than 1.25 times the side.
        case largest
    }
}

/// The hand whose gestures are recognised, from frame to frame. A pure value.
package struct GesturingHand: Sendable {
    private let choice: GestureEngine.HandChoice
    /// The tracked hands and how likely each is a right hand, by the mean of its frames.
    private var sides: [Side] = []
    /// The chosen hand of the latest frame; nil without one.
    package private(set) var identity: Int?

    private struct Side {
        /// Later frames keep the weight that a frame has after this many, so a wrong beginning does not last: a second
        /// at 30 frames a second.
        private static let maximumFrames: Float = 30

        let identity: Int
        private var frames: Float = 0
        /// The mean of the frames so far, 0...1.
        private(set) var right: Float = 0

        init(identity: Int) { self.identity = identity }

        mutating func update(_ rightHandedness: Float) {
            frames = min(frames + 1, Self.maximumFrames)
            right += (rightHandedness - right) / frames
        }
    }

    /// How much larger another hand has to be to take over.
    private static let takeover = 1.25

    package init(_ choice: GestureEngine.HandChoice) {
        self.choice = choice
        sides.reserveCapacity(GestureEngine.Configuration.allowedHands.upperBound)
    }

    /// Takes in the hands of the next frame.
    package mutating func update(_ hands: [TrackedHand]) {
        switch choice {
        case .first: identity = hands.first?.identity
        case .left, .right: identity = sided(hands)
        case .largest: identity = largest(hands)
        }
    }

    /// The chosen hand among the hands that were seen.
    package func hand(of hands: [TrackedHand]) -> TrackedHand? {
        for index in hands.indices where hands[index].identity == identity { return hands[index] }
        return nil
    }

    /// Forgets all hands.
    package mutating func reset() {
        sides.removeAll(keepingCapacity: true)
        identity = nil
    }

    /// The hand of the chosen side: the one chosen before, while it is of that side, else the likeliest one.
    private mutating func sided(_ hands: [TrackedHand]) -> Int? {
        sides.removeAll { side in !hands.contains { $0.identity == side.identity } }
        for hand in hands {
            var place = sides.endIndex
            for index in sides.indices where sides[index].identity == hand.identity { place = index }
            if place == sides.endIndex { sides.append(Side(identity: hand.identity)) }
            sides[place].update(hand.rightHandedness)
        }
        var best: (identity: Int, share: Float)?
        for side in sides {
            let share = choice == .right ? side.right : 1 - side.right
            guard choice == .right ? side.right >= 0.5 : side.right < 0.5 else { continue }
            if side.identity == identity { return identity }
            if share > best?.share ?? -1 { best = (side.identity, share) }
        }
        return best?.identity
    }

    /// The chosen hand unless another one is so much larger that it takes over.
    private func largest(_ hands: [TrackedHand]) -> Int? {
        var best: (identity: Int, side: Double)?
        for hand in hands {
            let side = hand.region.side * (hand.identity == identity ? Self.takeover : 1)
            if side > best?.side ?? -1 { best = (hand.identity, side) }
        }
        return best?.identity
    }
}
