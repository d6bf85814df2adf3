import GestureEngine
import PageSession
import TrackerInference

extension PageConnection {
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

    /// What may wait for the engine.
    private static let queueLimit = 256
    /// The longest message: a picture of 1280x720 in RGBA.
    private static let messageLimit = CameraPicture.headerBytes + 4 * 1280 * 720
    /// The longest wait for the last frame to leave.
    private static let closingLimit = Duration.seconds(1)

    /// Runs a session until the page or the server ends it.
    /// - Parameters:
    ///   - accept: the head of the answer.
    ///   - rest: bytes that came after the request.
    func talk(_ accept: String, _ rest: [UInt8]) async throws {
        guard try await connections.open(id) else {
            // A page sees no status of a refused WebSocket, but the code and the reason that close one.
            let limit = connections.limits.sessions
            let reason = "\(limit) pages use the program already, which is the limit. Close one of them."
            return try await socket.write(Array(accept.utf8) + WebSocketFrame.close(1013, reason))
        }
        let outbox = Outbox()
        let (works, inbox) = AsyncStream.makeStream(of: Work.self, bufferingPolicy: .bufferingOldest(Self.queueLimit))
        let send: @Sendable ([UInt8]) -> Void = { bytes in if !outbox.add(bytes) { inbox.finish() } }
        let session: ServedSession
        do throws(EngineError) {
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
            group.addTask {
                await work(works, session, newest) { picture in
                    if !outbox.addPicture(WebSocketFrame.binary(picture.message)) { inbox.finish() }
                }
            }
            group.addTask { try await outbox.drain(to: socket) }
            group.addTask {
                while true {
                    try await Task.sleep(for: connections.limits.heartbeat)
                    send(WebSocketFrame.ping)
                }
            }
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
            // Of several pings that have come, the newest is answered, as 5.5.3 of the RFC allows.
            var ping: [UInt8]?
            do throws(WebSocketError) {
                while let message = try parser.next() {
                    if case .ping(let payload) = message { ping = payload }
                    guard let work = try Self.work(message, newest) else { continue }
                    // A picture that is not announced is taken with the next.
                    if case .dropped(.command) = inbox.yield(work) { throw WebSocketError.tooManyCommands }
                }
            } catch {
                throw Closing(code: error.code)
            }
            if let ping { send(WebSocketFrame.pong(ping)) }
            bytes = try await socket.read()
            guard !bytes.isEmpty else { return }
            connections.hear(id)
        }
    }

    /// - Returns: nil for a message that is no work.
    private static func work(
        _ message: WebSocketMessage, _ newest: NewestPicture
    ) throws(WebSocketError) -> Work? {
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
        case .ping: return nil
        case .close: throw .peerClosed
        }
    }

    /// Does what the page asks for, one thing after the other, until it has gone.
    private func work(
        _ works: AsyncStream<Work>, _ session: ServedSession, _ newest: NewestPicture,
        show: @escaping @Sendable (CameraPicture) -> Void
    ) async {
        await session.sendHello(source: clip?.name)
        func play() -> Task<Void, Never>? {
            guard let clip else { return nil }
            return Task { await session.play(clip, show: show) }
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
