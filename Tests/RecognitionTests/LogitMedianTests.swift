import Recognition
import Testing
import Vocabulary

@Suite struct LogitMedianTests {
    private static func median(_ filter: borrowing LogitMedian, width: Int) -> [Float] {
        var output = [Float](repeating: .nan, count: width)
        var span = output.mutableSpan
        filter.write(to: &span)
        return output
    }

    private static func sorted(_ values: [Float]) -> Float {
        let values = values.sorted()
        let middle = values.count / 2
        return values.count % 2 == 1 ? values[middle] : 0.5 * values[middle - 1] + 0.5 * values[middle]
    }

    /// Against sorting the last `length` frames, with ties, missing frames and clears.
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 30, 31, 32], [1, 2, 13, 64]) func agreesWithSorting(
        length: Int, width: Int
    ) {
        var generator = SplitMix64(seed: UInt64(length * 100 + width))
        var filter = LogitMedian(width: width, length: length)
        var history: [[Float]?] = []
        for _ in 0..<200 {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0:
                filter.clear()
                history = []
            case 1...4:
                filter.skip()
                history.append(nil)
            default:
                let vector = (0..<width).map { _ in Float(Int.random(in: -4...4, using: &generator)) * 0.25 }
                filter.push(vector.span)
                history.append(vector)
            }
            let window = history.suffix(length).compactMap { $0 }
            guard !window.isEmpty else { continue }
            let expected = (0..<width).map { element in Self.sorted(window.map { $0[element] }) }
            #expect(Self.median(filter, width: width) == expected)
        }
    }

    @Test func extremesDoNotOverflow() {
        var filter = LogitMedian(width: 1, length: 5)
        filter.push([Float.greatestFiniteMagnitude].span)
        filter.push([Float.greatestFiniteMagnitude].span)
        #expect(Self.median(filter, width: 1) == [.greatestFiniteMagnitude])
    }
}
