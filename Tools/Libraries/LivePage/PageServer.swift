import FlyingFox
import FlyingSocks
import Foundation
import GestureEngine
package import PageSession
import Platform

/// Serves the page and its sessions to browsers of this machine alone.
package final class PageServer: Sendable {
    private let setup: PageSetup
    private let clip: ServedClip?
    private let files: PageFiles
    private let pool: any AsyncSocketPool
    private let socket: Socket
    /// Sessions at once: each has a stream of its own.
    private let sessions = LimitedCount(limit: 4)
    /// Connections at once. A browser opens six for a page, and closes each after its answer.
    private let connections = LimitedCount(limit: 32)

    /// The port that it listens on.
    package let port: UInt16

    /// Begins to listen, on 127.0.0.1 alone.
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - clip: what the server plays; with nil pages send pictures of their own cameras.
    package init(
        port: UInt16, _ setup: PageSetup, clip: ServedClip? = nil
    ) throws(PageServerError) {
        self.setup = setup
        self.clip = clip
        files = try PageFiles()
        pool = HTTPServer.defaultPool()
        do {
            let socket = try Socket(domain: AF_INET)
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
            try socket.listen()
            guard case .ip4(_, let port) = try socket.sockname() else { throw SocketError.unsupportedAddress }
            self.socket = socket
            self.port = port
        } catch SocketError.failed(_, let code, _) {
            throw .listening(port: port, code: code)
        } catch {
            throw .listening(port: port, code: EADDRNOTAVAIL)
        }
    }

    /// Serves until the task is cancelled or the process is interrupted (`Interruption`).
    package func run() async throws {
        let listener = try AsyncSocket(socket: socket, pool: pool)
        try await pool.prepare()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [pool] in try await pool.run() }
            group.addTask { try await self.accept(listener) }
            group.addTask {
                while !Interruption.hasCome { try await Task.sleep(for: .milliseconds(50)) }
            }
            defer {
                group.cancelAll()
                try? listener.close()
            }
            do { try await group.next() } catch is CancellationError {}
        }
    }

    private func accept(_ listener: AsyncSocket) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for try await socket in listener.sockets {
                let client = ClientSocket(socket, pool: pool)
                guard connections.enter() else {
                    client.close()
                    continue
                }
                group.addTask {
                    await self.connection(client).run()
                    client.close()
                    self.connections.leave()
                }
            }
        }
    }

    private func connection(_ socket: ClientSocket) -> PageConnection {
        PageConnection(
            socket: socket, files: files, rule: OriginRule(port: port), setup: setup, clip: clip, sessions: sessions)
    }
}

/// Why a page cannot be served.
package enum PageServerError: Error, Sendable, Equatable {
    /// The port cannot be listened on; `code` is `errno`.
    case listening(port: UInt16, code: Int32)
    /// The page's files are at none of these places.
    case resources(searched: [String])
}
