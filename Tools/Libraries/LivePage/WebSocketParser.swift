/// A message of a WebSocket.
package enum WebSocketMessage: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
    case ping([UInt8])
    /// The peer closes; its code, if it states one.
    case close(UInt16?)
}

/// Why a WebSocket is closed: a rule of RFC 6455 that was broken, or a limit.
package enum WebSocketError: Error, Sendable, Equatable {
    /// Reserved bits are set, and no extension was agreed on.
    case reservedBits(UInt8)
    case opcode(UInt8)
    /// A client's frame without a mask (5.1).
    case unmasked
    /// A length that has a shorter form, or whose top bit is set (5.2).
    case length
    /// A message, or what has come of it, is longer.
    case tooLong(UInt64, limit: Int)
    /// A control frame that is split, or longer than 125 bytes (5.5).
    case control
    /// A part of a message that has no beginning, or a beginning inside another message (5.4).
    case fragment
    /// A message in more parts.
    case tooManyFragments(limit: Int)
    /// Text that is not UTF-8.
    case notText
    /// A close frame of one byte, or with a code that no frame may have (7.4).
    case closing
    /// The peer has said that it closes.
    case peerClosed
    /// More commands than can wait.
    case tooManyCommands

    /// The code of the closing frame, by 7.4.1 of the RFC.
    package var code: UInt16 {
        switch self {
        case .tooLong: 1009
        case .notText: 1007
        case .peerClosed: 1000
        case .tooManyCommands, .tooManyFragments: 1008
        default: 1002
        }
    }
}

/// Parses what a WebSocket's client sends, by RFC 6455, as its bytes arrive.
///
/// It holds one message of at most `messageLimit` bytes in at most `fragmentLimit` parts, and refuses a longer one by its stated
/// length, before its bytes come.
package struct WebSocketParser: Sendable {
    package static let fragmentLimit = 4096

    private let messageLimit: Int
    private var bytes: [UInt8] = []
    /// Bytes before this are parsed.
    private var start = 0
    /// What has come of a message in several frames.
    private var message: (opcode: UInt8, bytes: [UInt8], fragments: Int)?

    package init(messageLimit: Int) { self.messageLimit = messageLimit }

    package mutating func append(_ more: [UInt8]) {
        if start > 0 {
            bytes.removeSubrange(..<start)
            start = 0
        }
        bytes += more
    }

    /// The next whole message; nil if more bytes are needed. Pongs are passed over. After an error the connection is
    /// of no more use.
    package mutating func next() throws(WebSocketError) -> WebSocketMessage? {
        while let frame = try nextFrame() {
            if let message = try take(frame) { return message }
        }
        return nil
    }

    private struct Frame {
        let isFinal: Bool
        let opcode: UInt8
        let payload: [UInt8]
    }

    private mutating func nextFrame() throws(WebSocketError) -> Frame? {
        let available = bytes.count - start
        guard available >= 2 else { return nil }
        let (first, second) = (bytes[start], bytes[start + 1])
        let (isFinal, opcode) = (first & 0x80 != 0, first & 0x0F)
        guard first & 0x70 == 0 else { throw .reservedBits(first & 0x70) }
        guard [0, 1, 2, 8, 9, 10].contains(opcode) else { throw .opcode(opcode) }
        guard second & 0x80 != 0 else { throw .unmasked }
        let short = second & 0x7F
        guard opcode < 8 || isFinal && short <= 125 else { throw .control }
        let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
        guard available >= 2 + lengthBytes else { return nil }
        let long = bytes[(start + 2)..<(start + 2 + lengthBytes)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard lengthBytes == 0 || long >= (lengthBytes == 2 ? 126 : 65536), long >> 63 == 0 else { throw .length }
        let length = lengthBytes == 0 ? UInt64(short) : long
        let whole = length + UInt64(opcode == 0 ? message?.bytes.count ?? 0 : 0)
        guard whole <= messageLimit else { throw .tooLong(whole, limit: messageLimit) }
        let payloadStart = start + 2 + lengthBytes + 4
        guard bytes.count - payloadStart >= Int(length) else { return nil }
        var payload = Array(bytes[payloadStart..<(payloadStart + Int(length))])
        let mask = Array(bytes[(payloadStart - 4)..<payloadStart])
        for index in payload.indices { payload[index] ^= mask[index & 3] }
        start = payloadStart + Int(length)
        return Frame(isFinal: isFinal, opcode: opcode, payload: payload)
    }

    /// - Returns: the message that the frame completes; nil for part of one, and for a pong.
    private mutating func take(_ frame: Frame) throws(WebSocketError) -> WebSocketMessage? {
        switch frame.opcode {
        case 8: return try Self.close(frame.payload)
        case 9: return .ping(frame.payload)
        case 10: return nil
        case 0:
            guard let fragments = message?.fragments else { throw .fragment }
            guard fragments < Self.fragmentLimit else { throw .tooManyFragments(limit: Self.fragmentLimit) }
            // In place, so that a byte is not copied anew for each fragment that follows.
            message?.bytes += frame.payload
            message?.fragments += 1
        default:
            guard message == nil else { throw .fragment }
            message = (frame.opcode, frame.payload, 1)
        }
        guard frame.isFinal, let (opcode, bytes, _) = message else { return nil }
        message = nil
        guard opcode == 1 else { return .binary(bytes) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        return .text(text)
    }

    private static func close(_ payload: [UInt8]) throws(WebSocketError) -> WebSocketMessage {
        guard !payload.isEmpty else { return .close(nil) }
        guard payload.count >= 2 else { throw .closing }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: break
        default: throw .closing
        }
        guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else { throw .notText }
        return .close(code)
    }
}

/// Frames that a server sends: whole messages, unmasked.
package enum WebSocketFrame {
    package static func text(_ text: String) -> [UInt8] { frame(1, Array(text.utf8)) }
    package static func binary(_ bytes: [UInt8]) -> [UInt8] { frame(2, bytes) }
    package static let ping = frame(9, [])
    package static func pong(_ payload: [UInt8]) -> [UInt8] { frame(10, payload) }
    /// - Parameter reason: at most 123 bytes.
    package static func close(_ code: UInt16, _ reason: String = "") -> [UInt8] {
        frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8))
    }

    private static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var bytes = [0x80 | opcode]
        let count = payload.count
        func bigEndian(_ bytes: Int) -> [UInt8] { (0..<bytes).reversed().map { UInt8(count >> (8 * $0) & 0xFF) } }
        switch count {
        case ...125: bytes.append(UInt8(count))
        case ...65535: bytes += [126] + bigEndian(2)
        default: bytes += [127] + bigEndian(8)
        }
        return bytes + payload
    }
}
