import Vocabulary

/// Changes of files as damage and attacks make them.
enum Mutation {
    private static let numbers: [UInt64] = [
        0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, .max, .max >> 1, 1 << 63,
    ]

    /// One to three changes at places that `generator` chooses.
    static func change(_ bytes: inout [UInt8], _ generator: inout SplitMix64) {
        for _ in 0...Int.random(in: 0..<3, using: &generator) { changeOnce(&bytes, &generator) }
    }

    private static func changeOnce(_ bytes: inout [UInt8], _ generator: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<9, using: &generator) {
        case 0, 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 3: bytes[index] = bytes[index] &+ 1
        case 4: bytes[index] = bytes[index] &- 1
        case 5:
            // A number of 1 to 8 bytes.
            let number = numbers.randomElement(using: &generator) ?? 0
            for byte in 0..<[1, 2, 4, 8][index % 4] where index + byte < bytes.count {
                bytes[index + byte] = UInt8(truncatingIfNeeded: number >> UInt64(8 * byte))
            }
        case 6:
            // Bytes from elsewhere, in between.
            let from = Int.random(in: 0..<bytes.count, using: &generator)
            bytes.insert(contentsOf: bytes[from..<min(bytes.count, from + 16)], at: index)
        case 7: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...8, using: &generator)))
        default: bytes.removeLast(bytes.count - index)
        }
    }
}
