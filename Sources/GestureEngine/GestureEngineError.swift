public import Enrolment
import Frames
import HandTracking
public import ModelFile
import Network
import Recognition
import Scheduling
import Vocabulary

/// Why an engine or a stream could not be made. Once a stream exists, it does not fail.
public enum GestureEngineError: Error, Sendable, Equatable {
    /// The model file was refused.
    case model(ModelFileError)
    /// One of several files was refused.
    case file(path: String, ModelFileError)
    /// The resources of a product lie at none of the paths at which they are looked for.
    case resourcesMissing(searched: [String])
    /// The int8 backend was chosen for a model without int8 weights.
    case notQuantised
    /// A value of the configuration is out of its range, or does not fit the model's labels.
    case configuration(ConfigurationError)
    /// A compute unit has another number of classes than the model.
    case unitClasses(name: String, required: Int, found: Int)
    /// The order of units names one twice, one of another front end, or one that does not exist.
    case unitOrder(name: String)
    /// The user's gestures cannot be used or made.
    case enrolment(EnrolmentError)
    /// A compute unit does not hand out the features that the user's gestures are read from.
    case unitFeatures(name: String, required: Int, found: Int)
    /// The system has no thread for a live stream; `code` is what `pthread_create` returned.
    case thread(code: Int32)
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
    /// No memory for the frame ring; what was missing.
    case frameRing(String)
}

extension GestureEngineError {
    /// What is read from one of several files; a refusal names the file.
    static func naming<Value>(
        _ path: String, _ read: (String) throws(ModelFileError) -> Value
    ) throws(GestureEngineError) -> Value {
        do throws(ModelFileError) {
            return try read(path)
        } catch {
            throw error.namesItsFile ? .model(error) : .file(path: path, error)
        }
    }

    /// What is made of a configuration; one that cannot be used becomes `configuration`.
    static func checked<Value: ~Copyable>(
        _ make: @autoclosure () throws(ConfigurationError) -> Value
    ) throws(GestureEngineError) -> Value {
        do { return try make() } catch { throw .configuration(error) }
    }
}
