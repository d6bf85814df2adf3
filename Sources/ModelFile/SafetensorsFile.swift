import Platform

/// A safetensors file in memory, checked completely before any tensor can be read.
///
/// The format (huggingface/safetensors): a little-endian 64-bit header length N, N bytes of JSON that begin with `{`
/// and may end in spaces, then the tensors' bytes, little-endian and row-major. The header maps each name to its type,
/// its shape and its byte range, counted from the end of the header; `__metadata__` maps strings to strings.
///
/// The reader accepts only files that every reader understands in the same way: names are unique, ranges follow each
/// other from 0 without gap or overlap, each is exactly as long as shape and type require, and the file ends with the
/// last. Memory for the header is bounded: each list, each name and the header's text have a limit, many times what a
/// checkpoint of the network needs, which is checked before memory is allocated.
package struct SafetensorsFile: Sendable {
    /// One tensor's entry.
    package struct Tensor: Sendable, Equatable {
        package let name: String
        package let type: TensorType
        /// Dimensions, outermost first; empty for a single value.
        package let shape: [Int]
        /// Range of its bytes in the file.
        package let byteRange: Range<Int>

        package var elementCount: Int { byteRange.count / type.byteCount }
    }

    /// Longest header that is accepted, in bytes.
    package static let headerLimit = 1 << 20
    package static let tensorLimit = 4096
    /// Maximum number of entries of `__metadata__`.
    package static let metadataLimit = 1024
    /// Longest name of a tensor or key of the metadata, in bytes of UTF-8.
    package static let nameLimit = 1024
    package static let rankLimit = 16
    /// Name of the header's member that is not a tensor.
    static let metadataName = "__metadata__"

    /// The file's bytes.
    package let bytes: [UInt8]
    /// The strings of `__metadata__`.
    package let metadata: [String: String]
    /// All tensors, in the order of their bytes.
    package let tensors: [Tensor]
    private let indices: [String: Int]

    /// Reads and checks the file.
    package init(bytes: [UInt8]) throws(ModelFileError) {
        let dataStart = try Self.dataStart(bytes, fileSize: bytes.count)
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
        // The header reader has refused duplicate names.
        indices = Dictionary(uniqueKeysWithValues: tensors.indices.map { (tensors[$0].name, $0) })
    }

    /// Reads and checks the file at `path`. A file of more than `limit` bytes, or with another format's first bytes, is
    /// refused before the rest is read.
    package static func load(path: String, limit: Int) throws(ModelFileError) -> SafetensorsFile {
        let (beginning, size) = try FileBytes.sample(path: path)
        _ = try dataStart(beginning, fileSize: size)
        return try SafetensorsFile(bytes: FileBytes.read(path: path, limit: limit))
    }

    /// Offset of the data in a file of `fileSize` bytes that begins with these.
    ///
    /// If the file does not begin with a length and a brace, the error names its format, if that is known.
    private static func dataStart(_ bytes: [UInt8], fileSize: Int) throws(ModelFileError) -> Int {
        var length: UInt64 = 0
        for byte in bytes.prefix(8).reversed() { length = length << 8 | UInt64(byte) }
        guard bytes.count > 8, length > 0 else {
            if let format = ModelFileError.FileFormat.detect(bytes), format != .safetensors {
                throw .otherFormat(format)
            }
            throw fileSize < 8 ? .truncated(expected: 8, actual: fileSize) : .syntax(.unexpectedEnd, offset: 8)
        }
        let isWithinLimit = length <= UInt64(headerLimit)
        // JSON would allow white space here, but the format's first byte is its magic.
        guard bytes[8] == UInt8(ascii: "{") else {
            let format = ModelFileError.FileFormat.detect(bytes)
            guard format == nil, isWithinLimit else { throw .otherFormat(format) }
            throw .syntax(.unexpectedByte(bytes[8]), offset: 8)
        }
        guard isWithinLimit else {
            // Other files may have a brace there, too.
            if let format = ModelFileError.FileFormat.detect(bytes), format != .safetensors {
                throw .otherFormat(format)
            }
            throw .tooLarge(bytes: length, limit: UInt64(headerLimit))
        }
        let dataStart = 8 + Int(length)
        guard dataStart <= fileSize else { throw .truncated(expected: dataStart, actual: fileSize) }
        return dataStart
    }

    /// The tensor with this name; nil without one.
    package subscript(name: String) -> Tensor? {
        indices[name].map { tensors[$0] }
    }

    /// The tensor with this name; throws without one.
    package func tensor(named name: String) throws(ModelFileError) -> Tensor {
        guard let tensor = self[name] else { throw .missingTensor(name) }
        return tensor
    }

    /// The bytes of a tensor of this file, little-endian, row-major, with any alignment.
    @_lifetime(borrow self)
    package func rawBytes(of tensor: Tensor) -> Span<UInt8> {
        bytes.elementSpan.extracting(tensor.byteRange)
    }
}
