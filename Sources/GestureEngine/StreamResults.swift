import Pacing
import Scheduling

/// What a stream shows of its inference between two steps: small, so that a reader never waits for the network.
struct StreamResults {
    private var recorder: SessionRecorder
    /// The newest slot's, nil before a full window.
    private(set) var prediction: Prediction?
    /// The class that has begun and not ended, as its events name it.
    private(set) var activeGesture: String?
    private(set) var activeUnit: String

    init(_ inference: borrowing StreamInference) {
        recorder = SessionRecorder(classCount: inference.labels.count)
        activeUnit = inference.activeUnit
    }

    /// Takes in what the work done last has brought.
    mutating func take(_ inference: borrowing StreamInference) {
        inference.record(in: &recorder)
        prediction = inference.prediction
        activeGesture = inference.activeGesture
        activeUnit = inference.activeUnit
    }

    func statistics(_ intake: borrowing StreamIntake) -> StreamStatistics {
        recorder.snapshot(frames: intake.counts, scheduling: intake.scheduling, superseded: intake.superseded)
    }
}
