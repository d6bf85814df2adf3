/// One attempt to add a gesture to a model, and its results on unseen clips. Property names are the JSON keys.
package struct EnrolmentTrial: Codable, Sendable, Equatable {
    /// The gesture that is new to the model.
    package let label: String
    /// Names of the clips with its examples.
    package let examples: [String]
    /// The number of the draw of examples, from 0.
    package let draw: Int
    package let outcome: Outcome

    package enum Outcome: Codable, Sendable, Equatable {
        /// - bytes: size of the file with the gestures of the set.
        case enrolled(bytes: Int, EnrolmentScore)
        /// - reason: a word. - detail: the reason with its numbers.
        case refused(reason: String, detail: String)

        private enum CodingKeys: String, CodingKey {
            case bytes, score, refusal, detail
        }

        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            if let reason = try values.decodeIfPresent(String.self, forKey: .refusal) {
                self = .refused(reason: reason, detail: try values.decode(String.self, forKey: .detail))
            } else {
                self = .enrolled(
                    bytes: try values.decode(Int.self, forKey: .bytes),
                    try values.decode(EnrolmentScore.self, forKey: .score))
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .enrolled(let bytes, let score):
                try values.encode(bytes, forKey: .bytes)
                try values.encode(score, forKey: .score)
            case .refused(let reason, let detail):
                try values.encode(reason, forKey: .refusal)
                try values.encode(detail, forKey: .detail)
            }
        }
    }

    package init(label: String, examples: [String], draw: Int, outcome: Outcome) {
        self.label = label
        self.examples = examples
        self.draw = draw
        self.outcome = outcome
    }
}

/// The events that a new gesture finds, its false events, and its changes of the model's own classes.
package struct EnrolmentScore: Codable, Sendable, Equatable {
    /// Clips of one kind, and the events of the new gesture in them that match no true event.
    package struct Footage: Codable, Sendable, Equatable {
        package fileprivate(set) var clips = 0
        package fileprivate(set) var seconds = 0.0
        package fileprivate(set) var false_events = 0

        static func + (one: Self, other: Self) -> Self {
            Footage(
                clips: one.clips + other.clips, seconds: one.seconds + other.seconds,
                false_events: one.false_events + other.false_events)
        }
    }

    /// The model's own classes, by the model alone and with the gesture added.
    package struct Model: Codable, Sendable, Equatable {
        /// The number of true events of these classes, and how many are found by the lenient rule.
        package fileprivate(set) var truths = 0
        package fileprivate(set) var found_alone = 0
        package fileprivate(set) var found_beside = 0
        /// Begins, correct and false.
        package fileprivate(set) var events_alone = 0
        package fileprivate(set) var events_beside = 0
        /// Clips whose begins differ, in class or in time.
        package fileprivate(set) var changed_clips = 0
    }

    /// The number of true events of the new gesture, and how many are found by the lenient rule.
    package private(set) var truths = 0
    package private(set) var found = 0
    /// Further begins of a found event.
    package private(set) var double_fires = 0
    /// From the true onset to the decision, of found events.
    package private(set) var delays_s: [Double] = []
    /// Clips that show the gesture; events outside it are false.
    package private(set) var own = Footage()
    /// Clips that show another gesture that is new to the model.
    package private(set) var new = Footage()
    /// Clips that show only the model's gestures.
    package private(set) var known = Footage()
    /// Clips without gestures.
    package private(set) var null = Footage()
    package private(set) var model = Model()

    package init() {}

    /// Share of the gesture's true events that are found.
    package var detectionRate: Double? { share(found, truths) }

    /// Adds a clip that was not an example.
    /// - alone: the same clip by the model without the gesture.
    /// - classIndex: of the gesture. - modelClasses: the classes below this are the model's.
    /// Requires that both observations are of one clip.
    package mutating func add(
        _ clip: ClipObservation, alone: ClipObservation, classIndex: Int, modelClasses: Int,
        rules: EvaluationRules = EvaluationRules()
    ) {
        precondition(clip.truth == alone.truth, "observations of two clips")
        let gestures = clip.gestures.filter { $0.classIndex == classIndex }
        let events = clip.truth.events.filter { $0.classIndex == classIndex }
        let matching = EventMatching.lenient(gestures, truth: events, rules: rules)
        truths += events.count
        found += matching.pairs.count
        double_fires += matching.repeats.count
        delays_s += matching.pairs.map { gestures[$0.gesture].decision - events[$0.truth].onset }

        let footage = Footage(clips: 1, seconds: clip.seconds, false_events: matching.falseGestures.count)
        if !events.isEmpty {
            own = own + footage
        } else if clip.truth.events.contains(where: { $0.classIndex >= modelClasses }) {
            new = new + footage
        } else if !clip.truth.events.isEmpty {
            known = known + footage
        } else {
            null = null + footage
        }
        model.add(clip, alone: alone, modelClasses: modelClasses, rules: rules)
    }
}

extension EnrolmentScore.Model {
    fileprivate mutating func add(
        _ clip: ClipObservation, alone: ClipObservation, modelClasses: Int, rules: EvaluationRules
    ) {
        let events = clip.truth.events.filter { $0.classIndex < modelClasses }
        let before = alone.gestures.filter { $0.classIndex < modelClasses }
        let after = clip.gestures.filter { $0.classIndex < modelClasses }
        truths += events.count
        found_alone += EventMatching.lenient(before, truth: events, rules: rules).pairs.count
        found_beside += EventMatching.lenient(after, truth: events, rules: rules).pairs.count
        events_alone += before.count
        events_beside += after.count
        let isSame = before.elementsEqual(after) { $0.classIndex == $1.classIndex && $0.decision == $1.decision }
        changed_clips += isSame ? 0 : 1
    }
}
