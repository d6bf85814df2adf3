/// The results of a model on recordings with truth; property names are the JSON keys.
package struct TruthReport: Encodable, Sendable, Equatable {
    /// One recording.
    package struct Clip: Encodable, Sendable, Equatable {
        package let name: String
        package let frames: Int
        /// Frames a second, as stated by the clip.
        package let rate_hz: Double?
        package let seconds: Double
        /// Frames in which a hand was tracked; nil for the pixel front end, which does not track hands.
        package let hand_frames: Int?
        package let found: [Gesture]
        package let missed: [Miss]
        package let false_positives: [Begin]
        /// Begins in frames where reports do not count.
        package let skipped: [Begin]
    }

    /// A gesture and the begin that found it.
    package struct Gesture: Encodable, Sendable, Equatable {
        package let label: String
        package let start: Int
        package let end: Int
        package let begin: Int
        package let confidence: Float
    }

    /// A begin that found nothing.
    package struct Begin: Encodable, Sendable, Equatable {
        package let label: String
        package let frame: Int
        package let confidence: Float
    }

    /// A gesture that no begin found, and the scores in the frames in which a begin could have found it.
    package struct Miss: Encodable, Sendable, Equatable {
        package let label: String
        package let start: Int
        package let end: Int
        /// Frames of that time that have scores.
        package let scored_frames: Int
        /// Those of them in which a hand was tracked.
        package let hand_frames: Int?
        /// The frame in which the class itself scored highest, after the median filter; nil without scores.
        package let best: Best?
        /// The number of frames that each class led.
        package let led: [String: Int]
    }

    package struct Best: Encodable, Sendable, Equatable {
        package let frame: Int
        /// Of the gesture's own class.
        package let confidence: Float
        /// The class that led in this frame, and its probability.
        package let leader: String
        package let leader_confidence: Float
    }

    package struct Total: Encodable, Sendable, Equatable {
        package var clips = 0
        package var seconds = 0.0
        package var gestures = 0
        package var found = 0
        package var missed = 0
        package var false_positives = 0
        package var skipped = 0
        package var false_positives_per_minute: Double? { seconds > 0 ? Double(false_positives) * 60 / seconds : nil }

        private enum CodingKeys: String, CodingKey {
            case clips, seconds, gestures, found, missed, false_positives, skipped, false_positives_per_minute
        }

        package func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(clips, forKey: .clips)
            try values.encode(seconds, forKey: .seconds)
            try values.encode(gestures, forKey: .gestures)
            try values.encode(found, forKey: .found)
            try values.encode(missed, forKey: .missed)
            try values.encode(false_positives, forKey: .false_positives)
            try values.encode(skipped, forKey: .skipped)
            try values.encodeIfPresent(false_positives_per_minute, forKey: .false_positives_per_minute)
        }
    }

    package private(set) var clips: [Clip] = []
    package private(set) var total = Total()

    package init() {}

    /// A recording with an engine's results.
    package struct Observation: Sendable {
        package let name: String
        package let truth: ClipTruth
        package var rate: Double?
        package var frames = 0
        package var seconds = 0.0
        /// In the order of time.
        package var begins: [ReportedBegin] = []
        /// One for each frame that has scores, with the probabilities of all classes.
        package var predictions: [FramePrediction] = []
        /// For each frame, whether a hand was tracked; nil if the front end tracks none.
        package var hands: [Bool]?

        package init(name: String, truth: ClipTruth) {
            self.name = name
            self.truth = truth
        }
    }

    /// Adds a recording.
    package mutating func add(_ seen: Observation) {
        let matching = TruthMatching(seen.truth, seen.begins)
        let labels = seen.truth.classes.labels
        func begin(_ index: Int) -> Begin {
            let begin = seen.begins[index]
            return Begin(label: labels[begin.classIndex], frame: begin.frame, confidence: begin.confidence)
        }
        let found = matching.found.map { pair in
            let (run, begin) = (seen.truth.runs[pair.run], seen.begins[pair.begin])
            return Gesture(
                label: labels[begin.classIndex], start: run.frames.lowerBound, end: run.frames.upperBound,
                begin: begin.frame, confidence: begin.confidence)
        }
        let clip = Clip(
            name: seen.name, frames: seen.frames, rate_hz: seen.rate, seconds: seen.seconds,
            hand_frames: seen.hands?.count { $0 }, found: found,
            missed: matching.missed.compactMap { Self.miss(seen.truth.runs[$0], seen) },
            false_positives: matching.falsePositives.map(begin), skipped: matching.skipped.map(begin))
        clips.append(clip)
        total.clips += 1
        total.seconds += clip.seconds
        total.gestures += found.count + clip.missed.count
        total.found += found.count
        total.missed += clip.missed.count
        total.false_positives += clip.false_positives.count
        total.skipped += clip.skipped.count
    }

    private static func miss(_ run: ClipTruth.Run, _ seen: Observation) -> Miss? {
        guard case .gesture(let classIndex) = run.content else { return nil }
        let labels = seen.truth.classes.labels
        let window = TruthMatching.window(of: run.frames)
        let scored = seen.predictions.filter { window.contains($0.frame) }
        func own(_ frame: FramePrediction) -> Float { frame.probabilities?[classIndex] ?? 0 }
        let best = scored.max { own($0) < own($1) }
        return Miss(
            label: labels[classIndex], start: run.frames.lowerBound, end: run.frames.upperBound,
            scored_frames: scored.count,
            hand_frames: seen.hands.map { hands in hands.indices.count { window.contains($0) && hands[$0] } },
            best: best.map {
                Best(
                    frame: $0.frame, confidence: own($0), leader: labels[$0.classIndex],
                    leader_confidence: $0.confidence)
            },
            led: scored.reduce(into: [:]) { $0[labels[$1.classIndex], default: 0] += 1 })
    }
}
