import ModelFile
import Network
import Platform
import Vocabulary
import WeightImport

/// Runs the lowered ops of a graph by plain loops over row-major arrays, one op after the other, as the comments of the kernels and of
/// `MapOperation` state their results. No code is shared with the plan behind the lowering.
///
/// Sums of integers are exact. Float sums are taken as the common convolutions take them, so that the portable tier gives
/// the same bits for every graph, and every tier for a graph with quantised values.
struct StepReference {
    private enum Value {
        case floats([Float])
        case bytes([UInt8])
    }

    private typealias Quantisation = GraphFile.Quantisation

    private let file: GraphFile
    private let lowered: GraphSteps
    /// Each product of a convolution of floats, and each result of another op of floats, is changed by at most this share of itself,
    /// at random.
    private let noise: Float
    private var random: SplitMix64

    init(_ file: GraphFile, noise: Float = 0, seed: UInt64 = 1) throws {
        self.file = file
        self.noise = noise
        lowered = try GraphSteps(file)
        random = SplitMix64(seed: seed)
    }

    /// The outputs of the graph, row-major.
    mutating func run(_ inputs: [[Float]]) -> [[Float]] {
        var values = [Value?](repeating: nil, count: file.graph.values.count)
        for (index, input) in zip(file.graph.inputs, inputs) {
            guard let quantisation = lowered.quantisations[index] else {
                values[index] = .floats(input)
                continue
            }
            values[index] = .bytes(
                input.map { value in
                    let nearest =
                        (value / quantisation.scale).rounded(.toNearestOrEven) + Float(quantisation.zeroPoint)
                    return nearest.isNaN ? UInt8(quantisation.zeroPoint) : UInt8(min(max(nearest, 0), 255))
                })
        }
        for step in lowered.steps {
            if case .block(let expand, let depthwise, let project) = step {
                for convolution in [expand, depthwise, project].compactMap({ $0 }) {
                    let part: GraphSteps.Step =
                        convolution.isDepthwise ? .depthwise(convolution) : .convolution(convolution)
                    values[convolution.output] = result(of: part, values, isQuantised: lowered.isQuantised(step))
                }
            } else {
                values[step.output] = result(of: step, values, isQuantised: lowered.isQuantised(step))
            }
        }
        return file.graph.outputs.map { floats($0, values) }
    }

    // MARK: Values

    private func shape(_ value: Int) -> [Int] { file.graph.values[value].shape }

    /// Rows, pixels of a row and channels. What has fewer than four dimensions is one row.
    private func map(_ value: Int) -> (height: Int, width: Int, channels: Int) {
        let shape = shape(value)
        let channels = shape[shape.count - 1]
        let height = shape.count > 3 ? shape[shape.count - 3] : 1
        return (height, shape.reduce(1, *) / (channels * height), channels)
    }

    private func floats(_ index: Int, _ values: [Value?]) -> [Float] {
        switch (values[index], lowered.quantisations[index]) {
        case (.floats(let floats), _): return floats
        case (.bytes(let bytes), let quantisation?): return bytes.map { Self.float(Float($0), quantisation) }
        default: preconditionFailure("a value is read before it is written")
        }
    }

    private func bytes(_ index: Int, _ values: [Value?]) -> [UInt8] {
        guard case .bytes(let bytes) = values[index] else { preconditionFailure("a value has floats") }
        return bytes
    }

    private static func float(_ value: Float, _ quantisation: Quantisation) -> Float {
        (value - Float(quantisation.zeroPoint)) * quantisation.scale
    }

    /// Clamps and rounds half to even; NaN becomes 0.
    private static func byte(_ value: Float) -> UInt8 {
        guard value > 0 else { return 0 }
        return UInt8(min(value, 255).rounded(.toNearestOrEven))
    }

    private mutating func result(of step: GraphSteps.Step, _ values: [Value?], isQuantised: Bool) -> Value {
        if isQuantised { return quantised(step, values) }
        var result = floats(of: step, values)
        if noise > 0 {
            for index in result.indices { result[index] *= 1 + Float.random(in: -noise...noise, using: &random) }
        }
        guard let quantisation = lowered.quantisations[step.output] else { return .floats(result) }
        return .bytes(result.map { Self.byte($0 / quantisation.scale + Float(quantisation.zeroPoint)) })
    }

    // MARK: Quantised values

    private func quantised(_ step: GraphSteps.Step, _ values: [Value?]) -> Value {
        let output = step.output
        let out = map(output)
        switch step {
        case .convolution(let c), .depthwise(let c): return convolved(c, values)
        case .add(let a, let b, _, let activation):
            let zero = lowered.quantisations[output]!
            let isPlain = activation.upper == .infinity && (activation.slope?.allSatisfy { $0 == 1 } ?? true)
            let terms = zip(floats(a, values), floats(b, values))
            return .bytes(
                terms.enumerated().map { index, pair in
                    var sum = pair.0 + pair.1
                    if !isPlain { sum = Self.activated(sum, activation, channel: index % out.channels) }
                    return Self.byte(sum / zero.scale + Float(zero.zeroPoint))
                })
        case .maxPool(let a, _, let height, let width, let strideY, let strideX, let padding):
            return .bytes(
                pooled(bytes(a, values), a, output, height, width, strideY, strideX, padding) { max($0, $1) })
        case .resize(let a, _, let alignCorners, let halfPixelCenters):
            let source = bytes(a, values).map(Float.init)
            return .bytes(resized(source, a, output, alignCorners, halfPixelCenters).map(Self.byte))
        case .reshape(let a, _): return .bytes(bytes(a, values))
        case .concat(let parts, _):
            let zero = UInt8(lowered.quantisations[output]!.zeroPoint)
            return .bytes(concatenated(parts, output, zero) { bytes($0, values) })
        case .depthToSpace(let a, _, let block): return .bytes(spread(bytes(a, values), a, output, block))
        case .mean(let a, _):
            let (source, quantisation) = (bytes(a, values), lowered.quantisations[a]!)
            let count = source.count / out.channels
            return .floats(
                (0..<out.channels).map { channel in
                    let sum = (0..<count).reduce(0) { $0 + Int(source[$1 * out.channels + channel]) }
                    return Self.float(Float(sum) / Float(count), quantisation)
                })
        default: preconditionFailure("an op of floats")
        }
    }

    /// See `QuantisedConvolutionKernels`.
    private func convolved(_ c: GraphSteps.Convolution, _ values: [Value?]) -> Value {
        guard let parameter = file.parameters[c.weights], case .int8(let weights, let scales) = parameter.values,
            let input = lowered.quantisations[c.input]
        else { preconditionFailure("a convolution of floats") }
        let (output, out) = (lowered.quantisations[c.output], map(c.output))
        let source = bytes(c.input, values)
        let bias = c.bias.flatMap { file.parameters[$0]?.floats() }
        var sums = [Int](repeating: 0, count: out.height * out.width * out.channels)
        eachProduct(c) { target, element, weight in
            sums[target] += (Int(source[element]) - input.zeroPoint) * Int(weights[weight])
        }
        let residual = c.residual.map { (bytes($0, values), map($0).channels, lowered.quantisations[$0]!) }
        var (written, real): ([UInt8], [Float]) = ([], [])
        for (index, sum) in sums.enumerated() {
            let channel = index % out.channels
            let step = Double(input.scale) * Double(scales[channel])
            let whole = (Double(bias?[channel] ?? 0) / step).rounded(.toNearestOrEven) + Double(sum)
            var v = Float(whole) * Float(step / Double(output?.scale ?? 1))
            guard let output else {
                if v < 0 { v *= c.activation.slope?[channel] ?? 1 }
                real.append(v > c.activation.upper ? c.activation.upper : v)
                continue
            }
            if let (added, channels, quantisation) = residual, channel < channels {
                let difference = Int(added[index / out.channels * channels + channel]) - quantisation.zeroPoint
                v += Float(difference) * Float(Double(quantisation.scale) / Double(output.scale))
            }
            let isRectified = c.activation.slope?.allSatisfy { $0 == 0 } ?? false
            if !isRectified, v < 0 { v *= c.activation.slope?[channel] ?? 1 }
            let rounded = Int(min(max(v, -32_768), 32_767).rounded(.toNearestOrEven)) + output.zeroPoint
            let steps = (c.activation.upper / output.scale).rounded(.toNearestOrEven)
            let upper = steps < 255 ? min(output.zeroPoint + Int(steps), 255) : 255
            written.append(UInt8(min(max(rounded, isRectified ? output.zeroPoint : 0), upper)))
        }
        return output == nil ? .floats(real) : .bytes(written)
    }

    /// Calls `body` for every product of a convolution with the elements of the output, the input and the weights, in the order of
    /// the taps' rows and then of the elements in them. What lies in the padding is left out.
    private func eachProduct(_ c: GraphSteps.Convolution, _ body: (Int, Int, Int) -> Void) {
        let (input, out) = (map(c.input), map(c.output))
        if c.isVector {
            let depth = shape(c.input).reduce(1, *)
            for n in 0..<out.channels { for k in 0..<depth { body(n, k, n * depth + k) } }
            return
        }
        for y in 0..<out.height {
            for x in 0..<out.width {
                for n in 0..<out.channels {
                    let target = (y * out.width + x) * out.channels + n
                    for row in 0..<c.height {
                        for column in 0..<c.width {
                            let v = y * c.strideY + row - c.padding.top
                            let u = x * c.strideX + column - c.padding.left
                            guard (0..<input.height).contains(v), (0..<input.width).contains(u) else { continue }
                            let pixel = (v * input.width + u) * input.channels
                            let tap = row * c.width + column
                            if c.isDepthwise {
                                body(target, pixel + n, tap * input.channels + n)
                            } else {
                                let weight = (n * c.height * c.width + tap) * input.channels
                                for k in 0..<input.channels { body(target, pixel + k, weight + k) }
                            }
                        }
                    }
                }
            }
        }
    }

    // MARK: Floats

    /// `min(max(v, 0) + slope * min(v, 0), upper)`
    private static func activated(_ v: Float, _ activation: GraphSteps.Activation, channel: Int) -> Float {
        let sum = (v < 0 ? 0 : v) + (activation.slope?[channel] ?? 1) * (v > 0 ? 0 : v)
        return sum > activation.upper ? activation.upper : sum
    }

    private mutating func floats(of step: GraphSteps.Step, _ values: [Value?]) -> [Float] {
        let output = step.output
        let channels = map(output).channels
        let current = self
        func read(_ value: Int) -> [Float] { current.floats(value, values) }
        switch step {
        case .convolution(let c), .depthwise(let c): return convolvedFloats(c, values)
        case .add(let a, let b, _, let activation):
            return zip(read(a), read(b)).enumerated().map {
                Self.activated($1.0 + $1.1, activation, channel: $0 % channels)
            }
        case .activation(let a, _, let activation):
            return read(a).enumerated().map { Self.activated($1, activation, channel: $0 % channels) }
        case .maxPool(let a, _, let height, let width, let strideY, let strideX, let padding):
            return pooled(read(a), a, output, height, width, strideY, strideX, padding) { $1 > $0 ? $1 : $0 }
        case .mean(let a, _):
            let source = read(a)
            let count = source.count / channels
            return (0..<channels).map { channel in
                (0..<count).reduce(Float(0)) { $0 + source[$1 * channels + channel] } / Float(count)
            }
        case .resize(let a, _, let alignCorners, let halfPixelCenters):
            return resized(read(a), a, output, alignCorners, halfPixelCenters)
        case .logistic(let a, _): return read(a).map { 1 / (1 + Math.exponential(-$0)) }
        case .reshape(let a, _): return read(a)
        case .concat(let parts, _): return concatenated(parts, output, 0) { read($0) }
        case .depthToSpace(let a, _, let block): return spread(read(a), a, output, block)
        case .arithmetic(let arithmetic, let a, let b, _, _):
            return ReferenceGraph.combined(arithmetic, read(a), shape(a), read(b), shape(b))
        case .affine(let a, _, let factors, let offsets, let activation):
            return read(a).enumerated().map { index, value in
                let channel = index % channels
                let product = value * (factors?[channel] ?? 1)
                return Self.activated(product + (offsets?[channel] ?? 0), activation, channel: channel)
            }
        case .reduce(let reduction, let a, _, let axis):
            let source = read(a)
            return (0..<axis.outer * axis.inner).map { run in
                let first = run / axis.inner * axis.extent * axis.inner + run % axis.inner
                let elements = (0..<axis.extent).map { source[first + $0 * axis.inner] }
                switch reduction {
                case .mean: return elements.dropFirst().reduce(elements[0], +) / Float(axis.extent)
                case .maximum: return elements.dropFirst().reduce(elements[0]) { max($0, $1) }
                case .minimum: return elements.dropFirst().reduce(elements[0]) { min($0, $1) }
                }
            }
        case .gather(let a, _, let axis, let indices):
            let source = read(a)
            return (0..<axis.outer).flatMap { run in
                indices.flatMap { index in
                    (0..<axis.inner).map { source[(run * axis.extent + index) * axis.inner + $0] }
                }
            }
        case .softmax(let a, _):
            let source = read(a)
            return stride(from: 0, to: source.count, by: channels).flatMap { start in
                let row = source[start..<start + channels]
                let largest = row.reduce(-Float.infinity) { max($0, $1) }
                let powers = row.map { Math.exponential($0 - largest) }
                let sum = powers.reduce(0, +)
                return powers.map { $0 / sum }
            }
        case .block, .dequantise, .quantise: preconditionFailure("no op of its own")
        }
    }

    private mutating func convolvedFloats(_ c: GraphSteps.Convolution, _ values: [Value?]) -> [Float] {
        let out = map(c.output)
        let weights = file.parameters[c.weights]!.floats(channelsLast: c.isDepthwise)
        let bias = c.bias.flatMap { file.parameters[$0]?.floats() }
        let source = floats(c.input, values)
        var sums = [Float](repeating: 0, count: out.height * out.width * out.channels)
        var random = random
        eachProduct(c) { target, element, weight in
            let product = source[element] * weights[weight]
            sums[target] += noise > 0 ? product * (1 + Float.random(in: -noise...noise, using: &random)) : product
        }
        self.random = random
        let residual = c.residual.map { (floats($0, values), map($0).channels) }
        return sums.enumerated().map { index, sum in
            let channel = index % out.channels
            var v = sum + (bias?[channel] ?? 0)
            if let (added, channels) = residual, channel < channels {
                v += added[index / out.channels * channels + channel]
            }
            if v < 0 { v *= c.activation.slope?[channel] ?? 1 }
            return v > c.activation.upper ? c.activation.upper : v
        }
    }

    // MARK: Maps of either kind

    private func pooled<Element>(
        _ source: [Element], _ a: Int, _ output: Int, _ height: Int, _ width: Int, _ strideY: Int, _ strideX: Int,
        _ padding: NetworkGraph.Padding, _ larger: (Element, Element) -> Element
    ) -> [Element] {
        let (input, out) = (map(a), map(output))
        var result: [Element] = []
        for y in 0..<out.height {
            for x in 0..<out.width {
                let (top, left) = (y * strideY - padding.top, x * strideX - padding.left)
                for channel in 0..<out.channels {
                    let window = (max(top, 0)..<min(top + height, input.height)).flatMap { v in
                        (max(left, 0)..<min(left + width, input.width)).map { u in
                            source[(v * input.width + u) * input.channels + channel]
                        }
                    }
                    result.append(window.dropFirst().reduce(window[0], larger))
                }
            }
        }
        return result
    }

    /// The columns first, then the rows: `a + share * (b - a)`.
    private func resized(
        _ source: [Float], _ a: Int, _ output: Int, _ alignCorners: Bool, _ halfPixelCenters: Bool
    ) -> [Float] {
        let (input, out) = (map(a), map(output))
        func sample(_ index: Int, _ from: Int, _ to: Int) -> (first: Int, second: Int, share: Float) {
            let scale = alignCorners && to > 1 ? Float(from - 1) / Float(to - 1) : Float(from) / Float(to)
            let position = halfPixelCenters ? (Float(index) + 0.5) * scale - 0.5 : Float(index) * scale
            let whole = position.rounded(.down)
            return (min(max(Int(whole), 0), from - 1), min(max(Int(whole) + 1, 0), from - 1), position - whole)
        }
        var result: [Float] = []
        for y in 0..<out.height {
            let row = sample(y, input.height, out.height)
            for x in 0..<out.width {
                let column = sample(x, input.width, out.width)
                for channel in 0..<out.channels {
                    func mixed(_ v: Int) -> Float {
                        let left = source[(v * input.width + column.first) * input.channels + channel]
                        let right = source[(v * input.width + column.second) * input.channels + channel]
                        return left + column.share * (right - left)
                    }
                    let (above, below) = (mixed(row.first), mixed(row.second))
                    result.append(above + row.share * (below - above))
                }
            }
        }
        return result
    }

    private func concatenated<Element>(
        _ parts: [(input: Int, y: Int, x: Int, channel: Int)], _ output: Int, _ zero: Element,
        _ read: (Int) -> [Element]
    ) -> [Element] {
        let out = map(output)
        var result = [Element](repeating: zero, count: out.height * out.width * out.channels)
        for part in parts {
            let (source, a) = (read(part.input), map(part.input))
            for y in 0..<a.height {
                for x in 0..<a.width {
                    let target = ((part.y + y) * out.width + part.x + x) * out.channels + part.channel
                    for channel in 0..<a.channels {
                        result[target + channel] = source[(y * a.width + x) * a.channels + channel]
                    }
                }
            }
        }
        return result
    }

    private func spread<Element>(_ source: [Element], _ a: Int, _ output: Int, _ block: Int) -> [Element] {
        let (input, out) = (map(a), map(output))
        return (0..<out.height * out.width * out.channels).map { index in
            let (y, x) = (index / out.channels / out.width, index / out.channels % out.width)
            let channel = (y % block * block + x % block) * out.channels + index % out.channels
            return source[(y / block * input.width + x / block) * input.channels + channel]
        }
    }
}
