/// Fewest insertions, deletions and replacements that make one sequence from another.
/// Complexity: the product of the lengths; memory: the shorter length.
package func editDistance(_ one: [Int], _ other: [Int]) -> Int {
    let (short, long) = one.count <= other.count ? (one, other) : (other, one)
    var row = Array(0...short.count)
    for (line, element) in long.enumerated() {
        var diagonal = row[0]
        row[0] = line + 1
        for column in short.indices {
            let replaced = diagonal + (short[column] == element ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
        }
    }
    return row[short.count]
}

/// The value below which a share of the values lies, with linear interpolation between neighbours (type 7 of Hyndman
/// and Fan, 1996); nil of no values.
/// - share: 0...1. - ascending: finite values.
package func quantile(_ share: Double, ascending: [Double]) -> Double? {
    guard let last = ascending.indices.last else { return nil }
    let place = share * Double(last)
    let low = min(last, max(0, Int(place)))
    let high = min(last, low + 1)
    return ascending[low] + (place - Double(low)) * (ascending[high] - ascending[low])
}
