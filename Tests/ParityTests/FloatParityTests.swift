import Kernels
import ModelFile
import Network
import PixelFrontEnd
import TestSupport
import Testing
import WeightImport

/// The float unit, fed through import, against PyTorch's logits of the same checkpoint and frames.
@Suite struct FloatParityTests {
    private let network: FoldedNetwork
    private let frames: [[UInt8]]
    private let expected: [[Float]]

    init() throws {
        let checkpoint = try Checkpoint.load(path: Fixtures.golden("golden.safetensors"))
        network = try FoldedNetwork(TensorNames().apply(checkpoint.tensors), classCount: 13)
        frames = try GoldenArrays.frames()
        expected = try GoldenArrays.logits()
    }

    private func unit(_ precision: ModelManifest.Precision) throws -> NetworkUnit {
        NetworkUnit(
            float: try ModelBuilder(precision: precision).build(network).weights, kernels: KernelRegistry.select())
    }

    private func largestError(_ logits: [[Float]]) -> Float {
        zip(logits, expected).flatMap { zip($0, $1).map { abs($0 - $1) } }.max() ?? .infinity
    }

    @Test func float32StreamingAgreesWithPyTorch() throws {
        let unit = try unit(.float32)
        let logits = frames.compactMap { unit.push($0) }
        #expect(logits.count == 5)
        #expect(largestError(logits) < 1e-4)
    }

    @Test func float32WindowAgreesWithPyTorch() throws {
        let unit = try unit(.float32)
        let logits = expected.indices.map { unit.window(frames[$0..<$0 + 16]) }
        #expect(largestError(logits) < 1e-4)
    }

    /// Rounding weights to 11 bits moves logits of size 6 by hundredths.
    @Test func float16StaysClose() throws {
        let unit = try unit(.float16)
        #expect(largestError(frames.compactMap { unit.push($0) }) < 0.1)
    }

    /// The float unit also runs an int8 model: exactly as a float model of its codes times their scales.
    @Test func int8WeightsRunInFloat() throws {
        let model = try ModelFile.load(path: Fixtures.golden("golden-int8.safetensors"))
        var parameters: [String: (weights: [Float], bias: [Float])] = [:]
        for spec in GestureTCN.layers() {
            let codes = try model.file.int8s(spec.name + ".weight")
            let scales = try model.file.floats(spec.name + ".scale")
            var weights: [Float] = []
            for (index, code) in codes.enumerated() {
                weights.append(Float(code) * scales[index / (codes.count / scales.count)])
            }
            parameters[spec.name] = (weights, try model.file.floats(spec.name + ".bias"))
        }
        let kernels = KernelRegistry.select()
        let unit = NetworkUnit(float: try NetworkWeights(model: model), kernels: kernels)
        let reference = NetworkUnit(float: try NetworkWeights(float: parameters, classCount: 13), kernels: kernels)
        for frame in frames { #expect(unit.push(frame) == reference.push(frame)) }
        #expect(reference.isWarm)
    }
}
