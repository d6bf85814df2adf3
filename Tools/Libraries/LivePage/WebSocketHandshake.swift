import Foundation

/// The answer to a request for a WebSocket.
///
/// Handshake and frames are parsed here, because FlyingFox takes frames without a mask, with reserved bits or of any length, and
/// joins parts of messages without a limit. Its sockets alone are used.
package enum WebSocketHandshake {
    /// Checks the request by 4.2.1 of RFC 6455.
    /// - Returns: the head of the answer (4.2.2).
    package static func accept(_ head: RequestHead) throws(RequestError) -> String {
        guard lists("upgrade", "websocket", head) else { throw .handshake("the header Upgrade is not websocket") }
        guard lists("connection", "upgrade", head) else { throw .handshake("the header Connection is not Upgrade") }
        guard head.headers["sec-websocket-version"] == "13" else {
            throw .handshake("the header Sec-WebSocket-Version is not 13")
        }
        guard let key = head.headers["sec-websocket-key"], Data(base64Encoded: key)?.count == 16 else {
            throw .handshake("the header Sec-WebSocket-Key is not 16 bytes in base64")
        }
        let digest = SHA1.digest(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(Data(digest).base64EncodedString())\r\n\r\n"
    }

    /// Whether a header lists the word, by RFC 9110, 5.6.1.
    private static func lists(_ name: String, _ word: String, _ head: RequestHead) -> Bool {
        (head.headers[name] ?? "").split(separator: ",").contains {
            $0.trimmingCharacters(in: .whitespaces).lowercased() == word
        }
    }
}
