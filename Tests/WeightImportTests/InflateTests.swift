import ModelFile
import TestSupport
import Testing
import Vocabulary
import WeightImport

@Suite struct InflateTests {
    /// Members that Python's zlib compressed at every level and by every strategy; their checksums are Python's.
    @Test func whatZlibCompressesIsUnpacked() throws {
        let archive = try ZipArchive(bytes: Fixture.checkpoint("deflated.zip"), allowingDeflate: true)
        #expect(archive.entries.count > 20)
        for entry in archive.entries { #expect(try archive.contents(of: entry).count == entry.size, "\(entry.name)") }
        let zeros = try #require(archive.entries.first { $0.name == "zeros-9" })
        #expect(try archive.contents(of: zeros).allSatisfy { $0 == 0 } && zeros.size == 100_000)
        #expect(throws: ZipArchive.Fault.compressed("empty-0", method: 8)) {
            try ZipArchive(bytes: Fixture.checkpoint("deflated.zip"))
        }
    }

    /// Streams by RFC 1951, bit by bit.
    @Test func blocksAreReadByTheirDescription() throws {
        func run(_ bytes: [UInt8], _ count: Int) throws(Inflate.Fault) -> [UInt8] {
            try Inflate.bytes(bytes[...], count: count)
        }
        // Stored: last block, kind 0, length 3 and its complement.
        #expect(try run([1, 3, 0, 0xFC, 0xFF, 7, 8, 9], 3) == [7, 8, 9])
        // The fixed code: "a" is 10010001, the end 0000000.
        #expect(try run([0x4B, 0x04, 0x00], 1) == Array("a".utf8))
        // Two blocks, the first of them empty.
        #expect(try run([0, 0, 0, 0xFF, 0xFF, 1, 1, 0, 0xFE, 0xFF, 5], 1) == [5])

        #expect(throws: Inflate.Fault.ended) { try run([], 0) }
        #expect(throws: Inflate.Fault.ended) { try run([1, 3, 0, 0xFC, 0xFF, 7, 8], 3) }
        #expect(throws: Inflate.Fault.blockKind) { try run([7, 0], 0) }
        #expect(throws: Inflate.Fault.storedLength) { try run([1, 3, 0, 0, 0, 7, 8, 9], 3) }
        #expect(throws: Inflate.Fault.size(expected: 2, found: 3)) { try run([1, 3, 0, 0xFC, 0xFF, 7, 8, 9], 2) }
        #expect(throws: Inflate.Fault.size(expected: 4, found: 3)) { try run([1, 3, 0, 0xFC, 0xFF, 7, 8, 9], 4) }
        #expect(throws: Inflate.Fault.trailingBytes(2)) { try run([1, 1, 0, 0xFE, 0xFF, 7, 8, 9], 1) }
        // A copy of three bytes from one byte back, before there is one: 0000001 then 00000.
        #expect(throws: Inflate.Fault.distance) { try run(Self.bits("1" + "10" + "0000001" + "00000" + "0000000"), 3) }
        // Distance symbol 30 has no meaning.
        #expect(throws: Inflate.Fault.symbol) {
            try run(Self.bits("1" + "10" + "10010001" + "0000001" + "11110" + "0000000"), 4)
        }
        // Length symbol 286 neither.
        #expect(throws: Inflate.Fault.symbol) { try run(Self.bits("1" + "10" + "11000110" + "00000"), 3) }
        // 288 words for literals, one more than 287 counts from 0, are too many.
        #expect(throws: Inflate.Fault.codeLengths) { try run(Self.bits("1" + "01" + "11111" + "00000" + "0000"), 1) }
        // Four lengths of one bit each are more words than there are.
        #expect(throws: Inflate.Fault.codeLengths) {
            try run(Self.bits("1" + "01" + "00000" + "00000" + "0000" + "100100100100"), 1)
        }
    }

    /// Bits in the order of the stream; the first is the lowest of the first byte.
    private static func bits(_ text: String) -> [UInt8] {
        let bits = text.map { $0 == "1" ? UInt8(1) : 0 }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<min(8, bits.count - start)).reduce(0) { $0 | bits[start + $1] << UInt8($1) }
        }
    }

    @Test func mutatedStreamsEndWithinTheirSize() throws {
        let archive = try ZipArchive(bytes: Fixture.checkpoint("deflated.zip"), allowingDeflate: true)
        var generator = SplitMix64(seed: 3)
        var accepted = 0
        let entries = archive.entries.filter { $0.range.count < 4096 && $0.size < 20_000 }
        for index in 0..<FormatMutationTests.count {
            let entry = entries[index % entries.count]
            var stream = Array(archive.bytes[entry.range])
            Mutation.change(&stream, &generator)
            guard let output = try? Inflate.bytes(stream[...], count: entry.size) else { continue }
            #expect(output.count == entry.size)
            accepted += 1
        }
        #expect(accepted < FormatMutationTests.count)
    }
}
