import Platform
import Testing

@Suite struct PathTextTests {
    /// Every sequence of bytes has one text, and its text is that path again.
    @Test func everyPathHasOneText() {
        var generator = SystemRandomNumberGenerator()
        // Of scalars, because strings are equal that look alike: an accent may be a scalar of its own.
        var texts: [[Unicode.Scalar]: [UInt8]] = [:]
        for round in 0..<20_000 {
            // Bytes that begin, continue and break characters are frequent.
            let usual: [UInt8] = [
                0x2F, 0x41, 0x80, 0xBF, 0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0xF4, 0x8F, 0xBE, 0xFF,
            ]
            let path = (0..<round % 9).map { _ in
                Bool.random() ? usual.randomElement(using: &generator)! : UInt8.random(in: 1...255, using: &generator)
            }
            let text = PathText.text(path)
            #expect(PathText.bytes(text) == path)
            #expect(texts.updateValue(path, forKey: Array(text.unicodeScalars)).map { $0 == path } ?? true, "\(path)")
        }
    }

    @Test func textStaysText() {
        for text in ["", "/a/b.mp4", "café", "日本 🖐"] {
            #expect(PathText.text(Array(text.utf8)) == text && PathText.bytes(text) == Array(text.utf8))
        }
    }

    @Test func otherBytesAreSeen() {
        let text = PathText.text([0x61, 0xE9, 0x2F, 0xFF])
        #expect(text.unicodeScalars.map { PathText.byte($0) } == [nil, 0xE9, nil, 0xFF])
    }
}
