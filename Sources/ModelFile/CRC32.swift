/// The checksum of zip archives (polynomial 0xEDB88320, reflected).
package enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }

    package static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        let table = Self.table
        return ~bytes.reduce(~UInt32(0)) { $0 >> 8 ^ table[Int(truncatingIfNeeded: ($0 ^ UInt32($1)) & 255)] }
    }
}
