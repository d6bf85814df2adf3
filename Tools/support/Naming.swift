import GestureEngine
import ModelFile
import TrackerInference

/// The error of a file that is read, reported with the file's name.
private struct NamedError: Explained {
    let path: String
    let error: any Error

    var sentence: String { visible(path) + ": " + ToolSupport.sentence(for: error) }
    var status: Int32 { ToolSupport.status(of: error) }
}

/// Returns what `body` makes of the file at `path`; errors about the file tell its name.
package func naming<T: ~Copyable>(_ path: String, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as any FileError where !error.namesItsFile {
        throw NamedError(path: path, error: error)
    } catch EngineError.model(let error) where !error.namesItsFile {
        throw NamedError(path: path, error: error)
    } catch let error as EngineError where !ToolSupport.sentence(for: error).contains(visible(path)) {
        // Of a file of gestures, or one of the wrong front end. Every sentence contains an empty path.
        switch error {
        case .enrolment, .noHandModels: throw NamedError(path: path, error: error)
        default: throw error
        }
    }
}
