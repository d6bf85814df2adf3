/// The 64-bit xxHash with seed 0, written from its specification: Yann Collet, "xxHash fast digest algorithm", version
/// 0.2.0 (doc/xxhash_spec.md of Cyan4973/xxHash).
///
/// It detects damage: bytes that changed by accident have the same hash once in 2^64. It is not a cryptographic digest:
/// other bytes with the same hash can be made on purpose.
package enum XXH64 {
    /// The hash of `bytes`. Complexity: O(n), at about the speed of memory.
    package static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        let input = unsafe bytes.bytes
        let count = input.byteCount
        var offset = 0
        var hash = prime5
        if count >= 32 {
            var (a, b, c, d) = (prime1 &+ prime2, prime2, 0 as UInt64, 0 &- prime1)
            while count - offset >= 32 {
                a = round(a, word(input, offset))
                b = round(b, word(input, offset + 8))
                c = round(c, word(input, offset + 16))
                d = round(d, word(input, offset + 24))
                offset += 32
            }
            hash = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
            for lane in [a, b, c, d] { hash = (hash ^ round(0, lane)) &* prime1 &+ prime4 }
        }
        hash &+= UInt64(count)
        while count - offset >= 8 {
            hash = rotate(hash ^ round(0, word(input, offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if count - offset >= 4 {
            hash = rotate(hash ^ UInt64(halfWord(input, offset)) &* prime1, 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < count {
            hash = rotate(hash ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
            offset += 1
        }
        hash = (hash ^ hash >> 33) &* prime2
        hash = (hash ^ hash >> 29) &* prime3
        return hash ^ hash >> 32
    }

    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    @inline(__always)
    private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }

    @inline(__always)
    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotate(lane &+ input &* prime2, 31) &* prime1
    }

    // Loads check their bounds, and every bit pattern is a number.
    @inline(__always)
    private static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func halfWord(_ bytes: RawSpan, _ offset: Int) -> UInt32 {
        UInt32(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
