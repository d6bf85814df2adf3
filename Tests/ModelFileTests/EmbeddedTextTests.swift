import Foundation
import ModelFile
import Testing
import Vocabulary

/// Base64 of Foundation, and what must be refused.
@Suite struct EmbeddedTextTests {
    @Test func everyLengthIsDecoded() throws {
        var generator = SplitMix64(seed: 5)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = [UInt8](Data(bytes).base64EncodedData())
            let decoded = try EmbeddedText.decode(text.span)
            #expect(decoded == bytes)
        }
    }

    @Test(arguments: [
        ("AAA", 3), ("A", 1), ("AA*A", 2), ("====", 0), ("AA=A", 2), ("A===", 1), ("AAAA\n", 5), ("é==", 0),
    ])
    func refused(text: String, offset: Int) {
        let bytes = [UInt8](text.utf8)
        #expect(throws: ModelFileError.embeddedText(offset: offset)) {
            try EmbeddedText.decode(bytes.span)
        }
    }
}
