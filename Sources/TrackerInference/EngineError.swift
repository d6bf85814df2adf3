public import Enrolment
public import ModelFile
public import Vocabulary

/// Why an engine or a stream, of hands or of bodies, could not be made or changed, or an enrolment failed. Pushing a frame
/// never throws it.
public enum EngineError: Error, Sendable, Equatable {
    /// The model file was refused.
    case model(ModelFileError)
    /// One of several files was refused.
    case file(path: String, ModelFileError)
    /// The resources of a product are at none of the searched paths.
    case resourcesMissing(searched: [String])
    /// A value of a configuration is out of range, or does not fit the labels.
    case configuration(ConfigurationError)
    /// A network of a tracker cannot be run here; the text says why.
    case graph(String)
    /// A graph is not the expected network of a tracker; shapes of its inputs or outputs.
    case otherGraph(expected: [[Int]], found: [[Int]])
    /// The system has no thread for a live stream; `code` is what `pthread_create` returned.
    case thread(code: Int32)
    /// The user's gestures cannot be used or made.
    case enrolment(EnrolmentError)
    /// Hands were requested of an engine of pixels, which has no hand models.
    case noHandModels
    /// Options of pixels were given for an engine of landmarks.
    case noPixelModel
    /// The int8 backend was chosen for a model without int8 weights.
    case notQuantised
    /// A compute unit has another number of classes than the model.
    case unitClasses(name: String, required: Int, found: Int)
    /// The order of units is empty, or names a unit twice, or one that does not exist.
    case unitOrder(name: String)
    /// A compute unit does not output the features that the user's gestures need.
    case unitFeatures(name: String, required: Int, found: Int)
    /// The system has no memory for the frames; `code` is the C library's `errno`.
    case frameMemory(code: Int32)
}

extension EngineError {
    /// Reads one of several files; an error names the file.
    package static func naming<Value>(
        _ path: String, _ read: (String) throws(ModelFileError) -> Value
    ) throws(EngineError) -> Value {
        do throws(ModelFileError) {
            return try read(path)
        } catch {
            throw error.namesItsFile ? .model(error) : .file(path: path, error)
        }
    }

    /// Runs `make`; a `ConfigurationError` becomes `configuration`.
    package static func checked<Value: ~Copyable>(
        _ make: @autoclosure () throws(ConfigurationError) -> Value
    ) throws(EngineError) -> Value {
        do { return try make() } catch { throw .configuration(error) }
    }
}

extension EngineError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .model(let error): error.description
        case .file(let path, let error): error.description(ofFile: path)
        case .resourcesMissing(let searched):
            ModelFileError.resourcesMissing(
                searched, inside: searched.contains(where: isOfHands) ? "GestureHandsEmbedded" : nil)
        case .configuration(let error): error.description
        case .graph(let reason): "A network of the tracker cannot be run here: \(reason.excerpt(limit: 300))."
        case .otherGraph(let expected, let found):
            "A network of the tracker has inputs or outputs of the shapes \(text(found).excerpt(limit: 300)) "
                + "instead of \(text(expected))."
        case .thread(let code): "The system could not start the thread of a live stream: errno \(code)."
        case .enrolment(let error): error.description
        case .noHandModels: "The engine has no networks of hands. Make it with hand models."
        case .noPixelModel: "The engine recognises landmarks. Make it with a pixel network to use options of pixels."
        case .notQuantised: "The model has float weights; only the float backend can run it."
        case .unitClasses(let name, let required, let found):
            "The compute unit \(name) has \(found) classes; it needs the model's \(required)."
        case .unitOrder(let name):
            name.isEmpty
                ? "The order of compute units is empty; a stream needs at least one."
                : "The order of compute units names \(name) twice, or \(name) does not exist."
        case .unitFeatures(let name, let required, let found):
            "The compute unit \(name) outputs \(found) features; the user's gestures need \(required)."
        case .frameMemory(let code): "There is no memory for the frames: errno \(code)."
        }
    }
}

/// Shapes as `print` shows them.
private func text(_ shapes: [[Int]]) -> String {
    let texts = shapes.map { shape in "[" + shape.map { $0.description }.joined(separator: ", ") + "]" }
    return "[" + texts.joined(separator: ", ") + "]"
}

/// Whether a path is that of the hand networks' resources.
private func isOfHands(_ path: String) -> Bool {
    path.hasSuffix("HandFiles.resources") || path.hasSuffix("HandFiles.bundle")
}
