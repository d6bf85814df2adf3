package import ModelFile
import Network
import Vocabulary

/// Changes a model's recognition defaults.
package enum ModelSettings {
    /// The bytes of the same model with other defaults, in milliseconds if its columns have a rate: every tensor and
    /// every other entry of the metadata stays the same.
    package static func bytes(
        of file: SafetensorsFile, changing change: (inout ModelManifest.PostProcessing) -> Void
    ) throws(ImportError) -> [UInt8] {
        let model = try importing { () throws(ModelFileError) in try ModelFile(file: file) }
        var manifest = model.manifest
        let columnRate = FrontEnd(networkName: manifest.network)?.columnRate
        manifest.postProcessing = manifest.postProcessing.inMilliseconds(columnRate: columnRate)
        change(&manifest.postProcessing)
        let changed = manifest
        let tensors = file.tensors.map {
            TensorPayload(name: $0.name, type: $0.type, shape: $0.shape, bytes: Array(file.bytes[$0.byteRange]))
        }
        return try importing { () throws(ModelFileError) in
            let bytes = try ModelFile.bytes(manifest: changed, tensors: tensors)
            _ = try NetworkWeights(model: ModelFile(bytes: bytes))
            return bytes
        }
    }
}
