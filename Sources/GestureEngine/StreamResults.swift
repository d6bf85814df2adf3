import HandPointer
import HandTracking
import Platform
import Recognition
import Scheduling

/// Copies of the results of inference in a live stream, so that a reader never waits for the network.
struct StreamResults {
    private var recorder: SessionRecorder
    /// The prediction of the newest slot; nil before enough frames.
    private(set) var prediction: FrameResult.Prediction?
    /// The label of the active gesture as its events name it; nil without one.
    private(set) var activeGesture: String?
    /// Whether gestures count now.
    private(set) var isArmed: Bool
    private(set) var activeUnit: String
    /// The thresholds in force.
    private(set) var recognition: RecognitionConfiguration
    private var probabilities: [Float]
    /// The hands of the newest frame.
    private(set) var hands: [TrackedHand] = []
    /// The pointers of the newest frame.
    private(set) var pointer: HandPointer.Result?
    /// The identity of the hand whose gestures are recognised.
    private(set) var gesturingHand: Int?

    init(_ inference: borrowing SlotRecognition) {
        recorder = SessionRecorder(classCount: inference.labels.count)
        isArmed = inference.isArmed
        activeUnit = inference.activeUnit
        recognition = inference.recognition
        probabilities = [Float](repeating: 0, count: inference.labels.count)
    }

    /// Writes the probabilities of `prediction`; see `GestureStream.copyProbabilities`.
    func copyProbabilities(to output: inout MutableSpan<Float>) -> Bool {
        guard prediction != nil, output.count >= probabilities.count else { return false }
        for index in probabilities.indices { output[index] = probabilities[index] }
        return true
    }

    /// Copies the results of the latest work.
    mutating func take(_ inference: borrowing SlotRecognition) {
        inference.record(in: &recorder)
        prediction = inference.prediction
        activeGesture = inference.activeGesture
        isArmed = inference.isArmed
        activeUnit = inference.activeUnit
        recognition = inference.recognition
        Self.copyProbabilities(of: inference, to: &probabilities)
        // Elements are copied, because sharing the array would make the tracker allocate another.
        hands.removeAll(keepingCapacity: true)
        hands.append(contentsOf: inference.landmarks?.hands ?? [])
        gesturingHand = inference.landmarks?.gesturing.identity
        pointer = inference.landmarks?.pointer
    }

    /// Copies thresholds that were changed between two steps.
    mutating func take(thresholdsOf inference: borrowing SlotRecognition) { recognition = inference.recognition }

    private static func copyProbabilities(of inference: borrowing SlotRecognition, to probabilities: inout [Float]) {
        var output = probabilities.mutableElementSpan
        _ = inference.copyProbabilities(to: &output)
    }

    func statistics(_ intake: StreamIntake.Status, superseded: Int) -> SessionStatistics {
        recorder.snapshot(intake, superseded: superseded)
    }
}

extension SessionRecorder {
    /// The counts and measurements of a stream.
    func snapshot(_ intake: StreamIntake.Status, superseded: Int) -> SessionStatistics {
        snapshot(frames: intake.counts, scheduling: intake.scheduling, superseded: superseded)
    }
}
