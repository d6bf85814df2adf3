import Foundation
import ModelFile
import Network
import Vocabulary

/// A checkpoint of random weights and 20 frames, as files. `Tools/lab/training/gesturetrain/golden.py` makes the same by the same
/// formulas, and `Tests/Fixtures/golden` has what PyTorch makes of them: the logits, and the means and variances of BatchNorm.
enum GoldenSet {
    private static let seed: UInt64 = 340

    /// A folder with `golden.safetensors` and `golden_frames.npy`, which goes with the process.
    static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("golden-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(checkpoint()).write(to: folder.appendingPathComponent("golden.safetensors"))
            try Data(frames()).write(to: folder.appendingPathComponent("golden_frames.npy"))
        } catch {
            preconditionFailure("the golden set: \(error)")
        }
        atexit { try? FileManager.default.removeItem(at: GoldenSet.folder) }
        return folder
    }()

    private static func checkpoint() throws -> [UInt8] {
        let norms = try SafetensorsFile(
            bytes: [UInt8](
                Data(
                    contentsOf: Fixtures.directory.appendingPathComponent("golden").appendingPathComponent(
                        "golden-norms.safetensors"))))
        var numbers = SplitMix64(seed: seed)
        func drawn(_ count: Int) -> [Float] { (0..<count).map { _ in Float(numbers.next() >> 40) * 0x1p-24 } }
        var tensors: [TensorPayload] = []
        for spec in GestureTCN.layers() {
            let bound = (6 / Float(spec.depth)).squareRoot()
            let channels = spec.outputChannels
            tensors.append(
                .float32(
                    spec.name + ".weight", shape: spec.weightShape, drawn(spec.weightCount).map { ($0 * 2 - 1) * bound }
                ))
            guard let norm = spec.batchNormPrefix else {
                tensors.append(.float32(spec.name + ".bias", shape: [channels], drawn(channels).map { $0 + 0.5 }))
                continue
            }
            for name in [".weight", ".bias"] {
                tensors.append(.float32(norm + name, shape: [channels], drawn(channels).map { $0 + 0.5 }))
            }
            for name in [".running_mean", ".running_var"] {
                tensors.append(.float32(norm + name, shape: [channels], try norms.floats(norm + name)))
            }
        }
        return try SafetensorsWriter.bytes(tensors: tensors, metadata: ["training": "none: random weights"])
    }

    private static func frames() -> [UInt8] {
        let count = 20
        var header = "{'descr': '|u1', 'fortran_order': False, 'shape': (\(count), 224, 224), }"
        header += String(repeating: " ", count: 117 - header.utf8.count) + "\n"
        let bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, 118, 0] + Array(header.utf8)
        return bytes + RandomModel.frames(seed: seed, count: count).joined()
    }
}
