/// A value of a configuration, or an argument of a transform, that cannot be used.
public struct ConfigurationError: Error, Sendable, Hashable {
    /// The value's path, beginning with its type: `RecognitionConfiguration.beginFrames`.
    public let parameter: String
    /// The given value, as `print` shows it.
    public let value: String
    /// The requirement, as the end of a sentence: `from 1 to 1000`.
    public let requirement: String

    /// Makes an error for a value that does not meet a requirement; NaN is written as "not a number".
    package init(_ parameter: String, _ value: some CustomStringConvertible, mustBe requirement: String) {
        self.parameter = parameter
        let text = value.description
        self.value = ["nan", "-nan", "snan"].contains(text) ? "not a number" : text
        self.requirement = requirement
    }

    /// Makes an error for a value outside a range.
    package init<Value: Comparable & CustomStringConvertible>(
        _ parameter: String, _ value: Value, allowed: ClosedRange<Value>
    ) {
        self.init(
            parameter, value, mustBe: "from \(allowed.lowerBound.description) to \(allowed.upperBound.description)")
    }

    /// Makes an error for a value above another one that it must not exceed.
    package init<Value: Comparable & CustomStringConvertible>(
        _ parameter: String, _ value: Value, above name: String, _ limit: Value
    ) {
        self.init(parameter, value, mustBe: "at most \(name), which is \(limit.description)")
    }

    /// Throws if a value is NaN or outside a range.
    package static func check<Value: Comparable & CustomStringConvertible>(
        _ value: Value, _ parameter: @autoclosure () -> String, in allowed: ClosedRange<Value>
    ) throws(ConfigurationError) {
        guard allowed.contains(value) else { throw ConfigurationError(parameter(), value, allowed: allowed) }
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// One sentence for users.
    public var description: String { "\(parameter) is \(value); it must be \(requirement)." }
}
