/// Why a graph cannot be run.
package enum GraphError: Error, Sendable, Equatable {
    /// The operator that writes the value asks for something that no kernel does.
    case unsupported(value: String, reason: String)
    /// An arena or the packed parameters would take more memory than is accepted.
    case tooLarge(bytes: Int, limit: Int)
}

extension GraphError: CustomStringConvertible {
    /// One sentence.
    package var description: String {
        switch self {
        case .unsupported(let value, let reason): "This graph cannot be run here (\"\(value)\": \(reason))."
        case .tooLarge(let bytes, let limit): "This graph takes \(bytes) bytes of memory; \(limit) are accepted."
        }
    }
}
