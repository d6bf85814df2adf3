package import ModelFile

extension ModelFileError: Explained {
    package var sentence: String {
        switch self {
        case .unreadable(let path, let code): "\(path) cannot be read: \(systemReason(code))."
        case .notARegularFile(let path): "\(path) is not a regular file."
        case .tooLarge(let bytes, let limit): "The file or its header claims \(bytes) bytes; \(limit) is the limit."
        case .truncated(let expected, let actual): "The file has \(actual) bytes and should have \(expected)."
        case .trailingBytes(let expected, let actual):
            "The file has \(actual) bytes; its last tensor ends at byte \(expected)."
        case .embeddedText(let offset): "The embedded text is no base64 from character \(offset) on."
        case .syntax(let fault, let offset): "The JSON text is broken at byte \(offset): \(fault.clause)."
        case .duplicateKey(let key): "The key \(key) comes twice."
        case .tooManyTensors(let limit): "The file has more than \(limit) tensors."
        case .unknownField(let tensor, let field): "The entry of \(tensor) has the unknown field \(field)."
        case .missingField(let tensor, let field): "The entry of \(tensor) lacks the field \(field)."
        case .unknownType(let tensor, let type): "\(tensor) has the unknown type \(type)."
        case .tooManyDimensions(let tensor, let limit): "\(tensor) has more than \(limit) dimensions."
        case .shapeOverflow(let tensor, let shape): "\(tensor) has the impossible shape \(shape)."
        case .invalidOffsets(let tensor): "The offsets of \(tensor) are not a byte range."
        case .notContiguous(let tensor, let expected, let begin):
            "\(tensor) begins at byte \(begin) of the data instead of \(expected)."
        case .sizeMismatch(let tensor, let expected, let found):
            "\(tensor) has \(found) bytes; its shape and type need \(expected)."
        case .missingTensor(let name): "The tensor \(name) is missing."
        case .unexpectedTensor(let name): "The tensor \(name) belongs to no layer."
        case .wrongType(let tensor, let expected, let found): "\(tensor) is \(found) instead of \(expected)."
        case .wrongShape(let tensor, let expected, let found):
            "\(tensor) has the shape \(found) instead of \(expected)."
        case .invalidValue(let tensor, let index): "\(tensor) has an invalid value at element \(index)."
        case .notAGestureModel: "The file is not a gesture model."
        case .unsupportedVersion(let version): "The model has format version \(version), which is not known here."
        case .missingMetadata(let key): "The model's metadata lack \(key)."
        case .malformedMetadata(let key, let value): "The model's metadata have an invalid \(key): \(value)."
        case .wrongNetwork(let expected, let found): "The model is for the network \(found), not \(expected)."
        }
    }
}

extension ModelFileError.JSONFault {
    /// What is wrong, as part of a sentence.
    fileprivate var clause: String {
        switch self {
        case .unexpectedEnd: "it ends too early"
        case .unexpectedByte(let byte): "byte \(byte) cannot stand here"
        case .invalidUTF8: "the text is not UTF-8"
        case .invalidEscape: "the escape sequence is invalid"
        case .invalidNumber: "the number is invalid"
        case .notAnInteger: "a natural number is needed"
        case .tooDeep: "it is nested too deeply"
        case .trailingContent: "something follows the value"
        }
    }
}
