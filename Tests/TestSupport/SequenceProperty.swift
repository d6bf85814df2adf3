import Foundation
package import Vocabulary

/// A state machine that is compared with a plain model over random sequences of steps.
///
/// Every sequence has its own seed, so that a difference can be found again by its number alone.
package struct SequenceProperty<Setup, Step> {
    /// A sequence for which the machine and the model differ, after it was made short.
    package struct Counterexample: CustomStringConvertible {
        /// The seed of the sequence from which it was made.
        package let seed: UInt64
        package let setup: Setup
        package let steps: [Step]
        /// What differs, for the short sequence.
        package let difference: String

        package var description: String {
            let lines = steps.enumerated().map { "  \($0). \($1)" }
            return (["seed \(seed): \(difference)", "\(setup)"] + lines).joined(separator: "\n")
        }
    }

    private let name: String
    private let standard: Int
    private let cost: Int
    private let draw: (inout SplitMix64) -> (Setup, [Step])
    private let difference: (Setup, [Step]) throws -> String?

    /// - Parameters:
    ///   - name: for the line on standard output.
    ///   - sequences: how many are tried, unless the environment variable `SEQUENCES` has another number.
    ///   - cost: by how much `SEQUENCES` is divided, for steps that take long.
    ///   - draw: makes a setup and a sequence from random numbers.
    ///   - difference: runs machine and model side by side; nil if they agree. It must accept any part of a sequence.
    package init(
        _ name: String, sequences: Int, cost: Int = 1, draw: @escaping (inout SplitMix64) -> (Setup, [Step]),
        difference: @escaping (Setup, [Step]) throws -> String?
    ) {
        self.name = name
        standard = sequences
        self.cost = cost
        self.draw = draw
        self.difference = difference
    }

    /// Tries the sequences, and prints how many there were.
    /// - Returns: nil if machine and model agree in all of them.
    package func counterexample() throws -> Counterexample? {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["SEQUENCES"].flatMap { Int($0) }.map { $0 / cost } ?? standard
        let first = environment["SEQUENCES_SEED"].flatMap { UInt64($0) } ?? 1
        let clock = ContinuousClock()
        let start = clock.now
        var stepCount = 0
        for seed in first..<first + UInt64(count) {
            var random = SplitMix64(seed: seed)
            let (setup, steps) = draw(&random)
            stepCount += steps.count
            guard try difference(setup, steps) != nil else { continue }
            let short = try shortened(steps) { try difference(setup, $0) != nil }
            return Counterexample(
                seed: seed, setup: setup, steps: short, difference: try difference(setup, short) ?? "")
        }
        let seconds = ((clock.now - start) / .seconds(1)).formatted(
            .number.precision(.fractionLength(1)).grouping(.never))
        print("sequences | \(name) | \(count) | \(stepCount) | \(first) | \(seconds)")
        return nil
    }
}

/// The shortest part of a sequence that still fails, as far as leaving out steps leads to it (delta debugging: Zeller and
/// Hildebrandt 2002). Parts of half the length are left out first, then ever shorter ones, in the end single steps.
package func shortened<Step>(_ steps: [Step], while fails: ([Step]) throws -> Bool) rethrows -> [Step] {
    var steps = steps
    var length = max(1, steps.count / 2)
    while true {
        var start = 0
        var isShorter = false
        while start < steps.count {
            let candidate = Array(steps[..<start] + steps[min(start + length, steps.count)...])
            if try fails(candidate) {
                steps = candidate
                isShorter = true
            } else {
                start += length
            }
        }
        if length > 1 {
            length /= 2
        } else if !isShorter {
            return steps
        }
    }
}

/// Counts what the sequences of a property lead to, so that a test can require that they try every outcome.
package final class OutcomeTally {
    private var counts: [String: Int] = [:]

    package init() {}

    package func add(_ outcome: some Any, count: Int = 1) { counts["\(outcome)", default: 0] += count }

    /// The outcomes that occurred fewer than `minimum` times, each with its count.
    package func missing(_ outcomes: [some Any], minimum: Int) -> [String] {
        outcomes.map { "\($0)" }.filter { counts[$0, default: 0] < minimum }.map { "\($0): \(counts[$0, default: 0])" }
    }
}

extension SplitMix64 {
    /// One of several values, each as likely.
    package mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(next(below: UInt64(values.count)))] }

    /// A number of a range, each as likely.
    package mutating func pick(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next(below: UInt64(range.count)))
    }

    /// True once in so many times.
    package mutating func isOne(in count: UInt64) -> Bool { next(below: count) == 0 }
}
