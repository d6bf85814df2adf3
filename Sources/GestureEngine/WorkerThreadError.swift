/// No thread could be made. `code` is the system's reason.
public struct WorkerThreadError: Error, Sendable, Equatable {
    /// An error number of the system.
    public let code: Int32
}
