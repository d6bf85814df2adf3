import ModelFile
import Testing

/// Known digests.
@Suite struct HashTests {
    /// The check value of the catalogue of CRC algorithms (CRC-32/ISO-HDLC), and texts by zlib's crc32.
    @Test(
        arguments: [
            ("", 0), ("a", 0xE8B7_BE43), ("123456789", 0xCBF4_3926),
            ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
        ] as [(String, UInt32)])
    func crc32(_ text: String, _ checksum: UInt32) {
        #expect(CRC32.of(Array(text.utf8)[...]) == checksum)
    }

    /// Vectors of NIST's SHA-2 examples and of FIPS 180-2.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func sha256(_ text: String, _ digest: String) {
        #expect(SHA256.hexadecimal(of: Array(text.utf8)) == digest)
    }

    @Test func sha256OfAMillionLetters() {
        #expect(
            SHA256.hexadecimal(of: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    /// Zero bytes of the lengths around the padding's own length, by an independent implementation (coreutils).
    @Test(arguments: [
        (55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"),
        (56, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"),
        (63, "c7723fa1e0127975e49e62e753db53924c1bd84b8ac1ac08df78d09270f3d971"),
        (64, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"),
        (65, "98ce42deef51d40269d542f5314bef2c7468d401ad5d85168bfab4c0108f75f7"),
    ])
    func sha256AroundTheBlock(_ count: Int, _ digest: String) {
        #expect(SHA256.hexadecimal(of: [UInt8](repeating: 0, count: count)) == digest)
    }

    /// By the reference implementation, xxHash 0.8.4.
    @Test(
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("message digest", 0x066E_D728_FCEE_B3BE), ("abcdefghijklmnopqrstuvwxyz", 0xCFE1_F278_FA89_835C),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)])
    func xxh64(_ text: String, _ hash: UInt64) {
        #expect(XXH64.hash(Array(text.utf8).span) == hash)
    }

    /// The same of bytes `131 i + 7`, of lengths at which every part of the algorithm begins and ends.
    @Test(
        arguments: [
            (1, 0xA96C_7F0C_E858_BBB7), (3, 0xBED4_3740_EE63_32BB), (4, 0xFA21_2AE4_4B3B_B23D),
            (5, 0xD339_DCC9_AC8E_6776), (7, 0x2744_460D_D675_D2C0), (8, 0x994B_676B_71CE_94DD),
            (9, 0x572B_84C1_8B98_3AF8), (12, 0xB92F_588C_E720_786E), (15, 0x09E6_451E_D2FF_8B1D),
            (16, 0x94AD_0095_E72B_24D5), (31, 0x6711_D55E_306B_5D8F), (32, 0x07F7_B8E3_BC5D_6E25),
            (33, 0x09F8_5EEB_4E1C_BE9F), (36, 0xE7AC_6252_22F2_B655), (39, 0xB13C_137A_0FB7_01C3),
            (40, 0xD251_5017_7BA4_6490), (63, 0xB7C9_968C_066C_B6A5), (64, 0x50D4_159A_0411_632E),
            (65, 0xD277_176B_FF86_3EFC), (100, 0x9DDA_DA11_D3DC_2D8F), (1000, 0x0BF0_BDBC_C82E_B373),
        ] as [(Int, UInt64)])
    func xxh64OfLengths(_ count: Int, _ hash: UInt64) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 131 * $0 + 7) }
        #expect(XXH64.hash(bytes.span) == hash)
        // Wherever the bytes lie.
        for offset in 1..<8 {
            let longer = [UInt8](repeating: 0xEE, count: offset) + bytes
            #expect(XXH64.hash(longer.span.extracting(offset..<longer.count)) == hash)
        }
    }
}
