import ModelFile

/// The strict format of enrolment's two files: safetensors with exactly the requested metadata keys and tensors.
struct TensorFile {
    static let version = "1"

    let format: String
    let version: String
    private(set) var fields: [String: String]
    let file: SafetensorsFile

    /// Checks format, version and model.
    init(
        bytes: [UInt8], format: String, identity: String, versions: [String] = [Self.version]
    ) throws(EnrolmentError) {
        file = try Self.read { () throws(ModelFileError) in try SafetensorsFile(bytes: bytes) }
        fields = file.metadata
        self.format = format
        let found = fields.removeValue(forKey: "format")
        guard found == format else { throw .wrongFormat(expected: format, found: found) }
        guard let version = fields.removeValue(forKey: "format_version") else {
            throw .file(.missingMetadata(key: "format_version"))
        }
        guard versions.contains(version) else { throw .file(.unsupportedVersion(version)) }
        self.version = version
        let model = try take("model_sha256")
        guard model == identity else { throw .otherModel(expected: identity, found: model) }
    }

    static func metadata(format: String, identity: String) -> [String: String] {
        ["format": format, "format_version": version, "model_sha256": identity]
    }

    static func read<T>(_ body: () throws(ModelFileError) -> T) throws(EnrolmentError) -> T {
        do { return try body() } catch { throw .file(error) }
    }

    mutating func take(_ key: String) throws(EnrolmentError) -> String {
        guard let value = fields.removeValue(forKey: key) else { throw .file(.missingMetadata(key: key)) }
        return value
    }

    /// A positive finite decimal number.
    mutating func takeScale(_ key: String) throws(EnrolmentError) -> Float {
        let text = try take(key)
        guard text.utf8.allSatisfy({ "0123456789.e-".utf8.contains($0) }), let value = Float(text), value > 0,
            value.isFinite, value.description == text
        else { throw .file(.malformedMetadata(key: key, value: text)) }
        return value
    }

    mutating func takeStrings(_ key: String) throws(EnrolmentError) -> [String] {
        let text = try take(key)
        guard let strings = try? JSONText.stringArray(in: Array(text.utf8)) else {
            throw .file(.malformedMetadata(key: key, value: text))
        }
        return strings
    }

    /// Throws for metadata that were not taken, and for any tensor that is not listed.
    func finish(tensors: [String]) throws(EnrolmentError) {
        if let key = fields.keys.sorted().first {
            throw .file(.malformedMetadata(key: key, value: fields[key] ?? ""))
        }
        for tensor in file.tensors where !tensors.contains(tensor.name) {
            throw .file(.unexpectedTensor(tensor.name))
        }
    }

    private func tensor(
        _ name: String, _ type: TensorType, _ shape: [Int]
    ) throws(EnrolmentError) -> SafetensorsFile.Tensor {
        let tensor = try Self.read { () throws(ModelFileError) in try file.tensor(named: name) }
        guard tensor.type == type else {
            throw .file(.wrongType(tensor: name, expected: type.rawValue, found: tensor.type.rawValue))
        }
        guard tensor.shape == shape else {
            throw .file(.wrongShape(tensor: name, expected: shape, found: tensor.shape))
        }
        return tensor
    }

    /// The finite values of a tensor of this type and shape.
    func floats(_ name: String, _ type: TensorType, _ shape: [Int]) throws(EnrolmentError) -> [Float] {
        _ = try tensor(name, type, shape)
        let values = try Self.read { () throws(ModelFileError) in try file.floats(name) }
        if let index = values.firstIndex(where: { !$0.isFinite }) {
            throw .file(.invalidValue(tensor: name, index: index))
        }
        return values
    }

    func bytes(_ name: String, _ shape: [Int]) throws(EnrolmentError) -> [UInt8] {
        let tensor = try tensor(name, .uint8, shape)
        return Array(file.bytes[tensor.byteRange])
    }

    /// The first dimension of a tensor, which reading it confirms.
    func leading(_ name: String) throws(EnrolmentError) -> Int {
        let tensor = try Self.read { () throws(ModelFileError) in try file.tensor(named: name) }
        return tensor.shape.first ?? 0
    }
}

/// Feature columns as quantised values of uint8.
enum QuantisedFeatures {
    /// Rounds half to even and clamps.
    static func quantise(_ columns: some Sequence<Float>, scale: Float) -> [UInt8] {
        columns.map { UInt8(min(max(($0 / scale).rounded(.toNearestOrEven), 0), 255)) }
    }

    /// The nearest finite binary16 value.
    static func half(_ value: Float) -> Float {
        let limit = HalfPrecision.greatestFinite
        return HalfPrecision.float(HalfPrecision.bits(min(max(value, -limit), limit)))
    }

    static func dequantise(_ values: some Sequence<UInt8>, scale: Float) -> [Float] {
        values.map { Float($0) * scale }
    }
}
