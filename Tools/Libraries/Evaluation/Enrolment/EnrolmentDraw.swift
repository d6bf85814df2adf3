import Vocabulary

/// The choice of the clips of a label that are the examples of a trial.
///
/// Each draw has its own order, and a trial takes the first clips: the examples of a smaller number are among those of
/// a larger one, so that numbers are compared on the same takes. The same on every machine.
package struct EnrolmentDraw: Sendable, Equatable {
    /// Positions of all clips, in the order in which they become examples.
    package let order: [Int]

    /// - label: draws of different labels are independent.
    /// - index: the number of the draw, from 0.
    package init(of clips: Int, label: String, index: Int, seed: UInt64) {
        precondition(clips >= 0 && index >= 0)
        var random = SplitMix64(seed: Self.hash(label.utf8) ^ seed &* 0xD6E8_FEB8_6659_FD93)
        for _ in 0..<index { random = SplitMix64(seed: random.next()) }
        var order = Array(0..<clips)
        // Fisher and Yates; the order of the standard library's shuffle is not specified.
        for last in stride(from: clips - 1, to: 0, by: -1) {
            order.swapAt(last, Int(random.next(below: UInt64(last + 1))))
        }
        self.order = order
    }

    /// The examples of a trial, or nil if no clip would be left to test.
    package func examples(_ count: Int) -> ArraySlice<Int>? {
        count > 0 && count < order.count ? order.prefix(count) : nil
    }

    /// FNV-1a.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
