extension SchedulingConfigurationError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .notANumber(let parameter): "The scheduling value \(parameter.rawValue) is not a number."
        case .numberOutOfRange(let parameter, let found, let allowed):
            "The scheduling value \(parameter.rawValue) is \(found); it must be from \(allowed.lowerBound) to "
                + "\(allowed.upperBound)."
        case .countOutOfRange(let parameter, let found, let allowed):
            "The scheduling value \(parameter.rawValue) is \(found); it must be from \(allowed.lowerBound) to "
                + "\(allowed.upperBound)."
        case .durationOutOfRange(let parameter, let found, let allowed):
            "The scheduling value \(parameter.rawValue) is \(found); it must be from \(allowed.lowerBound) to "
                + "\(allowed.upperBound)."
        case .notAscending(let first, let second):
            "The scheduling value \(first.rawValue) is too large beside \(second.rawValue)."
        }
    }
}
