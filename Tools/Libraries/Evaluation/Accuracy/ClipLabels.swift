/// The truth about a clip: the class of each frame, and the gestures with their times.
///
/// The JSON file lies beside the clip and has the same name. It is one object:
///
/// | key         | value                                                                                     |
/// |-------------|-------------------------------------------------------------------------------------------|
/// | `rate_hz`   | rate of the clip's grid, 1...1000                                                          |
/// | `frames`    | frames of the clip, 1 or more                                                             |
/// | `events`    | `[{"label", "onset_s", "end_s"}]`: gestures, seconds since the first frame; may be empty   |
/// | `labels`    | `[[first, end, label]]`: runs of frames, `end` is the first frame after the run            |
/// | `undecided` | optional, `[[first, end]]`: frames that a window of 16 frames cannot decide                |
/// | `source_hz` | optional: rate of the camera, if it is not the grid's                                     |
/// | `lighting`  | optional: a name for the light                                                            |
/// | `hand`      | optional: a name for the person and hand                                                  |
///
/// Other keys are ignored. A frame outside every run is not scored.
package struct ClipLabels: Sendable, Equatable {
    /// One gesture: from the first frame of its stroke to the first frame after it.
    package struct Event: Sendable, Equatable {
        package let classIndex: Int
        /// Seconds since the first frame, 0 or more.
        package let onset: Double
        /// Seconds, later than `onset`.
        package let end: Double

        package init(classIndex: Int, onset: Double, end: Double) {
            self.classIndex = classIndex
            self.onset = onset
            self.end = end
        }

        package var length: Double { end - onset }
    }

    /// Frames of one class.
    package struct Run: Sendable, Equatable {
        package let frames: Range<Int>
        package let classIndex: Int

        package init(frames: Range<Int>, classIndex: Int) {
            self.frames = frames
            self.classIndex = classIndex
        }
    }

    /// The meaning of class indices.
    package let classes: ClassNames
    /// Of the clip's grid, in frames a second.
    package let rate: Double
    package let frames: Int
    /// In the order of their onsets.
    package let events: [Event]
    /// In the order of their frames; none is empty and no two share a frame.
    package let runs: [Run]
    /// As `runs`.
    package let undecided: [Range<Int>]
    /// Of the camera, in frames a second, if the file states it.
    package let sourceRate: Double?
    package let lighting: String?
    package let hand: String?

    /// The allowed rates of grids and cameras.
    package static let allowedRates = 1.0...1000.0

    /// - Throws: the first rule that a value breaks. Runs and events may be in any order.
    package init(
        rate: Double, frames: Int, events: [Event], runs: [Run], undecided: [Range<Int>] = [],
        sourceRate: Double? = nil, lighting: String? = nil, hand: String? = nil, classes: ClassNames
    ) throws(ClipLabelsError) {
        guard Self.allowedRates.contains(rate) else { throw .rateOutOfRange(rate) }
        if let sourceRate, !Self.allowedRates.contains(sourceRate) { throw .sourceRateOutOfRange(sourceRate) }
        guard frames > 0 else { throw .noFrames(frames) }
        guard !runs.isEmpty else { throw .noRuns }
        for run in runs where !classes.labels.indices.contains(run.classIndex) { throw .unknownClass(run.classIndex) }
        for (index, event) in events.enumerated() { try Self.check(event, at: index, classes) }
        self.classes = classes
        self.rate = rate
        self.frames = frames
        self.events = events.sorted { ($0.onset, $0.end) < ($1.onset, $1.end) }
        self.runs = runs.sorted { $0.frames.lowerBound < $1.frames.lowerBound }
        self.undecided = undecided.sorted { $0.lowerBound < $1.lowerBound }
        self.sourceRate = sourceRate
        self.lighting = lighting
        self.hand = hand
        try Self.check(self.runs.map(\.frames), of: frames)
        try Self.check(self.undecided, of: frames)
    }

    /// Whether the camera's rate differs from the grid's, so that the grid holds late and repeated frames. Rates within
    /// one per cent of each other count as the same.
    package var isJittered: Bool {
        guard let sourceRate else { return false }
        return abs(sourceRate - rate) > 0.01 * rate
    }

    /// The class of a frame, or nil outside every run. Complexity: logarithmic in the runs.
    package func classIndex(ofFrame frame: Int) -> Int? {
        let place = Self.place(of: frame, runs.count) { runs[$0].frames }
        return place.map { runs[$0].classIndex }
    }

    /// Whether a window of 16 frames can decide a frame.
    package func isDecided(frame: Int) -> Bool {
        Self.place(of: frame, undecided.count) { undecided[$0] } == nil
    }

    /// Index of the range that contains a frame, among ascending ranges without overlap.
    private static func place(of frame: Int, _ count: Int, _ range: (Int) -> Range<Int>) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if range(middle).upperBound <= frame { low = middle + 1 } else { high = middle }
        }
        return low < count && range(low).contains(frame) ? low : nil
    }

    private static func check(_ event: Event, at index: Int, _ classes: ClassNames) throws(ClipLabelsError) {
        guard classes.labels.indices.contains(event.classIndex) else { throw .unknownClass(event.classIndex) }
        guard event.classIndex != classes.nullIndex else { throw .nullEvent(index: index) }
        guard event.onset.isFinite, event.end.isFinite else { throw .eventNotFinite(index: index) }
        guard event.onset >= 0 else { throw .eventBeforeClip(index: index, onset: event.onset) }
        guard event.end > event.onset else {
            throw .eventWithoutLength(index: index, onset: event.onset, end: event.end)
        }
    }

    private static func check(_ ranges: [Range<Int>], of frames: Int) throws(ClipLabelsError) {
        var previous: Range<Int>?
        for range in ranges {
            guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= frames else {
                throw .runOutOfRange(first: range.lowerBound, end: range.upperBound, frames: frames)
            }
            if let previous, range.lowerBound < previous.upperBound { throw .overlappingRuns(previous, range) }
            previous = range
        }
    }
}

/// Why a label file cannot be used.
package enum ClipLabelsError: Error, Sendable, Equatable {
    /// The file cannot be read.
    case unreadable(path: String)
    /// The bytes are not JSON.
    case notJSON
    /// An object lacks a key; the path to it, as `events.0.onset_s`.
    case missing(key: String)
    /// A value has the wrong type, or a run has too many or too few elements; the path is empty for the whole file.
    case malformed(key: String)
    case rateOutOfRange(Double)
    case sourceRateOutOfRange(Double)
    case noFrames(Int)
    /// No frame has a label.
    case noRuns
    /// A run is empty, backwards, or not within the clip.
    case runOutOfRange(first: Int, end: Int, frames: Int)
    case overlappingRuns(Range<Int>, Range<Int>)
    case eventNotFinite(index: Int)
    case eventBeforeClip(index: Int, onset: Double)
    /// The event ends before, or when, it begins.
    case eventWithoutLength(index: Int, onset: Double, end: Double)
    /// An event of the null class.
    case nullEvent(index: Int)
    /// A label that the model does not have.
    case unknownLabel(String)
    /// A class index that the model does not have.
    case unknownClass(Int)
}
