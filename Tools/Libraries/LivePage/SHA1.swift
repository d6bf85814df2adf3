/// The SHA-1 digest (FIPS 180-4), which the handshake of a WebSocket asks for. No secret depends on it.
package enum SHA1 {
    /// The 20 bytes of the digest.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        func bigEndian<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
            stride(from: Word.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> Word($0)) }
        }
        // The message ends in a one bit, zeros, and its length in bits.
        var message = bytes + [0x80]
        message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64) + bigEndian(UInt64(bytes.count) * 8)
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        for start in stride(from: 0, to: message.count, by: 64) {
            compress(message[start..<(start + 64)], &state)
        }
        return state.flatMap { bigEndian($0) }
    }

    private static func compress(_ block: ArraySlice<UInt8>, _ state: inout [UInt32]) {
        func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }

        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { at in
            block[at..<(at + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append(rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let (mixed, constant): (UInt32, UInt32) =
                switch index / 20 {
                case 0: (b & c | ~b & d, 0x5a82_7999)
                case 1: (b ^ c ^ d, 0x6ed9_eba1)
                case 2: (b & c | b & d | c & d, 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let first = rotate(a, 5) &+ mixed &+ e &+ constant &+ word
            (e, d, c, b, a) = (d, c, rotate(b, 30), a, first)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }
}
