/// Frames a second as a fraction, so that 30000/1001 stays exact.
package struct FrameRate: Sendable, Hashable {
    /// 1...`Int32.max`.
    package let numerator: Int
    /// 1...`Int32.max`.
    package let denominator: Int

    /// The default rate of image sequences.
    static let thirty = FrameRate(wholeHertz: 30)

    private init(wholeHertz: Int) {
        numerator = wholeHertz
        denominator = 1
    }

    /// Nil unless both are 1...`Int32.max`.
    package init?(_ numerator: Int, _ denominator: Int) {
        let legal = 1...Int(Int32.max)
        guard legal.contains(numerator), legal.contains(denominator) else { return nil }
        self.numerator = numerator
        self.denominator = denominator
    }

    /// `30000/1001` or `30000:1001`.
    init?(_ text: some StringProtocol, separator: Character) {
        guard let (numerator, denominator) = ratio(text, separator: separator) else { return nil }
        self.init(numerator, denominator)
    }

    /// `30`, `29.97` or `30000/1001`. Decimals are thousandths at most.
    package init?(text: String) {
        if text.contains("/") {
            self.init(text, separator: "/")
            return
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : ""
        guard parts.count <= 2, decimals.count <= 3, parts.count == 1 || !decimals.isEmpty,
            let thousandths = Int(digits: parts[0] + decimals + String(repeating: "0", count: 3 - decimals.count))
        else { return nil }
        let denominator = thousandths % 1000 == 0 ? 1 : 1000
        self.init(thousandths * denominator / 1000, denominator)
    }

    /// Frames a second.
    package var hertz: Double { Double(numerator) / Double(denominator) }

    /// The time of one frame.
    package var period: Duration { time(ofFrame: 1) }

    /// The time at which the frame with this index is shown, rounded down to a nanosecond.
    /// - Parameter index: 0 or more. Past 2^32 frames (a year at 120 Hz) the time stops rather than overflows.
    package func time(ofFrame index: Int) -> Duration {
        let ticks = min(max(index, 0), Int(UInt32.max)) * denominator
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: numerator)
        return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / numerator)
    }
}

/// The whole numbers before and after a separator.
func ratio(_ text: some StringProtocol, separator: Character) -> (Int, Int)? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Int(digits: parts[0]), let second = Int(digits: parts[1]) else { return nil }
    return (first, second)
}

extension Int {
    /// Decimal digits only: no sign, no space, no overflow.
    init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text)
    }
}

extension Duration {
    /// Rounded down, and limited to two centuries, so that another century can be added.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(seconds, 6_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
