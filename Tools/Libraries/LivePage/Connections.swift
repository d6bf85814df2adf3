import Platform

/// The tasks of a server's connections, under the rules of a `ConnectionTable`.
final class Connections: Sendable {
    private struct State {
        var table: ConnectionTable
        var tasks: [Int: Task<Void, Never>] = [:]

        /// Cancels connections that were dropped.
        /// - Returns: their tasks, which may still run.
        func cancel(_ ids: [Int]) -> [Task<Void, Never>] {
            let dropped = ids.compactMap { tasks[$0] }
            for task in dropped { task.cancel() }
            return dropped
        }
    }

    let limits: ConnectionTable.Limits
    private let state: Locked<State>
    private let clock = SuspendingClock()

    init(limits: ConnectionTable.Limits) {
        self.limits = limits
        state = Locked(State(table: ConnectionTable(limits: limits)))
    }

    /// Runs a connection in a task of its own. Returns when a connection that was dropped for it has ended.
    /// - Parameter body: gets the connection's number.
    func begin(_ body: @escaping @Sendable (Int) async -> Void) async {
        let dropped = state.withLock { state in
            let (id, dropped) = state.table.visit(at: clock.now)
            state.tasks[id] = Task {
                await body(id)
                self.leave(id)
            }
            return state.cancel(dropped.map { [$0] } ?? [])
        }
        for task in dropped { await task.value }
    }

    /// Returns when the oldest visit has ended.
    func dropOldestVisit() async {
        let dropped = state.withLock { state in state.cancel(state.table.dropOldestVisit().map { [$0] } ?? []) }
        for task in dropped { await task.value }
    }

    /// Makes a session of a visit. Returns when a session that was dropped for it has ended.
    /// - Returns: false if there is no place.
    func open(_ id: Int) async throws(CancellationError) -> Bool {
        let dropped: [Task<Void, Never>]? = try state.withLock { state throws(CancellationError) in
            switch state.table.open(id, at: clock.now) {
            case .opened(let dropped): state.cancel(dropped.map { [$0] } ?? [])
            case .full: nil
            case .gone: throw CancellationError()
            }
        }
        guard let dropped else { return false }
        for task in dropped { await task.value }
        return true
    }

    func hear(_ id: Int) { state.withLock { $0.table.hear(id, at: clock.now) } }

    func dropOverdue() { _ = state.withLock { state in state.cancel(state.table.dropOverdue(at: clock.now)) } }

    /// Ends all connections. None may begin any more.
    func end() async {
        let tasks = state.withLock { state in state.cancel(Array(state.tasks.keys)) }
        for task in tasks { await task.value }
    }

    private func leave(_ id: Int) {
        state.withLock { state in
            state.table.leave(id)
            state.tasks[id] = nil
        }
    }
}
