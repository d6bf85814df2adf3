/// Why a model or checkpoint file was refused. Cases carry the data for a message; `description` is the sentence.
public enum ModelFileError: Error, Sendable, Equatable {
    // MARK: The file

    /// The system refused to open or read `path`; `code` is its `errno`.
    case unreadable(path: String, code: Int32)
    /// `path` is a directory, a pipe or a device.
    case notARegularFile(path: String)
    /// The file is not a safetensors file but seems to have this format; nil for an unknown one. A directory that is a
    /// package of a format has that format.
    case otherFormat(ModelFileError.FileFormat?)
    /// The file or its header is larger than this reader accepts.
    case tooLarge(bytes: UInt64, limit: UInt64)
    /// The file ends before the end that its header declares.
    case truncated(expected: Int, actual: Int)
    /// The file goes on after its last tensor.
    case trailingBytes(expected: Int, actual: Int)

    /// The text of an embedded model is not base64 from this character on.
    case embeddedText(offset: Int)

    // MARK: The header

    /// The JSON text is invalid at `offset`, in bytes from the start of the file or text; `problem` is a clause.
    case syntax(problem: String, offset: Int)
    /// The JSON text has a value of another kind than is needed, such as a number instead of text, at `offset`.
    case wrongKind(offset: Int)
    /// An object has this key twice (compared after resolving escapes, by canonical equivalence).
    case duplicateKey(String)
    /// More tensors than this reader accepts.
    case tooManyTensors(limit: Int)
    /// More entries in the metadata than this reader accepts.
    case tooManyMetadata(limit: Int)
    /// `__metadata__` is not an object.
    case metadataNotAnObject
    /// The metadata's value for `key` is not a JSON string.
    case metadataNotText(key: String)
    /// A tensor's name or a key of the metadata is longer than this reader accepts; `beginning` is how it begins.
    case nameTooLong(beginning: String, bytes: Int, limit: Int)
    /// A tensor's entry has a key other than `dtype`, `shape` and `data_offsets`.
    case unknownField(tensor: String, field: String)
    /// A tensor's entry lacks a key.
    case missingField(tensor: String, field: String)
    /// A type name that the format does not have.
    case unknownType(tensor: String, type: String)
    /// More dimensions than this reader accepts.
    case tooManyDimensions(tensor: String, limit: Int)
    /// The product of the dimensions and the element size does not fit the address space.
    case shapeOverflow(tensor: String, shape: [Int])
    /// `data_offsets` is not two integers in ascending order.
    case invalidOffsets(tensor: String)
    /// The offsets leave a gap before this tensor or overlap the one before.
    case notContiguous(tensor: String, expectedBegin: Int, begin: Int)
    /// The offsets span another number of bytes than the shape and type need.
    case sizeMismatch(tensor: String, expected: Int, found: Int)

    // MARK: The tensors

    /// The file has no such tensor.
    case missingTensor(String)
    /// A tensor that the file must not have.
    case unexpectedTensor(String)
    /// The tensor has a type that is not allowed for it.
    case wrongType(tensor: String, expected: String, found: String)
    /// The tensor has another shape than its layer.
    case wrongShape(tensor: String, expected: [Int], found: [Int])
    /// The element at `index` is NaN, infinite or outside its tensor's range.
    case invalidValue(tensor: String, index: Int)
    /// The element at `index` is finite, but so large that sums of its layer could leave the range of float32.
    case overflow(tensor: String, index: Int)

    // MARK: The manifest

    /// A readable tensor file without a gesture model's metadata.
    case notAGestureModel
    /// A gesture model with a format version that this reader does not support.
    case unsupportedVersion(String)
    /// The metadata lack a required key.
    case missingMetadata(key: String)
    /// The metadata's value for `key` is not valid.
    case malformedMetadata(key: String, value: String)
    /// The metadata have two keys for the same setting, of which only one is allowed.
    case conflictingMetadata(key: String, with: String)
    /// The content hash in the file does not match its content: metadata or tensors have changed since it was written.
    case contentMismatch(recorded: String, found: String)
    /// The file is not the expected one: the SHA-256 of its bytes is `found`, not `expected`.
    case otherDigest(expected: String, found: String)
    /// The model is for another network.
    case wrongNetwork(expected: String, found: String)

    // MARK: A graph

    /// A readable tensor file without a graph's metadata.
    case notAGraph
    /// The graph cannot be run, or its JSON is not that of a graph; `sentence` names the operator, the value or the
    /// field.
    case graph(sentence: String)

    /// The error of a graph.
    package static func graph(_ fault: ModelFileError.GraphFault) -> ModelFileError {
        .graph(sentence: fault.description)
    }

    /// The error of a JSON text.
    package static func syntax(_ fault: JSONFault, offset: Int) -> ModelFileError {
        fault == .otherKind ? .wrongKind(offset: offset) : .syntax(problem: fault.clause, offset: offset)
    }

    /// What is wrong with a JSON text.
    package enum JSONFault: Sendable, Equatable {
        /// The text ends inside a value.
        case unexpectedEnd
        /// This byte is not allowed here.
        case unexpectedByte(UInt8)
        /// A string holds bytes that are not UTF-8.
        case invalidUTF8
        /// An escape sequence that JSON does not have, or half a surrogate pair.
        case invalidEscape
        /// A number with a leading zero, or without digits where they are required.
        case invalidNumber
        /// An integer that is negative, has a fraction or an exponent, or exceeds 63 bits.
        case notAnInteger
        /// A value of another kind than is needed begins here, such as a number instead of text.
        case otherKind
        /// More nested objects and arrays than are accepted.
        case tooDeep
        /// Something other than padding follows the value.
        case trailingContent
    }
}

extension ModelFileError {
    /// The error for a name that is too long. It keeps only the beginning.
    package static func nameTooLong(_ name: String, limit: Int) -> ModelFileError {
        .nameTooLong(beginning: String(name.unicodeScalars.prefix(100)), bytes: name.utf8.count, limit: limit)
    }
}
