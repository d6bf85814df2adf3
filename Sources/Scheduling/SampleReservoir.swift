package import Vocabulary

/// A uniform sample of a stream of unknown length in bounded memory: at most `capacity` elements, and at most the share
/// `share` of those seen.
///
/// Elements come in blocks of n, the smallest n with 1/n <= share. Each block draws one of its elements, and the drawn
/// ones go through a reservoir of `capacity`: algorithm R (Waterman; Vitter 1985) both times. So every element of the
/// complete blocks has the same chance. One reservoir alone cannot keep a share: while its size grows, elements that it
/// rejected earlier could not come back. The sample depends only on the seed and the number of elements seen.
package struct SampleReservoir<Element: Sendable>: Sendable {
    /// The sample, in no order.
    package private(set) var elements: [Element] = []
    /// Number of offered elements.
    package private(set) var seen = 0

    private let capacity: Int
    private let blockLength: UInt64
    private var blocks: UInt64 = 0
    private var inBlock: UInt64 = 0
    private var drawn: Element?
    private var random: SplitMix64

    /// - capacity: 1...1,000,000 elements, allocated at once.
    /// - share: 0.000001...1; the default is the source's for keyframes.
    package init(capacity: Int, share: Double = 0.15, seed: UInt64) throws(ConfigurationError) {
        try ConfigurationError.check(capacity, "SampleReservoir.capacity", in: 1...1_000_000)
        try ConfigurationError.check(share, "SampleReservoir.share", in: 0.000_001...1)
        self.capacity = capacity
        blockLength = UInt64((1 / share).rounded(.up))
        random = SplitMix64(seed: seed)
        elements.reserveCapacity(capacity)
    }

    /// Offers the next element of the stream, which is computed only if it is drawn.
    package mutating func offer(_ element: @autoclosure () -> Element) {
        seen += 1
        inBlock += 1
        if random.next(below: inBlock) == 0 { drawn = element() }
        guard inBlock == blockLength, let candidate = drawn else { return }
        inBlock = 0
        drawn = nil
        blocks += 1
        if elements.count < capacity {
            elements.append(candidate)
        } else {
            let place = random.next(below: blocks)
            if place < UInt64(capacity) { elements[Int(place)] = candidate }
        }
    }
}
