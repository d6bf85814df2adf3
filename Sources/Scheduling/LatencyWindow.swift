/// The latencies of the latest time and their exact 95th percentile.
///
/// Samples are stored twice: in a ring, oldest first, and in ascending order. Bisection finds a sample's position in
/// the ordered copy, and adding or removing it shifts at most 2.4 KB; the percentile is then one look-up by rank. For a
/// few hundred samples this is less work than a tree or two heaps, and exact where a histogram would blur the compared
/// threshold.
package struct LatencyWindow: Sendable {
    /// Two seconds at 120 Hz are 240 samples.
    package static let standardCapacity = 300

    /// Samples in the window.
    package private(set) var count = 0

    private let span: Int64
    private let minimumSamples: Int
    private var ring: [Sample]
    private var oldest = 0
    private var ordered: [Int64]

    private struct Sample {
        var time: Int64
        var latency: Int64
    }

    /// - span: length of the window in nanoseconds, above 0.
    /// - minimumSamples: with fewer there is no percentile; at least 1.
    /// - capacity: most samples; beyond it the oldest are removed, so that memory stays constant.
    package init(span: Int64, minimumSamples: Int = 30, capacity: Int = standardCapacity) {
        precondition(span > 0 && minimumSamples > 0 && capacity >= minimumSamples)
        self.span = span
        self.minimumSamples = minimumSamples
        ring = Array(repeating: Sample(time: 0, latency: 0), count: capacity)
        ordered = Array(repeating: 0, count: capacity)
    }

    /// Takes in a latency; both arguments are in nanoseconds.
    ///
    /// A time before that of the newest sample counts as the newest's. If it is earlier by a whole window, the clock
    /// was set back and the window is emptied.
    package mutating func record(_ latency: Int64, at time: Int64) {
        var time = time
        if count > 0 {
            let newest = ring[wrapped(oldest + count - 1)].time
            if newest > time {
                if newest.subtractingSaturated(time) >= span { removeAll() } else { time = newest }
            }
        }
        evict(at: time)
        if count == ring.count { removeOldest() }
        insert(latency)
        ring[wrapped(oldest + count)] = Sample(time: time, latency: latency)
        count += 1
    }

    /// The smallest latency that at least 95% of the samples in (time - span, time] do not exceed (nearest rank); nil
    /// with too few samples.
    package mutating func percentile95(at time: Int64) -> Int64? {
        evict(at: time)
        guard count >= minimumSamples else { return nil }
        return ordered[NearestRank.place(perMille: 950, of: count)]
    }

    package mutating func removeAll() {
        count = 0
        oldest = 0
    }

    private func wrapped(_ index: Int) -> Int { index < ring.count ? index : index - ring.count }

    private mutating func evict(at time: Int64) {
        while count > 0, time.subtractingSaturated(ring[oldest].time) >= span { removeOldest() }
    }

    private mutating func removeOldest() {
        var index = firstIndex(notBelow: ring[oldest].latency)
        while index + 1 < count {
            ordered[index] = ordered[index + 1]
            index += 1
        }
        oldest = wrapped(oldest + 1)
        count -= 1
    }

    private mutating func insert(_ latency: Int64) {
        let place = firstIndex(notBelow: latency)
        var index = count
        while index > place {
            ordered[index] = ordered[index - 1]
            index -= 1
        }
        ordered[place] = latency
    }

    private func firstIndex(notBelow latency: Int64) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if ordered[middle] < latency { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
