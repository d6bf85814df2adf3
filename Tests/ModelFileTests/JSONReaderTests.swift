import ModelFile
import Testing

@Suite struct JSONReaderTests {
    private typealias Fault = ModelFileError.JSONFault

    private func skip(_ bytes: [UInt8]) throws(ModelFileError) {
        var reader = JSONReader(bytes)
        try reader.skipValue()
        try reader.finishText()
    }

    @Test(arguments: [
        "{}", "[]", " [ ] ", "{\"a\":1}", "[1,2.5,-0,1e9,1E-9,0.1e+2]", "[true,false,null]", "\"\"",
        "{\"a\":{\"b\":[{},[[]]]}}", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", "\t\r\n1\n", "\"\u{7F}é𝄞\"",
    ])
    func accepts(_ text: String) throws {
        try skip(Array(text.utf8))
    }

    @Test(arguments: [
        ("", Fault.unexpectedEnd, 0), ("{", .unexpectedEnd, 1), ("{]", .unexpectedByte(0x5D), 1),
        ("{\"a\"}", .unexpectedByte(0x7D), 4), ("{\"a\":}", .unexpectedByte(0x7D), 5),
        ("{\"a\":1,}", .unexpectedByte(0x7D), 7), ("[1,]", .unexpectedByte(0x5D), 3),
        ("[1 2]", .unexpectedByte(0x32), 3),
        ("[,1]", .unexpectedByte(0x2C), 1), ("01", .invalidNumber, 0), ("-", .unexpectedEnd, 1),
        ("+1", .unexpectedByte(0x2B), 0),
        (".5", .unexpectedByte(0x2E), 0), ("1.", .invalidNumber, 0), ("1e", .invalidNumber, 0),
        ("nul", .unexpectedEnd, 3),
        ("True", .unexpectedByte(0x54), 0), ("NaN", .unexpectedByte(0x4E), 0), ("'a'", .unexpectedByte(0x27), 0),
        ("\"a", .unexpectedEnd, 2), ("\"\n\"", .unexpectedByte(0x0A), 1), ("\"\\x\"", .invalidEscape, 1),
        ("\"\\u12g4\"", .invalidEscape, 1), ("\"\\u12", .unexpectedEnd, 5), ("\"\\ud800\"", .invalidEscape, 1),
        ("\"\\udc00\"", .invalidEscape, 1), ("\"\\ud800\\u0041\"", .invalidEscape, 1),
        ("\"\\ud800\\ud800\"", .invalidEscape, 1),
        ("1 x", .trailingContent, 2), ("//\n1", .unexpectedByte(0x2F), 0),
    ])
    func refuses(_ text: String, _ fault: ModelFileError.JSONFault, _ offset: Int) {
        #expect(throws: ModelFileError.syntax(fault, offset: offset)) { try skip(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22],
            [0x22, 0xE2, 0x82, 0x22], [0x22, 0x5C, 0x6E, 0x80, 0x22],
        ] as [[UInt8]])
    func refusesWhatIsNotUTF8(_ bytes: [UInt8]) {
        #expect(throws: ModelFileError.syntax(.invalidUTF8, offset: 1)) { try skip(bytes) }
    }

    @Test func resolvesEscapes() throws {
        var reader = JSONReader(Array(#""a\"\\\/\b\f\n\r\t\u00E9\ud834\uDD1E\u0000é""#.utf8))
        #expect(try reader.string() == "a\"\\/\u{8}\u{C}\n\r\té𝄞\0é")
    }

    @Test func depthIsCapped() throws {
        let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        try skip(Array(deepest.utf8))
        #expect(throws: ModelFileError.syntax(.tooDeep, offset: 64)) { try skip(Array("[\(deepest)]".utf8)) }
        // Far beyond any stack, were it recursive without a cap.
        #expect(throws: ModelFileError.syntax(.tooDeep, offset: 64)) {
            try skip([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))
        }
    }

    @Test func integersAreExactUpTo63Bits() throws {
        for value in [0, 1, 9_007_199_254_740_993, Int.max] {
            var reader = JSONReader(Array("\(value)".utf8))
            #expect(try reader.integer() == value)
        }
    }

    @Test(arguments: [
        "9223372036854775808", "18446744073709551616", "99999999999999999999999999", "-1", "-0", "1.0", "1e3", "1E3",
    ])
    func refusesOtherNumbersAsIntegers(_ text: String) {
        #expect(throws: ModelFileError.syntax(.notAnInteger, offset: 0)) {
            var reader = JSONReader(Array(text.utf8))
            _ = try reader.integer()
        }
    }

    @Test func quotedTextReadsBack() throws {
        let text = String(String.UnicodeScalarView((0..<0x250).compactMap(Unicode.Scalar.init))) + "𝄞\u{FFFF}"
        var reader = JSONReader(Array(JSONText.quoted(text).utf8))
        #expect(Array(try reader.string().unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test func objectsOfStringsRefuseDuplicates() throws {
        let members = try JSONText.stringMembers(in: Array(#"{"b":"1","a":"2"}"#.utf8))
        #expect(members.map(\.key) == ["b", "a"])
        #expect(members.map(\.value) == ["1", "2"])
        #expect(throws: ModelFileError.duplicateKey("a")) {
            try JSONText.stringMembers(in: Array(#"{"a":"1","\u0061":"2"}"#.utf8))
        }
    }
}
