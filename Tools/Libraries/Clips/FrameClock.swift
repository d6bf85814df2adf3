/// Turns the time stamps of frames, one after the other, into nanoseconds since the first, ascending.
///
/// A frame whose stamp is missing, not ascending or more than a century away follows the last valid one at the rate;
/// without a first stamp this applies to all frames.
struct FrameClock {
    private let tick: ProbeReport.Tick
    private let rate: FrameRate
    private var origin: Int64?
    private var anchor = (index: 0, time: Int64(0))
    private var previous: Int64?
    private var count = 0

    /// - Parameter tick: seconds per tick of the stamps.
    init(tick: ProbeReport.Tick, rate: FrameRate) {
        self.tick = tick
        self.rate = rate
    }

    /// The time of the next frame.
    /// - Parameter stamp: in ticks; nil if the frame has none.
    mutating func next(_ stamp: Int64?) -> Int64 {
        if count == 0 { origin = stamp }
        if let origin, let stamp, let previous, let time = Self.nanoseconds(stamp, since: origin, tick), time > previous
        {
            anchor = (count, time)
        }
        let time = anchor.time + rate.time(ofFrame: count - anchor.index).wholeNanoseconds
        previous = time
        count += 1
        return time
    }

    private static func nanoseconds(
        _ timestamp: Int64, since origin: Int64, _ tick: (numerator: Int64, denominator: Int64)
    ) -> Int64? {
        let (ticks, overflow) = timestamp.subtractingReportingOverflow(origin)
        guard !overflow, ticks >= 0 else { return nil }
        let (scaled, scaledOverflow) = ticks.multipliedReportingOverflow(by: tick.numerator)
        guard !scaledOverflow else { return nil }
        let (seconds, rest) = scaled.quotientAndRemainder(dividingBy: tick.denominator)
        let (whole, wholeOverflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !wholeOverflow, whole < ProbeReport.century else { return nil }
        // rest < denominator < 2^31, so the product fits.
        return whole + rest * 1_000_000_000 / tick.denominator
    }
}
