// Times in JSON are seconds. `Duration` itself writes a pair of integers, halves of a count of attoseconds. A number keeps
// every nanosecond of times up to 25 days; beyond, it is as exact as a double.
//
// The compiler uses these functions in the `Codable` code that it writes, for properties and associated values of every
// file that imports this module. An array of durations would still write pairs.

extension Duration {
    /// Seconds, rounded to whole nanoseconds.
    fileprivate var codedSeconds: Double {
        let (seconds, attoseconds) = components
        let nanoseconds = (attoseconds + (attoseconds < 0 ? -500_000_000 : 500_000_000)) / 1_000_000_000
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = whole.addingReportingOverflow(nanoseconds)
        guard overflow || overflowOfSum else { return Double(sum) / 1e9 }
        return Double(seconds)
    }
}

extension KeyedEncodingContainer {
    /// Writes seconds as a number.
    package mutating func encode(_ value: Duration, forKey key: Key) throws {
        try encode(value.codedSeconds, forKey: key)
    }

    /// Writes seconds as a number; nothing for nil.
    package mutating func encodeIfPresent(_ value: Duration?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }
}

extension KeyedDecodingContainer {
    /// Reads seconds as a number, rounded to nanoseconds, or the pair of integers that `Duration` itself writes.
    package func decode(_ type: Duration.Type, forKey key: Key) throws -> Duration {
        try decode(CodedDuration.self, forKey: key).duration
    }

    /// Reads as `decode` does; nil if there is no value.
    package func decodeIfPresent(_ type: Duration.Type, forKey key: Key) throws -> Duration? {
        try decodeIfPresent(CodedDuration.self, forKey: key)?.duration
    }
}

private struct CodedDuration: Decodable {
    /// A count of nanoseconds has 64 bits, 292 years.
    private static let maximumSeconds = 9.2e9

    let duration: Duration

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let seconds: Double
        do {
            seconds = try container.decode(Double.self)
        } catch DecodingError.typeMismatch {
            duration = try Duration(from: decoder)
            return
        }
        guard abs(seconds) <= Self.maximumSeconds else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\(seconds) is not a time: at most \(Self.maximumSeconds) s are accepted."
            )
        }
        duration = .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
}
