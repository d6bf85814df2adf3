/// A part of a frame's way whose time is measured.
public enum PipelineStage: Int, Sendable, CaseIterable {
    /// Admission, the decision to encode, resizing and measuring the frame.
    case intake
    /// The network.
    case inference
    /// From scores to events.
    case recognition
    /// From the arrival of a frame to its result, waits included.
    case frame
}

/// How long a stage took, over a session. Percentiles are within 0.8% of the true ones; the maximum is exact.
public struct StageLatency: Sendable, Equatable {
    /// Times the stage ran.
    public let count: Int
    /// Median.
    public let p50: Duration
    /// 95th percentile.
    public let p95: Duration
    /// 99th percentile.
    public let p99: Duration
    /// The longest time.
    public let maximum: Duration

    init?(_ sketch: QuantileSketch) {
        guard let p50 = sketch.percentile(perMille: 500), let p95 = sketch.percentile(perMille: 950),
            let p99 = sketch.percentile(perMille: 990)
        else { return nil }
        count = sketch.count
        self.p50 = .nanoseconds(p50)
        self.p95 = .nanoseconds(p95)
        self.p99 = .nanoseconds(p99)
        maximum = .nanoseconds(sketch.maximum)
    }
}

/// Everything counted and measured since a stream began. Counts are exact, however long the session.
///
/// `Frames` is what the frame grid counts of its own: frames in, dropped by reason, columns repeated.
public struct SessionStatistics<Frames: Sendable & Equatable>: Sendable, Equatable {
    /// What became of frames at the grid.
    public let frames: Frames
    /// Slots encoded and skipped by reason, missed deadlines, changes of pace and budget.
    public let scheduling: SchedulingCounts
    /// Frames that gave way to a newer one before the network came to them.
    public let superseded: Int
    /// Times another compute unit took over, probes and their ends included.
    public let unitSwitches: Int
    /// Gestures begun, by class index.
    public let begins: [Int]
    /// Gestures ended, by class index.
    public let ends: [Int]
    /// How long `PipelineStage.intake` took, nil if it never ran.
    public let intake: StageLatency?
    /// How long `PipelineStage.inference` took, nil if it never ran.
    public let inference: StageLatency?
    /// How long `PipelineStage.recognition` took, nil if it never ran.
    public let recognition: StageLatency?
    /// How long `PipelineStage.frame` took, nil if it never ran.
    public let frame: StageLatency?

    /// How long a stage took, nil if it never ran.
    public subscript(stage: PipelineStage) -> StageLatency? {
        switch stage {
        case .intake: intake
        case .inference: inference
        case .recognition: recognition
        case .frame: frame
        }
    }
}

/// Counts and measures a session in constant memory: 62 KB and a few words a class.
///
/// Recording allocates nothing, except once after each snapshot the counts by class, which the snapshot shares.
package struct SessionRecorder: Sendable {
    private var unitSwitches = 0
    private var begins: [Int]
    private var ends: [Int]
    private var intake = QuantileSketch()
    private var inference = QuantileSketch()
    private var recognition = QuantileSketch()
    private var frame = QuantileSketch()

    /// - classCount: classes of the model, 0 or more.
    package init(classCount: Int) {
        begins = Array(repeating: 0, count: max(0, classCount))
        // Not `begins` again: a storage that both share would be copied at the first begin.
        ends = Array(repeating: 0, count: max(0, classCount))
    }

    /// Records how long a stage took; a time below 0 counts as 0, nil is a stage that did not run.
    package mutating func record(_ stage: PipelineStage, nanoseconds: Int64?) {
        guard let nanoseconds else { return }
        switch stage {
        case .intake: intake.record(nanoseconds)
        case .inference: inference.record(nanoseconds)
        case .recognition: recognition.record(nanoseconds)
        case .frame: frame.record(nanoseconds)
        }
    }

    /// Counts a begin. A class the model does not have is not counted; likewise with `recordEnd`.
    package mutating func recordBegin(classIndex: Int) {
        if begins.indices.contains(classIndex) { begins[classIndex] += 1 }
    }

    package mutating func recordEnd(classIndex: Int) {
        if ends.indices.contains(classIndex) { ends[classIndex] += 1 }
    }

    package mutating func recordUnitSwitch() { unitSwitches += 1 }

    /// Adds what another recorder of the same model has recorded, as when two threads have one each. Classes that only
    /// the other has are not counted.
    package mutating func merge(_ other: SessionRecorder) {
        unitSwitches += other.unitSwitches
        for index in begins.indices where index < other.begins.count {
            begins[index] += other.begins[index]
            ends[index] += other.ends[index]
        }
        intake.merge(other.intake)
        inference.merge(other.inference)
        recognition.merge(other.recognition)
        frame.merge(other.frame)
    }

    package func snapshot<Frames>(
        frames: Frames, scheduling: SchedulingCounts, superseded: Int
    ) -> SessionStatistics<Frames> {
        SessionStatistics(
            frames: frames, scheduling: scheduling, superseded: superseded, unitSwitches: unitSwitches, begins: begins,
            ends: ends, intake: StageLatency(intake), inference: StageLatency(inference),
            recognition: StageLatency(recognition), frame: StageLatency(frame))
    }
}
