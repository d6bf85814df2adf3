import LivePage
import Testing
import Vocabulary

/// A client's frame, masked.
func maskedFrame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
    let mask: [UInt8] = [0x12, 0xA0, 0xFF, 0x01]
    let count = payload.count
    let length: [UInt8] =
        switch count {
        case ..<126: [0x80 | UInt8(count)]
        case ..<65536: [0xFE, UInt8(count >> 8), UInt8(count & 0xFF)]
        default: [0xFF] + (0..<8).reversed().map { UInt8(count >> (8 * $0) & 0xFF) }
        }
    return [(isFinal ? 0x80 : 0) | opcode] + length + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
}

@Suite struct WebSocketTests {
    private func messages(_ bytes: [UInt8], limit: Int = 1000, pieces: Int = .max) throws -> [WebSocketMessage] {
        var parser = WebSocketParser(messageLimit: limit)
        var found: [WebSocketMessage] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            parser.append(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
            while let message = try parser.next() { found.append(message) }
        }
        return found
    }

    @Test(arguments: [1, 2, 3, 7, 64, .max]) func messagesAreFoundHoweverTheirBytesCome(_ pieces: Int) throws {
        let long = (0..<70_000).map { UInt8(truncatingIfNeeded: $0) }
        let bytes =
            maskedFrame(1, Array("hé".utf8)) + maskedFrame(2, []) + maskedFrame(2, Array(long[..<126]))
            + maskedFrame(2, Array(long[..<40_000]), isFinal: false) + maskedFrame(9, [7]) + maskedFrame(10, [8])
            + maskedFrame(0, Array(long[40_000...])) + maskedFrame(8, [0x03, 0xE9])
        #expect(
            try messages(bytes, limit: 70_000, pieces: pieces) == [
                .text("hé"), .binary([]), .binary(Array(long[..<126])), .ping([7]), .binary(long), .close(1001),
            ])
    }

    private static let faults: [([UInt8], WebSocketError)] = [
        ([0xC1, 0x80], .reservedBits(0x40)), ([0x83, 0x80], .opcode(3)), ([0x81, 0x00], .unmasked),
        ([0x81, 0xFE, 0, 125], .length), ([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .length),
        ([0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], .length), ([0x09, 0x80], .control), ([0x89, 0xFE], .control),
        ([0x80, 0x80, 0, 0, 0, 0], .fragment), ([0x88, 0x81, 0, 0, 0, 0, 1], .closing),
        ([0x81, 0x81, 0, 0, 0, 0, 0xFF], .notText), ([0x88, 0x83, 0, 0, 0, 0, 3, 0xE8, 0xFF], .notText),
        // Refused by the stated length, before the bytes come.
        ([0x82, 0xFE, 0x03, 0xE9], .tooLong(1001, limit: 1000)),
        ([0x82, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0], .tooLong(0x7F00_0000_0000_0000, limit: 1000)),
    ]

    @Test(arguments: faults)
    func faultsAreNamed(_ bytes: [UInt8], _ expected: WebSocketError) {
        #expect(throws: expected) { try messages(bytes) }
        #expect((1000...1015).contains(expected.code))
    }

    @Test func partsCountTogether() {
        let bytes = maskedFrame(2, Array(repeating: 1, count: 600), isFinal: false)
        #expect(throws: WebSocketError.tooLong(1200, limit: 1000)) {
            try messages(bytes + maskedFrame(0, Array(repeating: 1, count: 600)))
        }
        #expect(throws: WebSocketError.fragment) { try messages(bytes + maskedFrame(2, [1])) }
    }

    /// No bytes end the process, and none make it hold more than it was given.
    @Test func anyBytesAreMessagesOrAnError() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<20_000 {
            var bytes = maskedFrame(UInt8.random(in: 0...15, using: &random), [1, 2, 3]) + maskedFrame(1, [0x41])
            for _ in 0...Int.random(in: 0...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do {
                #expect(try messages(bytes).count <= 2)
            } catch {
                #expect(error is WebSocketError)
            }
        }
    }

    @Test func framesOfTheServer() {
        #expect(WebSocketFrame.text("a") == [0x81, 1, 0x61])
        #expect(WebSocketFrame.close(1009) == [0x88, 2, 0x03, 0xF1])
        #expect(WebSocketFrame.binary(Array(repeating: 0, count: 126)).prefix(4) == [0x82, 126, 0, 126])
        #expect(
            WebSocketFrame.binary(Array(repeating: 0, count: 65536)).prefix(10) == [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0])
    }
}
