/// The nearest-rank percentile: of some values the smallest that at least so many per mille of all do not exceed.
package enum NearestRank {
    /// Its place among the values in ascending order, from 0.
    /// - perMille: 0...1000; 0 is the first value's place. - count: of the values, 1 or more.
    package static func place(perMille: Int, of count: Int) -> Int {
        // In two parts, whose products fit for any count.
        max(1, count / 1000 * perMille + (count % 1000 * perMille + 999) / 1000) - 1
    }
}
