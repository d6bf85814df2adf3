public import Frames
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
    /// Time of the first frame of the evidence, on the clock that stamped the frames.
    public let onset: Duration
    /// Time of the frame that decided.
    public let decision: Duration
    /// 0 for the stream's first event, then one more for each; a gap shows a lost event.
    public let sequence: UInt64
}

extension FrameResult {
    /// The leading class of the newest slot, after the median.
    public struct Prediction: Sendable, Equatable {
        /// Index in the stream's `labels`, null included.
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
    /// Decisions about how the stream runs that this frame brought; nearly always none.
    public let changes: [StreamChange]
    /// Faults of the latest frames, such as darkness or blur.
    public let quality: QualityFlags
    /// How much the app should draw now: 2 everything, 1 less, 0 the least.
    public let interfaceDetail: Int
}
