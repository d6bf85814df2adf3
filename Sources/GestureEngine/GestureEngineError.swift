public import Frames
public import ModelFile
public import Network
public import Pacing
public import Recognition

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
    /// No memory for the frame ring.
    case ring(FrameRingError)
}
