import Enrolment
import Testing
import Vocabulary

/// The solver against plain loops that share nothing with it, seen through `RowProbe`.
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
        let found = try #require(RowProbe.solve(matrix, right))
        let expected = eliminate(matrix, right)
        for index in 0..<size { #expect(abs(found[index] - expected[index]) < 1e-9 * (1 + abs(expected[index]))) }
    }

    @Test func matricesThatAreNotDefiniteHaveNoSolution() {
        #expect(RowProbe.solve([1, 2, 2, 1], [1, 1]) == nil)
        #expect(RowProbe.solve([1, 1, 1, 1], [1, 1]) == nil)
        #expect(RowProbe.solve([0], [1]) == nil)
        #expect(RowProbe.solve([.nan], [1]) == nil)
        #expect(RowProbe.solve([4], [2]) == [0.5])
    }

    /// One feature, one sample a side, no spread: with the metric 1 the optimum solves
    /// ridge * d = w * x * (1 - p) for x = +-a by symmetry, p = 1 / (1 + e^-(a d)).
    @Test(arguments: [0.1, 1.0, 10.0])
    func twoSymmetricSamplesHaveTheClosedForm(ridge: Double) throws {
        let a = 1.5
        let row = try RowProbe.fit(
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
        let fit = try RowProbe.fit(
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
        let again = try RowProbe.fit(
            columns: changed, featureCount: width, offsets: offsets, targets: targets, weights: weights,
            metric: metric, ridge: 0.7)
        for (a, b) in zip(again.weights, fit.weights) { #expect(abs(a - b) < 1e-6) }
    }

    @Test func extremeOffsetsConverge() throws {
        let fit = try RowProbe.fit(
            columns: [6, 6, 0, 0], featureCount: 1, offsets: [-400, -380, 300, 500],
            targets: [true, true, false, false],
            weights: [1, 1, 1, 1], metric: [1e-4], ridge: 1)
        #expect(fit.weights[0] * 6 + fit.bias - 400 > 0)
        #expect(fit.bias + 500 < 0)
    }

    /// Two classes of two columns each, by hand: within-class variances 1 and 4, no correlation.
    @Test func thePooledCovarianceIsShrunkTowardsItsMeanVariance() {
        let columns: [Double] = [0, 0, 2, 0, 10, 0, 10, 4]
        let (matrix, shrinkage) = RowProbe.metric(
            columns: columns, featureCount: 2, groups: [0, 0, 1, 1], counts: [1, 1, 1, 1])
        // Sums of squares 2 and 8 over 4 - 2 degrees of freedom.
        let (a, b) = (1.0, 4.0)
        let square = a * a + b * b
        let trace = a + b
        let weight = (trace * trace) / ((2 + 1 - 1) * (square - trace * trace / 2))
        let expected = min(weight, 1)
        #expect(abs(shrinkage - expected) < 1e-12)
        let floor = (6.0 / 255) * (6.0 / 255) / 12
        #expect(abs(matrix[0] - ((1 - expected) * a + expected * trace / 2 + floor)) < 1e-12)
        #expect(abs(matrix[3] - ((1 - expected) * b + expected * trace / 2 + floor)) < 1e-12)
        #expect(matrix[1] == 0 && matrix[2] == 0)
    }

    /// The same columns, each for fifty, in any unit: the shrinkage is equation 23 with 198 degrees of freedom.
    @Test(arguments: [1.0, 0.01]) func manyColumnsAreShrunkLittle(unit: Double) {
        let columns: [Double] = [0, 0, 2, 0, 10, 0, 10, 4]
        let (matrix, shrinkage) = RowProbe.metric(
            columns: columns.map { $0 * unit }, featureCount: 2, groups: [0, 0, 1, 1], counts: [50, 50, 50, 50])
        let (a, b) = (100 * unit * unit / 198, 400 * unit * unit / 198)
        let expected = (a + b) * (a + b) / ((198 + 1 - 1) * (a * a + b * b - (a + b) * (a + b) / 2))
        #expect(abs(shrinkage - expected) < 1e-12 && expected < 0.03)
        let floor = (6.0 / 255) * (6.0 / 255) / 12
        #expect(abs(matrix[0] - ((1 - expected) * a + expected * (a + b) / 2 + floor)) < 1e-12)
    }

    /// Two columns of one class have one degree of freedom.
    @Test func twoColumnsHaveTheirVariance() {
        let (matrix, shrinkage) = RowProbe.metric(
            columns: [0, 0, 2, 0], featureCount: 2, groups: [0, 0], counts: [1, 1])
        let floor = (6.0 / 255) * (6.0 / 255) / 12
        #expect(shrinkage == 1 && matrix == [1 + floor, 0, 0, 1 + floor])
    }

    @Test func columnsWithoutSpreadHaveTheRoundingsVariance() {
        let (matrix, shrinkage) = RowProbe.metric(
            columns: [1, 2, 1, 2], featureCount: 2, groups: [0, 0], counts: [1, 1])
        let floor = (6.0 / 255) * (6.0 / 255) / 12
        #expect(shrinkage == 1)
        #expect(matrix == [floor, 0, 0, floor])
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
