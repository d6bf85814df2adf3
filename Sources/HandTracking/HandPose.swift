extension TrackedHand {
    /// What a hand shows, as far as its points in one frame tell: scores of seven poses and of none of them, which sum to 1.
    ///
    /// By the networks of MediaPipe's gesture recognizer and under its names. They see how the hand is turned in the upright frame,
    /// so that a thumb that points up and one that points down are two poses; a hand that lies on its side is often none of them, or
    /// the wrong one.
    public struct Pose: Sendable, Equatable {
        /// What a score is of. Raw values are MediaPipe's.
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

        /// Scores in the order of `Name.allCases`.
        public init(scores: SIMD8<Float>) { self.scores = scores }

        /// The score of a pose.
        public subscript(name: Name) -> Float { scores[name.place] }

        /// The name of the highest score, of equal ones the first.
        public var name: Name {
            var best = 0
            for index in scores.indices where scores[index] > scores[best] { best = index }
            return Name(place: best)
        }
    }
}

extension TrackedHand.Pose {
    /// Scores as a network gives them; nil where one is not a number.
    package init?(network scores: Span<Float>) {
        var lanes = SIMD8<Float>()
        precondition(scores.count == lanes.scalarCount)
        for index in lanes.indices { lanes[index] = scores[index] }
        guard lanes * 0 == SIMD8() else { return nil }
        self.init(scores: lanes)
    }
}

extension TrackedHand.Pose.Name {
    // `allCases` is an array, and one is made for each call.
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

    /// The label of the bundled model's class that this pose is, nil without one.
    package var gesture: String? {
        switch self {
        case .openPalm: "openPalm"
        case .pointingUp: "point"
        case .thumbUp: "thumbsUp"
        case .thumbDown: "thumbsDown"
        case .unknown, .closedFist, .victory, .iLoveYou: nil
        }
    }

    /// Where `Name.allCases` has it.
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
