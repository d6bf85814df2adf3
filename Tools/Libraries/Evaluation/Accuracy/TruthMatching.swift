/// A begin that an engine reported, with the frame at which it was reported.
package struct ReportedBegin: Sendable, Equatable {
    package let classIndex: Int
    /// Index of the frame whose push returned it.
    package let frame: Int
    package let confidence: Float

    package init(classIndex: Int, frame: Int, confidence: Float) {
        self.classIndex = classIndex
        self.frame = frame
        self.confidence = confidence
    }
}

/// Which gestures of a `ClipTruth` were found, and which begins were false positives.
///
/// A gesture is found by a begin of its class from `before` frames before its first frame to `after` frames after its
/// last one. Each begin, in the order of time, finds at most one gesture: of those that fit, the one that ends first.
/// Any other begin is false, unless its frame is skipped.
package struct TruthMatching: Sendable {
    package static let before = 5
    package static let after = 10

    /// Indices of runs of the truth and of begins, in the order of the begins.
    package let found: [(run: Int, begin: Int)]
    /// Indices of gestures among the runs.
    package let missed: [Int]
    /// Indices of begins.
    package let falsePositives: [Int]
    package let skipped: [Int]

    /// - begins: in the order of time.
    package init(_ truth: ClipTruth, _ begins: [ReportedBegin]) {
        var open: [Int] = truth.runs.indices.filter {
            if case .gesture = truth.runs[$0].content { true } else { false }
        }
        var found: [(run: Int, begin: Int)] = []
        var falsePositives: [Int] = []
        var skipped: [Int] = []
        for (index, begin) in begins.enumerated() {
            let fitting = open.filter {
                truth.runs[$0].content == .gesture(begin.classIndex)
                    && Self.window(of: truth.runs[$0].frames).contains(begin.frame)
            }
            let first = fitting.min { truth.runs[$0].frames.upperBound < truth.runs[$1].frames.upperBound }
            if let first {
                found.append((first, index))
                open.removeAll { $0 == first }
            } else if truth.isSkipped(frame: begin.frame) {
                skipped.append(index)
            } else {
                falsePositives.append(index)
            }
        }
        self.found = found
        self.missed = open
        self.falsePositives = falsePositives
        self.skipped = skipped
    }

    /// The frames in which a begin finds the gesture of a run; they may lie outside the clip.
    package static func window(of run: ClosedRange<Int>) -> ClosedRange<Int> {
        let (end, overflows) = run.upperBound.addingReportingOverflow(after)
        return run.lowerBound - before...(overflows ? .max : end)
    }
}
