extension ModelFileError.FileFormat {
    /// Distinguishes messages of protocol buffers, which have no signature, by their first fields; nil for other bytes.
    static func protobufKind(_ sample: ArraySlice<UInt8>) -> ModelFileError.FileFormat? {
        var fields = FieldSample(sample)
        switch fields.next() {
        // The version of ONNX's ModelProto, of Core ML's Model or of TensorFlow's SavedModel.
        case .number(field: 1, 1...32)?: return versionedKind(fields.next())
        case .bytes(field: 1, let content)?:
            var inner = FieldSample(content)
            switch (inner.next(), inner.next()) {
            // The first block of PaddlePaddle's ProgramDesc: its index and its parent's.
            case (.number(field: 1, 0)?, .number(field: 2, _)?): return .paddle
            // The first node of TensorFlow's GraphDef: its name and its operation.
            case (.bytes(field: 1, let name)?, .bytes(field: 2, let operation)?)
            where !name.isEmpty && !operation.isEmpty && isLine(name) && isLine(operation):
                return .tensorFlow
            default: return nil
            }
        default: return nil
        }
    }

    /// - Parameter field: the one after the version.
    private static func versionedKind(_ field: FieldSample.Field?) -> ModelFileError.FileFormat? {
        switch field {
        // The producer's name in ONNX; a message in the others.
        case .bytes(field: 2, let content)?:
            if isLine(content) { return .onnx }
            var inner = FieldSample(content)
            switch inner.next() {
            // Core ML's description begins with an input, whose first field is its name. SavedModel's graph begins with a
            // message that has no name.
            case .bytes(field: 1, let part)?:
                var feature = FieldSample(part)
                guard case .bytes(field: 1, _)? = feature.next() else { return .tensorFlow }
                return .coreML
            case .bytes(field: 10, _)?, .bytes(field: 11, _)?, .bytes(field: 50, _)?, .bytes(field: 100, _)?:
                return .coreML
            case .bytes(field: 2...7, _)?: return .tensorFlow
            default: return nil
            }
        // Other names of the producer, the graph, the operators' versions; the model's version.
        case .bytes(field: 3...4, _)?, .bytes(field: 6...8, _)?, .number(field: 5, _)?: return .onnx
        // Core ML's flag of a model that can learn, and its networks.
        case .number(field: 10, _)?, .bytes(field: 200..., _)?: return .coreML
        default: return nil
        }
    }

    private static func isLine(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}

/// The first fields of a message of protocol buffers whose end may be missing.
private struct FieldSample {
    enum Field {
        case number(field: UInt64, UInt64)
        /// A text, bytes or a message, as far as they are there.
        case bytes(field: UInt64, ArraySlice<UInt8>)
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next field; nil at the end, and for a field of another kind.
    mutating func next() -> Field? {
        guard let tag = number() else { return nil }
        switch tag & 7 {
        case 0: return number().map { .number(field: tag >> 3, $0) }
        case 2:
            let count = Int(clamping: number() ?? 0)
            let content = rest.prefix(count)
            rest = rest.dropFirst(content.count)
            return .bytes(field: tag >> 3, content)
        default: return nil
        }
    }

    private mutating func number() -> UInt64? {
        var value: UInt64 = 0
        for place in 0..<10 {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(7 * place)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
