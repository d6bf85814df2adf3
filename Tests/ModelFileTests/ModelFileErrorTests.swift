import ModelFile
import Testing

/// Sentences are short and safe to print, whatever the file contains.
@Suite struct ModelFileErrorTests {
    @Test func textsOfFilesAreCutShort() {
        let long = String(repeating: "n", count: 900_000)
        let errors: [ModelFileError] = [
            .duplicateKey(long), .unknownField(tensor: long, field: long), .missingField(tensor: long, field: "shape"),
            .unknownType(tensor: long, type: long), .missingTensor(long), .unexpectedTensor(long),
            .wrongType(tensor: long, expected: "I8", found: "F16"), .unsupportedVersion(long),
            .missingMetadata(key: long), .malformedMetadata(key: long, value: long),
            .conflictingMetadata(key: long, with: long),
            .contentMismatch(recorded: long, found: "0123456789abcdef"), .otherDigest(expected: long, found: "0"),
            .wrongNetwork(expected: "a", found: long),
            .shapeOverflow(tensor: long, shape: [Int](repeating: .max, count: 16)),
        ]
        for error in errors { #expect("\(error)".utf8.count < 600, "\(error)") }
        #expect(long.excerpt(limit: 3) == "nnn… (900000 bytes)")
        #expect("abc".excerpt(limit: 3) == "abc" && "abcd".excerpt(limit: 3) == "abc… (4 bytes)")
    }

    @Test func nothingSteersATerminal() {
        let text = "a\u{1B}[2J\nb\u{202E}c\u{7F}é 手\u{2028}"
        #expect(text.excerpt() == "a\\u{1b}[2J\\u{a}b\\u{202e}c\\u{7f}é 手\\u{2028}")
        #expect("\(ModelFileError.missingTensor(text))" == "The tensor \(text.excerpt()) is missing.")
        #expect("\(ModelFileError.unreadable(path: text, code: 2))".hasPrefix(text.excerpt() + " cannot be read: "))
    }

    @Test func whatIsWrongIsSaid() {
        #expect(
            "\(ModelFileError.syntax(.unexpectedByte(0x5D), offset: 9))"
                == "The JSON text is broken at byte 9: byte 93 is unexpected.")
        #expect(
            "\(ModelFileError.nameTooLong(String(repeating: "n", count: 2000), limit: 1024))"
                == "A name in the file, which begins with \(String(repeating: "n", count: 100)), has 2000 bytes; 1024 is "
                + "the limit.")
        #expect(
            "\(ModelFileError.contentMismatch(recorded: "0", found: "1"))"
                == "The model is damaged: its content has the hash 1; its metadata state 0.")
        #expect(
            "\(ModelFileError.unsupportedVersion("1"))"
                == "The file has format version 1, which is not supported.")
    }
}
