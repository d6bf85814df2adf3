import Network
import Testing
import Vocabulary

/// The products of builds without BLAS, in every build.
@Suite struct PlainProductTests {
    /// Shapes of the network and around the sizes of the blocks.
    private static let shapes = [
        (1, 1, 1), (3, 5, 2), (4, 4, 2), (5, 7, 3), (8, 16, 13), (9, 31, 17), (12, 33, 32), (49, 64, 128),
        (196, 128, 128),
    ]

    private func random(_ count: Int, _ seed: UInt64) -> [Float] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in Float(random.unit() * 2 - 1) }
    }

    /// As far as sums of this depth may round: half an ulp of the largest partial sum for each term.
    private func tolerance(_ depth: Int) -> Double { Double(depth) * Double(depth) * Double(Float.ulpOfOne) / 2 + 1e-7 }

    @Test(arguments: shapes) func multiplies(rows: Int, depth: Int, outputs: Int) {
        let (a, w) = (random(rows * depth, 1), random(outputs * depth, 2))
        var c = [Float](repeating: .nan, count: rows * outputs)
        unsafe PlainProduct.multiply(a, rows: rows, depth: depth, by: w, outputs: outputs, to: &c)
        for m in 0..<rows {
            for n in 0..<outputs {
                let exact = (0..<depth).reduce(0.0) { $0 + Double(a[m * depth + $1]) * Double(w[n * depth + $1]) }
                #expect(abs(Double(c[m * outputs + n]) - exact) <= tolerance(depth), "\(m), \(n)")
            }
        }
    }

    @Test(arguments: shapes) func applies(rows: Int, depth: Int, outputs: Int) {
        let (w, x) = (random(rows * depth, 3), random(depth, 4))
        for adding in [false, true] {
            var sum = [Float](repeating: adding ? 0.5 : .nan, count: rows)
            unsafe PlainProduct.apply(w, rows: rows, depth: depth, to: x, sum: &sum, adding: adding)
            for n in 0..<rows {
                let exact = (0..<depth).reduce(adding ? 0.5 : 0.0) { $0 + Double(w[n * depth + $1]) * Double(x[$1]) }
                #expect(abs(Double(sum[n]) - exact) <= tolerance(depth), "\(n)")
            }
        }
    }
}
