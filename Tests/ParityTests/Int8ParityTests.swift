import KernelInterface
import Kernels
import ModelFile
import Network
import PixelFrontEnd
import TestSupport
import Testing

/// The int8 unit against the integer reference, bit for bit, on every tier.
@Suite struct Int8ParityTests {
    private let weights: NetworkWeights
    private let frames: [[UInt8]]

    init() throws {
        weights = try NetworkWeights(model: ModelFile.load(path: Fixtures.golden("golden-int8.safetensors")))
        frames = try GoldenArrays.frames()
    }

    private func unit(_ tier: String) throws -> NetworkUnit {
        let table = try #require(KernelRegistry.available.first { $0.tier == tier })
        return try NetworkUnit(int8: weights, kernels: table)
    }

    @Test(arguments: KernelRegistry.available.map(\.tier))
    func streamingEqualsReferenceAndWindow(tier: String) throws {
        let expected = ReferenceNetwork(weights).logits(frames)
        let unit = try unit(tier)
        var streamed: [[Float]] = []
        for frame in frames {
            if let logits = unit.push(frame) { streamed.append(logits) }
        }
        #expect(streamed == expected)
        let windows = (0..<expected.count).map { unit.window(frames[$0..<$0 + 16]) }
        #expect(windows == expected)
    }

    /// Flat, saturated and alternating frames drive every clamp.
    @Test(arguments: KernelRegistry.available.map(\.tier))
    func extremeFrames(tier: String) throws {
        let count = GestureTCN.frameBytes
        let black = [UInt8](repeating: 0, count: count)
        let white = [UInt8](repeating: 255, count: count)
        let stripes = (0..<count).map { UInt8($0 % 2 == 0 ? 255 : 0) }
        let sequence = (0..<17).map { [black, white, stripes][$0 % 3] }
        let expected = ReferenceNetwork(weights).logits(sequence)
        let unit = try unit(tier)
        #expect(sequence.compactMap { unit.push($0) } == expected)
    }

    /// An observer sees the values that layers pass on: the last column reproduces the logits.
    @Test func traceAgreesWithTheStream() throws {
        let traced = try unit("portable")
        let plain = try unit("portable")
        for frame in frames {
            var names: [String] = []
            let logits = traced.trace(frame.span) { spec, values in
                names.append(spec.name)
                #expect(values.count == spec.outputCount, "\(spec.name)")
                #expect(values.allSatisfy { $0.isFinite })
            }
            #expect(logits == plain.push(frame))
            #expect(names == GestureTCN.layers().map(\.name))
        }
    }

    /// The trace hands out maps in row-major order whatever order the kernels keep: both arithmetics agree roughly
    /// at every place, which a permuted map would not.
    @Test func tracesOfBothArithmeticsLieOverEachOther() throws {
        let int8 = try unit("portable")
        let float = NetworkUnit(float: weights, kernels: KernelRegistry.select())
        var outputs: [String: [Float]] = [:]
        let frame = frames[0]
        _ = float.trace(frame.span) { outputs[$0.name] = $1 }
        _ = int8.trace(frame.span) { spec, values in
            guard spec.outputSize > 1, let reference = outputs[spec.name] else { return }
            var noise = 0.0
            var signal = 0.0
            for (value, expected) in zip(values, reference) {
                noise += Double((value - expected) * (value - expected))
                signal += Double(expected * expected)
            }
            #expect(noise < 0.05 * signal, "\(spec.name)")
        }
    }

    @Test func floatModelIsRefusedByTheInt8Unit() throws {
        let float = try NetworkWeights(float: RandomModel.floats(seed: 1), classCount: 13)
        #expect(throws: NetworkError.notQuantised) { try NetworkUnit(int8: float, kernels: KernelRegistry.select()) }
    }
}
