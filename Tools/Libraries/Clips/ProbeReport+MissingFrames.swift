/// The container's statement about the length of its video.
private struct Claim {
    /// Seconds to the end of the last frame.
    var seconds: Double
    /// Whether the seconds count from the file's zero instead of the first frame.
    var isFromZero = false
    /// Whether the end may be after the video's: that of the longest stream, or of an edit list.
    var isLoose = false
    /// Whether the seconds come from a count of frames.
    var isCounted = false
    /// The number of shown frames; nil if the container does not state it.
    var frames: Int?
}

/// The distances between the frames of a clip.
private struct Cadence {
    /// The smallest number of distances that determines a rate.
    private static let minimumDistances = 8

    /// Seconds between consecutive frames, without gaps.
    var period: Double
    /// Whether nine of ten distances are the same, so that a longer one is a gap.
    var isRegular = false
    var longest: Double
    /// Frames that fit into the gaps of a regular clip.
    var holes = 0

    /// - Parameter tick: the precision of a timestamp, in seconds.
    init(times: [Int64], tick: Double, period: Double) {
        let distances = zip(times.dropFirst(), times).map { Double($0 - $1) / 1e9 }
        self.period = period
        longest = distances.max() ?? period
        guard distances.count >= Self.minimumDistances else { return }
        let median = distances.sorted()[distances.count / 2]
        let near = distances.filter { abs($0 - median) <= tick + median / 100 }
        guard near.count * 10 >= distances.count * 9 else { return }
        isRegular = true
        let mean = near.reduce(0, +) / Double(near.count)
        self.period = mean
        holes = distances.reduce(0) { $0 + ProbeReport.frames(in: $1 - mean, each: mean) }
    }
}

extension ProbeReport {
    /// The number of frames that the container states but does not have.
    ///
    /// The container's statement alone is not enough: containers round, count frames that an edit list hides, and state
    /// the length of the sound. So frames are missing if the last one ends before the stated end:
    /// - in a regular clip, by half a period if the container counts frames or FFmpeg complains, else by two periods;
    /// - in an irregular clip, by the longest distance between two frames, and only if FFmpeg complains: a clip with a
    ///   variable rate and no complaint is complete;
    /// - by a second, and only if FFmpeg complains, if the stated end may be after the video's.
    ///
    /// With a complaint, the stated number and the gaps in a regular clip count, too.
    /// - Parameters:
    ///   - times: the result of `times(rate:)`.
    ///   - rate: the rate that the file states, or its substitute.
    ///   - hasComplaints: whether FFmpeg reported an error, although it continued.
    package func missingFrames(at times: [Int64], rate: FrameRate, hasComplaints: Bool) -> Int {
        guard let claim = claim(rate), let last = times.last, let tick = seconds(ticks: 1) else { return 0 }
        let cadence = Cadence(times: times, tick: tick, period: rate.seconds)
        var end = Double(last) / 1e9 + (lastFrameTicks.flatMap(seconds(ticks:)) ?? cadence.period)
        if claim.isFromZero, let first = timestamps.first ?? nil { end += max(0, seconds(ticks: first) ?? 0) }
        var missing = 0
        if let tolerance = tolerance(cadence, claim, hasComplaints), claim.seconds - end > tolerance {
            missing = max(1, Self.frames(in: claim.seconds - end, each: cadence.period))
        }
        if hasComplaints { missing += cadence.holes }
        guard let stated = claim.frames else { return missing }
        return missing > 0 || hasComplaints ? max(0, stated - times.count) : 0
    }

    /// The length of the video by the container's statement: seconds, and shown frames. Nil where it states none.
    var statedLength: (seconds: Double?, frames: Int?) {
        let claim = claim(rate ?? .thirty)
        return (claim?.seconds, claim?.frames)
    }

    /// Seconds by which the end may be early; nil if the end tells nothing.
    private func tolerance(_ cadence: Cadence, _ claim: Claim, _ hasComplaints: Bool) -> Double? {
        let tolerance: Double
        switch (cadence.isRegular, hasComplaints) {
        case (true, let complains): tolerance = cadence.period * (complains || claim.isCounted ? 0.5 : 2)
        case (false, true): tolerance = max(cadence.period * 2, cadence.longest)
        case (false, false): return nil
        }
        guard claim.isLoose else { return tolerance }
        return hasComplaints ? max(tolerance, 1) : nil
    }

    /// The statement of containers with a stated length; for others FFmpeg derives a length from the frames that exist.
    private func claim(_ rate: FrameRate) -> Claim? {
        let streamLength = streamTicks.flatMap(seconds(ticks:))
        switch container {
        case "mov,mp4,m4a,3gp,3g2,mj2":
            guard let streamLength else { return nil }
            // An edit list that hides a part shortens the stream; the number of frames is then useless.
            let isEdited = statedFrames.map { (Double($0) - 1.5) * rate.seconds > streamLength } ?? false
            return Claim(
                seconds: streamLength, isLoose: isEdited, isCounted: statedFrames != nil,
                frames: isEdited ? nil : statedFrames)
        case "avi":
            // Without an index, FFmpeg derives the length from the frames that exist; the number is the header's. It
            // includes frames that repeat the one before and have no data.
            return statedFrames.map {
                Claim(seconds: max(Double($0) * rate.seconds, streamLength ?? 0), isCounted: true)
            }
        case "matroska,webm":
            if let streamSeconds { return Claim(seconds: streamSeconds, isFromZero: true) }
            return fileSeconds.map { Claim(seconds: $0, isFromZero: true, isLoose: streamCount > 1) }
        case "flv":
            return fileSeconds.map { Claim(seconds: $0, isFromZero: true, isLoose: streamCount > 1) }
        default: return nil
        }
    }

    /// The number of frames in a time, rounded.
    fileprivate static func frames(in seconds: Double, each period: Double) -> Int {
        guard period > 0, seconds > 0 else { return 0 }
        return Int(min((seconds / period).rounded(), 1e9))
    }
}

extension FrameRate {
    /// Seconds per frame.
    fileprivate var seconds: Double { Double(denominator) / Double(numerator) }
}
