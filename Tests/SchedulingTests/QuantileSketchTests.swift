import Scheduling
import Testing
import Vocabulary

@Suite struct QuantileSketchTests {
    private static let perMilles = [0, 1, 10, 100, 250, 500, 750, 900, 950, 990, 999, 1000]

    /// The smallest value that at least the share of all values does not exceed.
    private func oracle(_ sorted: [Int64], _ perMille: Int) -> Int64? {
        sorted.indices.first { ($0 + 1) * 1000 >= perMille * sorted.count }.map { sorted[$0] }
    }

    private func isWithinOnePerCent(_ found: Int64?, of expected: Int64?) -> Bool {
        guard let found, let expected else { return found == expected }
        return (found - expected).magnitude * 100 <= expected.magnitude
    }

    private func check(_ values: [Int64]) {
        var sketch = QuantileSketch()
        for value in values { sketch.record(value) }
        let sorted = values.sorted()
        #expect(sketch.count == values.count)
        #expect(sketch.minimum == sorted.first)
        #expect(sketch.maximum == sorted.last)
        for perMille in Self.perMilles {
            let found = sketch.percentile(perMille: perMille)
            let expected = oracle(sorted, perMille)
            #expect(
                isWithinOnePerCent(found, of: expected),
                "\(perMille): \(String(describing: found)), not \(String(describing: expected))")
        }
    }

    @Test func withinOnePerCentOfSorting() {
        var random = SplitMix64(seed: 2)
        for count in [1, 2, 3, 19, 20, 21, 100, 999, 1_000, 1_001, 20_000] {
            check((0..<count).map { _ in Int64.random(in: 0...10 * millisecond, using: &random) })
            // Two modes: a fast unit and a slow one.
            check(
                (0..<count).map { _ in
                    Bool.random(using: &random)
                        ? Int64.random(in: 8 * millisecond...12 * millisecond, using: &random)
                        : Int64.random(in: 30 * millisecond...40 * millisecond, using: &random)
                })
            // As many of every magnitude, a long tail.
            check((0..<count).map { _ in Int64(1) << Int64.random(in: 0...35, using: &random) })
            check((0..<count).map { _ in Int64.random(in: 0...150, using: &random) })
            check([Int64](repeating: 4_400 * microsecond, count: count))
        }
    }

    /// The longest duration is exact, also at the end of its bucket, which has 16,384 values.
    @Test func theLongestIsExact() {
        var sketch = QuantileSketch()
        let longest = (Int64(1) << 20) + 16_383
        sketch.record(5)
        sketch.record(longest)
        #expect(sketch.percentile(perMille: 1000) == longest && sketch.percentile(perMille: 501) == longest)
    }

    /// The middle one of three values is the representative of its bucket, which neither end of the range corrects.
    @Test func everyMagnitudeAndItsNeighbours() {
        for exponent in 1..<36 {
            for step in 0..<64 {
                for offset: Int64 in -1...1 {
                    let power = Int64(1) << Int64(exponent)
                    let value = power + power / 64 * Int64(step) + offset
                    guard value > 0, value < QuantileSketch.limit - 1 else { continue }
                    var sketch = QuantileSketch()
                    for recorded in [0, value, QuantileSketch.limit - 1] { sketch.record(recorded) }
                    #expect(isWithinOnePerCent(sketch.percentile(perMille: 500), of: value), "\(value)")
                }
            }
        }
    }

    @Test func below128NanosecondsExact() {
        var sketch = QuantileSketch()
        for value in 0..<128 { sketch.record(Int64(value)) }
        sketch.record(second)
        for value in 0..<128 {
            // The rank of `value` among 129, rounded down to a per-mille that reaches it and not the one before.
            let perMille = (value + 1) * 1000 / 129
            #expect(sketch.percentile(perMille: perMille) == Int64(value))
        }
    }

    @Test func emptyAndUnsound() {
        var sketch = QuantileSketch()
        #expect(sketch.percentile(perMille: 500) == nil)
        #expect(sketch.count == 0 && sketch.minimum == 0 && sketch.maximum == 0)
        sketch.record(-5)
        sketch.record(.min)
        #expect(sketch.percentile(perMille: 1000) == 0)
        sketch.record(.max)
        sketch.record(100 * second)
        #expect(sketch.maximum == .max && sketch.count == 4)
        #expect(sketch.percentile(perMille: 500) == 0)
        // Beyond the range the longest stands for all.
        #expect(sketch.percentile(perMille: 750) == .max)
        #expect(sketch.percentile(perMille: -7) == 0)
        #expect(sketch.percentile(perMille: 7_000) == .max)
    }

    @Test func mergedIsTheSketchOfBoth() {
        var random = SplitMix64(seed: 4)
        for (left, right) in [(0, 0), (0, 10), (10, 0), (1, 1), (500, 3), (1_000, 1_000)] {
            var first = QuantileSketch()
            var second = QuantileSketch()
            var both = QuantileSketch()
            for index in 0..<left + right {
                let value = Int64.random(in: 1_000...100 * millisecond, using: &random)
                both.record(value)
                if index < left { first.record(value) } else { second.record(value) }
            }
            var reversed = second
            reversed.merge(first)
            first.merge(second)
            #expect(first == both, "\(left) + \(right)")
            #expect(reversed == both, "\(left) + \(right)")
        }
    }
}
