import ModelFile
package import Network

extension Checkpoint {
    /// Activation scales from quantisation-aware training: metadata with the same keys as a model's,
    /// `activation_scale.<layer>`, one for each of `layers` but the classifier. Nil if the checkpoint has none.
    package func activationScales(
        _ layers: [LayerSpec] = GestureTCN.layers()
    ) throws(ImportError) -> [String: Float]? {
        let prefix = ModelManifest.activationScalePrefix
        guard metadata.keys.contains(where: { $0.hasPrefix(prefix) }) else { return nil }
        var scales: [String: Float] = [:]
        for spec in layers where spec.kind != .classifier {
            let key = prefix + spec.name
            guard let text = metadata[key] else { throw .file(.missingMetadata(key: key)) }
            guard let scale = Float(text), scale.isFinite, scale > 0 else {
                throw .file(.malformedMetadata(key: key, value: text))
            }
            // Limited to ReLU6's bound, as in calibration.
            scales[spec.name] = min(scale, NetworkWeights.largestActivationScale)
        }
        return scales
    }
}
