extension PacingConfigurationError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .lateAfterOutOfRange(let found):
            "The pacing's lateAfter is \(found); it must be a nanosecond or more and below a second."
        }
    }
}
