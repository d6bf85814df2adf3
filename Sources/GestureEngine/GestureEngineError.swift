public import Enrolment
public import Frames
public import HandTracking
public import ModelFile
public import Network
public import Pacing
public import Recognition
public import Scheduling

/// Why an engine or a stream could not be made. Once a stream exists, it does not fail.
public enum GestureEngineError: Error, Sendable, Equatable {
    /// The model file was refused.
    case model(ModelFileError)
    /// The model cannot be run by the chosen backend.
    case network(NetworkError)
    /// The recognition thresholds are out of range or do not fit the model's labels.
    case recognition(RecognitionConfigurationError)
    /// The pacing values are out of range.
    case pacing(PacingConfigurationError)
    /// The scheduling or unit selection values are out of range.
    case scheduling(SchedulingConfigurationError)
    /// The exposure values are out of range.
    case exposure(ExposureConfigurationError)
    /// The thresholds of quality flags are out of range.
    case quality(QualityConfigurationError)
    /// A compute unit has another number of classes than the model.
    case unitClasses(name: String, required: Int, found: Int)
    /// The order of units names one that is neither ours nor given, or the same one twice.
    case unitOrder(name: String)
    /// The user's gestures cannot be used or made.
    case enrolment(EnrolmentError)
    /// A compute unit does not hand out the features that the user's gestures are read from.
    case unitFeatures(name: String, required: Int, found: Int)
    /// The system has no thread for a live stream.
    case thread(WorkerThreadError)
    /// The hand tracker's values are out of range.
    case hands(HandTrackingConfigurationError)
    /// A graph cannot be run here; what it asks for.
    case graph(String)
    /// A graph is not one of the hand tracker's; shapes of its inputs or outputs.
    case handGraph(expected: [[Int]], found: [[Int]])
    /// Landmarks are asked for, and the engine has no networks for them.
    case noHandModels
    /// Pixels are asked for, and the engine's model is one of landmarks.
    case noPixelModel
    /// The models of the two front ends have other labels.
    case handLabels(pixels: [String], landmarks: [String])
    /// No memory for the frame ring.
    case ring(FrameRingError)
}
