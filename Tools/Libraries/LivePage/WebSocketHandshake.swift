import FlyingFox

/// The answer to a request for a WebSocket.
enum WebSocketHandshake {
    /// Checks the request by 4.2.1 of RFC 6455, as FlyingFox does.
    /// - Returns: the head of the answer.
    static func accept(_ head: RequestHead) async throws(RequestError) -> String {
        var headers = HTTPHeaders()
        for (name, value) in head.headers { headers[HTTPHeader(name)] = value }
        let request = HTTPRequest(
            method: HTTPMethod(head.method), version: .http11, path: head.path, query: [],
            headers: headers, body: HTTPBodySequence())
        let key: String
        do {
            let response = try await WebSocketHTTPHandler(handler: NoFrames()).handleRequest(request)
            guard let accepted = response.headers[.webSocketAccept] else {
                throw RequestError.handshake(String(decoding: try await response.bodyData, as: UTF8.self))
            }
            key = accepted
        } catch let error as RequestError {
            throw error
        } catch {
            throw .handshake("\(error)")
        }
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(key)\r\n\r\n"
    }

    /// FlyingFox reads frames of any length into memory, so `WebSocketParser` reads them here.
    private struct NoFrames: WSHandler {
        func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
            AsyncStream { $0.finish() }
        }
    }
}
