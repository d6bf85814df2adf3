import Testing
import Vocabulary

@Suite struct SplitMix64Tests {
    /// The first numbers of seed 1234567, as the reference program of Vigna's page prints them.
    @Test func theNumbersOfTheReference() {
        var random = SplitMix64(seed: 1_234_567)
        let found = (0..<5).map { _ in random.next() }
        #expect(
            found == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    /// Numbers that would give some results more often than others are left out: nearly half of them for this bound.
    @Test func noResultIsMoreLikelyThanAnother() {
        let bound: UInt64 = 1 << 63 + 1
        var (random, numbers) = (SplitMix64(seed: 3), SplitMix64(seed: 3))
        var omitted = 0
        for _ in 0..<200 {
            // Of 2^64 products, those whose low halves are below 2^64 mod bound are too many.
            var product = numbers.next().multipliedFullWidth(by: bound)
            while product.low < (0 &- bound) % bound {
                omitted += 1
                product = numbers.next().multipliedFullWidth(by: bound)
            }
            #expect(random.next(below: bound) == product.high)
        }
        #expect(omitted > 100)
    }

    /// Where the bound divides 2^64 every result is equally likely, and no number is left out.
    @Test func nothingIsLeftOutBelowAPowerOfTwo() {
        var (random, numbers) = (SplitMix64(seed: 5), SplitMix64(seed: 5))
        for _ in 0..<50 {
            let number = numbers.next()
            #expect(random.next(below: 1 << 63) == number >> 1)
        }
    }

    @Test func numbersAreBelowTheirBound() {
        var random = SplitMix64(seed: 4)
        for bound: UInt64 in [1, 2, 3, 10, 1 << 40, .max] {
            for _ in 0..<100 { #expect(random.next(below: bound) < bound) }
        }
        for _ in 0..<100 { #expect((0..<1).contains(random.unit())) }
    }
}
