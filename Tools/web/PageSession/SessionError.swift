import BodyPose
import GestureEngine
import TrackerInference

/// Why a session does not do what its page asks for.
enum SessionError: Error {
    case command(PageCommandError)
    case engine(EngineError)
    case bodies(EngineError)

    var sentence: String {
        switch self {
        case .command(let error): error.sentence
        case .engine(let error): error.description
        case .bodies(let error): error.description
        }
    }

    /// The result of `body`, whose error becomes one of these.
    static func engine<Result>(_ body: () throws(EngineError) -> Result) throws(SessionError) -> Result {
        do { return try body() } catch { throw .engine(error) }
    }
}
