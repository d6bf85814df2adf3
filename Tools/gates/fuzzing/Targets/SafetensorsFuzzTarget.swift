import Enrolment
import ModelFile
import TestSupport
import WeightImport

/// Safetensors files and what reads them.
enum SafetensorsFuzzTarget {
    /// The model whose taught gestures the corpus has.
    private static let base = EnrolmentBase(
        identity: String(repeating: "0123456789abcdef", count: 4), labels: ["left", "right", "null"], nullIndex: 2,
        featureCount: 4)

    static func enter(_ bytes: [UInt8]) -> Bool {
        guard let file = try? SafetensorsFile(bytes: bytes) else { return false }
        var end: Int?
        for tensor in file.tensors {
            precondition(end == nil || tensor.byteRange.lowerBound == end, "a gap between tensors")
            end = tensor.byteRange.upperBound
            precondition(tensor.elementCount * tensor.type.byteCount == tensor.byteRange.count, "a size")
            if let floats = try? file.floats(tensor.name) {
                precondition(floats.count == tensor.elementCount, "a number of elements")
            }
        }
        precondition(end == nil || end == bytes.count, "bytes after the last tensor")
        if let checkpoint = try? Checkpoint(bytes: bytes, fileExtension: "safetensors") {
            CheckpointFuzzTarget.check(checkpoint)
        }
        if let gestures = try? UserGestures(bytes: bytes, base: base) {
            let again = try? UserGestures(bytes: gestures.bytes(), base: base)
            precondition(again == gestures, "taught gestures change when they are written and read")
        }
        _ = try? ModelManifest(metadata: file.metadata)
        // Behind the hash, which refuses nearly every damage.
        guard let sealed = Sealing.resealed(bytes) else { return true }
        if let model = try? ModelFile(bytes: sealed) {
            precondition(model.manifest.labels.indices.contains(model.manifest.nullIndex), "the null class")
            for name in model.layerNames {
                guard let shape = file[name + ".weight"]?.shape, !shape.isEmpty else { continue }
                if let layer = try? model.floatLayer(name, shape: shape) {
                    precondition(layer.weights.allSatisfy(\.isFinite), "a weight that is no number")
                    precondition(layer.bias.count == shape[0], "a number of biases")
                }
                _ = try? model.quantisedLayer(name, shape: shape)
            }
        }
        if let graph = try? GraphFile(bytes: sealed) { GraphFuzzTarget.run(graph) }
        return true
    }
}
