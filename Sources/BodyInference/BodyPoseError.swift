public import ModelFile
public import Vocabulary

/// Why bodies cannot be tracked. A stream that exists does not fail.
public enum BodyPoseError: Error, Sendable, Equatable {
    /// A network's file was refused.
    case model(ModelFileError)
    /// One of several files was refused.
    case file(path: String, ModelFileError)
    /// The product's resources are at none of the searched paths.
    case resourcesMissing(searched: [String])
    /// A graph is not one of the body tracker's; the shapes are those of its inputs or outputs.
    case graph(expected: [[Int]], found: [[Int]])
    /// A graph cannot be run here; the text says what it needs.
    case unsupported(String)
    /// A value of a configuration is out of its range.
    case configuration(ConfigurationError)
    /// The system has no thread for a live stream; `code` is the value that `pthread_create` returned.
    case thread(code: Int32)
}

extension BodyPoseError: CustomStringConvertible {
    /// One sentence for users.
    public var description: String {
        switch self {
        case .model(let error): "\(error)"
        case .file(let path, let error): error.description(ofFile: path)
        case .resourcesMissing(let searched): ModelFileError.resourcesMissing(searched)
        case .graph(let expected, let found):
            "A network of the body tracker has inputs or outputs of the shapes \(found) instead of \(expected)."
        case .unsupported(let what): "A network of the body tracker cannot be run here: \(what)."
        case .configuration(let error): "\(error)"
        case .thread(let code): "The system could not start the thread of a live stream: errno \(code)."
        }
    }
}
