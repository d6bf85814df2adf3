import Scheduling
import Testing
import Vocabulary

@Suite struct SampleReservoirTests {
    @Test func neverMoreThanTheShareOrTheCapacity() throws {
        for (share, block) in [(0.15, 7), (0.2, 5), (0.1, 10), (1, 1), (0.5, 2), (0.999, 2), (0.04, 25)] {
            var reservoir = try SampleReservoir<Int>(capacity: 20, share: share, seed: 1)
            for index in 1...2_000 {
                reservoir.offer(index)
                #expect(reservoir.elements.count == min(20, index / block), "\(share) after \(index)")
                #expect(Double(reservoir.elements.count) <= share * Double(index))
            }
            #expect(reservoir.seen == 2_000)
            #expect(Set(reservoir.elements).count == 20, "drawn twice at \(share)")
            #expect(reservoir.elements.allSatisfy { (1...2_000).contains($0) })
        }
    }

    @Test func theSeedDecides() throws {
        func sample(_ seed: UInt64) throws -> [Int] {
            var reservoir = try SampleReservoir<Int>(capacity: 50, seed: seed)
            for index in 0..<10_000 { reservoir.offer(index) }
            return reservoir.elements
        }
        let first = try sample(1)
        #expect(try sample(1) == first)
        #expect(try sample(2) != first)
    }

    /// Each of 700 elements is to be drawn with chance 10/700. Chi-squared over 70 groups of ten, for which the
    /// 99.9999% quantile with 69 degrees of freedom is below 145; without replacement the true spread is smaller still.
    @Test func everyElementHasTheSameChance() throws {
        var drawn = [Int](repeating: 0, count: 700)
        let runs = 7_000
        for seed in 0..<runs {
            var reservoir = try SampleReservoir<Int>(capacity: 10, share: 0.15, seed: UInt64(seed) &* 7_919)
            for index in 0..<700 { reservoir.offer(index) }
            for index in reservoir.elements { drawn[index] += 1 }
        }
        for grouping in [{ $0 / 10 }, { $0 % 70 }] as [(Int) -> Int] {
            var groups = [Double](repeating: 0, count: 70)
            for index in drawn.indices { groups[grouping(index)] += Double(drawn[index]) }
            let expected = Double(runs * 10) / 70
            let distance = groups.reduce(0) { $0 + ($1 - expected) * ($1 - expected) / expected }
            #expect(distance < 145)
        }
    }

    @Test func refusedArguments() {
        #expect(throws: ConfigurationError("SampleReservoir.capacity", 0, allowed: 1...1_000_000)) {
            try SampleReservoir<Int>(capacity: 0, seed: 1)
        }
        #expect(throws: ConfigurationError("SampleReservoir.share", Double.nan, allowed: 0.000_001...1)) {
            try SampleReservoir<Int>(capacity: 1, share: .nan, seed: 1)
        }
        for share in [0, -1, 1.01, .infinity] {
            #expect(
                throws: ConfigurationError("SampleReservoir.share", share, allowed: 0.000_001...1)
            ) {
                try SampleReservoir<Int>(capacity: 1, share: share, seed: 1)
            }
        }
    }
}
