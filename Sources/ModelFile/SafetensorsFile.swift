/// A safetensors file in memory, checked whole before any tensor is handed out.
///
/// The format (huggingface/safetensors): a little-endian 64-bit header length N, N bytes of JSON that begin with `{` and
/// may end in spaces, then the tensors' bytes, little-endian and row-major. The header maps each name to its type, its
/// shape and its byte range, counted from the end of the header; `__metadata__` maps strings to strings.
///
/// This reader accepts nothing that another reader could understand otherwise: names are unique, ranges follow each
/// other from 0 without gap or overlap, each is exactly as long as shape and type demand, and the file ends with the last.
package struct SafetensorsFile: Sendable {
    /// One tensor's entry.
    package struct Tensor: Sendable, Equatable {
        package let name: String
        package let type: TensorType
        /// Dimensions, outermost first; empty for a single value.
        package let shape: [Int]
        /// Where its bytes lie in the file.
        package let byteRange: Range<Int>

        package var elementCount: Int { byteRange.count / type.byteCount }
    }

    /// Longest header accepted, in bytes: the limit of the format's reference reader.
    package static let headerLimit = 100_000_000
    package static let tensorLimit = 65_536
    package static let rankLimit = 16
    /// Name of the header's member that is no tensor.
    static let metadataName = "__metadata__"

    /// The file's bytes.
    package let bytes: [UInt8]
    /// The strings of `__metadata__`.
    package let metadata: [String: String]
    /// Every tensor in the order of the bytes.
    package let tensors: [Tensor]
    private let indices: [String: Int]

    /// Reads and checks the file.
    package init(bytes: [UInt8]) throws(ModelFileError) {
        guard bytes.count >= 8 else { throw .truncated(expected: 8, actual: bytes.count) }
        var length: UInt64 = 0
        for index in (0..<8).reversed() { length = length << 8 | UInt64(bytes[index]) }
        guard length <= UInt64(Self.headerLimit) else {
            throw .tooLarge(bytes: length, limit: UInt64(Self.headerLimit))
        }
        let dataStart = 8 + Int(length)
        guard dataStart <= bytes.count else { throw .truncated(expected: dataStart, actual: bytes.count) }
        guard length > 0 else { throw .syntax(.unexpectedEnd, offset: 8) }
        // White space would be valid JSON here, but the format's first byte is its magic.
        guard bytes[8] == UInt8(ascii: "{") else { throw .syntax(.unexpectedByte(bytes[8]), offset: 8) }

        var header = HeaderReader(bytes: bytes, end: dataStart)
        try header.read()
        let entries = header.entries.sorted { ($0.begin, $0.end) < ($1.begin, $1.end) }

        var tensors: [Tensor] = []
        tensors.reserveCapacity(entries.count)
        var expectedBegin = 0
        for entry in entries {
            guard entry.begin == expectedBegin else {
                throw .notContiguous(tensor: entry.name, expectedBegin: expectedBegin, begin: entry.begin)
            }
            guard let size = entry.type.byteCount(shape: entry.shape) else {
                throw .shapeOverflow(tensor: entry.name, shape: entry.shape)
            }
            guard entry.end - entry.begin == size else {
                throw .sizeMismatch(tensor: entry.name, expected: size, found: entry.end - entry.begin)
            }
            let (fileEnd, overflow) = dataStart.addingReportingOverflow(entry.end)
            guard !overflow, fileEnd <= bytes.count else {
                throw .truncated(expected: overflow ? Int.max : fileEnd, actual: bytes.count)
            }
            tensors.append(
                Tensor(
                    name: entry.name, type: entry.type, shape: entry.shape,
                    byteRange: dataStart + entry.begin..<fileEnd))
            expectedBegin = entry.end
        }
        guard dataStart + expectedBegin == bytes.count else {
            throw .trailingBytes(expected: dataStart + expectedBegin, actual: bytes.count)
        }

        self.bytes = bytes
        self.metadata = header.metadata
        self.tensors = tensors
        // The header reader has refused names that come twice.
        indices = Dictionary(uniqueKeysWithValues: tensors.indices.map { (tensors[$0].name, $0) })
    }

    /// Reads and checks the file at `path`, refusing one of more than `limit` bytes before reading it.
    package static func load(path: String, limit: Int) throws(ModelFileError) -> SafetensorsFile {
        try SafetensorsFile(bytes: FileBytes.read(path: path, limit: limit))
    }

    /// The tensor of this name, if there is one.
    package subscript(name: String) -> Tensor? {
        indices[name].map { tensors[$0] }
    }

    /// The tensor of this name.
    package func tensor(named name: String) throws(ModelFileError) -> Tensor {
        guard let tensor = self[name] else { throw .missingTensor(name) }
        return tensor
    }

    /// The bytes of a tensor of this file, little-endian, row-major, of any alignment.
    @_lifetime(borrow self)
    package func rawBytes(of tensor: Tensor) -> Span<UInt8> {
        bytes.span.extracting(tensor.byteRange)
    }
}
