import ModelFile
import Testing

@Suite struct CRC32Tests {
    /// The check value of the catalogue of CRC algorithms (CRC-32/ISO-HDLC), and texts by zlib's crc32.
    @Test(
        arguments: [
            ("", 0), ("a", 0xE8B7_BE43), ("123456789", 0xCBF4_3926),
            ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
        ] as [(String, UInt32)])
    func texts(_ text: String, _ checksum: UInt32) {
        #expect(CRC32.of(Array(text.utf8)[...]) == checksum)
    }
}
