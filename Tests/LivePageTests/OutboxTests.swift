import LivePage
import Testing

@Suite struct OutboxTests {
    @Test func manyMessagesAreTooMuch() {
        let outbox = Outbox()
        for _ in 0..<256 { #expect(outbox.add([1])) }
        #expect(!outbox.add([1]))
    }

    @Test func manyBytesAreTooMuch() {
        let outbox = Outbox()
        let megabyte = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<3 { #expect(outbox.add(megabyte)) }
        // They are left out, however many come.
        for _ in 0..<300 { #expect(outbox.addPicture(megabyte)) }
        for _ in 3..<16 { #expect(outbox.add(megabyte)) }
        #expect(!outbox.add([1]))
    }
}
