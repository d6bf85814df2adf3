/// The fewest insertions, deletions and replacements that turn one sequence into another.
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
