package import Platform

extension TrackedHand {
    /// The pose of a hand in one frame, from its points: scores of seven poses and of `unknown`, which sum to 1.
    ///
    /// The networks and the names are those of MediaPipe's gesture recognizer. The networks use the orientation of the hand
    /// in the upright frame, so a thumb that points up and one that points down are two poses. A hand that lies on its
    /// side often gets `unknown` or a wrong pose.
    public struct Pose: Sendable {
        /// The poses. Raw values are MediaPipe's.
        public enum Name: String, Sendable, Hashable, CaseIterable, Codable {
            /// None of the others.
            case unknown = "None"
            /// All fingers closed.
            case closedFist = "Closed_Fist"
            /// All fingers stretched and apart.
            case openPalm = "Open_Palm"
            /// The index finger alone, pointing up.
            case pointingUp = "Pointing_Up"
            /// The thumb alone, pointing down.
            case thumbDown = "Thumb_Down"
            /// The thumb alone, pointing up.
            case thumbUp = "Thumb_Up"
            /// Index and middle finger, apart.
            case victory = "Victory"
            /// Thumb, index and little finger.
            case iLoveYou = "ILoveYou"
        }

        /// In the order of `Name.allCases`; each 0...1.
        public var scores: SIMD8<Float>

        /// What the scores were computed from: 128 values of 0 or above; zeros in a pose that no network made.
        package var embedding = Embedding(repeating: 0)

        package typealias Embedding = FixedArray<
            (
                SIMD16<Float>, SIMD16<Float>, SIMD16<Float>, SIMD16<Float>, SIMD16<Float>, SIMD16<Float>, SIMD16<Float>,
                SIMD16<Float>
            ), Float
        >

        /// Scores in the order of `Name.allCases`.
        public init(scores: SIMD8<Float>) { self.scores = scores }

        /// The score of a pose.
        public subscript(name: Name) -> Float { scores[name.place] }

        /// The name of the highest score; of equal scores, the first.
        public var name: Name {
            var best = 0
            for index in scores.indices where scores[index] > scores[best] { best = index }
            return Name(place: best)
        }
    }
}

extension TrackedHand.Pose: Equatable {
    /// Whether all scores are equal, and the values that they were computed from.
    public static func == (left: TrackedHand.Pose, right: TrackedHand.Pose) -> Bool {
        left.scores == right.scores
            && left.embedding.indices.allSatisfy { left.embedding[$0] == right.embedding[$0] }
    }
}

extension TrackedHand.Pose {
    /// The scores of a network; nil if one is not finite.
    /// - Parameter embedding: what the network computed them from.
    package init?(network scores: Span<Float>, of embedding: Span<Float>) {
        var lanes = SIMD8<Float>()
        precondition(scores.count == lanes.scalarCount)
        for index in lanes.indices { lanes[index] = scores[index] }
        guard lanes * 0 == SIMD8() else { return nil }
        self.init(scores: lanes)
        precondition(embedding.count == Embedding.count)
        self.embedding.withMutableSpan { values in
            for index in embedding.indices { values[index] = embedding[index] }
        }
    }
}

extension TrackedHand.Pose.Name {
    // `allCases` allocates an array on each call.
    fileprivate init(place: Int) {
        switch place {
        case 1: self = .closedFist
        case 2: self = .openPalm
        case 3: self = .pointingUp
        case 4: self = .thumbDown
        case 5: self = .thumbUp
        case 6: self = .victory
        case 7: self = .iLoveYou
        default: self = .unknown
        }
    }

    /// The label of the bundled model's class for this pose; nil if it has none.
    package var gesture: String? {
        switch self {
        case .openPalm: "openPalm"
        case .pointingUp: "point"
        case .thumbUp: "thumbsUp"
        case .thumbDown: "thumbsDown"
        case .unknown, .closedFist, .victory, .iLoveYou: nil
        }
    }

    /// The index in `Name.allCases`.
    package var place: Int {
        switch self {
        case .unknown: 0
        case .closedFist: 1
        case .openPalm: 2
        case .pointingUp: 3
        case .thumbDown: 4
        case .thumbUp: 5
        case .victory: 6
        case .iLoveYou: 7
        }
    }
}
