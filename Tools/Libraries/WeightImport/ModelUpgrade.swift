package import ModelFile
import Network

/// Upgrades models of format version 1, which has no content hash, to the current version.
package enum ModelUpgrade {
    /// The bytes of the same model with its hash: every tensor and every other entry of the metadata stays the same.
    /// The contents of the file are trusted, because nothing in it can verify them.
    package static func bytes(of file: SafetensorsFile) throws(ImportError) -> [UInt8] {
        let key = ModelManifest.versionKey
        var metadata = file.metadata
        guard metadata["format"] == ModelManifest.format else { throw .file(.notAGestureModel) }
        let version = metadata[key] ?? ""
        guard version == "1" else { throw .notUpgradable(version: version) }
        metadata[key] = String(ModelManifest.version)
        let tensors = file.tensors.map {
            TensorPayload(name: $0.name, type: $0.type, shape: $0.shape, bytes: Array(file.bytes[$0.byteRange]))
        }
        metadata[ContentHash.key] = ContentHash(metadata: metadata, tensors: tensors).digits
        return try importing { () throws(ModelFileError) in
            let bytes = try SafetensorsWriter.bytes(tensors: tensors, metadata: metadata)
            _ = try NetworkWeights(model: ModelFile(bytes: bytes))
            return bytes
        }
    }
}
