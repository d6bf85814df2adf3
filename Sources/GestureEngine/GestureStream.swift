public import Frames
import HandPointer
public import HandTracking
import Network
public import Recognition
public import Scheduling
import Streams
public import TrackerInference
public import Tracking
public import Vocabulary

/// A synchronous stream of one camera: `push` does all the work of a frame and returns its events.
///
/// Use it from one thread at a time; `LiveGestureStream` takes frames from any thread. After the first frame of a
/// geometry a push allocates nothing, unless the caller keeps the events or changes of an earlier push.
///
/// Without `GestureEngine.Configuration.scheduling` the stream makes a column for every slot. So a recording gives the
/// same events on every run, however busy the machine is.
public final class GestureStream {
    private var intake: StreamIntake
    private var inference: SlotRecognition
    private var recorder: SessionRecorder
    private var changes: [StreamChange] = []
    private var latestTime: Int64 = 0

    init(intake: consuming StreamIntake, inference: consuming SlotRecognition) {
        self.intake = intake
        recorder = SessionRecorder(classCount: inference.labels.count)
        self.inference = inference
        changes.reserveCapacity(StreamChange.maximumPerFrame)
    }

    /// The outcomes of all frames so far.
    public var counts: FrameCounts { intake.status.counts }

    /// The labels of the classes that events and predictions name by index: the model's, then the user's, then those of
    /// held poses that the model lacks.
    public var labels: [String] { inference.labels }

    /// The label of the active gesture, which has begun and not ended; nil without one.
    public var activeGesture: String? { inference.activeGesture }

    /// Whether gestures count now; true without `GestureEngine.Configuration.Advanced.wake`.
    public var isArmed: Bool { inference.isArmed }

    /// The name of the compute unit whose logits are used.
    public var activeUnit: String { inference.activeUnit }

    /// The hands of the newest frame; none with the pixel front end. Reading them allocates nothing; keeping them
    /// beyond the next push makes that push allocate.
    public var hands: [TrackedHand] { inference.landmarks?.hands ?? [] }

    /// The identity of the hand of `hands` whose gestures are recognised, which
    /// `GestureEngine.Configuration.gesturingHand` chooses; nil without one, and with the pixel front end.
    public var gesturingHand: Int? { inference.landmarks?.gesturing.identity }

    /// The arms, found in the newest frame or up to 200 ms before it; nil without arms, and without a body that fits the hands.
    package var arms: WatchedArms? { inference.landmarks?.watchedArms }

    /// What the stages of the newest frame took; nil with the pixel front end, and for a frame that got no column.
    package var stageTimes: StageTimes? { inference.stageTimes }

    /// What recognition has read since `beginTrace`; nil before.
    package var trace: RecognitionTrace? { inference.trace }

    /// Keeps what recognition reads from the next frame on.
    package func beginTrace() { inference.beginTrace() }

    /// Writes the probabilities behind the latest prediction, 0...1 in the order of `labels`, to the first
    /// `labels.count` numbers of `probabilities`. Returns false and writes nothing before the first prediction, and if there
    /// is too little room.
    public func copyProbabilities(to probabilities: inout MutableSpan<Float>) -> Bool {
        inference.copyProbabilities(to: &probabilities)
    }

    /// The thresholds in force.
    public var recognition: RecognitionConfiguration { inference.recognition }

    /// Changes the thresholds, allowed and denied classes from the next frame on; nil restores the model's own.
    ///
    /// The active gesture stays active until frames end it, and frames counted so far stay counted. A median of another
    /// length begins anew. Unusable values throw and change nothing.
    public func setRecognition(_ recognition: RecognitionConfiguration?) throws(EngineError) {
        try inference.changeRecognition(to: recognition)
    }

    /// How the stream runs now, and why.
    public var schedulerState: SchedulerState { intake.status.state }

    /// What the stream has counted and measured; reading it allocates.
    public var statistics: SessionStatistics { recorder.snapshot(intake.status, superseded: 0) }

    /// The keyframes in the order of time; see `GestureEngine.Configuration.keyframeCapacity`.
    public var keyframes: [GestureStream.Keyframe] { intake.keyframes }

    /// Takes one frame in.
    ///
    /// - frame: the pixels. The stream keeps none of them after this returns, except in keyframes.
    /// - time: when the frame was taken, on any clock that does not run backward. It decides the frame's slot on the
    ///   grid of the declared rate. A frame that does not continue the stream is dropped with its reason and changes
    ///   nothing.
    /// - regions: where hands may be, as for `HandStream.track`; the pixel front end ignores them.
    public func push(
        _ frame: borrowing PixelView, at time: Duration, near regions: [TrackedRegion] = []
    ) -> FrameResult {
        changes.removeAll(keepingCapacity: true)
        let (outcome, work) = StageSignpost.interval("intake") {
            intake.accept(frame, at: time.saturatedNanoseconds, changes: &changes)
        }
        guard let work else { return result(outcome, [], nil, nil) }
        inference.run(work, frame: work.hasFrame ? copy frame : nil, near: regions, changes: &changes)
        inference.record(in: &recorder)
        latestTime = work.slotTime
        intake.observe(inference.times, activity: inference.activity, at: latestTime, changes: &changes)
        let pointer = work.hasFrame ? inference.landmarks?.pointer : nil
        return result(outcome, inference.events, inference.prediction, pointer)
    }

    private func result(
        _ outcome: FrameResult.Outcome, _ events: [GestureEvent], _ prediction: FrameResult.Prediction?,
        _ pointer: HandPointer.Result?
    ) -> FrameResult {
        FrameResult(
            outcome: outcome, events: events, prediction: prediction, pointer: pointer, changes: changes,
            quality: intake.quality, interfaceDetail: intake.interfaceDetail)
    }

    /// Gives the scheduler a reading of the device's state. Once a second is often enough.
    /// Returns the changes that it causes.
    @discardableResult
    public func update(_ reading: DeviceReading) -> [StreamChange] {
        changes.removeAll(keepingCapacity: true)
        intake.observe(reading, at: latestTime, changes: &changes)
        return changes
    }

    /// Ends the active gesture, if there is one, and forgets every frame. Call it at the end of a recording, or before
    /// the camera starts again.
    public func finish() -> [GestureEvent] {
        intake.forget()
        inference.finish()
        inference.record(in: &recorder)
        return inference.events
    }
}
