/// What a container says of the length of its pictures.
private struct Claim {
    /// Seconds to the end of the last frame.
    var seconds: Double
    /// Whether they count from the file's zero, else from the first frame.
    var isFromZero = false
    /// Whether they may go beyond the pictures: to the end of the longest stream, or of an edit list.
    var isLoose = false
    /// Whether they are those of counted frames.
    var isCounted = false
    /// How many frames there are to be shown; nil if the container does not say.
    var frames: Int?
}

/// How the frames of a clip follow each other.
private struct Cadence {
    /// Fewest distances between frames that say something of the rate.
    private static let fewest = 8

    /// Seconds between neighbours, where nothing is between them.
    var period: Double
    /// Whether nine of ten distances are the same, so that a longer one is a hole and not the clip's way.
    var isRegular = false
    var longest: Double
    /// Frames that fit into the holes of a regular clip.
    var holes = 0

    /// - Parameter tick: seconds by which a timestamp may be off.
    init(times: [Int64], tick: Double, period: Double) {
        let distances = zip(times.dropFirst(), times).map { Double($0 - $1) / 1e9 }
        self.period = period
        longest = distances.max() ?? period
        guard distances.count >= Self.fewest else { return }
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
    /// How many frames the container states and does not have.
    ///
    /// A claim alone is not enough: containers round, count frames that an edit list hides, and give the length of the
    /// sound. So frames are missing if the last one ends before the stated end:
    /// - of a regular clip by half a period if the container counts frames or FFmpeg complains, else by two periods;
    /// - of an irregular one by the longest distance between two frames, and only if FFmpeg complains: a clip of a variable
    ///   rate of which it does not complain is whole;
    /// - by a second, and only if FFmpeg complains, where the stated end may go beyond the pictures.
    ///
    /// With a complaint the stated number counts, too, and so do the holes in a regular clip.
    /// - Parameters:
    ///   - times: of `times(rate:)`.
    ///   - rate: the rate that the file states, or what stands for it.
    ///   - hasComplaints: whether FFmpeg reported an error, though it went on.
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

    /// Seconds by which the end may fall short; nil if it says nothing.
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

    /// Containers that state a length; of others FFmpeg prints one that it takes from what is there.
    private func claim(_ rate: FrameRate) -> Claim? {
        let streamLength = streamTicks.flatMap(seconds(ticks:))
        switch container {
        case "mov,mp4,m4a,3gp,3g2,mj2":
            guard let streamLength else { return nil }
            // An edit list that shows less than everything shortens the stream; then the number says nothing.
            let isEdited = statedFrames.map { (Double($0) - 1.5) * rate.seconds > streamLength } ?? false
            return Claim(
                seconds: streamLength, isLoose: isEdited, isCounted: statedFrames != nil,
                frames: isEdited ? nil : statedFrames)
        case "avi":
            // FFmpeg takes the length of a file without an index from what is there; the number is the header's. It counts
            // frames that only repeat the one before, which have no data.
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

    /// Whole frames in a time, to the nearest.
    fileprivate static func frames(in seconds: Double, each period: Double) -> Int {
        guard period > 0, seconds > 0 else { return 0 }
        return Int(min((seconds / period).rounded(), 1e9))
    }
}

extension FrameRate {
    /// Seconds a frame.
    fileprivate var seconds: Double { Double(denominator) / Double(numerator) }
}
