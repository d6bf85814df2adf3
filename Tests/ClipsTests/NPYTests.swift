import Clips
import FileOutput
import Foundation
import NumPyFormat
import TestSupport
import Testing
import Vocabulary

private func encoded(_ dictionary: String, version: [UInt8] = [1, 0], payload: [UInt8] = []) -> [UInt8] {
    let count = dictionary.utf8.count
    var length = [UInt8(count & 0xFF), UInt8(count >> 8 & 0xFF)]
    if version[0] > 1 { length += [UInt8(count >> 16 & 0xFF), UInt8(count >> 24 & 0xFF)] }
    return [0x93] + Array("NUMPY".utf8) + version + length + Array(dictionary.utf8) + payload
}

private func dictionary(_ shape: String, _ element: String = "|u1", _ order: String = "False") -> String {
    "{'descr': '\(element)', 'fortran_order': \(order), 'shape': \(shape), }\n"
}

@Suite struct NPYTests {
    /// What reading all rows throws.
    private static func refusal(
        _ bytes: [UInt8], element: NPYElement = .uint8, rowShape: [Int] = [2, 3]
    ) throws -> (error: NPYError?, path: String) {
        let scratch = try Scratch()
        let path = try scratch.write("a.npy", bytes)
        do throws(NPYError) {
            _ = try rows(path, element: element, rowShape: rowShape)
            return (nil, path)
        } catch {
            return (error, path)
        }
    }

    private static func rows(_ path: String, element: NPYElement, rowShape: [Int]) throws(NPYError) -> [[UInt8]] {
        var reader = try NPYReader(path, element: element, rowShape: rowShape)
        var row = [UInt8](repeating: 0, count: reader.rowLength * element.byteCount)
        var rows: [[UInt8]] = []
        while true {
            var span = row.mutableSpan
            guard try reader.next(into: &span) else { return rows }
            rows.append(row)
        }
    }

    @Test func framesOfEveryVersion() throws {
        let scratch = try Scratch()
        let payload = (0..<18).map { UInt8($0 * 11) }
        for (version, text) in [
            ([UInt8(1), 0], dictionary("(3, 2, 3)")), ([2, 0], dictionary("(3,2,3,)")),
            ([3, 0], "{\"shape\":(3,2,3),\"descr\":\"|u1\",\"fortran_order\":False}"),
            ([1, 0], " { 'shape' : ( 3 , 2 , 3 ) , 'fortran_order' : False , 'descr' : '|u1' } \n\n"),
        ] {
            let path = try scratch.write("a.npy", encoded(text, version: version, payload: payload))
            let read = try Self.rows(path, element: .uint8, rowShape: [2, 3])
            #expect(read.flatMap { $0 } == payload && read.count == 3, "\(text)")
        }
    }

    @Test func fullSizeFramesRoundTrip() throws {
        let scratch = try Scratch()
        let path = scratch.path("frames.npy")
        let frames = (0..<5).map { n in (0..<(224 * 224)).map { UInt8(truncatingIfNeeded: n * 31 + $0 * 7) } }
        var writer = try NPYWriter(OutputTarget(path), element: .uint8, rowShape: [224, 224], rowCount: 5)
        for frame in frames { try writer.append(frame.span) }
        try writer.finish()
        #expect(try Self.rows(path, element: .uint8, rowShape: [224, 224]) == frames)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.directory.path) == ["frames.npy"])
    }

    @Test(arguments: [0, 1, 2, 2000]) func logitsRoundTrip(_ count: Int) throws {
        let scratch = try Scratch()
        let path = scratch.path("logits.npy")
        let rows: [[Float]] = (0..<count).map { n in
            (0..<13).map { (column: Int) -> Float in Float(n) * 0.37 - Float(column) / 3 }
        }
        var writer = try NPYWriter(OutputTarget(path), element: .float32, rowShape: [13], rowCount: count)
        for row in rows { try writer.append(row.span) }
        try writer.finish()

        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(count), 13), }"
        #expect(bytes.count == 128 + count * 52 && bytes[127] == 0x0A)
        #expect(Array(bytes[0..<10]) == [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59, 1, 0, 118, 0])
        #expect(
            String(decoding: bytes[10..<128], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) == header)

        var reader = try NPYReader(path, element: .float32, rowShape: [13])
        #expect(reader.rowCount == count && reader.rowLength == 13)
        var row = [Float](repeating: 0, count: 13)
        for expected in rows {
            var span = row.mutableSpan
            let more = try reader.next(into: &span)
            #expect(more && row == expected)
        }
        var span = row.mutableSpan
        let more = try reader.next(into: &span)
        #expect(!more)
    }

    @Test func unfinishedWritingLeavesTheOldFile() throws {
        let scratch = try Scratch()
        let path = try scratch.write("a.npy", [1, 2, 3])
        do {
            var writer = try NPYWriter(OutputTarget(path), element: .uint8, rowShape: [2], rowCount: 1)
            let row: [UInt8] = [9, 9]
            try writer.append(row.span)
        }
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == [1, 2, 3])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.directory.path) == ["a.npy"])
    }

    @Test func writingWhereOneCannot() throws {
        let scratch = try Scratch()
        let target = try OutputTarget(scratch.path("no.npy"))
        try FileManager.default.removeItem(at: scratch.directory)
        #expect(throws: NPYError.output(.system(path: scratch.path("no.npy"), code: 2))) {
            _ = try NPYWriter(target, element: .uint8, rowShape: [2], rowCount: 0)
        }
        try FileManager.default.createDirectory(at: scratch.directory, withIntermediateDirectories: false)
        for (count, row) in [(1, [Int.max, 2]), (Int.max, [2]), (-1, [2]), (1, [-1])] {
            #expect(throws: NPYError.shapeOverflow([count] + row)) {
                _ = try NPYWriter(
                    OutputTarget(scratch.path("a.npy")), element: .uint8, rowShape: row, rowCount: count)
            }
        }
        #expect(throws: NPYError.rowLength(expected: 4, found: 3)) {
            var writer = try NPYWriter(
                OutputTarget(scratch.path("a.npy")), element: .uint8, rowShape: [4], rowCount: 1)
            let row: [UInt8] = [1, 2, 3]
            try writer.append(row.span)
        }
    }

    @Test(arguments: [0, 2]) func aFileHasTheRowsThatItsHeaderSays(_ written: Int) throws {
        let scratch = try Scratch()
        let path = scratch.path("a.npy")
        let row: [UInt8] = [1, 2]
        #expect(throws: NPYError.rowCount(expected: 1, found: written)) {
            var writer = try NPYWriter(OutputTarget(path), element: .uint8, rowShape: [2], rowCount: 1)
            for _ in 0..<written { try writer.append(row.span) }
            try writer.finish()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.directory.path).isEmpty)
    }

    @Test(arguments: [
        ("|u1", NPYElement.float32), ("<f8", .float32), (">f4", .float32), ("<f4", .uint8), ("|O", .uint8),
        ("<U1", .uint8),
    ]) func otherElements(_ found: String, _ expected: NPYElement) throws {
        let bytes = encoded(dictionary("(0, 2, 3)", found))
        #expect(
            try Self.refusal(bytes, element: expected).error
                == .elementType(expected: expected.rawValue, found: found))
    }

    @Test(arguments: [
        ("(3, 2, 3, 1)", [3, 2, 3, 1]), ("(18,)", [18]), ("()", []), ("(2, 3)", [2, 3]), ("(3, 3, 2)", [3, 3, 2]),
    ]) func otherShapes(_ text: String, _ shape: [Int]) throws {
        let bytes = encoded(dictionary(text), payload: Array(repeating: 0, count: 18))
        #expect(try Self.refusal(bytes).error == .shape(expectedRow: [2, 3], found: shape))
    }

    @Test func hugeShapes() throws {
        let most = Int.max
        #expect(
            try Self.refusal(encoded(dictionary("(\(most), 2, 3)"))).error == .shapeOverflow([most, 2, 3]))
        #expect(
            try Self.refusal(encoded(dictionary("(4294967296, 4294967296, 0)"))).error
                == .shapeOverflow([4_294_967_296, 4_294_967_296, 0]))
        // Without rows the header's product is 0, whatever a row would be.
        #expect(
            try Self.refusal(encoded(dictionary("(0, \(most), 2)")), rowShape: [most, 2]).error
                == .shapeOverflow([most, 2]))
        #expect(
            try Self.refusal(encoded(dictionary("(1000000000000, 2, 3)"))).error
                == .truncated(expected: 6_000_000_000_000, found: 0))
        for digits in ["9223372036854775808", String(repeating: "9", count: 400)] {
            guard case .dictionary? = try Self.headerFault(encoded(dictionary("(\(digits), 2, 3)"))) else {
                Issue.record("\(digits) was admitted")
                continue
            }
        }
        let axes = "(" + String(repeating: "1, ", count: 65) + ")"
        guard case .dictionary? = try Self.headerFault(encoded(dictionary(axes))) else {
            Issue.record("65 axes were admitted")
            return
        }
    }

    @Test func wrongLengths() throws {
        let whole = encoded(dictionary("(3, 2, 3)"), payload: Array(repeating: 7, count: 18))
        let headerBytes = whole.count - 18
        for length in 0..<whole.count {
            let error = try Self.refusal(Array(whole.prefix(length))).error
            switch length {
            case ..<8: #expect(error == .truncated(expected: 8, found: length))
            case ..<10: #expect(error == .truncated(expected: 2, found: length - 8))
            case ..<headerBytes: #expect(error == .truncated(expected: headerBytes - 10, found: length - 10))
            default: #expect(error == .truncated(expected: 18, found: length - headerBytes))
            }
        }
        #expect(try Self.refusal(whole).error == nil)
        #expect(try Self.refusal(whole + [0]).error == .trailingBytes(1))
    }

    /// What is wrong with the header.
    private static func headerFault(_ bytes: [UInt8]) throws -> NumPyHeaderFault? {
        guard case .header(let fault)? = try refusal(bytes).error else { return nil }
        return fault
    }

    @Test func headersRefused() throws {
        #expect(try Self.headerFault(Array("PK\u{3}\u{4} is a zip".utf8)) == .signature)
        for version in [[1, 1], [4, 0], [0, 0]] {
            #expect(
                try Self.headerFault(encoded(dictionary("(0, 2, 3)"), version: version.map(UInt8.init)))
                    == .version(major: version[0], minor: version[1]))
        }
        #expect(try Self.refusal(encoded(dictionary("(0, 2, 3)", "|u1", "True"))).error == .fortranOrder)
        let long = encoded(String(repeating: " ", count: 10_001), version: [2, 0])
        #expect(try Self.headerFault(long) == .tooLong(bytes: 10_001, limit: 10_000))
        let longest = dictionary("(0, 2, 3)")
        let padded = longest + String(repeating: " ", count: 10_000 - longest.utf8.count)
        #expect(try Self.refusal(encoded(padded, version: [2, 0])).error == nil)
        let huge = [0x93] + Array("NUMPY".utf8) + [2, 0, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(try Self.headerFault(huge) == .tooLong(bytes: 0xFFFF_FFFF, limit: 10_000))
        let dictionaries: [(String, NumPyHeaderFault)] = [
            ("{'descr': '|u1', 'shape': (0, 2, 3)}", .missingKey("fortran_order")), ("{}", .missingKey("descr")),
            ("{'descr': '|u1', 'fortran_order': False}", .missingKey("shape")),
            ("{'descr': '|u1', 'descr': '|u1'}", .duplicateKey("descr")),
            ("{'fortran_order': True, 'fortran_order': False}", .duplicateKey("fortran_order")),
            ("{'shape': (2, 3), 'shape': (0, 2, 3)}", .duplicateKey("shape")), ("{'evil': 1}", .unknownKey("evil")),
            ("{'descr': [('a', '|u1')]}", .record),
        ]
        for (text, fault) in dictionaries { #expect(try Self.headerFault(encoded(text)) == fault) }
    }

    @Test(arguments: [
        "", "{", "}", "{,}", "{'descr'}", "{'descr': }", "{'descr': |u1}",
        "{'descr': |u1|, 'fortran_order': False, 'shape': (0, 2, 3)}",
        "{'descr': '|u1}", "{'descr': '|u1\"}",
        "{'descr': '\\x7cu1'}", "{'descr': b'|u1'}", "{'fortran_order': 0}",
        "{'fortran_order': Falsehood}", "{'shape': (1}", "{'shape': 3}", "{'shape': (3)}", "{'shape': [3, 2]}",
        "{'shape': (3, -2)}", "{'shape': (3, 2.0)}", "{'shape': (3,, 2)}", "{'shape': (3L, 2)}", "{'shape': (0x3, 2)}",
        "{'shape': (,)}", "{'descr': '|u1' 'shape': (1, 2)}", dictionary("(0, 2, 3)") + "x",
        dictionary("(0, 2, 3)") + dictionary("(0, 2, 3)"), "{'descr': '|u1\u{0}'}", "{'descr': '|ü1'}",
    ]) func dictionariesRefused(_ text: String) throws {
        guard case .dictionary(let offset)? = try Self.headerFault(encoded(text)) else {
            Issue.record("admitted, or another error: \(text)")
            return
        }
        #expect((0...text.utf8.count).contains(offset))
    }

    @Test func rowsOfAnotherLengthOrTypeAreNotRead() throws {
        let scratch = try Scratch()
        let bytes = try scratch.write(
            "bytes.npy", encoded(dictionary("(3, 2, 3)"), payload: (0..<18).map { UInt8($0) }))
        var reader = try NPYReader(bytes, element: .uint8, rowShape: [2, 3])
        func next(_ count: Int, _ reader: inout NPYReader) throws(NPYError) -> [UInt8] {
            var row = [UInt8](repeating: 255, count: count)
            var span = row.mutableSpan
            _ = try reader.next(into: &span)
            return row
        }
        for count in [0, 5, 7] {
            #expect(throws: NPYError.rowLength(expected: 6, found: count)) { _ = try next(count, &reader) }
        }
        #expect(throws: NPYError.elementType(expected: "<f4", found: "|u1")) {
            var row = [Float](repeating: 0, count: 6)
            var span = row.mutableSpan
            _ = try reader.next(into: &span)
        }
        // Nothing was read meanwhile.
        #expect(try next(6, &reader) == [0, 1, 2, 3, 4, 5])

        let floats = try scratch.write(
            "floats.npy", encoded(dictionary("(1, 2)", "<f4"), payload: [0, 0, 128, 63, 0, 0, 0, 64]))
        var other = try NPYReader(floats, element: .float32, rowShape: [2])
        for count in [1, 3] {
            #expect(throws: NPYError.rowLength(expected: 2, found: count)) {
                var row = [Float](repeating: 0, count: count)
                var span = row.mutableSpan
                _ = try other.next(into: &span)
            }
        }
        var row = [Float](repeating: 0, count: 2)
        var span = row.mutableSpan
        #expect(try other.next(into: &span))
        #expect(row == [1, 2])
    }

    /// A file whose size is known is refused before its rows are asked for; of a pipe it shows at the end.
    @Test func wrongLengthsShowAsSoonAsTheyCan() throws {
        let scratch = try Scratch()
        let whole = encoded(dictionary("(3, 2, 3)"), payload: Array(repeating: 7, count: 18))
        let cases: [([UInt8], NPYError)] = [
            (whole + [0], .trailingBytes(1)), (Array(whole.dropLast(4)), .truncated(expected: 18, found: 14)),
        ]
        for (bytes, error) in cases {
            let path = try scratch.write("a.npy", bytes)
            #expect(throws: error) { _ = try NPYReader(path, element: .uint8, rowShape: [2, 3]).rowCount }

            let pipe = scratch.path("pipe-\(bytes.count)")
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            let writer = Process()
            writer.executableURL = URL(fileURLWithPath: "/bin/sh")
            writer.arguments = ["-c", "cat \"$0\" >\"$1\"", path, pipe]
            try writer.run()
            var reader = try NPYReader(pipe, element: .uint8, rowShape: [2, 3])
            #expect(throws: error) {
                var row = [UInt8](repeating: 0, count: 6)
                var more = true
                while more {
                    var span = row.mutableSpan
                    more = try reader.next(into: &span)
                }
            }
            writer.waitUntilExit()
        }
    }

    /// Whatever happens to a file's bytes, reading it ends in rows or in an error.
    @Test func mutations() throws {
        let scratch = try Scratch()
        let whole = encoded(dictionary("(3, 2, 3)"), payload: Array(repeating: 7, count: 18))
        var generator = SplitMix64(seed: 42)
        func random(_ below: Int) -> Int { Int(generator.next(below: UInt64(below))) }
        var admitted = 0
        for _ in 0..<3_000 {
            var bytes = whole
            for _ in 0...random(3) {
                switch random(3) {
                case 0: bytes[random(bytes.count)] = UInt8(random(256))
                case 1: bytes.remove(at: random(bytes.count))
                default: bytes.insert(UInt8(random(256)), at: random(bytes.count + 1))
                }
            }
            let path = try scratch.write("m.npy", bytes)
            do throws(NPYError) {
                let rows = try Self.rows(path, element: .uint8, rowShape: [2, 3])
                #expect(rows.allSatisfy { $0.count == 6 })
                admitted += 1
            } catch {
                #expect(error != .file(path: path, code: 0))
            }
        }
        #expect((30..<2_900).contains(admitted), "\(admitted)")
    }
}
