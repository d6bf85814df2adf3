import GestureEngine
import PageSession

/// One connection: a request for a file of the page, or a WebSocket with a session.
struct PageConnection: Sendable {
    let socket: ClientSocket
    let files: PageFiles
    let rule: OriginRule
    let setup: PageSetup
    /// The clip that the server plays; nil if pages send pictures.
    let clip: ServedClip?
    let sessions: LimitedCount

    /// The longest wait for a request.
    static let requestLimit = Duration.seconds(10)

    /// Answers, and returns when the connection is to be closed.
    func run() async {
        do {
            let (head, rest) = try await request()
            switch try await route(head) {
            case .file(let file): try await answer(file, head)
            case .session(let accept): try await talk(accept, rest)
            }
        } catch let error as RequestError {
            // The other side may have gone, too.
            try? await socket.write(
                Self.response(
                    error.status, type: "text/plain; charset=utf-8", Array((error.sentence + "\n").utf8), isHead: false)
            )
        } catch {
            // The other side has gone, or the server stops: there is no one left to tell.
        }
    }

    // MARK: Requests

    /// Reads the head of a request.
    /// - Returns: the head, and the bytes that came after it.
    private func request() async throws -> (RequestHead, [UInt8]) {
        try await withThrowingTaskGroup(of: (RequestHead, [UInt8]).self) { group in
            group.addTask {
                var bytes: [UInt8] = []
                while true {
                    let more = try await socket.read()
                    guard !more.isEmpty else { throw CancellationError() }
                    bytes += more
                    var end = 0
                    if let head = try RequestHead(bytes, end: &end) { return (head, Array(bytes[end...])) }
                }
            }
            group.addTask {
                try await Task.sleep(for: Self.requestLimit)
                throw CancellationError()
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    private enum Route {
        case file(PageFiles.File)
        /// The headers that accept a WebSocket.
        case session(accept: String)
    }

    private func route(_ head: RequestHead) async throws(RequestError) -> Route {
        let isSocket = head.path == "/session"
        try rule.check(head, isSocket: isSocket)
        guard head.method == "GET" || head.method == "HEAD" else { throw .method(head.method) }
        guard isSocket else {
            guard let file = files[head.path] else { throw .path(head.path) }
            return .file(file)
        }
        guard head.method == "GET" else { throw .method(head.method) }
        return .session(accept: try await WebSocketHandshake.accept(head))
    }

    private func answer(_ file: PageFiles.File, _ head: RequestHead) async throws {
        try await socket.write(Self.response(200, type: file.type, file.bytes, isHead: head.method == "HEAD"))
    }

    /// A whole answer, after which the connection is closed.
    private static func response(_ status: Int, type: String, _ body: [UInt8], isHead: Bool) -> [UInt8] {
        let lines = [
            "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Refused")", "Content-Type: \(type)",
            "Content-Length: \(body.count)", "Connection: close", "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
            "Cross-Origin-Resource-Policy: same-origin", "Permissions-Policy: camera=(self), microphone=()",
            // Nothing from elsewhere, and no other site may frame the page.
            "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                + "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'",
        ]
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (isHead ? [] : body)
    }

    // MARK: Sessions

    /// What the reader gives to the engine.
    private enum Work: Sendable {
        case command(PageCommand)
        /// The newest picture waits.
        case picture
        /// A message that was refused.
        case refusal(String)
    }

    /// The connection ends with this code of RFC 6455.
    private struct Closing: Error {
        let code: UInt16
    }

    /// What may wait for the engine, and what for the page. A page that does not read what it is sent is given up.
    private static let queueLimit = 256
    /// The longest message: a picture of 1280x720 in RGBA.
    private static let messageLimit = CameraPicture.headerBytes + 4 * 1280 * 720
    /// The longest wait for the last frame to leave.
    private static let closingLimit = Duration.seconds(1)

    private func talk(_ accept: String, _ rest: [UInt8]) async throws {
        guard sessions.enter() else {
            // A page sees no status of a refused WebSocket, but the code and the reason that close one.
            let reason = "\(sessions.limit) pages use the program already, which is the limit. Close one of them."
            return try await socket.write(Array(accept.utf8) + WebSocketFrame.close(1013, reason))
        }
        defer { sessions.leave() }
        let policy = AsyncStream<[UInt8]>.Continuation.BufferingPolicy.bufferingOldest(Self.queueLimit)
        let (messages, outbox) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: policy)
        let (works, inbox) = AsyncStream.makeStream(of: Work.self, bufferingPolicy: .bufferingOldest(Self.queueLimit))
        let send: @Sendable ([UInt8]) -> Void = { bytes in
            if case .dropped = outbox.yield(bytes) { inbox.finish() }
        }
        let session: ServedSession
        do throws(GestureEngineError) {
            session = try ServedSession(setup) { send(WebSocketFrame.text($0.text)) }
        } catch {
            throw RequestError.session("\(error)")
        }
        try await socket.write(Array(accept.utf8))
        let newest = NewestPicture()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await read(rest, newest, inbox, send)
                } catch let closing as Closing {
                    send(WebSocketFrame.close(closing.code))
                    outbox.finish()
                    try await Task.sleep(for: Self.closingLimit)
                }
            }
            group.addTask { await work(works, session, newest, send) }
            group.addTask { for await bytes in messages { try await socket.write(bytes) } }
            // The first that ends takes the others with it.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Reads messages until the page closes.
    private func read(
        _ rest: [UInt8], _ newest: NewestPicture, _ inbox: AsyncStream<Work>.Continuation,
        _ send: @Sendable ([UInt8]) -> Void
    ) async throws {
        var parser = WebSocketParser(messageLimit: Self.messageLimit)
        var bytes = rest
        while true {
            parser.append(bytes)
            do throws(WebSocketError) {
                while let message = try parser.next() {
                    guard let work = Self.work(message, newest, send) else { throw WebSocketError.goodbye }
                    // A picture that is not announced is taken with the next.
                    if case .dropped(.command) = inbox.yield(work) { throw WebSocketError.tooManyCommands }
                }
            } catch {
                throw Closing(code: error.code)
            }
            bytes = try await socket.read()
            guard !bytes.isEmpty else { return }
        }
    }

    /// - Returns: nil for a message that closes the connection.
    private static func work(
        _ message: WebSocketMessage, _ newest: NewestPicture, _ send: @Sendable ([UInt8]) -> Void
    ) -> Work? {
        switch message {
        case .text(let text):
            do throws(PageCommandError) {
                return .command(try PageCommand(text))
            } catch {
                return .refusal(error.sentence)
            }
        case .binary(let bytes):
            do throws(PictureError) {
                newest.put(try CameraPicture(bytes), at: ContinuousClock().now)
                return .picture
            } catch {
                return .refusal(error.sentence)
            }
        case .ping(let payload):
            send(WebSocketFrame.pong(payload))
            return .picture
        case .close: return nil
        }
    }

    /// Does what the page asks for, one thing after the other, until it has gone.
    private func work(
        _ works: AsyncStream<Work>, _ session: ServedSession, _ newest: NewestPicture,
        _ send: @escaping @Sendable ([UInt8]) -> Void
    ) async {
        await session.greet(source: clip?.name)
        func play() -> Task<Void, Never>? {
            guard let clip else { return nil }
            return Task { await session.play(clip) { send(WebSocketFrame.binary($0.message)) } }
        }
        var player = play()
        for await work in works {
            switch work {
            case .command(.play) where clip != nil:
                player?.cancel()
                await player?.value
                player = play()
            case .command(let command): await session.perform(command)
            case .refusal(let sentence): await session.fail(sentence)
            case .picture:
                guard clip == nil, let (picture, arrival, counts) = newest.take() else { continue }
                await session.take(picture, waited: arrival.duration(to: ContinuousClock().now), counts: counts)
            }
        }
        player?.cancel()
        await player?.value
    }
}
