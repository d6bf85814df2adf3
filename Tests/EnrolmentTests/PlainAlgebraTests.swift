import Enrolment
import Testing
import Vocabulary

/// The algebra of builds without BLAS, in every build.
@Suite struct PlainAlgebraTests {
    private func random(_ count: Int, _ seed: UInt64) -> [Double] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in random.unit() * 2 - 1 }
    }

    @Test(arguments: [(1, 1), (3, 2), (7, 5), (40, 17), (130, 129)]) func products(rows: Int, width: Int) {
        let (x, v, t) = (random(rows * width, 1), random(width, 2), random(rows, 3))
        var gram = [Double](repeating: 7, count: width * width)
        PlainAlgebra.gram(x, width: width, lower: &gram)
        var (along, across) = ([Double](repeating: .nan, count: rows), [Double](repeating: .nan, count: width))
        PlainAlgebra.multiply(x, width: width, by: v, transposed: false, to: &along)
        PlainAlgebra.multiply(x, width: width, by: t, transposed: true, to: &across)
        for i in 0..<width {
            for j in 0..<width {
                let exact = (0..<rows).reduce(0.0) { $0 + x[$1 * width + i] * x[$1 * width + j] }
                let found = gram[i * width + j]
                #expect(j <= i ? abs(found - exact) < 1e-12 : found == 7, "\(i), \(j)")
            }
            let exact = (0..<rows).reduce(0.0) { $0 + x[$1 * width + i] * t[$1] }
            #expect(abs(across[i] - exact) < 1e-12)
        }
        for row in 0..<rows {
            let exact = (0..<width).reduce(0.0) { $0 + x[row * width + $1] * v[$1] }
            #expect(abs(along[row] - exact) < 1e-12)
        }
        #expect(unsafe abs(PlainAlgebra.dot(v, v, width) - v.reduce(0) { $0 + $1 * $1 }) < 1e-12)
    }

    /// Each of four partial sums has every fourth product: two of the first are too large for the others beside them.
    @Test func aProductHasFourPartialSums() {
        let (x, ones) = ([1e16, 1, 0, 0, -1e16, 1, 0, 0], [Double](repeating: 1, count: 8))
        #expect(unsafe PlainAlgebra.dot(x, ones, 8) == 2)
    }

    /// `l l' x = b` for a lower triangle with a strong diagonal; what lies above it has no influence.
    @Test(arguments: [1, 2, 3, 8, 33]) func solves(n: Int) {
        var l = random(n * n, 4)
        for i in 0..<n { l[i * n + i] = 2 + abs(l[i * n + i]) + Double(n) / 4 }
        let x = random(n, 5)
        func lower(_ i: Int, _ j: Int) -> Double { j <= i ? l[i * n + j] : 0 }
        let y = (0..<n).map { j in (0..<n).reduce(0.0) { $0 + lower($1, j) * x[$1] } }
        var b = (0..<n).map { i in (0..<n).reduce(0.0) { $0 + lower(i, $1) * y[$1] } }
        PlainAlgebra.solve(factor: l, &b)
        for i in 0..<n { #expect(abs(b[i] - x[i]) < 1e-12, "\(i)") }
    }
}
