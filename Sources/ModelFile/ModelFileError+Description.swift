import Platform

extension ModelFileError: CustomStringConvertible {
    /// One sentence for users. Quotations from the file are shortened.
    public var description: String {
        switch self {
        case .unreadable(let path, let code):
            "\(path.excerpt(limit: 4096)) cannot be read: \(SystemError.reason(code))."
        case .notARegularFile(let path):
            "\(path.excerpt(limit: 4096)) is a directory, a pipe or a device; a file is needed."
        case .otherFormat(.empty): "The file is empty."
        case .otherFormat(let format?):
            "The file is not a safetensors file; it seems to be \(format)."
                + (format.adviceForModels.map { " " + $0 } ?? "")
        case .otherFormat(nil): "The file has an unknown format; a safetensors file is needed."
        case .tooLarge(let bytes, let limit): "The file or its header claims \(bytes) bytes; \(limit) is the limit."
        case .truncated(let expected, let actual): "The file has \(actual) bytes and should have \(expected)."
        case .trailingBytes(let expected, let actual):
            "The file has \(actual) bytes; its last tensor ends at byte \(expected)."
        case .embeddedText(let offset): "The embedded text is not valid base64 at character \(offset)."
        case .wrongKind(let offset): "The JSON text has a value of the wrong kind at byte \(offset)."
        case .syntax(let problem, let offset): "The JSON text is broken at byte \(offset): \(problem)."
        case .duplicateKey(let key): "The key \(key.excerpt()) comes twice."
        case .tooManyTensors(let limit): "The file has more than \(limit) tensors."
        case .tooManyMetadata(let limit): "The file has more than \(limit) entries of metadata."
        case .metadataNotAnObject: "The file's __metadata__ must be a JSON object whose values are text."
        case .metadataNotText(let key):
            "The values of the file's __metadata__ must be text; that of \(key.excerpt()) is not."
        case .nameTooLong(let beginning, let bytes, let limit):
            "A name in the file, which begins with \(beginning.excerpt()), has \(bytes) bytes; \(limit) is the limit."
        case .unknownField(let tensor, let field):
            "The entry of \(tensor.excerpt()) has the unknown field \(field.excerpt())."
        case .missingField(let tensor, let field): "The entry of \(tensor.excerpt()) lacks the field \(field)."
        case .unknownType(let tensor, let type): "\(tensor.excerpt()) has the unknown type \(type.excerpt())."
        case .tooManyDimensions(let tensor, let limit): "\(tensor.excerpt()) has more than \(limit) dimensions."
        case .shapeOverflow(let tensor, let shape): "\(tensor.excerpt()) has the impossible shape \(shape)."
        case .invalidOffsets(let tensor): "The offsets of \(tensor.excerpt()) are not a byte range."
        case .notContiguous(let tensor, let expected, let begin):
            "\(tensor.excerpt()) begins at byte \(begin) of the data instead of \(expected)."
        case .sizeMismatch(let tensor, let expected, let found):
            "\(tensor.excerpt()) has \(found) bytes; its shape and type need \(expected)."
        case .missingTensor(let name): "The tensor \(name.excerpt()) is missing."
        case .unexpectedTensor(let name): "The tensor \(name.excerpt()) belongs to no layer of the network."
        case .wrongType(let tensor, let expected, let found):
            "\(tensor.excerpt()) is \(found) instead of \(expected)."
        case .wrongShape(let tensor, let expected, let found):
            "\(tensor.excerpt()) has the shape \(found) instead of \(expected)."
        case .invalidValue(let tensor, let index):
            "\(tensor.excerpt()) has an invalid value at element \(index): not a number, infinite or out of range."
        case .overflow(let tensor, let index):
            "\(tensor.excerpt()) has so large a value at element \(index) that the layer's sums could overflow."
        case .notAGestureModel: "The file is not a gesture model."
        case .unsupportedVersion(let version):
            "The file has format version \(version.excerpt()), which is not supported."
        case .missingMetadata(let key): "The file's metadata lack \(key.excerpt())."
        case .malformedMetadata(let key, let value):
            "The file's metadata have an invalid \(key.excerpt()): \(value.excerpt())."
        case .conflictingMetadata(let key, let other):
            "The file's metadata have both \(key.excerpt()) and \(other.excerpt()); only one of them is allowed."
        case .otherDigest(let expected, let found):
            "The SHA-256 of the file is \(found), not \(expected.excerpt(limit: 100)): it is another file, or was changed."
        case .contentMismatch(let recorded, let found):
            "The model is damaged: its content has the hash \(found); its metadata state \(recorded.excerpt())."
        case .notAGraph: "The file is not a graph: its metadata lack format = \(GraphManifest.format)."
        case .graph(let sentence): sentence
        case .wrongNetwork(let expected, let found): "The model is for the network \(found.excerpt()), not \(expected)."
        }
    }
}

/// An error about a file.
package protocol FileError: Error {
    /// Whether its sentence names the file.
    var namesItsFile: Bool { get }
}

extension ModelFileError: FileError {
    /// Whether `description` names the file.
    package var namesItsFile: Bool {
        switch self {
        case .unreadable, .notARegularFile: true
        default: false
        }
    }

    /// The sentence, preceded by the file's name.
    package func description(ofFile path: String) -> String { path.excerpt(limit: 4096) + ": " + description }

    /// The sentences for resources that are missing at all searched paths.
    /// - Parameter product: the product with the same networks inside the program, if there is one.
    package static func resourcesMissing(_ searched: [String], inside product: String? = nil) -> String {
        let paths = searched.isEmpty ? "no path is known on this system" : searched.joined(separator: ", ")
        let folder = searched.first?.split(separator: "/").last.map { String($0) } ?? "their folder"
        let other = product.map { ", or use the product \($0), which has them inside" } ?? ""
        return "The networks of this package were not found. Ship \(folder.excerpt()) beside the program\(other). "
            + "Searched: \(paths.excerpt(limit: 4096))."
    }
}

extension ModelFileError.JSONFault {
    /// What is wrong, as part of a sentence.
    var clause: String {
        switch self {
        case .unexpectedEnd: "it ends too early"
        case .unexpectedByte(let byte): "byte \(byte) is unexpected"
        case .invalidUTF8: "the text is not UTF-8"
        case .invalidEscape: "the escape sequence is invalid"
        case .invalidNumber: "the number is invalid"
        case .notAnInteger: "a whole number of 0 or more is needed"
        case .otherKind: "a value of another kind is needed"
        case .tooDeep: "it is nested too deeply"
        case .trailingContent: "something follows the value"
        }
    }
}
