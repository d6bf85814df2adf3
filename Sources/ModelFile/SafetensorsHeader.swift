/// Reads the header's JSON into entries; `SafetensorsFile` checks them against the file.
struct HeaderReader {
    struct Entry {
        let name: String
        let type: TensorType
        let shape: [Int]
        /// Byte range counted from the end of the header; `begin <= end`.
        let begin: Int
        let end: Int
    }

    private var reader: JSONReader
    private(set) var metadata: [String: String] = [:]
    private(set) var entries: [Entry] = []

    /// Reads the header in `bytes[8..<end]`.
    init(bytes: [UInt8], end: Int) {
        reader = JSONReader(bytes, in: 8..<end)
    }

    mutating func read() throws(ModelFileError) {
        var names: Set<String> = []
        try reader.beginObject()
        while let name = try nextName() {
            guard names.insert(name).inserted else { throw .duplicateKey(name) }
            if name == SafetensorsFile.metadataName {
                try readMetadata()
            } else {
                guard entries.count < SafetensorsFile.tensorLimit else {
                    throw .tooManyTensors(limit: SafetensorsFile.tensorLimit)
                }
                entries.append(try entry(name))
            }
        }
        try reader.finish()
    }

    private mutating func readMetadata() throws(ModelFileError) {
        guard reader.isObject() else {
            try reader.skipValue()
            throw .metadataNotAnObject
        }
        try reader.beginObject()
        while let key = try nextName() {
            guard metadata[key] == nil else { throw .duplicateKey(key) }
            guard metadata.count < SafetensorsFile.metadataLimit else {
                throw .tooManyMetadata(limit: SafetensorsFile.metadataLimit)
            }
            guard reader.isString() else {
                try reader.skipValue()
                throw .metadataNotText(key: key)
            }
            metadata[key] = try reader.string()
        }
    }

    /// The next key; throws if it is longer than a name may be.
    private mutating func nextName() throws(ModelFileError) -> String? {
        guard let name = try reader.nextKey() else { return nil }
        guard name.utf8.count <= SafetensorsFile.nameLimit else {
            throw .nameTooLong(name, limit: SafetensorsFile.nameLimit)
        }
        return name
    }

    private mutating func entry(_ name: String) throws(ModelFileError) -> Entry {
        var type: TensorType?
        var shape: [Int]?
        var offsets: [Int]?
        try reader.beginObject()
        while let field = try reader.nextKey() {
            switch field {
            case "dtype":
                guard type == nil else { throw .duplicateKey(field) }
                let text = try reader.string()
                guard let known = TensorType(rawValue: text) else { throw .unknownType(tensor: name, type: text) }
                type = known
            case "shape":
                guard shape == nil else { throw .duplicateKey(field) }
                shape = try integers(
                    atMost: SafetensorsFile.rankLimit,
                    else: .tooManyDimensions(tensor: name, limit: SafetensorsFile.rankLimit))
            case "data_offsets":
                guard offsets == nil else { throw .duplicateKey(field) }
                offsets = try integers(atMost: 2, else: .invalidOffsets(tensor: name))
            default:
                throw .unknownField(tensor: name, field: field)
            }
        }
        guard let type else { throw .missingField(tensor: name, field: "dtype") }
        guard let shape else { throw .missingField(tensor: name, field: "shape") }
        guard let offsets else { throw .missingField(tensor: name, field: "data_offsets") }
        guard offsets.count == 2, offsets[0] <= offsets[1] else { throw .invalidOffsets(tensor: name) }
        return Entry(name: name, type: type, shape: shape, begin: offsets[0], end: offsets[1])
    }

    private mutating func integers(
        atMost limit: Int, else error: ModelFileError
    ) throws(ModelFileError) -> [Int] {
        var values: [Int] = []
        try reader.beginArray()
        while try reader.nextElement() {
            guard values.count < limit else { throw error }
            values.append(try reader.integer())
        }
        return values
    }
}
