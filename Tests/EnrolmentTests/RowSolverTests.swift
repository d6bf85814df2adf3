import Enrolment
import Testing
import Vocabulary

/// The solver against plain loops that share nothing with it.
struct RowSolverTests {
    @Test(arguments: [1, 2, 3, 7, 16, 33])
    func linearSystemsAgreeWithElimination(size: Int) throws {
        var random = SplitMix64(seed: UInt64(size))
        let root = (0..<size * size).map { _ in random.normal() }
        var matrix = [Double](repeating: 0, count: size * size)
        for row in 0..<size {
            for column in 0..<size {
                for k in 0..<size { matrix[row * size + column] += root[row * size + k] * root[column * size + k] }
            }
            matrix[row * size + row] += 0.5
        }
        let right = (0..<size).map { _ in random.normal() }
        let found = try #require(DenseAlgebra.solve(matrix, right))
        let expected = eliminate(matrix, right)
        for index in 0..<size { #expect(abs(found[index] - expected[index]) < 1e-9 * (1 + abs(expected[index]))) }
    }

    @Test func matricesThatAreNotDefiniteHaveNoSolution() {
        #expect(DenseAlgebra.solve([1, 2, 2, 1], [1, 1]) == nil)
        #expect(DenseAlgebra.solve([1, 1, 1, 1], [1, 1]) == nil)
        #expect(DenseAlgebra.solve([0], [1]) == nil)
        #expect(DenseAlgebra.solve([.nan], [1]) == nil)
        #expect(DenseAlgebra.solve([4], [2]) == [0.5])
    }

    /// One feature, one sample a side, no spread: with the metric 1 the optimum solves
    /// ridge * d = w * x * (1 - p) for x = +-a by symmetry, p = 1 / (1 + e^-(a d)).
    @Test(arguments: [0.1, 1.0, 10.0])
    func twoSymmetricSamplesHaveTheClosedForm(ridge: Double) throws {
        let a = 1.5
        let row = try fit(
            columns: [a, -a], featureCount: 1, offsets: [0, 0], targets: [true, false], weights: [1, 1],
            metric: [1], ridge: ridge)
        var low = 0.0
        var high = 100.0
        for _ in 0..<200 {
            let middle = (low + high) / 2
            let slope = ridge * middle - 2 * a * (1 - 1 / (1 + inverseExponential(a * middle)))
            if slope > 0 { high = middle } else { low = middle }
        }
        #expect(abs(row.weights[0] - low) < 1e-6)
        #expect(abs(row.bias) < 1e-6)
    }

    /// The gradient of the loss, by differences of a loss written here, vanishes at the solution; offsets included.
    @Test(arguments: [UInt64(1), 2, 3])
    func theSolutionIsStationary(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let width = 5
        let count = 40
        let columns = (0..<count * width).map { _ in random.normal() }
        let offsets = (0..<count).map { _ in 2 * random.normal() }
        let targets = (0..<count).map { columns[$0 * width] + random.normal() > 0 }
        let weights = (0..<count).map { $0 % 7 == 0 ? 0 : random.unit() }
        var metric = [Double](repeating: 0.1, count: width * width)
        for index in 0..<width { metric[index * width + index] = 1 + Double(index) }
        func loss(_ row: [Double]) -> Double {
            var sum = 0.5e-4 * row[width] * row[width]
            for i in 0..<width { for j in 0..<width { sum += 0.35 * row[i] * metric[i * width + j] * row[j] } }
            for sample in 0..<count {
                var t = offsets[sample] + row[width]
                for index in 0..<width { t += row[index] * columns[sample * width + index] }
                sum += weights[sample] * softplus(targets[sample] ? -t : t)
            }
            return sum
        }
        let fit = try self.fit(
            columns: columns, featureCount: width, offsets: offsets, targets: targets, weights: weights,
            metric: metric, ridge: 0.7)
        let row = fit.weights + [fit.bias]
        let lowest = loss(row)
        for index in row.indices {
            for step in [-1e-3, 1e-3] {
                var moved = row
                moved[index] += step
                #expect(loss(moved) > lowest)
            }
        }
        // What was left out does not count.
        var changed = columns
        for sample in 0..<count where weights[sample] == 0 { changed[sample * width] += 100 }
        let again = try self.fit(
            columns: changed, featureCount: width, offsets: offsets, targets: targets, weights: weights,
            metric: metric, ridge: 0.7)
        for (a, b) in zip(again.weights, fit.weights) { #expect(abs(a - b) < 1e-6) }
    }

    @Test func extremeOffsetsConverge() throws {
        let fit = try self.fit(
            columns: [6, 6, 0, 0], featureCount: 1, offsets: [-400, -380, 300, 500],
            targets: [true, true, false, false],
            weights: [1, 1, 1, 1], metric: [1e-4], ridge: 1)
        #expect(fit.weights[0] * 6 + fit.bias - 400 > 0)
        #expect(fit.bias + 500 < 0)
    }

    private static let twoClasses: [Double] = [0, 0, 2, 0, 10, 0, 10, 4]

    /// Columns of two features, their classes, how often each counts and its unit: two classes of two columns each, with
    /// within-class variances 1 and 4 and no correlation; two columns of one class; and columns without spread, which have the
    /// variance of the rounding.
    @Test(
        arguments: [
            (twoClasses, [0, 0, 1, 1], 1, 1), (twoClasses, [0, 0, 1, 1], 50, 1), (twoClasses, [0, 0, 1, 1], 50, 0.01),
            ([0, 0, 2, 0], [0, 0], 1, 1), ([1, 2, 1, 2], [0, 0], 1, 1),
        ] as [([Double], [Int], Double, Double)])
    func thePooledCovarianceIsShrunk(_ columns: [Double], _ groups: [Int], _ count: Double, _ unit: Double) {
        let metric = FeatureMetric(
            columns: columns.map { $0 * unit }, featureCount: 2, groups: groups, counts: groups.map { _ in count })
        let degrees = count * Double(groups.count) - Double(Set(groups).count)
        let variances = (0..<2).map { feature in
            groups.indices.reduce(0.0) { sum, index in
                let members = groups.indices.filter { groups[$0] == groups[index] }
                let mean = members.reduce(0) { $0 + columns[2 * $1 + feature] } / Double(members.count)
                let offset = unit * (columns[2 * index + feature] - mean)
                return sum + count * offset * offset / degrees
            }
        }
        let mean = (variances[0] + variances[1]) / 2
        let spread = variances.reduce(0) { $0 + $1 * $1 } - 2 * mean * mean
        // Equation 23 of the shrinkage towards the mean variance.
        let expected = spread > 0 ? min(4 * mean * mean / (degrees * spread), 1) : 1
        #expect(abs(metric.shrinkage - expected) < 1e-12)
        let floor = (6.0 / 255) * (6.0 / 255) / 12
        for feature in 0..<2 {
            let variance = (1 - expected) * variances[feature] + expected * mean + floor
            #expect(abs(metric.matrix[3 * feature] - variance) < 1e-12)
        }
        #expect(metric.matrix[1] == 0 && metric.matrix[2] == 0)
    }

    @Test func runsAndBestsAreCountedByHand() {
        #expect(ConsecutiveRuns.runs("..xx.xxx.xxxx".map { $0 == "x" }, count: 3) == 2)
        #expect(ConsecutiveRuns.runs("xxx".map { $0 == "x" }, count: 3) == 1)
        #expect(ConsecutiveRuns.runs("".map { $0 == "x" }, count: 1) == 0)
        #expect(ConsecutiveRuns.best([1, 5, 4, 6, -1], count: 3) == 4)
        #expect(ConsecutiveRuns.best([2, 1], count: 3) == 1)
        #expect(ConsecutiveRuns.best([], count: 3) == -.infinity)
    }

    private func fit(
        columns: [Double], featureCount: Int, offsets: [Double], targets: [Bool], weights: [Double],
        metric: [Double], ridge: Double
    ) throws -> RowFit {
        try RowProblem(columns: columns, featureCount: featureCount, offsets: offsets, targets: targets).solve(
            weights: weights, metric: FeatureMetric(matrix: metric), ridge: ridge)
    }

    private func eliminate(_ matrix: [Double], _ right: [Double]) -> [Double] {
        let n = right.count
        var a = matrix
        var x = right
        for pivot in 0..<n {
            let best = (pivot..<n).max { abs(a[$0 * n + pivot]) < abs(a[$1 * n + pivot]) }!
            for k in 0..<n { a.swapAt(pivot * n + k, best * n + k) }
            x.swapAt(pivot, best)
            for row in pivot + 1..<n {
                let factor = a[row * n + pivot] / a[pivot * n + pivot]
                for k in pivot..<n { a[row * n + k] -= factor * a[pivot * n + k] }
                x[row] -= factor * x[pivot]
            }
        }
        for row in stride(from: n - 1, through: 0, by: -1) {
            for k in row + 1..<max(n, row + 1) { x[row] -= a[row * n + k] * x[k] }
            x[row] /= a[row * n + row]
        }
        return x
    }

    /// e^-x by its series with halvings.
    private func inverseExponential(_ x: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        let small = -x / 1024
        for k in 1...12 {
            term *= small / Double(k)
            sum += term
        }
        for _ in 0..<10 { sum *= sum }
        return sum
    }

    /// ln(1 + e^t) by integrating its derivative from a point where it is known to be e^t.
    private func softplus(_ t: Double) -> Double {
        let magnitude = inverseExponential(abs(t))
        // ln(1 + y) = 2 artanh(y / (2 + y)).
        let z = magnitude / (2 + magnitude)
        var power = z
        var sum = 0.0
        for k in stride(from: 1, through: 41, by: 2) {
            sum += power / Double(k)
            power *= z * z
        }
        return max(t, 0) + 2 * sum
    }
}
