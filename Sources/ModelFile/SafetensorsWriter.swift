/// A tensor to write.
package struct TensorPayload: Sendable, Equatable {
    package let name: String
    package let type: TensorType
    package let shape: [Int]
    /// Little-endian, row-major values.
    package let bytes: [UInt8]

    package init(name: String, type: TensorType, shape: [Int], bytes: [UInt8]) {
        self.name = name
        self.type = type
        self.shape = shape
        self.bytes = bytes
    }

    package static func int8(_ name: String, shape: [Int], _ values: [Int8]) -> TensorPayload {
        TensorPayload(name: name, type: .int8, shape: shape, bytes: values.map { UInt8(bitPattern: $0) })
    }

    package static func float32(_ name: String, shape: [Int], _ values: [Float]) -> TensorPayload {
        TensorPayload(
            name: name, type: .float32, shape: shape, bytes: values.flatMap { littleEndianBytes($0.bitPattern) })
    }

    /// A tensor of binary16 bit patterns.
    package static func float16(_ name: String, shape: [Int], bits: [UInt16]) -> TensorPayload {
        TensorPayload(name: name, type: .float16, shape: shape, bytes: bits.flatMap { littleEndianBytes($0) })
    }

    private static func littleEndianBytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
        (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * T($0))) }
    }
}

/// Writes safetensors files, always with the same bytes for the same tensors and metadata.
package enum SafetensorsWriter {
    /// The file's bytes.
    ///
    /// Tensors are in the order of falling element size, then of their names' UTF-8 bytes, as in the format's reference
    /// writer. The header is padded with spaces to a multiple of 8, so each tensor is aligned to its elements. The
    /// header lists the metadata first, by ascending key, then the tensors in the order of their bytes.
    ///
    /// Throws if a name occurs twice or is the metadata's, if a payload's size and shape disagree, or if the reader
    /// would refuse the file because of its limits: header, names, number of tensors or metadata.
    package static func bytes(
        tensors: [TensorPayload], metadata: [String: String]
    ) throws(ModelFileError) -> [UInt8] {
        guard tensors.count <= SafetensorsFile.tensorLimit else {
            throw .tooManyTensors(limit: SafetensorsFile.tensorLimit)
        }
        guard metadata.count <= SafetensorsFile.metadataLimit else {
            throw .tooManyMetadata(limit: SafetensorsFile.metadataLimit)
        }
        for name in tensors.map({ $0.name }) + metadata.keys.sorted() where name.utf8.count > SafetensorsFile.nameLimit
        {
            throw .nameTooLong(name, limit: SafetensorsFile.nameLimit)
        }
        var names: Set<String> = [SafetensorsFile.metadataName]
        for tensor in tensors {
            guard names.insert(tensor.name).inserted else { throw .duplicateKey(tensor.name) }
            guard let size = tensor.type.byteCount(shape: tensor.shape) else {
                throw .shapeOverflow(tensor: tensor.name, shape: tensor.shape)
            }
            guard size == tensor.bytes.count else {
                throw .sizeMismatch(tensor: tensor.name, expected: size, found: tensor.bytes.count)
            }
        }
        let ordered = tensors.sorted { left, right in
            if left.type.byteCount != right.type.byteCount { return left.type.byteCount > right.type.byteCount }
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }

        var members: [String] = []
        if !metadata.isEmpty {
            let pairs = metadata.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                .map { JSONText.quoted($0.key) + ":" + JSONText.quoted($0.value) }
            members.append("\"\(SafetensorsFile.metadataName)\":{" + pairs.joined(separator: ",") + "}")
        }
        var offset = 0
        for tensor in ordered {
            let shape = tensor.shape.map(String.init).joined(separator: ",")
            let end = offset + tensor.bytes.count
            members.append(
                JSONText.quoted(tensor.name)
                    + ":{\"dtype\":\"\(tensor.type.rawValue)\",\"shape\":[\(shape)],\"data_offsets\":[\(offset),\(end)]}"
            )
            offset = end
        }
        var header = Array(("{" + members.joined(separator: ",") + "}").utf8)
        header.append(contentsOf: repeatElement(0x20, count: (8 - header.count % 8) % 8))
        guard header.count <= SafetensorsFile.headerLimit else {
            throw .tooLarge(bytes: UInt64(header.count), limit: UInt64(SafetensorsFile.headerLimit))
        }

        var file: [UInt8] = []
        file.reserveCapacity(8 + header.count + offset)
        for index in 0..<8 { file.append(UInt8(truncatingIfNeeded: header.count >> (8 * index))) }
        file.append(contentsOf: header)
        for tensor in ordered { file.append(contentsOf: tensor.bytes) }
        return file
    }
}
