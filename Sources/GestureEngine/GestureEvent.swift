public import Frames
public import HandPointer
public import Recognition
public import Scheduling
import Vocabulary

/// The begin or the end of a gesture.
public struct GestureEvent: Codable, Sendable, Hashable {
    /// Begin, or end and its cause.
    public enum Kind: Codable, Sendable, Hashable {
        /// A gesture begins.
        case begin
        /// The gesture that began last ends.
        case end(EndCause)
    }

    /// Whether it begins or ends.
    public let kind: Kind
    /// The gesture's label, one of the stream's `labels`.
    public let label: String
    /// Its index in the stream's `labels`.
    public let classIndex: Int
    /// Begin: the probability in the frame that decided. End: the highest probability while the gesture lasted. 0...1.
    public let confidence: Float
    /// Time of the first slot of the evidence, on the clock that stamped the frames.
    public let onset: Duration
    /// Time of the slot that decided, a whole number of slots after `onset`. Slots lie on the grid of the declared rate,
    /// so a frame may be up to half a slot away.
    public let decision: Duration
    /// Timestamp, as it was pushed, of the newest frame behind the decision. If the app can read the clock that stamps its
    /// frames, the time since then is the whole delay, from the exposure on.
    public let frameTime: Duration
    /// Live streams: time from the `push` of the frame of `frameTime` to this event, waits included, by the system's
    /// clock. It leaves out the time that the camera took before the push. Nil in a synchronous stream, and for an end
    /// without a deciding frame (`EndCause.flushed`). It measures the machine, so `==` ignores it.
    public internal(set) var latency: Duration?
    /// Where the gesture is, normalised to the upright frame's width and height from its top left: for a pinch
    /// (`HeldPoseConfiguration.pinch`) the middle of the two tips in the frame that decided. Nil for other gestures.
    public let point: SIMD2<Float>?
    /// 0 for the stream's first event, then one more for each; a gap shows a lost event.
    public let sequence: UInt64

    /// Whether everything but `latency` is equal.
    public static func == (left: GestureEvent, right: GestureEvent) -> Bool {
        left.kind == right.kind && left.label == right.label && left.classIndex == right.classIndex
            && left.confidence == right.confidence && left.onset == right.onset && left.decision == right.decision
            && left.frameTime == right.frameTime && left.point == right.point && left.sequence == right.sequence
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(label)
        hasher.combine(decision)
        hasher.combine(sequence)
    }
}

extension FrameResult {
    /// The leading class of the newest slot, after the median.
    public struct Prediction: Sendable, Equatable {
        /// Its label, one of the stream's `labels`, null included.
        public let label: String
        /// Index in the stream's `labels`.
        public let classIndex: Int
        /// Its probability, 0...1.
        public let confidence: Float
    }
}

extension FrameResult {
    /// The outcome of one pushed frame.
    public enum Outcome: Sendable, Equatable {
        /// The frame gets a column, after `repeats` missing slots are filled. `afterReset`: everything before it is
        /// forgotten, because 16 or more slots were missing or the front end changed.
        case encoded(repeats: Int, afterReset: Bool)
        /// The camera is faster than its declared rate and this frame's slot was already filled.
        case surplus
        /// The timestamp does not continue the stream.
        case dropped(FrameCounts.DropReason)
        /// The frame is skipped to save work. Its slot repeats the column before, and recognition continues.
        case skipped(SchedulerState.SkipReason)
        /// The stream was finished: the frame is ignored and not counted.
        case closed
    }
}

/// The result of one push.
public struct FrameResult: Sendable, Equatable {
    /// The frame's outcome.
    public let outcome: FrameResult.Outcome
    /// Events in their order; nearly always none.
    public let events: [GestureEvent]
    /// Nil until the window is full, and for frames that have no slot. The window has 16 slots; with landmarks it has
    /// 32 at 60 Hz and 64 at 120 Hz.
    public let prediction: FrameResult.Prediction?
    /// Where hands point in this frame, with what they press. Nil without `GestureEngine.Configuration.pointer`, and for a frame
    /// in which hands were not looked for.
    public let pointer: HandPointer.Result?
    /// Decisions about how the stream runs that this frame brought; nearly always none.
    public let changes: [StreamChange]
    /// Faults of the latest frames, such as darkness or blur.
    public let quality: QualityFlags
    /// How much the app should draw now: 2 everything, 1 less, 0 the least.
    public let interfaceDetail: Int
}
