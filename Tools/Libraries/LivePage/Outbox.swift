import Platform

/// What waits to be sent to a page, within limits. A page that reads too slowly loses pictures first, and then its session.
package struct Outbox: Sendable {
    private static let messageLimit = 256
    private static let byteLimit = 16 << 20
    /// Pictures are left out while more bytes wait.
    private static let pictureLimit = 2 << 20

    private let messages: AsyncStream<[UInt8]>
    private let inlet: AsyncStream<[UInt8]>.Continuation
    /// Bytes that wait.
    private let waiting = Locked(0)

    package init() {
        (messages, inlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.messageLimit))
    }

    /// - Returns: false if too much waits. A message after `finish` is passed over.
    package func add(_ message: [UInt8]) -> Bool {
        let isWithinLimit = waiting.withLock { waiting in
            waiting += message.count
            return waiting <= Self.byteLimit
        }
        if case .dropped = inlet.yield(message) { return false }
        return isWithinLimit
    }

    /// The same for a picture, which the page can do without.
    package func addPicture(_ message: @autoclosure () -> [UInt8]) -> Bool {
        waiting.withLock { $0 > Self.pictureLimit } || add(message())
    }

    /// No more messages come.
    package func finish() { inlet.finish() }

    /// Sends messages until `finish`.
    func drain(to socket: ClientSocket) async throws {
        for await message in messages {
            try await socket.write(message)
            waiting.withLock { $0 -= message.count }
        }
    }
}
