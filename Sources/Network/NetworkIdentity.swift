package import ModelFile

extension NetworkWeights {
    /// SHA-256 of everything that features and logits depend on, and of the labels: 64 lowercase hexadecimal digits.
    /// Provenance and thresholds are not included, so users' gestures stay valid when only those change.
    package func identity(_ manifest: ModelManifest) -> String {
        var content = HashedContent("gesture-identity-1")
        content.append(manifest.network)
        content.append(manifest.labels.count)
        for label in manifest.labels { content.append(label) }
        content.append(manifest.nullIndex)
        for layer in layers { content.append(layer) }
        return SHA256.hexadecimal(of: content.bytes)
    }

    /// SHA-256 of everything that features depend on: of all layers but the classifier. Models that differ in their
    /// classifiers alone, as after fine-tuning, have the same.
    package var featureIdentity: String {
        var content = HashedContent("gesture-features-1")
        content.append(frontEnd.networkName)
        for layer in layers.dropLast() { content.append(layer) }
        return SHA256.hexadecimal(of: content.bytes)
    }
}

/// Values as bytes for a hash, each list after its length.
private struct HashedContent {
    private(set) var bytes: [UInt8]

    init(_ version: String) { bytes = Array(version.utf8) }

    mutating func append(_ count: Int) { append(UInt32(truncatingIfNeeded: count)) }

    private mutating func append(_ word: UInt32) {
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(word >> UInt32(shift) & 255)) }
    }

    mutating func append(_ text: String) {
        append(text.utf8.count)
        bytes += Array(text.utf8)
    }

    private mutating func append(_ values: [Float]) {
        append(values.count)
        for value in values { append(value.bitPattern) }
    }

    mutating func append(_ layer: NetworkWeights.Layer) {
        append(layer.spec.name)
        switch layer.values {
        case .float(let floats): append(floats)
        case .int8(let values, let scales):
            append(values.count)
            for value in values { bytes.append(UInt8(bitPattern: value)) }
            append(scales)
        }
        append(layer.bias)
        append(layer.outputScale.map { [$0] } ?? [])
    }
}
