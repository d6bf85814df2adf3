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
