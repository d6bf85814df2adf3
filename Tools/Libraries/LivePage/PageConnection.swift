import Foundation
import PageSession

/// One connection: a request for a file of the page, or a WebSocket with a session.
struct PageConnection: Sendable {
    let id: Int
    let socket: ClientSocket
    let connections: Connections
    let files: PageFiles
    let rule: OriginRule
    let setup: PageSetup
    /// The clip that the server plays; nil if pages send pictures.
    let clip: ServedClip?

    /// Answers, and returns when the connection is to be closed.
    func run() async {
        do {
            let (head, rest) = try await request()
            switch try route(head) {
            case .file(let file): try await answer(200, file, isHead: head.method == "HEAD")
            case .session(let accept): try await talk(accept, rest)
            }
        } catch let error as RequestError {
            // The other side may have gone, too.
            try? await answer(
                error.status,
                PageFiles.File(type: "text/plain; charset=utf-8", bytes: Data((error.sentence + "\n").utf8)))
        } catch {
            // The other side has gone, the connection was dropped, or the server stops: there is no one left to tell.
        }
    }

    /// Reads the head of a request.
    /// - Returns: the head, and the bytes that came after it.
    private func request() async throws -> (RequestHead, [UInt8]) {
        var bytes: [UInt8] = []
        var end = 0
        while true {
            let more = try await socket.read()
            guard !more.isEmpty else { throw CancellationError() }
            bytes += more
            if let head = try RequestHead(bytes, end: &end) { return (head, Array(bytes[end...])) }
        }
    }

    private enum Route {
        case file(PageFiles.File)
        /// The headers that accept a WebSocket.
        case session(accept: String)
    }

    private func route(_ head: RequestHead) throws(RequestError) -> Route {
        let isSocket = head.path == "/session"
        try rule.check(head, isSocket: isSocket)
        guard head.method == "GET" || head.method == "HEAD" else { throw .method(head.method) }
        guard isSocket else {
            guard let file = files[head.path] else { throw .path(head.path) }
            return .file(file)
        }
        guard head.method == "GET" else { throw .method(head.method) }
        return .session(accept: try WebSocketHandshake.accept(head))
    }

    /// Sends a whole answer, after which the connection is closed.
    private func answer(_ status: Int, _ file: PageFiles.File, isHead: Bool = false) async throws {
        let lines = [
            "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Refused")", "Content-Type: \(file.type)",
            "Content-Length: \(file.bytes.count)", "Connection: close", "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
            "Cross-Origin-Resource-Policy: same-origin", "Permissions-Policy: camera=(self), microphone=()",
            // Nothing from elsewhere, and no other site may frame the page.
            "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                + "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'",
        ]
        try await socket.write(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        if !isHead { try await socket.write(file.bytes) }
    }
}
