/// An engine's prediction for one frame.
package struct FramePrediction: Sendable, Equatable {
    /// Index in the clip; 0 for its first frame.
    package var frame: Int
    /// Seconds since the first frame.
    package var time: Double
    /// The leading class.
    package var classIndex: Int
    /// Its probability. NaN or a value outside 0...1 counts as invalid and is left out of calibration.
    package var confidence: Float
    /// Of all classes, if they are known; for calibration class by class.
    package var probabilities: [Float]?

    package init(frame: Int, time: Double, classIndex: Int, confidence: Float, probabilities: [Float]? = nil) {
        self.frame = frame
        self.time = time
        self.classIndex = classIndex
        self.confidence = confidence
        self.probabilities = probabilities
    }
}

/// A begin or an end, as an engine reports it. Times are seconds since the clip's first frame.
package struct ObservedEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable { case begin, end }

    package var kind: Kind
    package var classIndex: Int
    /// Begin: first frame of the evidence. End: first frame without the gesture.
    package var onset: Double
    /// The time of the frame that decided.
    package var decision: Double
    /// Ascending from event to event.
    package var sequence: UInt64

    package init(kind: Kind, classIndex: Int, onset: Double, decision: Double, sequence: UInt64) {
        self.kind = kind
        self.classIndex = classIndex
        self.onset = onset
        self.decision = decision
        self.sequence = sequence
    }
}

/// A gesture that an engine reported: the interval between the onsets of its begin and its end.
package struct ObservedGesture: Sendable, Equatable {
    package var classIndex: Int
    /// Seconds since the clip's first frame.
    package var onset: Double
    /// The time at which the begin was decided.
    package var decision: Double
    /// At or after `onset`.
    package var end: Double

    package init(classIndex: Int, onset: Double, decision: Double, end: Double) {
        self.classIndex = classIndex
        self.onset = onset
        self.decision = decision
        self.end = end
    }

    package var length: Double { end - onset }

    /// The gestures of a stream of events, in the order of their begins.
    ///
    /// A begin lasts to the next end of its class, the next begin or `close`, the end of the clip, whichever comes
    /// first. An end without an open begin is ignored. No gesture ends before its onset.
    package static func gestures(of events: [ObservedEvent], until close: Double) -> [ObservedGesture] {
        var gestures: [ObservedGesture] = []
        var isOpen = false
        func finish(at end: Double) {
            guard isOpen, let last = gestures.indices.last else { return }
            gestures[last].end = max(gestures[last].onset, end)
            isOpen = false
        }
        for event in events.sorted(by: { $0.sequence < $1.sequence }) {
            switch event.kind {
            case .begin:
                finish(at: event.onset)
                gestures.append(
                    ObservedGesture(
                        classIndex: event.classIndex, onset: event.onset, decision: event.decision, end: event.onset))
                isOpen = true
            case .end:
                if gestures.last?.classIndex == event.classIndex { finish(at: event.onset) }
            }
        }
        finish(at: close)
        return gestures
    }
}

/// One clip: its truth and an engine's results.
package struct ClipObservation: Sendable, Equatable {
    /// The clip's name in reports.
    package let name: String
    package let truth: ClipLabels
    /// Length of the clip.
    package let seconds: Double
    /// One for each frame with a prediction; the first frames of a clip have none.
    package let frames: [FramePrediction]
    /// In the order of their begins.
    package let gestures: [ObservedGesture]

    /// - Throws: if a value cannot be counted at all; confidences are not checked.
    package init(
        name: String, truth: ClipLabels, seconds: Double, frames: [FramePrediction], events: [ObservedEvent]
    ) throws(ClipObservationError) {
        let classes = truth.classes
        guard seconds.isFinite, seconds >= 0 else { throw .length(clip: name) }
        for (index, frame) in frames.enumerated() {
            guard classes.labels.indices.contains(frame.classIndex) else {
                throw .frameClass(clip: name, frame: frame.frame, classIndex: frame.classIndex)
            }
            guard frame.time.isFinite else { throw .frameTime(clip: name, frame: frame.frame) }
            if let found = frame.probabilities?.count, found != classes.count {
                throw .probabilities(clip: name, frame: frame.frame, found: found, classes: classes.count)
            }
            if index > 0, frames[index - 1].frame >= frame.frame {
                throw .frameOrder(clip: name, frame: frame.frame, after: frames[index - 1].frame)
            }
        }
        for (index, event) in events.enumerated() {
            guard classes.labels.indices.contains(event.classIndex), event.classIndex != classes.nullIndex else {
                throw .eventClass(clip: name, event: index, classIndex: event.classIndex)
            }
            guard event.onset.isFinite, event.decision.isFinite else { throw .eventTime(clip: name, event: index) }
        }
        self.name = name
        self.truth = truth
        self.seconds = seconds
        self.frames = frames
        gestures = ObservedGesture.gestures(of: events, until: seconds)
    }
}

/// Why an observation cannot be scored.
package enum ClipObservationError: Error, Sendable, Equatable {
    /// The clip's length is negative or NaN.
    case length(clip: String)
    case frameClass(clip: String, frame: Int, classIndex: Int)
    case frameTime(clip: String, frame: Int)
    /// Frames are not ascending; each may be scored once.
    case frameOrder(clip: String, frame: Int, after: Int)
    case probabilities(clip: String, frame: Int, found: Int, classes: Int)
    /// Not a class of the model, or its null class.
    case eventClass(clip: String, event: Int, classIndex: Int)
    case eventTime(clip: String, event: Int)
}
