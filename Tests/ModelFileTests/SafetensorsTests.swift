import Foundation
import ModelFile
import Testing

/// A file of this header text and so many bytes of data.
func safetensors(_ header: String, data: Int = 0) -> [UInt8] {
    let text = Array(header.utf8)
    return (0..<8).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) } + text
        + [UInt8](repeating: 0, count: data)
}

@Suite struct SafetensorsTests {
    private func entry(_ name: String, _ type: String, _ shape: String, _ begin: Int, _ end: Int) -> String {
        "\"\(name)\":{\"dtype\":\"\(type)\",\"shape\":\(shape),\"data_offsets\":[\(begin),\(end)]}"
    }

    @Test func readsAFileWrittenByHand() throws {
        let header =
            "{\"__metadata__\":{\"k\":\"v\"}," + entry("b", "U8", "[3]", 4, 7) + "," + entry("a", "I16", "[1,2]", 0, 4)
            + "}  "
        var bytes = safetensors(header)
        bytes += [1, 2, 3, 4, 5, 6, 7]
        let file = try SafetensorsFile(bytes: bytes)
        #expect(file.metadata == ["k": "v"])
        #expect(file.tensors.map(\.name) == ["a", "b"])
        let a = try file.tensor(named: "a")
        #expect(a.type == .int16 && a.shape == [1, 2] && a.elementCount == 2)
        let raw = file.rawBytes(of: a)
        #expect((0..<raw.count).map { raw[$0] } == [1, 2, 3, 4])
        #expect(file["c"] == nil)
        #expect(throws: ModelFileError.missingTensor("c")) { try file.tensor(named: "c") }
        #expect(throws: ModelFileError.wrongType(tensor: "b", expected: "I8", found: "U8")) { try file.int8s("b") }
    }

    @Test func scalarsAndEmptyTensorsAreLegal() throws {
        let header = "{" + entry("scalar", "F32", "[]", 0, 4) + "," + entry("empty", "F64", "[3,0,7]", 4, 4) + "}"
        let file = try SafetensorsFile(bytes: safetensors(header, data: 4))
        #expect(try file.floats("scalar") == [0])
        #expect(try file.floats("empty") == [])
        #expect(try SafetensorsFile(bytes: safetensors("{}")).tensors.isEmpty)
    }

    @Test func convertsEveryFloatType() throws {
        func little<T: FixedWidthInteger>(_ values: [T]) -> [UInt8] {
            values.flatMap { value in (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * T($0))) } }
        }
        let payloads = [
            TensorPayload(
                name: "d", type: .float64, shape: [4], bytes: little([1.5, -0.1, 1e300, .nan].map(\Double.bitPattern))),
            TensorPayload(
                name: "f", type: .float32, shape: [2], bytes: little([Float.pi, -.infinity].map(\.bitPattern))),
            TensorPayload(name: "h", type: .float16, shape: [2], bytes: little([0x3C00, 0x8001] as [UInt16])),
            TensorPayload(name: "g", type: .bfloat16, shape: [1], bytes: little([0xC049] as [UInt16])),
            TensorPayload(name: "i", type: .int8, shape: [3], bytes: [0x80, 0xFF, 0x7F]),
        ]
        let file = try SafetensorsFile(bytes: SafetensorsWriter.bytes(tensors: payloads, metadata: [:]))
        let doubles = try file.floats("d")
        #expect(doubles[..<3] == [1.5, -0.1, .infinity] && doubles[3].isNaN)
        #expect(try file.floats("f") == [.pi, -.infinity])
        #expect(try file.floats("h") == [1, -0x1p-24])
        #expect(try file.floats("g") == [-3.140625])
        #expect(try file.int8s("i") == [-128, -1, 127])
    }

    @Test func everyTypeHasTheSizeItsNameSays() {
        for type in TensorType.allCases where type != .bool {
            let digits = type.rawValue.drop { !$0.isNumber }.prefix { $0.isNumber }
            #expect(type.byteCount * 8 == Int(digits))
        }
        #expect(TensorType.bool.byteCount == 1)
        #expect(TensorType.float64.byteCount(shape: [3, 5]) == 120)
        #expect(TensorType.float64.byteCount(shape: [0, Int.max, 2]) == nil)
        #expect(TensorType.uint8.byteCount(shape: [-1]) == nil)
    }

    @Test func writingIsDeterministicAlignedAndReadsBack() throws {
        let payloads: [TensorPayload] = [
            .int8("z", shape: [3], [1, -1, 127]), .float32("é\"\n", shape: [1, 2], [0.5, -2]),
            .float16("b", shape: [2], bits: [1, 2]), .float16("a", shape: [], bits: [3]),
        ]
        let metadata = ["b": "2", "a": "line\nbreak \u{1F600}", "": ""]
        let bytes = try SafetensorsWriter.bytes(tensors: payloads, metadata: metadata)
        #expect(try SafetensorsWriter.bytes(tensors: payloads.reversed(), metadata: metadata) == bytes)
        let file = try SafetensorsFile(bytes: bytes)
        #expect(file.metadata == metadata)
        #expect(file.tensors.map(\.name) == ["é\"\n", "a", "b", "z"])
        for payload in payloads {
            let tensor = try file.tensor(named: payload.name)
            #expect(tensor.type == payload.type && tensor.shape == payload.shape)
            #expect(Array(bytes[tensor.byteRange]) == payload.bytes)
            #expect(tensor.byteRange.lowerBound % tensor.type.byteCount == 0)
        }
        #expect(file.tensors[0].byteRange.lowerBound % 8 == 0)
    }

    @Test func theWriterRefusesWhatCouldNotBeRead() {
        let one = TensorPayload.int8("a", shape: [1], [1])
        #expect(throws: ModelFileError.duplicateKey("a")) {
            try SafetensorsWriter.bytes(tensors: [one, one], metadata: [:])
        }
        #expect(throws: ModelFileError.duplicateKey("__metadata__")) {
            try SafetensorsWriter.bytes(tensors: [.int8("__metadata__", shape: [1], [1])], metadata: [:])
        }
        #expect(throws: ModelFileError.sizeMismatch(tensor: "a", expected: 2, found: 1)) {
            try SafetensorsWriter.bytes(tensors: [.int8("a", shape: [2], [1])], metadata: [:])
        }
    }

    /// What is wrong, the members of the header's object, bytes of data, and the error.
    private static let attacks: [(String, String, Int, ModelFileError)] = {
        func a(_ type: String, _ shape: String, _ offsets: String, name: String = "a") -> String {
            "\"\(name)\":{\"dtype\":\"\(type)\",\"shape\":\(shape),\"data_offsets\":\(offsets)}"
        }
        func metadata(_ value: String) -> String { "\"__metadata__\":\(value)" }
        func syntax(_ fault: ModelFileError.JSONFault, _ offset: Int) -> ModelFileError {
            .syntax(fault, offset: 8 + offset)
        }
        let half = "9223372036854775807"
        let first = a("U8", "[1]", "[0,1]")
        return [
            ("duplicate tensor", first + "," + a("U8", "[1]", "[1,2]"), 2, .duplicateKey("a")),
            (
                "duplicate through an escape", first + "," + a("U8", "[1]", "[1,2]", name: "\\u0061"), 2,
                .duplicateKey("a")
            ),
            ("duplicate metadata key", metadata(#"{"a":"1","a":"2"}"#), 0, .duplicateKey("a")),
            ("duplicate metadata", metadata("{}") + "," + metadata("{}"), 0, .duplicateKey("__metadata__")),
            (
                "duplicate field", #""a":{"dtype":"U8","dtype":"I8","shape":[],"data_offsets":[0,1]}"#, 1,
                .duplicateKey("dtype")
            ),
            ("metadata of numbers", metadata(#"{"b":"1","a":1}"#), 0, .metadataNotText(key: "a")),
            ("metadata of objects", metadata(#"{"a": {"b":[]}}"#), 0, .metadataNotText(key: "a")),
            ("metadata of null", metadata(#"{"a":null}"#), 0, .metadataNotText(key: "a")),
            ("metadata of broken JSON", metadata(#"{"a":nul}"#), 0, syntax(.unexpectedByte(0x7D), 24)),
            ("metadata not an object", metadata("null"), 0, .metadataNotAnObject),
            ("metadata not an object and broken", metadata("nul"), 0, syntax(.unexpectedByte(0x7D), 19)),
            ("a type that is a number", #""a":{"dtype":1}"#, 0, syntax(.otherKind, 14)),
            ("a shape that is a text", #""a":{"shape":"1"}"#, 0, syntax(.otherKind, 14)),
            ("a dimension that is a text", #""a":{"shape":["1"]}"#, 0, syntax(.otherKind, 15)),
            ("a tensor that is an array", #""a":[]"#, 0, syntax(.otherKind, 5)),
            ("a key that is a number", "1:{}", 0, syntax(.unexpectedByte(0x31), 1)),
            ("unknown type skips no check", a("F128", "[1]", "[0,16]"), 16, .unknownType(tensor: "a", type: "F128")),
            ("type in lower case", a("f32", "[1]", "[0,4]"), 4, .unknownType(tensor: "a", type: "f32")),
            (
                "unknown field", #""a":{"dtype":"U8","shape":[],"data_offsets":[0,1],"x":0}"#, 1,
                .unknownField(tensor: "a", field: "x")
            ),
            ("no type", #""a":{"shape":[],"data_offsets":[0,1]}"#, 1, .missingField(tensor: "a", field: "dtype")),
            ("no shape", #""a":{"dtype":"U8","data_offsets":[0,1]}"#, 1, .missingField(tensor: "a", field: "shape")),
            ("no offsets", #""a":{"dtype":"U8","shape":[]}"#, 1, .missingField(tensor: "a", field: "data_offsets")),
            (
                "shape product wraps to 0", a("F32", "[4294967296,4294967296]", "[0,0]"), 0,
                .shapeOverflow(tensor: "a", shape: [1 << 32, 1 << 32])
            ),
            (
                "element size overflows", a("F64", "[2305843009213693952]", "[0,0]"), 0,
                .shapeOverflow(tensor: "a", shape: [1 << 61])
            ),
            (
                "zero hides an overflow", a("U8", "[0,\(half),2]", "[0,0]"), 0,
                .shapeOverflow(tensor: "a", shape: [0, .max, 2])
            ),
            ("dimension beyond 63 bits", a("U8", "[18446744073709551615]", "[0,1]"), 1, syntax(.notAnInteger, 28)),
            ("negative dimension", a("U8", "[-1]", "[0,1]"), 1, syntax(.notAnInteger, 28)),
            ("fractional dimension", a("U8", "[1.0]", "[0,1]"), 1, syntax(.notAnInteger, 28)),
            (
                "too many dimensions", a("U8", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,1]"), 1,
                .tooManyDimensions(tensor: "a", limit: 16)
            ),
            ("one offset", a("U8", "[1]", "[0]"), 1, .invalidOffsets(tensor: "a")),
            ("three offsets", a("U8", "[1]", "[0,1,2]"), 1, .invalidOffsets(tensor: "a")),
            ("offsets backwards", a("U8", "[1]", "[1,0]"), 1, .invalidOffsets(tensor: "a")),
            (
                "first tensor not at 0", a("U8", "[1]", "[1,2]"), 2,
                .notContiguous(tensor: "a", expectedBegin: 0, begin: 1)
            ),
            (
                "gap", first + "," + a("U8", "[1]", "[2,3]", name: "b"), 3,
                .notContiguous(tensor: "b", expectedBegin: 1, begin: 2)
            ),
            (
                "overlap", a("U8", "[2]", "[0,2]") + "," + a("U8", "[2]", "[1,3]", name: "b"), 3,
                .notContiguous(tensor: "b", expectedBegin: 2, begin: 1)
            ),
            (
                "two tensors in one place", first + "," + a("U8", "[1]", "[0,1]", name: "b"), 1,
                .notContiguous(tensor: "b", expectedBegin: 1, begin: 0)
            ),
            ("range too long", a("U8", "[1]", "[0,2]"), 2, .sizeMismatch(tensor: "a", expected: 1, found: 2)),
            ("range too short", a("F32", "[2]", "[0,4]"), 4, .sizeMismatch(tensor: "a", expected: 8, found: 4)),
            ("end beyond the file", a("U8", "[9]", "[0,9]"), 8, .truncated(expected: 8 + 53 + 9, actual: 8 + 53 + 8)),
            (
                "end wraps", a("U8", "[\(half)]", "[0,\(half)]"), 8,
                .truncated(expected: .max, actual: 8 + 89 + 8)
            ),
            ("bytes after the last tensor", first, 2, .trailingBytes(expected: 8 + 53 + 1, actual: 8 + 53 + 2)),
        ]
    }()

    @Test func refusesEveryCraftedHeader() {
        func error(_ header: String, _ data: Int) -> ModelFileError? {
            do { _ = try SafetensorsFile(bytes: safetensors(header, data: data)) } catch { return error }
            return nil
        }
        for (name, members, data, expected) in Self.attacks {
            #expect(error("{\(members)}", data) == expected, "\(name)")
        }
        for (header, fault, offset) in [
            (" {}", ModelFileError.JSONFault.unexpectedByte(0x20), 8), ("[]", .unexpectedByte(0x5B), 8),
            ("{}  x", .trailingContent, 12), ("{}\n", .trailingContent, 10), ("{}{}", .trailingContent, 10),
            ("{\"__metadata__\":{\"a\":", .unexpectedEnd, 8 + 21),
        ] { #expect(error(header, 0) == .syntax(fault, offset: offset), "\(header)") }
    }

    @Test func refusesEveryCraftedLength() {
        func little(_ length: UInt64) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * UInt64($0))) }
        }
        #expect(throws: ModelFileError.otherFormat(.empty)) { try SafetensorsFile(bytes: []) }
        #expect(throws: ModelFileError.truncated(expected: 8, actual: 7)) {
            try SafetensorsFile(bytes: Array(little(2)[..<7]))
        }
        #expect(throws: ModelFileError.syntax(.unexpectedEnd, offset: 8)) { try SafetensorsFile(bytes: little(0)) }
        #expect(throws: ModelFileError.syntax(.unexpectedEnd, offset: 8)) {
            try SafetensorsFile(bytes: little(0) + [0x7B, 0x7D])
        }
        #expect(throws: ModelFileError.truncated(expected: 11, actual: 10)) {
            try SafetensorsFile(bytes: little(3) + [0x7B, 0x7D])
        }
        // The last would wrap 8 + N to a small sum.
        for length in [1_048_577, UInt64(Int64.max), .max - 7, .max] {
            #expect(throws: ModelFileError.tooLarge(bytes: length, limit: 1_048_576)) {
                try SafetensorsFile(bytes: little(length) + [0x7B, 0x7D])
            }
        }
        #expect(throws: ModelFileError.truncated(expected: 1_048_584, actual: 10)) {
            try SafetensorsFile(bytes: little(1_048_576) + [0x7B, 0x7D])
        }
    }

    @Test func tensorsAreCounted() throws {
        let entries = (0...SafetensorsFile.tensorLimit).map { entry("t\($0)", "U8", "[0]", 0, 0) }
        #expect(throws: ModelFileError.tooManyTensors(limit: 4096)) {
            try SafetensorsFile(bytes: safetensors("{" + entries.joined(separator: ",") + "}"))
        }
        let most = try SafetensorsFile(bytes: safetensors("{" + entries.dropLast().joined(separator: ",") + "}"))
        #expect(most.tensors.count == 4096)
        #expect(throws: ModelFileError.tooManyTensors(limit: 4096)) {
            try SafetensorsWriter.bytes(
                tensors: (0...SafetensorsFile.tensorLimit).map { .int8("t\($0)", shape: [0], []) }, metadata: [:])
        }
    }

    @Test func metadataAreCounted() throws {
        func header(_ count: Int) -> String {
            "{\"__metadata__\":{" + (0..<count).map { "\"k\($0)\":\"\"" }.joined(separator: ",") + "}}"
        }
        #expect(try SafetensorsFile(bytes: safetensors(header(1024))).metadata.count == 1024)
        #expect(throws: ModelFileError.tooManyMetadata(limit: 1024)) {
            try SafetensorsFile(bytes: safetensors(header(1025)))
        }
        #expect(throws: ModelFileError.tooManyMetadata(limit: 1024)) {
            try SafetensorsWriter.bytes(
                tensors: [], metadata: Dictionary(uniqueKeysWithValues: (0...1024).map { ("k\($0)", "") }))
        }
    }

    @Test func namesAreMeasured() throws {
        // 512 letters of two bytes each.
        let longest = String(repeating: "é", count: 512)
        let error = ModelFileError.nameTooLong(
            beginning: String(repeating: "é", count: 100), bytes: 1025, limit: 1024)
        #expect(try SafetensorsFile(bytes: safetensors("{" + entry(longest, "U8", "[0]", 0, 0) + "}"))[longest] != nil)
        #expect(throws: error) {
            try SafetensorsFile(bytes: safetensors("{" + entry(longest + "x", "U8", "[0]", 0, 0) + "}"))
        }
        #expect(throws: error) {
            try SafetensorsFile(bytes: safetensors("{\"__metadata__\":{\"\(longest)x\":\"\"}}"))
        }
        #expect(throws: error) {
            try SafetensorsWriter.bytes(tensors: [.int8(longest + "x", shape: [0], [])], metadata: [:])
        }
        #expect(throws: error) { try SafetensorsWriter.bytes(tensors: [], metadata: [longest + "x": ""]) }
    }

    /// A header too long for any use is refused by the file's first bytes: the rest, which is not there on the disk, is not
    /// read.
    @Test func longHeadersAreNotRead() throws {
        let path = "/tmp/model-file-header-\(getpid()).safetensors"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { _ = unsafe unlink(path) }
        let start: [UInt8] = [0, 0, 0, 0, 1, 0, 0, 0, 0x7B]
        #expect(unsafe write(descriptor, start, start.count) == start.count)
        #expect(ftruncate(descriptor, 1 << 40) == 0)
        #expect(close(descriptor) == 0)
        #expect(throws: ModelFileError.tooLarge(bytes: 1 << 32, limit: 1_048_576)) {
            try SafetensorsFile.load(path: path, limit: 1 << 41)
        }
    }

    @Test func loadingRefusesWhatIsNoFile() throws {
        #expect(throws: ModelFileError.unreadable(path: "/nowhere/model", code: ENOENT)) {
            try SafetensorsFile.load(path: "/nowhere/model", limit: 100)
        }
        #expect(throws: ModelFileError.notARegularFile(path: "/tmp")) {
            try SafetensorsFile.load(path: "/tmp", limit: 100)
        }
        #expect(throws: ModelFileError.notARegularFile(path: "/dev/zero")) {
            try SafetensorsFile.load(path: "/dev/zero", limit: 100)
        }
        let bytes = safetensors("{}", data: 0)
        let path = "/tmp/model-file-test-\(getpid()).safetensors"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { _ = unsafe unlink(path) }
        #expect(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
        #expect(close(descriptor) == 0)
        #expect(try SafetensorsFile.load(path: path, limit: 10).bytes == bytes)
        #expect(throws: ModelFileError.tooLarge(bytes: 10, limit: 9)) { try SafetensorsFile.load(path: path, limit: 9) }
    }
}
