import ModelFile
import Network

/// One layer's parameters as stored in an int8 model.
package struct QuantisedParameters: Sendable, Equatable {
    /// -127 to 127, row-major in the layer's shape.
    package let codes: [Int8]
    /// Binary16 scale of each output channel.
    package let scaleBits: [UInt16]
    /// Binary16 bias of each output channel.
    package let biasBits: [UInt16]

    /// Quantises a layer whose input activations have the scale `inputScale`.
    ///
    /// A channel's scale is the smallest binary16 value with which
    /// - its largest weight needs at most 127 steps, so that nothing clips. The weights are quantised with the rounded
    ///   scale: `code = round-half-even(w / scale)`;
    /// - its bias, which the network adds as `bias / (inputScale * scale)` in int32, stays within
    ///   `NetworkWeights.biasLimit`. Only a channel whose weights are tiny compared with its bias needs this.
    ///
    /// A channel without weights has the scale 1.
    package init(_ layer: FoldedNetwork.Layer, inputScale: Float) throws(ImportError) {
        let spec = layer.spec
        var codes: [Int8] = []
        var scaleBits: [UInt16] = []
        codes.reserveCapacity(layer.weights.count)
        biasBits = try HalfTensor.bits(of: layer.bias, tensor: spec.name + ".bias")
        for channel in 0..<spec.outputChannels {
            let weights = layer.weights[channel * spec.depth..<(channel + 1) * spec.depth]
            let bits = try Self.scaleBits(
                largest: weights.reduce(0) { max($0, abs($1)) }, bias: HalfPrecision.float(biasBits[channel]),
                inputScale: inputScale, layer: spec.name, channel: channel)
            let scale = HalfPrecision.float(bits)
            scaleBits.append(bits)
            for weight in weights {
                let code = (weight / scale).rounded(.toNearestOrEven)
                codes.append(Int8(max(-127, min(127, code))))
            }
        }
        self.codes = codes
        self.scaleBits = scaleBits
    }

    private static let largestCode = 127.0

    private static func scaleBits(
        largest: Float, bias: Float, inputScale: Float, layer: String, channel: Int
    ) throws(ImportError) -> UInt16 {
        func suffices(_ bits: UInt16) -> Bool {
            let scale = HalfPrecision.float(bits)
            return scale > 0 && Double(scale) * largestCode >= Double(largest)
                && abs(bias / (inputScale * scale)) <= NetworkWeights.biasLimit
        }
        let wanted = max(
            largest == 0 ? 1 : Double(largest) / largestCode,
            Double(abs(bias)) / (Double(inputScale) * Double(NetworkWeights.biasLimit)))
        // Rounding may give a scale below `wanted`; the next bit pattern is the next larger value.
        var bits = HalfPrecision.bits(Float(wanted))
        while bits < infinity, !suffices(bits) { bits += 1 }
        guard bits < infinity else { throw .scaleOverflow(layer: layer, channel: channel) }
        return bits
    }

    private static let infinity: UInt16 = 0x7C00
}

/// Values for storage as binary16.
enum HalfTensor {
    /// The bit patterns nearest to `values`; a value that would become infinite is an error.
    static func bits(of values: [Float], tensor: String) throws(ImportError) -> [UInt16] {
        let bits = values.map(HalfPrecision.bits)
        let overflowing = bits.indices.filter { !HalfPrecision.float(bits[$0]).isFinite }
        if let index = overflowing.first {
            throw .halfOverflow(tensor: tensor, index: index, value: values[index], count: overflowing.count)
        }
        return bits
    }
}
