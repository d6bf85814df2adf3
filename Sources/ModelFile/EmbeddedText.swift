import Platform

/// A model embedded in a program as text: base64 (RFC 4648, with padding) in a string literal.
///
/// A literal is part of the program's read-only data. It needs no file beside the program, and no library to find one.
package enum EmbeddedText {
    private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The bytes of a literal with such a text.
    package static func decode(_ text: StaticString) throws(ModelFileError) -> [UInt8] {
        guard text.hasPointerRepresentation else { throw .embeddedText(offset: 0) }
        return try decode(unsafe Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// The bytes of a base64 text; throws `.embeddedText(offset:)` at the first invalid character.
    package static func decode(_ text: Span<UInt8>) throws(ModelFileError) -> [UInt8] {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        var end = text.count
        while end > 0, text.count - end < 2, text[end - 1] == padding { end -= 1 }
        guard text.count.isMultiple(of: 4) else { throw .embeddedText(offset: text.count) }
        let byteCount = text.count / 4 * 3 - (text.count - end)
        var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3)
        var output = bytes.mutableElementSpan
        let table = values.elementSpan
        for group in 0..<text.count / 4 {
            let at = 4 * group
            // Within the text and the output, which have a multiple of 4 and of 3 bytes; the table has one for each byte.
            let a = unsafe table[unchecked: Int(text[unchecked: at])]
            let b = unsafe table[unchecked: Int(text[unchecked: at + 1])]
            let c = at + 2 < end ? unsafe table[unchecked: Int(text[unchecked: at + 2])] : 0
            let d = at + 3 < end ? unsafe table[unchecked: Int(text[unchecked: at + 3])] : 0
            guard a | b | c | d < 64 else {
                let wrong = [a, b, c, d].firstIndex { $0 >= 64 } ?? 0
                throw .embeddedText(offset: at + wrong)
            }
            let bits = UInt32(a) << 18 | UInt32(b) << 12 | UInt32(c) << 6 | UInt32(d)
            unsafe output[unchecked: 3 * group] = UInt8(truncatingIfNeeded: bits >> 16)
            unsafe output[unchecked: 3 * group + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            unsafe output[unchecked: 3 * group + 2] = UInt8(truncatingIfNeeded: bits)
        }
        bytes.removeLast(bytes.count - byteCount)
        return bytes
    }
}

extension ModelFile {
    /// Reads and checks a model embedded as text.
    package init(embedded text: StaticString) throws(ModelFileError) {
        try self.init(bytes: EmbeddedText.decode(text))
    }
}
