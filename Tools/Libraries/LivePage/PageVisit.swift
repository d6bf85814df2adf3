import FlyingSocks
import Foundation

/// A short visit to a page's server, as browsers and others make them: for soaks.
package enum PageVisit: CaseIterable, Sendable {
    /// Reads the page.
    case page
    /// Leaves in the middle of a request.
    case halfRequest
    /// Asks under another site's name, and is refused.
    case foreignSite
    /// Opens a session, and leaves after its first message without a word.
    case session

    /// Makes the visit.
    /// - Returns: whether the server answered as it should.
    package func isAnswered(byPort port: UInt16) async throws -> Bool {
        let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port))
        defer { try? socket.close() }
        try await socket.write(Data(request(port).utf8))
        switch self {
        case .halfRequest: return true
        case .page: return try await Self.rest(of: socket).hasPrefix("HTTP/1.1 200 ")
        case .foreignSite: return try await Self.rest(of: socket).hasPrefix("HTTP/1.1 403 ")
        case .session:
            var bytes: [UInt8] = []
            let end = Array("\r\n\r\n".utf8)
            while true {
                bytes += try await socket.read(atMost: 4096)
                let text = String(decoding: bytes, as: UTF8.self)
                guard let head = text.range(of: "\r\n\r\n") else { continue }
                guard text.hasPrefix("HTTP/1.1 101 ") else { return false }
                // The first byte of a whole text message.
                let message = bytes.dropFirst(text[..<head.lowerBound].utf8.count + end.count)
                if let first = message.first { return first == 0x81 }
            }
        }
    }

    private func request(_ port: UInt16) -> String {
        switch self {
        case .page: "GET / HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n"
        case .halfRequest: "GET / HTTP/1.1\r\nHos"
        case .foreignSite: "GET / HTTP/1.1\r\nHost: other.example\r\n\r\n"
        case .session:
            "GET /session HTTP/1.1\r\nHost: localhost:\(port)\r\nOrigin: http://localhost:\(port)\r\n"
                + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        }
    }

    /// Everything until the server closes.
    private static func rest(of socket: AsyncSocket) async throws -> String {
        var bytes: [UInt8] = []
        while true {
            do { bytes += try await socket.read(atMost: 4096) } catch SocketError.disconnected { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
