/// Why a graph cannot be run.
package enum GraphError: Error, Sendable, Equatable {
    /// The operator that writes the value asks for what no kernel does.
    case unsupported(value: String, reason: String)
    /// An arena or the packed parameters would take more memory than is accepted.
    case tooLarge(bytes: Int, limit: Int)
}
