import Foundation
import ModelFile
import Network
import TestSupport
import Vocabulary
import WeightImport

/// Checkpoints and frames to test with.
enum Fixture {
    static func golden() throws -> Checkpoint {
        try Checkpoint.load(path: Fixtures.golden("golden.safetensors"))
    }

    static func goldenNetwork() throws -> FoldedNetwork {
        try FoldedNetwork(TensorNames().apply(golden().tensors), classCount: 13)
    }

    /// The frames of the golden array: its data are what follows the header.
    static func goldenFrames() throws -> [[UInt8]] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fixtures.golden("golden_frames.npy"))))
        let start = 10 + Int(bytes[8]) + Int(bytes[9]) << 8
        return stride(from: start, to: bytes.count, by: GestureTCN.frameBytes).map {
            Array(bytes[$0..<$0 + GestureTCN.frameBytes])
        }
    }

    /// A file that a library of the format wrote (`Tools/lab/checkpoints/fixtures.py`).
    static func checkpoint(_ name: String) throws -> [UInt8] {
        [UInt8](
            try Data(
                contentsOf: Fixtures.directory.appendingPathComponent("checkpoints").appendingPathComponent(name)))
    }

    /// Small pseudo-random numbers, the same every time.
    struct Numbers {
        private var generator: SplitMix64
        init(seed: UInt64) { generator = SplitMix64(seed: seed) }

        /// Evenly distributed in -1 ..< 1.
        mutating func next() -> Float { Float.random(in: -1..<1, using: &generator) }

        mutating func next(_ count: Int) -> [Float] { (0..<count).map { _ in next() } }
    }

    static func tensor(_ shape: [Int], _ values: [Float]) -> Checkpoint.Tensor {
        checkpointTensor(.float32("t", shape: shape, values))
    }

    /// A tensor as the checkpoint reader makes it.
    static func checkpointTensor(_ payload: TensorPayload) -> Checkpoint.Tensor {
        // The only way to one leads through a file.
        let bytes = (try? SafetensorsWriter.bytes(tensors: [payload], metadata: [:])) ?? []
        guard let tensor = (try? Checkpoint(bytes: bytes))?.tensors[payload.name] else { preconditionFailure() }
        return tensor
    }

    /// Random parameters under the network's names. Layers in `folded` have a bias instead of BatchNorm.
    static func tensors(classCount: Int = 13, folded: Set<String> = [], seed: UInt64 = 1) -> [String: Checkpoint.Tensor]
    {
        tensors(of: GestureTCN.layers(classCount: classCount), folded: folded, seed: seed)
    }

    /// Random parameters of these layers. Those in `folded` have a bias instead of BatchNorm.
    static func tensors(
        of layers: [LayerSpec], folded: Set<String> = [], seed: UInt64 = 1
    ) -> [String: Checkpoint.Tensor] {
        var numbers = Numbers(seed: seed)
        var tensors: [String: Checkpoint.Tensor] = [:]
        for spec in layers {
            let scale = (2 / Float(spec.depth)).squareRoot()
            tensors[spec.name + ".weight"] = tensor(spec.weightShape, numbers.next(spec.weightCount).map { $0 * scale })
            let channels = spec.outputChannels
            guard let prefix = spec.batchNormPrefix, !folded.contains(spec.name) else {
                tensors[spec.name + ".bias"] = tensor([channels], numbers.next(channels))
                continue
            }
            tensors[prefix + ".weight"] = tensor([channels], numbers.next(channels).map { 1 + $0 / 2 })
            tensors[prefix + ".bias"] = tensor([channels], numbers.next(channels))
            tensors[prefix + ".running_mean"] = tensor([channels], numbers.next(channels))
            tensors[prefix + ".running_var"] = tensor([channels], numbers.next(channels).map { 1.1 + $0 })
        }
        return tensors
    }

    /// Scales for every layer that needs one.
    static let scales = Dictionary(
        uniqueKeysWithValues: (GestureTCN.encoder + GestureTCN.temporal).map { ($0.name, Float(4) / 255) })

    /// An empty directory that goes away with the closure.
    static func withDirectory<T>(_ body: (URL) throws -> T) throws -> T {
        let scratch = try ScratchFolder()
        return try withExtendedLifetime(scratch) { try body(scratch.directory) }
    }
}
