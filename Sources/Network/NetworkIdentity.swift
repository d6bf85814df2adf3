package import ModelFile

extension NetworkWeights {
    /// SHA-256 of everything that features and logits depend on, and of the labels: 64 lowercase hexadecimal digits.
    /// Provenance and thresholds are not included, so users' gestures stay valid when only those change.
    package func identity(_ manifest: ModelManifest) -> String {
        var bytes: [UInt8] = Array("gesture-identity-1".utf8)
        func append(_ count: Int) { append(UInt32(truncatingIfNeeded: count)) }
        func append(_ word: UInt32) {
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(word >> UInt32(shift) & 255)) }
        }
        func append(_ text: String) {
            append(text.utf8.count)
            bytes += Array(text.utf8)
        }
        func append(_ values: [Float]) {
            append(values.count)
            for value in values { append(value.bitPattern) }
        }
        append(manifest.network)
        append(manifest.labels.count)
        for label in manifest.labels { append(label) }
        append(manifest.nullIndex)
        for layer in layers {
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
        return SHA256.hexadecimal(of: bytes)
    }
}
