import Foundation
import ModelFile
import Network
import Testing
import WeightImport

@Suite struct QuantisationTests {
    /// A layer of 16 depthwise channels of 9 weights: the smallest there is.
    private func layer(_ weights: [Float], bias: [Float]) throws -> FoldedNetwork.Layer {
        var tensors = Fixture.tensors(folded: ["b1.dw"])
        tensors["b1.dw.weight"] = Fixture.tensor([16, 1, 3, 3], weights)
        tensors["b1.dw.bias"] = Fixture.tensor([16], bias)
        return try FoldedNetwork(tensors, classCount: 13).layers[1]
    }

    /// Every layer of a random network, against the definition written out in Double.
    @Test func followsTheDefinition() throws {
        let network = try FoldedNetwork(Fixture.tensors(seed: 9), classCount: 13)
        for layer in network.layers {
            let found = try QuantisedParameters(layer, inputScale: 4 / 255)
            let depth = layer.spec.depth
            for channel in 0..<layer.spec.outputChannels {
                var largest = 0.0
                for k in 0..<depth { largest = max(largest, abs(Double(layer.weights[channel * depth + k]))) }
                let bits = found.scaleBits[channel]
                let scale = Double(HalfPrecision.float(bits))
                #expect(scale * 127 >= largest)
                // No smaller float16 does; or it does and rounding to the nearest stopped one step above it.
                let below = Double(HalfPrecision.float(bits - 1))
                #expect(below * 127 < largest)
                for k in 0..<depth {
                    let weight = layer.weights[channel * depth + k]
                    // C's rint in the default mode is round half to even.
                    #expect(Int(found.codes[channel * depth + k]) == Int(rintf(weight / Float(scale))))
                }
                let bias = HalfPrecision.float(found.biasBits[channel])
                #expect(abs(bias - layer.bias[channel]) <= max(abs(layer.bias[channel]) * 0x1p-11, 0x1p-25))
            }
        }
    }

    @Test func tiesGoToEvenAndNothingClips() throws {
        // 127 makes the scale exactly 1.
        var weights = [Float](repeating: 0, count: 144)
        weights.replaceSubrange(0..<9, with: [127, 0.5, 1.5, 2.5, -0.5, -1.5, -126.5, -127, 0.49])
        // 126.97 / 127 rounds down to a float16 too small by a hair; the next one up must be taken.
        weights[9] = 126.97
        let found = try QuantisedParameters(layer(weights, bias: [Float](repeating: 0, count: 16)), inputScale: 1 / 255)
        #expect(Array(found.codes[0..<9]) == [127, 0, 2, 2, 0, -2, -126, -127, 0])
        #expect(found.scaleBits[0] == 0x3C00)
        #expect(Double(HalfPrecision.float(found.scaleBits[1])) * 127 >= Double(Float(126.97)))
        #expect(found.codes[9] == 127)
        // Channels without weights.
        #expect(found.scaleBits[2...].allSatisfy { $0 == 0x3C00 } && found.codes[18...].allSatisfy { $0 == 0 })
    }

    @Test func aBiasBesideVanishingWeightsStaysWithinItsLimit() throws {
        var weights = [Float](repeating: 0, count: 144)
        weights[0] = 1e-9
        weights[9] = 1e-6
        var bias = [Float](repeating: 0, count: 16)
        bias[0] = 1000
        bias[1] = -5
        bias[2] = 65504
        let inputScale: Float = 0x1p-20
        let found = try QuantisedParameters(layer(weights, bias: bias), inputScale: inputScale)
        for channel in 0..<3 {
            let scale = HalfPrecision.float(found.scaleBits[channel])
            #expect(scale > 0 && abs(bias[channel] / (inputScale * scale)) <= 0x1p30)
        }
        // The limit alone sets these scales, so they are no larger than it needs.
        #expect(HalfPrecision.float(found.scaleBits[0]) <= 1000 / (inputScale * 0x1p30) * 1.001)
        #expect(HalfPrecision.float(found.scaleBits[1]) <= 5 / (inputScale * 0x1p30) * 1.001)
        #expect(found.codes[0] == 0)
    }

    @Test func whatFloat16CannotHoldIsRefused() throws {
        var weights = [Float](repeating: 1, count: 144)
        var bias = [Float](repeating: 0, count: 16)
        bias[4] = -70_000
        bias[9] = 65_520
        #expect(throws: ImportError.halfOverflow(tensor: "b1.dw.bias", index: 4, value: -70_000, count: 2)) {
            try QuantisedParameters(layer(weights, bias: bias), inputScale: 1 / 255)
        }
        bias[4] = 0
        bias[9] = 0
        weights[20] = 1e7
        #expect(throws: ImportError.scaleOverflow(layer: "b1.dw", channel: 2)) {
            try QuantisedParameters(layer(weights, bias: bias), inputScale: 1 / 255)
        }
        // 65,504 * 127 is the largest weight that can be quantised.
        weights[20] = 8_319_008
        #expect(try QuantisedParameters(layer(weights, bias: bias), inputScale: 1 / 255).codes[20] == 127)
    }
}
