extension Duration {
    /// Whole nanoseconds, rounded toward zero; saturates at the ends of Int64.
    package var saturatedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard overflow || overflowOfSum else { return sum }
        return seconds < 0 ? .min : .max
    }
}

extension Duration {
    /// Whole nanoseconds, fractions dropped; nil below zero and above an hour.
    package var upToAnHour: Int64? {
        guard self >= .zero, self <= .seconds(3_600) else { return nil }
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
