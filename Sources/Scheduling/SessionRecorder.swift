package import Vocabulary

/// Counts and measures a session in constant memory: 62 KB and a few words per class.
///
/// Recording does not allocate, with one exception: the first count by class after a snapshot copies the counts that
/// the snapshot shares.
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
        // Not a copy of `begins`: shared storage would be copied at the first begin.
        ends = Array(repeating: 0, count: max(0, classCount))
    }

    /// Records how long a stage took; a negative time counts as 0, and nil means that the stage did not run.
    package mutating func record(_ stage: SessionStatistics.Stage, nanoseconds: Int64?) {
        guard let nanoseconds else { return }
        switch stage {
        case .intake: intake.record(nanoseconds)
        case .inference: inference.record(nanoseconds)
        case .recognition: recognition.record(nanoseconds)
        case .frame: frame.record(nanoseconds)
        }
    }

    /// Counts a begin. Classes that the model does not have are ignored; likewise in `recordEnd`.
    package mutating func recordBegin(classIndex: Int) {
        if begins.indices.contains(classIndex) { begins[classIndex] += 1 }
    }

    package mutating func recordEnd(classIndex: Int) {
        if ends.indices.contains(classIndex) { ends[classIndex] += 1 }
    }

    package mutating func recordUnitSwitch() { unitSwitches += 1 }

    /// Adds what another recorder of the same model has recorded, as when two threads have one each. Classes that only
    /// the other one has are ignored.
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

    package func snapshot(
        frames: FrameCounts, scheduling: SessionStatistics.SchedulingCounts, superseded: Int
    ) -> SessionStatistics {
        SessionStatistics(
            frames: frames, scheduling: scheduling, superseded: superseded, unitSwitches: unitSwitches, begins: begins,
            ends: ends, intake: SessionStatistics.Latency(intake), inference: SessionStatistics.Latency(inference),
            recognition: SessionStatistics.Latency(recognition), frame: SessionStatistics.Latency(frame))
    }
}
