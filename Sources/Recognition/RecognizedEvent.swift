/// What ended a gesture.
public enum EndCause: Codable, Sendable, Hashable {
    /// Enough consecutive frames of null or of another class above its threshold.
    case released
    /// `unsureEndFrames` consecutive frames in which the gesture's class did not lead and too few were decisive.
    case unsure
    /// The gesture reached the configured maximum duration.
    case expired
    /// The stream stopped, or lost its continuity, while the gesture was active.
    case flushed
}

/// The begin or the end of a gesture. Times are nanoseconds of the clock that stamps the frames.
package struct RecognizedEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case begin
        case end(EndCause)
    }

    package let kind: Kind

    /// Index of the gesture's class among the logits; never the null class.
    package let classIndex: Int

    /// Begin: the probability of the class in the frame that decided.
    /// End: the highest probability of the class from the first frame of its begin run to the last frame that it led.
    package let confidence: Float

    /// Begin: time of the first frame of the run that began the gesture.
    /// End: time of the first of the consecutive frames before the end in which the class did not lead. If the class
    /// led until the decision, as it may with an expiry or a flush, it is the time of the decision. Never later than
    /// `decision`.
    /// The class that leads is taken after the median, whose delay is not subtracted.
    package let onset: Int64

    /// Time of the frame, or of the flush, that decided the event.
    package let decision: Int64

    /// 0 for the first event, then one more for each: a gap shows a lost event.
    package let sequence: UInt64

    package init(
        kind: Kind, classIndex: Int, confidence: Float, onset: Int64, decision: Int64, sequence: UInt64
    ) {
        self.kind = kind
        self.classIndex = classIndex
        self.confidence = confidence
        self.onset = onset
        self.decision = decision
        self.sequence = sequence
    }
}

/// The leading class of one frame and its probability, 0...1.
package struct TopClass: Sendable, Equatable {
    package let classIndex: Int
    package let confidence: Float

    package init(classIndex: Int, confidence: Float) {
        self.classIndex = classIndex
        self.confidence = confidence
    }
}

/// The result of one frame. If there are both events, the end came first and is of another class than the begin.
package struct StepResult: Sendable, Equatable {
    /// Nil marks an invalid frame, which carries no events.
    package let top: TopClass?
    package let end: RecognizedEvent?
    package let begin: RecognizedEvent?

    package init(top: TopClass?, end: RecognizedEvent?, begin: RecognizedEvent?) {
        self.top = top
        self.end = end
        self.begin = begin
    }

    package var isValid: Bool { top != nil }
}
