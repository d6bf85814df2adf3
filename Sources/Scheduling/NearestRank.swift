/// The nearest-rank percentile: the smallest value that at least the given per mille of all values do not exceed.
package enum NearestRank {
    /// The percentile's index among the values in ascending order, from 0.
    /// - perMille: 0...1000; 0 gives the first value.
    /// - count: number of values, 1 or more.
    package static func place(perMille: Int, of count: Int) -> Int {
        // In two parts, so that the products do not overflow for any count.
        max(1, count / 1000 * perMille + (count % 1000 * perMille + 999) / 1000) - 1
    }
}
