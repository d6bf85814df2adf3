/// The connections of a server by kind: visits ask for a file, and sessions have opened a WebSocket. Each kind has a limit.
///
/// A new visit takes the place of the oldest, so that connections that ask for nothing keep no browser out. A new session takes
/// the place of one whose page is silent, because a page in a browser answers pings. Whoever is dropped leaves the table at once.
package struct ConnectionTable: Sendable {
    package typealias Instant = SuspendingClock.Instant

    package struct Limits: Sendable {
        /// A browser opens six connections for a page, and each is closed after its answer.
        package var visits = 128
        /// The longest time from the beginning of a visit to the last byte of its answer.
        package var visitTime = Duration.seconds(10)
        /// Each session has a stream of its own.
        package var sessions = 4
        /// The time from one ping to the next.
        package var heartbeat = Duration.seconds(1)
        /// A session that was silent for longer gives way to a new one.
        package var patience = Duration.seconds(3)
        /// A session that was silent for longer is closed.
        package var silence = Duration.seconds(30)

        package init() {}
    }

    private struct Visit {
        let id: Int
        let begin: Instant
    }

    private struct Session {
        let id: Int
        var heard: Instant
    }

    package let limits: Limits
    private var count = 0
    /// Oldest first.
    private var visits: [Visit] = []
    private var sessions: [Session] = []

    package init(limits: Limits) { self.limits = limits }

    /// A connection begins as a visit.
    /// - Returns: its number, and the visit that is dropped for it.
    package mutating func visit(at now: Instant) -> (id: Int, dropped: Int?) {
        let dropped = visits.count < limits.visits ? nil : dropOldestVisit()
        count += 1
        visits.append(Visit(id: count, begin: now))
        return (count, dropped)
    }

    package mutating func dropOldestVisit() -> Int? { visits.isEmpty ? nil : visits.removeFirst().id }

    package enum Opening: Equatable, Sendable {
        /// There is a place, which `dropped` had before.
        case opened(dropped: Int?)
        /// Every place is taken.
        case full
        /// The visit was dropped in the meantime.
        case gone
    }

    /// A visit becomes a session.
    package mutating func open(_ id: Int, at now: Instant) -> Opening {
        guard let index = visits.firstIndex(where: { $0.id == id }) else { return .gone }
        var dropped: Int?
        if sessions.count >= limits.sessions {
            guard let silent = sessions.min(by: { $0.heard < $1.heard }),
                silent.heard.duration(to: now) > limits.patience
            else { return .full }
            dropped = silent.id
            leave(silent.id)
        }
        visits.remove(at: index)
        sessions.append(Session(id: id, heard: now))
        return .opened(dropped: dropped)
    }

    /// Bytes have come in a session.
    package mutating func hear(_ id: Int, at now: Instant) {
        guard let index = sessions.firstIndex(where: { $0.id == id }) else { return }
        sessions[index].heard = now
    }

    package mutating func leave(_ id: Int) {
        visits.removeAll { $0.id == id }
        sessions.removeAll { $0.id == id }
    }

    /// Drops visits that have lasted too long, and sessions that were silent for too long.
    package mutating func dropOverdue(at now: Instant) -> [Int] {
        let late = visits.filter { $0.begin.duration(to: now) > limits.visitTime }.map(\.id)
        let silent = sessions.filter { $0.heard.duration(to: now) > limits.silence }.map(\.id)
        for id in late + silent { leave(id) }
        return late + silent
    }
}
