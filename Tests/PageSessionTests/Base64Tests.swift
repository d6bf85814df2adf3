import Foundation
import PageSession
import Testing

@Suite struct Base64Tests {
    @Test(arguments: 0...67)
    func textAndBytesAreThoseOfFoundation(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ count) }
        let text = Data(bytes).base64EncodedString()
        #expect(Base64.text(bytes) == text)
        #expect(Base64.bytes(text) == bytes)
    }

    @Test(arguments: ["A", "AA", "AAA", "AAAAA", "AA=A", "A===", "====", "%%%%", "AA A", "AAAA\n", "AAÄA"])
    func otherTextsAreRefused(_ text: String) {
        #expect(Base64.bytes(text) == nil)
    }
}
