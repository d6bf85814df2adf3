import Streams
import Testing

/// Work that is a number; negative numbers have no frame and are added to what waits.
private struct Note: MergedWork, Equatable {
    var number: Int

    var hasFrame: Bool { number > 0 }

    mutating func merge(_ next: Note) -> Bool {
        guard next.hasFrame else {
            number -= next.number
            return false
        }
        defer { self = next }
        return hasFrame
    }
}

@Suite struct MailboxTests {
    /// Whether each of the notes made a waiting frame give way.
    private static func add(_ numbers: Int..., to mailbox: inout Mailbox<Note>) -> [Bool] {
        numbers.map { mailbox.add(Note(number: $0)) }
    }

    @Test func theNewestWins() {
        var mailbox = Mailbox<Note>()
        let nothing = mailbox.take()
        #expect(nothing == nil && mailbox.work == nil)
        let wasSuperseded = Self.add(1, 2, 3, to: &mailbox)
        #expect(wasSuperseded == [false, true, true] && mailbox.superseded == 2)
        let (taken, rest) = (mailbox.take(), mailbox.take())
        #expect(taken == Note(number: 3) && rest == nil && mailbox.superseded == 2)
    }

    @Test func workWithoutAFrameIsMergedAndCountsForNothing() {
        var mailbox = Mailbox<Note>()
        let after = Self.add(5, -2, to: &mailbox)
        #expect(after == [false, false] && mailbox.work == Note(number: 7))
        let taken = mailbox.take()
        #expect(taken == Note(number: 7))
        let before = Self.add(-2, 1, to: &mailbox)
        #expect(before == [false, false] && mailbox.work == Note(number: 1) && mailbox.superseded == 0)
    }

    @Test func whatIsDiscardedIsCounted() {
        var mailbox = Mailbox<Note>()
        mailbox.discard()
        _ = Self.add(-1, to: &mailbox)
        mailbox.discard()
        #expect(mailbox.superseded == 0)
        _ = Self.add(1, to: &mailbox)
        mailbox.discard()
        let taken = mailbox.take()
        #expect(mailbox.superseded == 1 && taken == nil)
    }

    /// A closed mailbox still adds work: its owner asks `isClosed` first.
    @Test func whatWaitsCanBeTakenAfterClosing() {
        var mailbox = Mailbox<Note>()
        _ = Self.add(1, to: &mailbox)
        #expect(!mailbox.isClosed)
        mailbox.close()
        let taken = mailbox.take()
        #expect(mailbox.isClosed && taken == Note(number: 1))
    }
}
