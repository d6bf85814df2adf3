import Recognition
import TestSupport
import Testing
import Vocabulary

@Suite struct MedianSequenceTests {
    private enum Step {
        case push([Float])
        case skip
        case clear
    }

    private struct Setup {
        var width: Int
        var length: Int
    }

    /// The median of each element over the vectors among the last frames.
    private static func median(_ window: [[Float]?], _ width: Int) -> [Float]? {
        let present = window.compactMap { $0 }
        guard !present.isEmpty else { return nil }
        return (0..<width).map { element in
            let sorted = present.map { $0[element] }.sorted()
            let middle = sorted.count / 2
            return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        }
    }

    /// Behaviour A 46: the causal median of each logit, against sorting the last frames.
    @Test func anyLogits() throws {
        let property = SequenceProperty<Setup, Step>(
            "median of logits", sequences: 40_000,
            draw: { random in
                let setup = Setup(width: random.pick(1...4), length: random.pick(1...32))
                // Whole numbers, so that means are exact and equal values come often.
                let steps = (0..<random.pick(1...60)).map { _ -> Step in
                    if random.isOne(in: 8) { return .skip }
                    if random.isOne(in: 40) { return .clear }
                    return .push((0..<setup.width).map { _ in Float(random.pick(-9...9)) })
                }
                return (setup, steps)
            },
            difference: { setup, steps in
                var machine = LogitMedian(width: setup.width, length: setup.length)
                var window: [[Float]?] = []
                var output = [Float](repeating: 0, count: setup.width)
                for (index, step) in steps.enumerated() {
                    switch step {
                    case .push(let vector):
                        machine.push(vector.span)
                        window.append(vector)
                    case .skip:
                        machine.skip()
                        window.append(nil)
                    case .clear:
                        machine.clear()
                        window = []
                    }
                    if window.count > setup.length { window.removeFirst() }
                    guard let expected = Self.median(window, setup.width) else { continue }
                    var span = output.mutableSpan
                    machine.write(to: &span)
                    if output != expected { return "step \(index): \(output) instead of \(expected)" }
                }
                return nil
            })
        let counterexample = try property.counterexample()
        #expect(counterexample == nil, "\(String(describing: counterexample))")
    }
}
