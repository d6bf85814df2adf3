import FlyingSocks
import Foundation

/// A connected socket: reads of any size, writes of everything.
struct ClientSocket: Sendable {
    private let socket: AsyncSocket
    private let pool: any AsyncSocketPool

    private static let readBytes = 65536

    init(_ socket: AsyncSocket, pool: any AsyncSocketPool) {
        self.socket = socket
        self.pool = pool
    }

    /// Waits for bytes. Other tasks run in between, however fast the bytes come.
    /// - Returns: some of them; none at the end of the stream.
    func read() async throws -> [UInt8] {
        await Task.yield()
        while true {
            try Task.checkCancellation()
            do {
                return try socket.socket.read(atMost: Self.readBytes)
            } catch SocketError.blocked {
                try await pool.suspendSocket(socket.socket, untilReadyFor: .read)
            } catch SocketError.disconnected {
                return []
            }
        }
    }

    func write(_ bytes: Data) async throws { try await socket.write(bytes) }

    func write(_ bytes: [UInt8]) async throws { try await write(Data(bytes)) }

    /// No task may be reading or writing.
    func close() { try? socket.close() }
}
