import Scheduling

/// The value below which a share of the values lies, with linear interpolation between neighbours (type 7 of Hyndman
/// and Fan, 1996); nil without values.
/// - share: 0...1. - ascending: finite values.
package func quantile(_ share: Double, ascending: [Double]) -> Double? {
    guard let last = ascending.indices.last else { return nil }
    let place = share * Double(last)
    let low = min(last, max(0, Int(place)))
    let high = min(last, low + 1)
    return ascending[low] + (place - Double(low)) * (ascending[high] - ascending[low])
}

/// The nearest-rank percentile, for times: the smallest value that at least this many percent of all values do not
/// exceed; nil without values.
/// - percent: 0...100.
package func percentile<Value>(_ percent: Int, ascending: [Value]) -> Value? {
    ascending.isEmpty ? nil : ascending[NearestRank.place(perMille: 10 * percent, of: ascending.count)]
}
