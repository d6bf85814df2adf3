extension ClipLabels {
    /// The same truth as that of a `truth.csv`, for a clip of this rate: every run of a gesture is an event. A frame that
    /// several runs have is the gesture's, and one outside all gestures shows none. Frames to skip have no label.
    package init(_ truth: ClipTruth, rate: Double) throws(ClipLabelsError) {
        let classes = truth.classes
        var shown = [Int?](repeating: classes.nullIndex, count: (truth.runs.map(\.frames.upperBound).max() ?? -1) + 1)
        var events: [Event] = []
        for run in truth.runs {
            guard case .gesture(let index) = run.content else { continue }
            for frame in run.frames { shown[frame] = index }
            events.append(
                Event(
                    classIndex: index, onset: Double(run.frames.lowerBound) / rate,
                    end: Double(run.frames.upperBound + 1) / rate))
        }
        for frames in truth.skipped { for frame in frames { shown[frame] = nil } }
        var runs: [Run] = []
        var first = 0
        for frame in shown.indices where frame + 1 == shown.count || shown[frame + 1] != shown[frame] {
            if let index = shown[frame] { runs.append(Run(frames: first..<frame + 1, classIndex: index)) }
            first = frame + 1
        }
        try self.init(rate: rate, frames: shown.count, events: events, runs: runs, classes: classes)
    }
}
