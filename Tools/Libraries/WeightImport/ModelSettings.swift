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
        do throws(ModelFileError) {
            let bytes = try ModelFile.bytes(manifest: changed, tensors: tensors)
            _ = try NetworkWeights(model: ModelFile(bytes: bytes))
            return bytes
        } catch {
            // The model itself was sound, so its metadata are not to blame.
            if case .malformedMetadata(let key, let value) = error, let (option, rule) = Self.option(of: key) {
                throw .setting(option: option, value: value, rule: rule)
            }
            throw .file(error)
        }
    }

    /// The option that sets this entry of the metadata, and what it allows.
    private static func option(of key: String) -> (name: String, rule: String)? {
        let extent = "the milliseconds must be from 1 to \(ModelManifest.extentLimit)"
        return switch key {
        case "post.median_ms": ("--median-ms", "the milliseconds must be from 1 to \(ModelManifest.medianLimit)")
        case "post.begin_ms": ("--begin-ms", extent)
        case "post.begin_confidence": ("--begin-confidence", "the probability must be from 0 to 1")
        case "post.class_confidence":
            ("--class-confidence", "it takes gestures of the model, each with a number from 0 to below 1")
        case "post.steady_ms": ("--steady", extent)
        case "post.steady_confidence": ("--steady", "the probability must be from 0 to below 1")
        case "post.end_ms": ("--end-ms", extent)
        case "post.unsure_end_ms": ("--unsure-end-ms", extent + ", and no less than those of --end-ms")
        case "post.once_ms": ("--once-ms", "the milliseconds must be from 0 to \(ModelManifest.returnLimit)")
        default: nil
        }
    }
}
