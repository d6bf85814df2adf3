package import Vocabulary

/// The presses that `HandPointer` finds and makes up when its two gaps are chosen without the recording that is judged. Property
/// names are the JSON keys.
package struct PointerLeftOut: Codable, Sendable, Equatable {
    /// Gaps in lengths of the palm; see `HandPointer.Configuration`.
    package struct Gaps: Codable, Sendable, Equatable {
        package let press: Double
        package let release: Double

        package init(press: Double, release: Double) { (self.press, self.release) = (press, release) }
    }

    /// Presses in a recording, or in several.
    package struct Count: Codable, Sendable, Equatable {
        package var found = 0
        package var made_up = 0

        package init(found: Int = 0, made_up: Int = 0) { (self.found, self.made_up) = (found, made_up) }

        /// A press that is made up weighs as much as one that is missed.
        fileprivate var worth: Int { found - made_up }

        fileprivate static func + (one: Count, other: Count) -> Count {
            Count(found: one.found + other.found, made_up: one.made_up + other.made_up)
        }
    }

    /// Gaps, and what they do in the recordings that are judged.
    package struct Choice: Codable, Sendable, Equatable {
        /// Nil for all recordings.
        package let recording: String?
        package let gaps: Gaps
        package let count: Count

        package init(recording: String?, gaps: Gaps, count: Count) {
            (self.recording, self.gaps, self.count) = (recording, gaps, count)
        }
    }

    /// The number of gaps to choose from.
    package let candidates: Int
    /// Chosen on all recordings, and judged on them.
    package let all: Choice
    /// For each recording with pinches: chosen on all others, and judged on it.
    package let recordings: [Choice]
    /// The sum over all recordings, each judged with the gaps that were chosen on all others.
    package let sum: Count

    package static let candidates: [Gaps] = [0.16, 0.2, 0.24, 0.28, 0.32, 0.36, 0.4].flatMap { press in
        [0.4, 0.45, 0.5, 0.6, 0.7].map { Gaps(press: press, release: $0) }
    }

    package init(_ recordings: [PointerRecording]) throws(ConfigurationError) {
        var counts: [[Count]] = []
        for gaps in Self.candidates {
            let method = PointerMethod.pointer(pressGap: Float(gaps.press), releaseGap: Float(gaps.release))
            var row: [Count] = []
            for recording in recordings {
                let match = PressMatch(try method.samples(recording.frames), recording.labels.pinches)
                row.append(Count(found: match.found.count, made_up: match.madeUp))
            }
            counts.append(row)
        }
        self.init(recordings.map(\.labels), Self.candidates, counts)
    }

    /// - counts: for each of the candidates, of each recording.
    package init(_ labels: [PointerLabels.Recording], _ candidates: [Gaps], _ counts: [[Count]]) {
        self.candidates = candidates.count
        let totals = counts.map { $0.reduce(Count(), +) }
        let best = Self.best(totals.map(\.worth))
        all = Choice(recording: nil, gaps: candidates[best], count: totals[best])
        var (recordings, sum): ([Choice], Count) = ([], Count())
        for (index, recording) in labels.enumerated() {
            let chosen = Self.best(candidates.indices.map { totals[$0].worth - counts[$0][index].worth })
            let count = counts[chosen][index]
            sum = sum + count
            guard !recording.pinches.isEmpty else { continue }
            recordings.append(Choice(recording: recording.name, gaps: candidates[chosen], count: count))
        }
        (self.recordings, self.sum) = (recordings, sum)
    }

    /// The place of the maximum; of several the middle one.
    private static func best(_ worths: [Int]) -> Int {
        let most = worths.max()
        let places = worths.indices.filter { worths[$0] == most }
        return places[places.count / 2]
    }
}
