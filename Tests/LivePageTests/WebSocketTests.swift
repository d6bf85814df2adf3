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
        ([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xEE], .closing), ([0x88, 0x82, 0, 0, 0, 0, 0, 0], .closing),
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

    /// What has come is not copied for each fragment, and the number of fragments has a limit.
    @Test func manyFragmentsAreJoined() throws {
        let most = WebSocketParser.fragmentLimit
        let payload = [UInt8](repeating: 7, count: 3_600_000)
        let first = maskedFrame(2, payload, isFinal: false)
        let empty = maskedFrame(0, [], isFinal: false)
        var parser = WebSocketParser(messageLimit: payload.count)
        parser.append(first + [[UInt8]](repeating: empty, count: most - 2).joined())
        let begin = ContinuousClock().now
        #expect(try parser.next() == nil)
        // A copy for each takes seconds.
        #expect(begin.duration(to: ContinuousClock().now) < .seconds(1))
        var another = parser
        parser.append(maskedFrame(0, []))
        #expect(try parser.next() == .binary(payload))
        another.append(empty + empty)
        #expect(throws: WebSocketError.tooManyFragments(limit: most)) { try another.next() }
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ), (String(repeating: "a", count: 1000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ]) func digests(_ text: String, _ expected: String) {
        let digits = SHA1.digest(of: Array(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        #expect(digits.joined() == expected)
    }

    /// The key and its answer are the example of RFC 6455, 1.3.
    @Test(
        arguments: [
            (nil, nil), ("Upgrade: Bar, WebSocket", nil), ("Connection: upgrade , keep-alive", nil),
            ("Upgrade: websockets", "Upgrade"), ("Connection: keep-alive", "Connection"),
            ("Sec-WebSocket-Version: 12", "Sec-WebSocket-Version"), ("Sec-WebSocket-Key: AAAA", "Sec-WebSocket-Key"),
            ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ", "Sec-WebSocket-Key"),
        ] as [(String?, String?)])
    func handshakes(_ change: String?, _ fault: String?) throws {
        let lines = [
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ].map { line in
            if let change, change.hasPrefix(line.prefix { $0 != ":" }) { change } else { line }
        }
        var end = 0
        let text = (["GET /session HTTP/1.1"] + lines + ["", ""]).joined(separator: "\r\n")
        let head = try #require(try RequestHead(Array(text.utf8), end: &end))
        guard let fault else {
            let accept = try WebSocketHandshake.accept(head)
            #expect(accept.hasSuffix("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"))
            return
        }
        let error = try #require(throws: RequestError.self) { try WebSocketHandshake.accept(head) }
        #expect(error.status == 400 && error.sentence.contains(" \(fault) "))
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
        #expect(WebSocketFrame.ping == [0x89, 0])
        #expect(WebSocketFrame.close(1009) == [0x88, 2, 0x03, 0xF1])
        #expect(WebSocketFrame.binary(Array(repeating: 0, count: 126)).prefix(4) == [0x82, 126, 0, 126])
        #expect(
            WebSocketFrame.binary(Array(repeating: 0, count: 65536)).prefix(10) == [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0])
    }
}
