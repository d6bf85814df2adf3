/// A gesture model: a safetensors file whose metadata are a `ModelManifest` and whose tensors are layers.
///
/// An int8 model has `<layer>.weight` (I8), `<layer>.scale` (F16, one per output channel) and `<layer>.bias` (F16). A
/// float model has `<layer>.weight` and `<layer>.bias` of its precision. There are no other tensors. An int8 weight is
/// dequantised by its channel's scale. The network defines which layers there must be.
///
/// The metadata's `content_xxh64` is the file's `ContentHash`: a file with other content is refused.
package struct ModelFile: Sendable {
    /// Largest model that is read, in bytes.
    package static let sizeLimit = 64 << 20

    package let manifest: ModelManifest
    package let file: SafetensorsFile

    /// Reads a model and checks the content hash, the manifest, and that the tensors are complete layers of the
    /// manifest's precision.
    package init(bytes: [UInt8]) throws(ModelFileError) {
        try self.init(file: SafetensorsFile(bytes: bytes))
    }

    /// The same for a safetensors file that was read already.
    package init(file: SafetensorsFile) throws(ModelFileError) {
        self.file = file
        try ModelManifest.requireVersion(file.metadata)
        try ContentHash.check(file)
        manifest = try ModelManifest(metadata: file.metadata)
        try checkTensors()
    }

    /// The bytes of a model with this content and its hash, always the same for the same content.
    package static func bytes(
        manifest: ModelManifest, tensors: [TensorPayload]
    ) throws(ModelFileError) -> [UInt8] {
        var metadata = try manifest.metadata()
        metadata[ContentHash.key] = ContentHash(metadata: metadata, tensors: tensors).digits
        return try SafetensorsWriter.bytes(tensors: tensors, metadata: metadata)
    }

    /// Reads and checks the model at `path`.
    package static func load(path: String) throws(ModelFileError) -> ModelFile {
        try ModelFile(file: SafetensorsFile.load(path: path, limit: sizeLimit))
    }

    /// Names of the layers in the file, in the order of their bytes.
    package var layerNames: [String] {
        file.tensors.compactMap { tensor in
            tensor.name.hasSuffix(Self.weightSuffix) ? String(tensor.name.dropLast(Self.weightSuffix.count)) : nil
        }
    }

    static let weightSuffix = ".weight"
    static let scaleSuffix = ".scale"
    static let biasSuffix = ".bias"

    private func checkTensors() throws(ModelFileError) {
        let isInt8 = manifest.precision == .int8
        let weightType: TensorType =
            switch manifest.precision {
            case .int8: .int8
            case .float16: .float16
            case .float32: .float32
            }
        let channelType: TensorType = manifest.precision == .float32 ? .float32 : .float16
        var expectedNames: Set<String> = []
        for layer in layerNames {
            let weight = try file.tensor(named: layer + Self.weightSuffix)
            try Self.check(weight, is: weightType)
            guard let channels = weight.shape.first, channels > 0 else {
                throw .wrongShape(tensor: weight.name, expected: [], found: weight.shape)
            }
            expectedNames.insert(weight.name)
            for suffix in isInt8 ? [Self.scaleSuffix, Self.biasSuffix] : [Self.biasSuffix] {
                let tensor = try file.tensor(named: layer + suffix)
                try Self.check(tensor, is: channelType)
                guard tensor.shape == [channels] else {
                    throw .wrongShape(tensor: tensor.name, expected: [channels], found: tensor.shape)
                }
                expectedNames.insert(tensor.name)
            }
        }
        for tensor in file.tensors where !expectedNames.contains(tensor.name) {
            throw .unexpectedTensor(tensor.name)
        }
        for layer in manifest.activationScales.keys.sorted() {
            guard expectedNames.contains(layer + Self.weightSuffix) else {
                throw .missingTensor(layer + Self.weightSuffix)
            }
        }
    }

    private static func check(
        _ tensor: SafetensorsFile.Tensor, is type: TensorType
    ) throws(ModelFileError) {
        guard tensor.type == type else {
            throw .wrongType(tensor: tensor.name, expected: type.rawValue, found: tensor.type.rawValue)
        }
    }
}
