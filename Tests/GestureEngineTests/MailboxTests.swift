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
    @Test func theNewestWins() {
        var mailbox = Mailbox<Note>()
        #expect(mailbox.take() == nil && mailbox.work == nil)
        #expect(!mailbox.add(Note(number: 1)))
        #expect(mailbox.add(Note(number: 2)) && mailbox.add(Note(number: 3)))
        #expect(mailbox.superseded == 2)
        #expect(mailbox.take() == Note(number: 3))
        #expect(mailbox.take() == nil && mailbox.superseded == 2)
    }

    @Test func workWithoutAFrameIsMergedAndCountsForNothing() {
        var mailbox = Mailbox<Note>()
        #expect(!mailbox.add(Note(number: 5)) && !mailbox.add(Note(number: -2)))
        #expect(mailbox.work == Note(number: 7) && mailbox.superseded == 0)
        #expect(mailbox.take() == Note(number: 7))
        #expect(!mailbox.add(Note(number: -2)) && !mailbox.add(Note(number: 1)))
        #expect(mailbox.superseded == 0)
    }

    @Test func whatIsDiscardedIsCounted() {
        var mailbox = Mailbox<Note>()
        mailbox.discard()
        _ = mailbox.add(Note(number: -1))
        mailbox.discard()
        #expect(mailbox.superseded == 0)
        _ = mailbox.add(Note(number: 1))
        mailbox.discard()
        #expect(mailbox.superseded == 1 && mailbox.take() == nil)
    }

    /// Closing refuses what comes; whoever adds has to look.
    @Test func whatWaitsCanBeTakenAfterClosing() {
        var mailbox = Mailbox<Note>()
        _ = mailbox.add(Note(number: 1))
        #expect(!mailbox.isClosed)
        mailbox.close()
        #expect(mailbox.isClosed && mailbox.take() == Note(number: 1))
    }
}
