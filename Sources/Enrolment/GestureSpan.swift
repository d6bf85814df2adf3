/// Finds the slots of a recording that show the gesture.
///
/// An eighth of the recording at each end, but 4 to 30 slots, is assumed to be rest. A slot's distance is the squared
/// distance of its column from the nearer of the two rests' means, averaged over five slots. The threshold lies a quarter
/// of the way from the largest distance at rest to the peak. The gesture is the range of slots above it around the peak;
/// dips that are shorter than the network's memory belong to it.
package struct GestureSpan {
    /// The gesture's slots.
    package let slots: Range<Int>
    /// The peak's distance divided by the largest distance at rest.
    package let contrast: Double

    static let minimumSlots = 16
    static let minimumContrast = 3.0
    private static let smoothing = 2
    private static let level = 0.25
    /// Squared distance that rounding alone can cause: about that of 160 features in steps of 6/255.
    private static let noise = 0.01

    /// Uses the recording's own range, if it has one.
    package init(_ recording: GestureRecording, index: Int) throws(EnrolmentError) {
        if let range = recording.gesture {
            guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= recording.slotCount else {
                throw .gestureRange(recording: index, range, slots: recording.slotCount)
            }
            slots = range
            contrast = .infinity
            return
        }
        let count = recording.slotCount
        guard count >= Self.minimumSlots else {
            throw Self.tooShort(recording, index)
        }
        let rest = min(max(count / 8, 4), 30)
        let distances = Self.distances(recording, rest: rest)
        let quiet = max(distances[..<rest].max() ?? 0, distances[(count - rest)...].max() ?? 0, Self.noise)
        let middle = rest..<count - rest
        guard let peak = middle.max(by: { distances[$0] < distances[$1] }) else {
            throw Self.tooShort(recording, index)
        }
        contrast = distances[peak] / quiet
        guard contrast >= Self.minimumContrast else {
            throw .noActivity(recording: index, contrast: contrast, required: Self.minimumContrast)
        }
        let threshold = quiet + Self.level * (distances[peak] - quiet)
        slots = Self.run(around: peak, above: threshold, distances)
    }

    private static func tooShort(_ recording: GestureRecording, _ index: Int) -> EnrolmentError {
        .tooShort(
            recording: index, seconds: recording.seconds(recording.slotCount), required: recording.seconds(minimumSlots)
        )
    }

    private static func run(around peak: Int, above threshold: Double, _ distances: [Double]) -> Range<Int> {
        var first = peak
        var last = peak
        for slot in stride(from: peak, through: 0, by: -1) {
            if distances[slot] > threshold { first = slot }
            if first - slot >= EnrolmentConfiguration.memory { break }
        }
        for slot in peak..<distances.count {
            if distances[slot] > threshold { last = slot }
            if slot - last >= EnrolmentConfiguration.memory { break }
        }
        return first..<last + 1
    }

    private static func distances(_ recording: GestureRecording, rest: Int) -> [Double] {
        let count = recording.slotCount
        let start = mean(recording, 0..<rest)
        let end = mean(recording, count - rest..<count)
        let raw = (0..<count).map { slot in
            min(squaredDistance(recording.column(slot), start), squaredDistance(recording.column(slot), end))
        }
        return raw.indices.map { slot in
            let window = raw[max(slot - smoothing, 0)...min(slot + smoothing, count - 1)]
            return window.reduce(0, +) / Double(window.count)
        }
    }

    private static func mean(_ recording: GestureRecording, _ slots: Range<Int>) -> [Double] {
        var sum = [Double](repeating: 0, count: recording.featureCount)
        for slot in slots {
            for (index, value) in recording.column(slot).enumerated() { sum[index] += Double(value) }
        }
        return sum.map { $0 / Double(slots.count) }
    }

    private static func squaredDistance(_ column: ArraySlice<Float>, _ center: [Double]) -> Double {
        zip(column, center).reduce(0) { $0 + (Double($1.0) - $1.1) * (Double($1.0) - $1.1) }
    }
}
