extension Duration {
    /// Whole nanoseconds, rounded toward zero, at the ends of Int64 where they do not fit.
    package var saturatedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard overflow || overflowOfSum else { return sum }
        return seconds < 0 ? .min : .max
    }
}
