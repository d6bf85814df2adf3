/// What `ffprobe` says, one `key=value` a line: every frame's timestamp, then the stream, then the file.
package struct ProbeReport {
    /// In ticks; nil where the file has none.
    private(set) var timestamps: [Int64?] = []
    /// Seconds a tick.
    private(set) var tick: (numerator: Int64, denominator: Int64)?
    private(set) var container = ""
    private var width: Int?
    private var height: Int?
    private var turnsSides = false
    private var averageRate: FrameRate?
    private var nominalRate: FrameRate?

    /// The mean rate, which a file of a constant rate has exactly, or the one its ticks suggest.
    package var rate: FrameRate? { averageRate ?? nominalRate }

    /// Size of a frame after the rotation that the decoder applies by itself.
    package var size: (Int, Int)? {
        guard let width, let height else { return nil }
        return turnsSides ? (height, width) : (width, height)
    }

    package init() {}

    package mutating func take(_ line: String) {
        guard let equals = line.firstIndex(of: "=") else { return }
        let value = line[line.index(after: equals)...]
        switch line[..<equals] {
        case "best_effort_timestamp": timestamps.append(Int64(value))
        case "width": width = Int(digits: value)
        case "height": height = Int(digits: value)
        case "rotation": turnsSides = Int(value).map { $0.magnitude % 180 == 90 } ?? false
        case "avg_frame_rate": averageRate = FrameRate(value, separator: "/")
        case "r_frame_rate": nominalRate = FrameRate(value, separator: "/")
        case "format_name": container = String(value)
        case "time_base":
            guard let base = FrameRate(value, separator: "/") else { return }
            tick = (Int64(base.numerator), Int64(base.denominator))
        default: break
        }
    }

    /// Nanoseconds of each frame since the first, rising. A frame whose timestamp is missing, does not rise, or is more than
    /// a century away follows the last good one at `rate`; without a first timestamp that is all of them.
    package func times(rate: FrameRate) -> [Int64] {
        let origin = timestamps.first ?? nil
        var anchor = (index: 0, time: Int64(0))
        var times: [Int64] = []
        times.reserveCapacity(timestamps.count)
        for (index, timestamp) in timestamps.enumerated() {
            if let origin, let timestamp, let tick, let previous = times.last,
                let time = Self.nanoseconds(timestamp, since: origin, tick), time > previous
            {
                anchor = (index, time)
            }
            times.append(anchor.time + rate.time(ofFrame: index - anchor.index).wholeNanoseconds)
        }
        return times
    }

    private static let century: Int64 = 3_155_760_000_000_000_000

    private static func nanoseconds(
        _ timestamp: Int64, since origin: Int64, _ tick: (numerator: Int64, denominator: Int64)
    ) -> Int64? {
        let (ticks, overflow) = timestamp.subtractingReportingOverflow(origin)
        guard !overflow, ticks >= 0 else { return nil }
        let (scaled, scaledOverflow) = ticks.multipliedReportingOverflow(by: tick.numerator)
        guard !scaledOverflow else { return nil }
        let (seconds, rest) = scaled.quotientAndRemainder(dividingBy: tick.denominator)
        let (whole, wholeOverflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !wholeOverflow, whole < century else { return nil }
        // rest < denominator < 2^31, so the product fits.
        return whole + rest * 1_000_000_000 / tick.denominator
    }
}
