import KernelInterface
import ModelFile

/// The parameters of an int8 convolution as kernels take them (`QuantisedConvolutionKernels`).
///
/// A sum of quantised values times weights stands for `inputScale * scale[n]` times itself if the input's zero point is
/// subtracted from every quantised value. What this subtracts from the sum is constant and goes into the bias. Division
/// by the output's scale gives quantised outputs.
struct QuantisedParameters {
    let weights: [Int8]
    /// One per channel, zeros for padded channels.
    let bias: [Int32]
    let multiplier: [Float]
    private let rounding: [Int32]

    /// Bytes that `write` takes; what follows stays aligned.
    static let roundingBytes = 64

    /// - name: the value that the convolution makes, for errors.
    /// - count: channels, padded ones included.
    init(
        _ file: GraphFile, _ c: GraphSteps.Convolution, _ places: [MapPlace], name: String, count: Int
    ) throws(GraphError) {
        guard let parameter = file.parameters[c.weights], case .int8(let weights, let scales) = parameter.values,
            let input = places[c.input].quantisation
        else { throw .unsupported(value: name, reason: "its weights are not quantised values") }
        self.weights = weights
        let output = places[c.output].quantisation
        let residual = c.residual.flatMap { places[$0].quantisation }
        // The channel is the first dimension of the weights, but the last dimension of depthwise weights.
        let run = weights.count / max(scales.count, 1)
        var (sums, magnitudes) = ([Int](repeating: 0, count: scales.count), [Int](repeating: 0, count: scales.count))
        for (index, weight) in weights.enumerated() {
            let channel = c.isDepthwise ? index % scales.count : index / run
            sums[channel] += Int(weight)
            magnitudes[channel] += abs(Int(weight))
        }
        let values = c.bias.flatMap { file.parameters[$0]?.floats() } ?? []
        let residualMultiplier = residual.map { Double($0.scale) / Double(output?.scale ?? 1) } ?? 0
        var (bias, multiplier) = ([Int32](repeating: 0, count: count), [Float](repeating: 0, count: count))
        for channel in scales.indices {
            let step = Double(input.scale) * Double(scales[channel])
            let exact = ((channel < values.count ? Double(values[channel]) : 0) / step).rounded(.toNearestOrEven)
            let constant = exact - Double(input.zeroPoint * sums[channel])
            let factor = Float(step / Double(output?.scale ?? 1))
            // A tier may subtract 128 from the quantised values and add 128 times the weights to the bias.
            let largest = abs(exact) + 383 * Double(magnitudes[channel])
            // Before it is clamped a result is rounded to int32, which has no equal rule for all tiers beyond its range.
            let stretch = max(1, c.activation.slope.map { Double(abs($0[channel])) } ?? 1)
            guard largest < 0x1p31, factor.isFinite,
                (largest * Double(factor) + 255 * residualMultiplier) * stretch < 0x1p31
            else { throw .unsupported(value: name, reason: "sums of its products do not fit into 32 bits") }
            bias[channel] = Int32(constant)
            multiplier[channel] = factor
        }
        self.bias = bias
        self.multiplier = multiplier
        rounding = Self.rounding(
            c.activation, output, residualZero: residual?.zeroPoint ?? 0, residualMultiplier: Float(residualMultiplier))
    }

    /// The values that all channels share, in the kernels' order.
    private static func rounding(
        _ activation: GraphSteps.Activation, _ output: GraphFile.Quantisation?, residualZero: Int,
        residualMultiplier: Float
    ) -> [Int32] {
        let zero = output?.zeroPoint ?? 0
        let isRectified = activation.slope?.allSatisfy { $0 == 0 } ?? false
        let steps = (activation.upper / (output?.scale ?? 1)).rounded(.toNearestOrEven)
        let upper = steps < 255 ? min(zero + Int(steps), 255) : 255
        return [
            Int32(zero), Int32(isRectified ? zero : 0), Int32(upper), Int32(residualZero),
            Int32(bitPattern: residualMultiplier.bitPattern),
            activation.slope == nil || isRectified ? 0 : 1,
        ]
    }

    /// Writes the kernels' `rounding`, and returns `roundingBytes`.
    func write(to start: UnsafeMutableRawPointer) -> Int {
        for (index, word) in rounding.enumerated() {
            unsafe start.storeBytes(of: word, toByteOffset: 4 * index, as: Int32.self)
        }
        return Self.roundingBytes
    }
}
