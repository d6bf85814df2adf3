/// A value of a configuration that cannot be used.
public struct ConfigurationError: Error, Sendable, Hashable {
    /// The value's name as code writes it, after the type that it belongs to: `SchedulingConfiguration.Pace.missLimit`.
    public let parameter: String
    /// The value that was given, as `print` shows it.
    public let value: String
    /// What it must be, as the end of a sentence: `from 1 to 1000`.
    public let requirement: String

    /// A value that does not meet a requirement; a number that is none is called so.
    package init(_ parameter: String, _ value: some Any, mustBe requirement: String) {
        self.parameter = parameter
        let text = "\(value)"
        self.value = ["nan", "-nan", "snan"].contains(text) ? "not a number" : text
        self.requirement = requirement
    }

    /// A value outside a range.
    package init<Value: Comparable>(_ parameter: String, _ value: Value, allowed: ClosedRange<Value>) {
        self.init(parameter, value, mustBe: "from \(allowed.lowerBound) to \(allowed.upperBound)")
    }

    /// A value above another one that it must not exceed.
    package init<Value: Comparable>(_ parameter: String, _ value: Value, above name: String, _ limit: Value) {
        self.init(parameter, value, mustBe: "at most \(name), which is \(limit)")
    }

    /// Throws where a value is outside a range, or NaN.
    package static func check<Value: Comparable>(
        _ value: Value, _ parameter: @autoclosure () -> String, in allowed: ClosedRange<Value>
    ) throws(ConfigurationError) {
        guard allowed.contains(value) else { throw ConfigurationError(parameter(), value, allowed: allowed) }
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String { "\(parameter) is \(value); it must be \(requirement)." }
}
