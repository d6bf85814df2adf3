import KernelInterface
import Kernels
import ModelFile
import Network
import PixelFrontEnd
import TestSupport
import Testing

/// A float model either cannot overflow or is refused.
@Suite struct FloatLimitTests {
    private typealias Parameters = [String: (weights: [Float], bias: [Float])]

    private func error(_ parameters: Parameters) -> ModelFileError? {
        do throws(ModelFileError) {
            _ = try NetworkWeights(float: parameters, classCount: 13)
            return nil
        } catch {
            return error
        }
    }

    @Test func theLimitIsTheLast() throws {
        for spec in GestureTCN.layers() {
            let limits = NetworkWeights.floatLimits(spec)
            for sign: Float in [1, -1] {
                var parameters = RandomModel.floats(seed: 5)
                parameters[spec.name]?.weights[7] = sign * limits.weight
                parameters[spec.name]?.bias[3] = sign * limits.bias
                #expect(error(parameters) == nil)
                parameters[spec.name]?.bias[3] = sign * limits.bias.nextUp
                #expect(error(parameters) == .overflow(tensor: spec.name + ".bias", index: 3))
                parameters[spec.name]?.weights[7] = sign * limits.weight.nextUp
                #expect(error(parameters) == .overflow(tensor: spec.name + ".weight", index: 7))
                parameters[spec.name]?.weights[7] = sign * .infinity
                #expect(error(parameters) == .invalidValue(tensor: spec.name + ".weight", index: 7))
            }
        }
        var parameters = RandomModel.floats(seed: 5)
        parameters["fc"]?.bias[2] = .nan
        #expect(error(parameters) == .invalidValue(tensor: "fc.bias", index: 2))
    }

    /// Every parameter at its limit, of one sign, of changing ones, or of one that differs from layer to layer: every output
    /// of every tier is a finite number.
    @Test func noSumWithinTheLimitsOverflows() throws {
        let signs: [(Int, Int) -> Float] = [
            { _, _ in 1 }, { $1 % 2 == 0 ? 1 : -1 }, { layer, _ in layer % 2 == 0 ? 1 : -1 },
        ]
        let frames = RandomModel.frames(seed: 8, count: 15) + [[UInt8](repeating: 255, count: GestureTCN.frameBytes)]
        for sign in signs {
            var parameters: Parameters = [:]
            for (layer, spec) in GestureTCN.layers().enumerated() {
                let limits = NetworkWeights.floatLimits(spec)
                parameters[spec.name] = (
                    (0..<spec.weightCount).map { limits.weight * sign(layer, $0) },
                    (0..<spec.outputChannels).map { limits.bias * sign(layer, $0) }
                )
            }
            let weights = try NetworkWeights(float: parameters, classCount: 13)
            for kernels in KernelRegistry.available {
                let unit = NetworkUnit(float: weights, kernels: kernels)
                var areFinite = true
                for frame in frames {
                    let logits = unit.trace(frame.span) { _, outputs in
                        if !outputs.allSatisfy(\.isFinite) { areFinite = false }
                    }
                    if let logits, !logits.allSatisfy(\.isFinite) { areFinite = false }
                }
                #expect(areFinite && unit.isWarm, "\(kernels.tier)")
            }
        }
    }
}
