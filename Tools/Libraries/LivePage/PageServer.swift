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
    private let connections: Connections

    /// The port that it listens on.
    package let port: UInt16

    /// Begins to listen, on 127.0.0.1 alone.
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - clip: what the server plays; with nil pages send pictures of their own cameras.
    package init(
        port: UInt16, _ setup: PageSetup, clip: ServedClip? = nil, limits: ConnectionTable.Limits = .init()
    ) throws(PageServerError) {
        self.setup = setup
        self.clip = clip
        connections = Connections(limits: limits)
        files = try PageFiles()
        pool = SocketPool<Poll>.make()
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
        let end: (any Error)?
        do {
            try await serve(listener)
            end = nil
        } catch { end = error }
        await connections.end()
        if let end, !(end is CancellationError) { throw end }
    }

    private func serve(_ listener: AsyncSocket) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [pool] in try await pool.run() }
            group.addTask { try await self.accept(listener) }
            group.addTask {
                while !Interruption.hasCome {
                    try await Task.sleep(for: .milliseconds(50))
                    self.connections.dropOverdue()
                }
            }
            defer {
                group.cancelAll()
                try? listener.close()
            }
            try await group.next()
        }
    }

    private func accept(_ listener: AsyncSocket) async throws {
        while true {
            try Task.checkCancellation()
            do {
                let socket = ClientSocket(try await listener.accept(), pool: pool)
                await connections.begin { id in
                    await self.connection(id, socket).run()
                    socket.close()
                }
            } catch is SocketError {
                // The other side has gone already, or the process may open no more files.
                await connections.dropOldestVisit()
                try await Task.sleep(for: .milliseconds(10))
            }
            await Task.yield()
        }
    }

    private func connection(_ id: Int, _ socket: ClientSocket) -> PageConnection {
        PageConnection(
            id: id, socket: socket, connections: connections, files: files, rule: OriginRule(port: port), setup: setup,
            clip: clip)
    }
}

/// Why a page cannot be served.
package enum PageServerError: Error, Sendable, Equatable {
    /// The port cannot be listened on; `code` is `errno`.
    case listening(port: UInt16, code: Int32)
    /// The page's files are at none of these places.
    case resources(searched: [String])
}
