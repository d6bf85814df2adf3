/// Percentiles of any number of durations in constant memory, within 1/128 (0.8%) of the true value.
///
/// A histogram whose buckets grow with the value and are linear within each power of two: the layout of HdrHistogram
/// (Tene), here with 64 buckets an octave. Below 128 ns each value has its own bucket. A percentile is the middle of
/// the bucket that holds its rank, so its error is at most half a bucket: 1/128 of the bucket's lower end. All
/// arithmetic is in integers, so merging two sketches gives exactly the sketch of both, in any order.
package struct QuantileSketch: Sendable, Equatable {
    private static let octaveBits = 6
    private static let exactBelow: Int64 = 128
    private static let topExponent = 36

    /// From this on, 68.7 s, durations share one bucket, whose percentile is the longest duration.
    package static let limit: Int64 = 1 << topExponent

    /// Number of recorded durations.
    package private(set) var count = 0
    /// The shortest, 0 without any.
    package private(set) var minimum: Int64 = 0
    /// The longest, 0 without any.
    package private(set) var maximum: Int64 = 0

    private var buckets: [Int]

    /// Allocates all of its 15.5 KB.
    package init() {
        buckets = Array(repeating: 0, count: Self.bucket(of: Self.limit) + 1)
    }

    /// Records a duration in nanoseconds; a negative one, which no correct clock gives, counts as 0.
    package mutating func record(_ nanoseconds: Int64) {
        let value = max(0, nanoseconds)
        minimum = count == 0 ? value : min(minimum, value)
        maximum = max(maximum, value)
        count += 1
        buckets[Self.bucket(of: min(value, Self.limit))] += 1
    }

    /// Adds the durations of another sketch.
    package mutating func merge(_ other: QuantileSketch) {
        guard other.count > 0 else { return }
        minimum = count == 0 ? other.minimum : min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
        count += other.count
        for index in buckets.indices { buckets[index] += other.buckets[index] }
    }

    /// The nearest-rank percentile in nanoseconds; nil without durations.
    /// - perMille: 0...1000, clamped; 950 is the 95th percentile, 0 the shortest duration and 1000 the longest.
    package func percentile(perMille: Int) -> Int64? {
        guard count > 0 else { return nil }
        let rank = NearestRank.place(perMille: min(max(perMille, 0), 1000), of: count) + 1
        if rank == count { return maximum }
        var seen = 0
        for (index, bucket) in buckets.enumerated() {
            seen += bucket
            if seen >= rank { return min(max(Self.middle(of: index), minimum), maximum) }
        }
        return maximum
    }

    private static func bucket(of value: Int64) -> Int {
        guard value >= exactBelow else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        let shift = exponent - octaveBits
        return (shift << octaveBits) + Int(value >> Int64(shift))
    }

    private static func middle(of bucket: Int) -> Int64 {
        guard bucket >= Int(exactBelow) else { return Int64(bucket) }
        guard bucket < Self.bucket(of: limit) else { return .max }
        let shift = (bucket >> octaveBits) - 1
        let low = Int64(bucket - (shift << octaveBits)) << Int64(shift)
        return low + (1 << Int64(shift)) / 2
    }
}
