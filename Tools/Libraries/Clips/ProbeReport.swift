/// The output of `ffprobe`, one `key=value` per line between `[SECTION]` and `[/SECTION]`: every frame, then the
/// stream, then the file.
package struct ProbeReport {
    private enum Section {
        case frame, stream, file
    }

    /// In ticks; nil for a frame without a timestamp.
    private(set) var timestamps: [Int64?] = []
    /// The indices of frames about which the decoder complained, ascending; for images alone.
    private(set) var faultyFrames: [Int] = []
    /// Seconds per tick.
    typealias Tick = (numerator: Int64, denominator: Int64)
    private(set) var tick: Tick?
    private(set) var container = ""
    /// The duration of the last frame in ticks; nil if it is unknown.
    private(set) var lastFrameTicks: Int64?
    /// The number of frames by the container.
    private(set) var statedFrames: Int?
    /// The duration of the stream in ticks, by the container.
    private(set) var streamTicks: Int64?
    /// Seconds until the end of the stream, by its tags, and of the file, by the container.
    private(set) var streamSeconds: Double?
    private(set) var fileSeconds: Double?
    /// Whether the file marks the stream as the one to show.
    private(set) var isDefault = false
    /// Streams of all kinds in the file.
    private(set) var streamCount = 1
    /// The pixel format, as FFmpeg names it.
    private(set) var pixelFormat = ""
    /// The transfer function, as FFmpeg names it.
    private(set) var transfer = ""
    private var section = Section.frame
    private var width: Int?
    private var height: Int?
    private var turnsSides = false
    private(set) var averageRate: FrameRate?
    private var nominalRate: FrameRate?

    /// The mean rate, which is exact for a file of constant rate, or else the rate that its ticks suggest.
    package var rate: FrameRate? { averageRate ?? nominalRate }

    /// Size of a frame after the rotation that the decoder applies.
    package var size: (Int, Int)? {
        guard let width, let height else { return nil }
        return turnsSides ? (height, width) : (width, height)
    }

    package init() {}

    /// FFmpeg's level of errors; more severe ones have lower numbers.
    static let errorLevel = 16

    package mutating func take(_ line: String) {
        switch line {
        case "[STREAM]": section = .stream
        case "[FORMAT]": section = .file
        default: break
        }
        guard let equals = line.firstIndex(of: "=") else { return }
        let value = line[line.index(after: equals)...]
        switch line[..<equals] {
        case "best_effort_timestamp":
            timestamps.append(Int64(value))
            lastFrameTicks = nil
        case "pkt_duration" where section == .frame, "duration" where section == .frame:
            if let ticks = Int64(value), ticks > 0 { lastFrameTicks = ticks }
        case "level" where section == .frame:
            let index = timestamps.count - 1
            if let level = Int(digits: value), level <= Self.errorLevel, faultyFrames.last != index {
                faultyFrames.append(index)
            }
        case "nb_frames": statedFrames = Int(digits: value)
        case "duration_ts" where section == .stream: streamTicks = Int64(value)
        case "TAG:DURATION": streamSeconds = Self.seconds(clock: value)
        case "duration" where section == .file: fileSeconds = Self.seconds(value)
        case "DISPOSITION:default": isDefault = value == "1"
        case "nb_streams": streamCount = Int(digits: value) ?? 1
        case "width": width = Int(digits: value)
        case "height": height = Int(digits: value)
        case "rotation": turnsSides = Int(value).map { $0.magnitude % 180 == 90 } ?? false
        case "avg_frame_rate": averageRate = FrameRate(value, separator: "/")
        case "r_frame_rate": nominalRate = FrameRate(value, separator: "/")
        case "pix_fmt": pixelFormat = String(value)
        case "color_transfer": transfer = String(value)
        case "format_name": container = String(value)
        case "time_base":
            guard let base = FrameRate(value, separator: "/") else { return }
            tick = (Int64(base.numerator), Int64(base.denominator))
        default: break
        }
    }

    /// Nanoseconds of each frame since the first, as `FrameClock` tells them.
    package func times(rate: FrameRate) -> [Int64] {
        var clock = FrameClock(tick: tick ?? (0, 1), rate: rate)
        return timestamps.map { clock.next($0) }
    }

    /// The seconds of a number of ticks.
    func seconds(ticks: Int64) -> Double? {
        tick.map { Double(ticks) * Double($0.numerator) / Double($0.denominator) }
    }

    /// At most a century.
    private static func seconds(_ text: some StringProtocol) -> Double? {
        guard let seconds = Double(text), (0...Double(century) / 1e9).contains(seconds) else { return nil }
        return seconds
    }

    /// The seconds of `hours:minutes:seconds`; the last part may have decimals.
    private static func seconds(clock text: Substring) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = seconds(parts[0]), let minutes = seconds(parts[1]),
            let rest = seconds(parts[2])
        else { return nil }
        return hours * 3_600 + minutes * 60 + rest
    }

    static let century: Int64 = 3_155_760_000_000_000_000
}
