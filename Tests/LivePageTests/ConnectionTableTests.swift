import LivePage
import Testing

@Suite struct ConnectionTableTests {
    private let begin = SuspendingClock().now
    private var table = {
        var limits = ConnectionTable.Limits()
        (limits.visits, limits.visitTime) = (3, .seconds(10))
        (limits.sessions, limits.patience, limits.silence) = (2, .seconds(3), .seconds(30))
        return ConnectionTable(limits: limits)
    }()

    private func time(_ seconds: Int) -> ConnectionTable.Instant { begin.advanced(by: .seconds(seconds)) }

    @Test mutating func theOldestVisitGivesWay() {
        for id in 1...3 { #expect(table.visit(at: begin) == (id, nil)) }
        #expect(table.visit(at: begin) == (4, 1))
        table.leave(3)
        #expect(table.visit(at: begin) == (5, nil))
        #expect(table.visit(at: begin) == (6, 2))
        #expect(table.dropOldestVisit() == 4)
    }

    @Test mutating func aSilentSessionGivesWay() {
        for _ in 1...3 { _ = table.visit(at: begin) }
        for id in 1...2 { #expect(table.open(id, at: begin) == .opened(dropped: nil)) }
        // Sessions are no visits: there is room for two more.
        #expect(table.visit(at: begin).dropped == nil)
        #expect(table.open(3, at: time(3)) == .full)
        table.hear(1, at: time(3))
        #expect(table.open(3, at: time(4)) == .opened(dropped: 2))
        #expect(table.open(4, at: time(6)) == .full)
        #expect(table.open(4, at: time(7)) == .opened(dropped: 1))
        table.leave(3)
        let next = table.visit(at: time(7)).id
        #expect(table.open(next, at: time(7)) == .opened(dropped: nil))
        #expect(table.open(next, at: time(7)) == .gone)
    }

    @Test mutating func visitsAndSilenceEnd() {
        for at in [0, 0, 0, 5] { _ = table.visit(at: time(at)) }
        // The first was dropped for the fourth.
        #expect(table.open(1, at: time(5)) == .gone)
        #expect(table.open(2, at: time(5)) == .opened(dropped: nil))
        #expect(table.dropOverdue(at: time(10)).isEmpty)
        #expect(table.dropOverdue(at: time(11)) == [3])
        #expect(table.dropOverdue(at: time(16)) == [4])
        table.hear(2, at: time(16))
        #expect(table.dropOverdue(at: time(46)).isEmpty)
        #expect(table.dropOverdue(at: time(47)) == [2])
    }
}
