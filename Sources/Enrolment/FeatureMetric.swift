/// Distance between features in units of their variation within a class: the pooled within-class covariance, shrunk.
///
/// With fewer independent columns than features, the sample covariance has directions without variance, which a fit
/// would trust without limit. So it is shrunk towards the multiple of the identity with the same trace, by the oracle
/// approximating shrinkage of Chen, Wiesel, Eldar and Hero (IEEE Transactions on Signal Processing 58, 2010, eq. 23).
package struct FeatureMetric {
    /// [feature][feature], positive definite.
    package let matrix: [Double]
    /// Weight of the identity, 0...1.
    package let shrinkage: Double

    /// Added to every variance: that of rounding a feature to steps of 6/255.
    private static let floor = (6.0 / 255) * (6.0 / 255) / 12

    /// Makes a known metric, which must be positive definite.
    package init(matrix: [Double], shrinkage: Double = 0) {
        self.matrix = matrix
        self.shrinkage = shrinkage
    }

    /// Computes the metric of samples.
    /// - columns: [sample][feature].
    /// - groups: each sample's class; samples of one group share a mean.
    /// - counts: how many independent columns each sample represents, 0 or more.
    package init(columns: [Double], featureCount: Int, groups: [Int], counts: [Double]) {
        precondition(columns.count == groups.count * featureCount && groups.count == counts.count)
        let centered = Self.centered(columns, featureCount, groups, counts)
        var covariance = DenseAlgebra.weightedGram(centered, width: featureCount, weights: counts)
        let total = counts.reduce(0, +)
        // Each group's mean takes one degree of freedom.
        let freedom = max(total - Double(Set(groups).count), 1)
        for index in covariance.indices { covariance[index] /= freedom }

        let size = Double(featureCount)
        let trace = (0..<featureCount).reduce(0) { $0 + covariance[$1 * featureCount + $1] }
        let square = DenseAlgebra.dot(covariance, covariance)
        let numerator = (1 - 2 / size) * square + trace * trace
        let denominator = (freedom + 1 - 2 / size) * (square - trace * trace / size)
        let weight = denominator > 0 ? min(numerator / denominator, 1) : 1
        shrinkage = weight
        for index in covariance.indices { covariance[index] *= 1 - weight }
        for index in 0..<featureCount {
            covariance[index * featureCount + index] += weight * trace / size + Self.floor
        }
        matrix = covariance
    }

    private static func centered(
        _ columns: [Double], _ featureCount: Int, _ groups: [Int], _ counts: [Double]
    ) -> [Double] {
        var sums: [Int: (sum: [Double], count: Double)] = [:]
        for (sample, group) in groups.enumerated() {
            var entry = sums[group] ?? ([Double](repeating: 0, count: featureCount), 0)
            for index in 0..<featureCount {
                entry.sum[index] += counts[sample] * columns[sample * featureCount + index]
            }
            entry.count += counts[sample]
            sums[group] = entry
        }
        var result = columns
        for (sample, group) in groups.enumerated() {
            guard let entry = sums[group], entry.count > 0 else { continue }
            for index in 0..<featureCount { result[sample * featureCount + index] -= entry.sum[index] / entry.count }
        }
        return result
    }
}
