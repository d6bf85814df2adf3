import TestSupport
import Testing
import Vocabulary

@Suite struct ShorteningTests {
    /// A sequence fails that has a 3 and, later, a 7: those two are left.
    @Test func twoStepsAreLeft() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<200 {
            var steps = (0..<random.pick(0...60)).map { _ in random.pick(0...9) }
            steps.insert(3, at: random.pick(0...steps.count))
            steps.append(7)
            let short = shortened(steps) { candidate in
                guard let first = candidate.firstIndex(of: 3) else { return false }
                return candidate[first...].contains(7)
            }
            #expect(short == [3, 7], "\(steps)")
        }
    }

    @Test func aSequenceThatAlwaysFailsBecomesEmpty() { #expect(shortened([1, 2, 3]) { _ in true }.isEmpty) }

    /// A machine that is wrong from the fifth step of one kind on: its shortest counterexample is found.
    @Test func aWrongMachineIsFound() throws {
        let property = SequenceProperty<Int, Bool>(
            "wrong on purpose", sequences: 100,
            draw: { random in (random.pick(1...3), (0..<40).map { _ in random.isOne(in: 2) }) },
            difference: { setup, steps in
                let (counted, expected) = (min(4, steps.count { $0 }), steps.count { $0 })
                return counted == expected ? nil : "\(setup): \(counted) instead of \(expected)"
            })
        let found = try #require(try property.counterexample())
        #expect(found.steps == [true, true, true, true, true])
        #expect(found.difference == "\(found.setup): 4 instead of 5")
        #expect(found.description.hasPrefix("seed 1: "))
    }
}
