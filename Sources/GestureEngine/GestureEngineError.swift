public import Enrolment
import Frames
import HandTracking
public import ModelFile
import Network
import Recognition
import Scheduling
import Vocabulary

/// Why an engine or a stream could not be made or changed, or an enrolment failed. Pushing a frame never throws it.
public enum GestureEngineError: Error, Sendable, Equatable {
    /// The model file was refused.
    case model(ModelFileError)
    /// One of several files was refused.
    case file(path: String, ModelFileError)
    /// The resources of a product are at none of the searched paths.
    case resourcesMissing(searched: [String])
    /// The int8 backend was chosen for a model without int8 weights.
    case notQuantised
    /// A value of the configuration is out of range, or does not fit the labels.
    case configuration(ConfigurationError)
    /// A compute unit has another number of classes than the model.
    case unitClasses(name: String, required: Int, found: Int)
    /// The order of units is empty, or names a unit twice, of another front end, or that does not exist.
    case unitOrder(name: String)
    /// The user's gestures cannot be used or made.
    case enrolment(EnrolmentError)
    /// A compute unit does not output the features that the user's gestures need.
    case unitFeatures(name: String, required: Int, found: Int)
    /// The system has no thread for a live stream; `code` is what `pthread_create` returned.
    case thread(code: Int32)
    /// A graph cannot be run here; the text says why.
    case graph(String)
    /// A graph is not the expected network of the hand tracker; shapes of its inputs or outputs.
    case handGraph(expected: [[Int]], found: [[Int]])
    /// Hands were requested of an engine of pixels, which has no hand models.
    case noHandModels
    /// The system has no memory for the frames; `code` is the C library's `errno`.
    case frameMemory(code: Int32)
}

extension GestureEngineError {
    /// Reads one of several files; an error names the file.
    static func naming<Value>(
        _ path: String, _ read: (String) throws(ModelFileError) -> Value
    ) throws(GestureEngineError) -> Value {
        do throws(ModelFileError) {
            return try read(path)
        } catch {
            throw error.namesItsFile ? .model(error) : .file(path: path, error)
        }
    }

    /// Runs `make`; a `ConfigurationError` becomes `configuration`.
    static func checked<Value: ~Copyable>(
        _ make: @autoclosure () throws(ConfigurationError) -> Value
    ) throws(GestureEngineError) -> Value {
        do { return try make() } catch { throw .configuration(error) }
    }
}
