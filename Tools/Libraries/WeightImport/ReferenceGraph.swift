import Foundation
package import ModelFile
import Network

/// Runs a graph with plain loops in float32. Faster implementations are compared with it, and it measures activation
/// ranges.
///
/// For an int8 file, weights are dequantised, and every value that the engine keeps as codes is quantised and dequantised
/// again (`GraphSteps.computedValues`). Sums are float32.
package struct ReferenceGraph {
    package let graph: NetworkGraph
    private let layers: [Layer]
    private let quantisation: [GraphFile.Quantisation?]
    /// Index of the last operator that reads each value, or the number of operators for an output.
    private let lastReads: [Int]

    /// An operator's parameters. The output channel of a convolution's weights is innermost.
    private struct Layer {
        var weights: [Float] = []
        var bias: [Float] = []
        var height = 0
        var width = 0
    }

    /// - file: its graph has been checked (`NetworkGraph.validate`).
    package init(_ file: GraphFile) {
        graph = file.graph
        // What the engine does not run has no steps, and all of its values are rounded.
        let computed = (try? GraphSteps(file))?.computedValues.union(file.graph.inputs)
        quantisation = file.graph.values.enumerated().map { index, value in
            computed?.contains(index) ?? true ? file.quantisation[value.name] : nil
        }
        layers = file.graph.nodes.map { Self.layer($0.operation, file) }
        var lastReads = [Int](repeating: 0, count: file.graph.values.count)
        for (index, node) in file.graph.nodes.enumerated() { for value in node.inputs { lastReads[value] = index } }
        for output in file.graph.outputs { lastReads[output] = file.graph.nodes.count }
        self.lastReads = lastReads
    }

    /// Runs the graph.
    /// - Parameters:
    ///   - inputs: one array for each input of the graph, row-major.
    ///   - observe: receives the index and the elements of every value once, including inputs, before any quantisation.
    /// - Returns: one array for each output of the graph.
    package func run(
        _ inputs: [[Float]], observe: (_ value: Int, _ elements: [Float]) -> Void = { _, _ in }
    ) throws(ImportError) -> [[Float]] {
        guard inputs.count == graph.inputs.count else {
            throw .inputSize(value: "the graph", expected: graph.inputs.count, found: inputs.count)
        }
        var values = [[Float]](repeating: [], count: graph.values.count)
        for (index, elements) in zip(graph.inputs, inputs) {
            let value = graph.values[index]
            guard elements.count == value.count else {
                throw .inputSize(value: value.name, expected: value.count, found: elements.count)
            }
            observe(index, elements)
            values[index] = rounded(elements, index)
        }
        for (index, node) in graph.nodes.enumerated() {
            let elements = evaluate(node, layers[index], values)
            observe(node.output, elements)
            values[node.output] = rounded(elements, node.output)
            for input in node.inputs where lastReads[input] == index { values[input] = [] }
        }
        return graph.outputs.map { values[$0] }
    }

    /// The elements after quantisation and dequantisation; the elements themselves if the value is not quantised.
    private func rounded(_ elements: [Float], _ value: Int) -> [Float] {
        guard let codes = quantisation[value] else { return elements }
        let zero = Float(codes.zeroPoint)
        return elements.map { element in
            let code = (element / codes.scale).rounded(.toNearestOrEven) + zero
            return (min(max(code, 0), 255) - zero) * codes.scale
        }
    }

    private static func layer(_ operation: NetworkGraph.Operation, _ file: GraphFile) -> Layer {
        func parameter(_ name: String?) -> GraphFile.Parameter? { name.flatMap { file.parameters[$0] } }
        var layer = Layer()
        switch operation {
        case .convolution(let weights, let bias, _, _, _, _), .fullyConnected(let weights, let bias, _):
            guard let parameter = parameter(weights) else { return layer }
            let floats = parameter.floats()
            let channels = parameter.shape[0]
            let depth = floats.count / channels
            layer.weights = [Float](repeating: 0, count: floats.count)
            for channel in 0..<channels {
                for index in 0..<depth { layer.weights[index * channels + channel] = floats[channel * depth + index] }
            }
            if parameter.shape.count == 4 { (layer.height, layer.width) = (parameter.shape[1], parameter.shape[2]) }
            layer.bias = Self.parameterFloats(bias, file) ?? [Float](repeating: 0, count: channels)
        case .depthwiseConvolution(let weights, let bias, _, _, _, _):
            guard let parameter = parameter(weights) else { return layer }
            layer.weights = parameter.floats(channelsLast: true)
            (layer.height, layer.width) = (parameter.shape[1], parameter.shape[2])
            layer.bias = Self.parameterFloats(bias, file) ?? [Float](repeating: 0, count: parameter.shape[3])
        case .prelu(let vector), .scale(let vector, _), .shift(let vector, _):
            layer.weights = Self.parameterFloats(vector, file) ?? []
        default: break
        }
        return layer
    }

    private static func parameterFloats(_ name: String?, _ file: GraphFile) -> [Float]? {
        name.flatMap { file.parameters[$0]?.floats() }
    }
}

// MARK: Operators

extension ReferenceGraph {
    private func evaluate(_ node: NetworkGraph.Node, _ layer: Layer, _ values: [[Float]]) -> [Float] {
        let shape = graph.values[node.inputs[0]].shape
        let input = values[node.inputs[0]]
        let output = graph.values[node.output].shape
        switch node.operation {
        case .convolution(_, _, let strideY, let strideX, let padding, let activation):
            let windows = Windows(shape, output, layer.height, layer.width, strideY, strideX, padding)
            return activated(convolution(input, layer, windows, channels: shape[3], outputs: output[3]), activation)
        case .depthwiseConvolution(_, _, let strideY, let strideX, let padding, let activation):
            let windows = Windows(shape, output, layer.height, layer.width, strideY, strideX, padding)
            return activated(depthwise(input, layer, windows, channels: shape[3]), activation)
        case .fullyConnected(_, _, let activation):
            var sums = layer.bias
            layer.weights.accumulate(
                rows: input.count, from: 0, factors: input, at: 0, into: &sums, at: 0, count: sums.count)
            return activated(sums, activation)
        case .add(let activation): return activated(zip(input, values[node.inputs[1]]).map { $0 + $1 }, activation)
        case .maxPool(let height, let width, let strideY, let strideX, let padding):
            return maxPool(input, Windows(shape, output, height, width, strideY, strideX, padding), channels: shape[3])
        case .mean:
            var sums = [Float](repeating: 0, count: shape[3])
            for start in stride(from: 0, to: input.count, by: sums.count) {
                for channel in sums.indices { sums[channel] += input[start + channel] }
            }
            return sums.map { $0 / Float(shape[1] * shape[2]) }
        case .pad(let amounts): return pad(input, shape, amounts)
        case .resizeBilinear(let alignCorners, let halfPixelCenters):
            return resize(input, shape, output, alignCorners, halfPixelCenters)
        case .reshape: return input
        case .concatenation(let axis): return concatenate(node.inputs, values, axis: axis)
        case .logistic: return input.map { (value: Float) -> Float in 1 / (1 + exp(-value)) }
        case .relu: return activated(input, .relu)
        case .relu6: return activated(input, .relu6)
        case .prelu:
            let channels = layer.weights.count
            return input.enumerated().map { (index, value: Float) -> Float in
                value < 0 ? value * layer.weights[index % channels] : value
            }
        case .depthToSpace(let block): return depthToSpace(input, shape, output, block: block)
        case .arithmetic(let arithmetic):
            return Self.combined(
                arithmetic, input, shape, values[node.inputs[1]], graph.values[node.inputs[1]].shape)
        case .scale(_, let activation):
            let channels = layer.weights.count
            return activated(input.indices.map { input[$0] * layer.weights[$0 % channels] }, activation)
        case .shift(_, let activation):
            let channels = layer.weights.count
            return activated(input.indices.map { input[$0] + layer.weights[$0 % channels] }, activation)
        case .reduce(let reduction, let axis): return reduce(reduction, input, shape, axis)
        case .gather(let axis, let indices):
            let inner = shape[(axis + 1)...].reduce(1, *)
            let run = shape[axis] * inner
            var rows: [Float] = []
            for start in stride(from: 0, to: input.count, by: run) {
                for index in indices { rows += input[(start + index * inner)...].prefix(inner) }
            }
            return rows
        case .softmax: return softmax(input, channels: shape[shape.count - 1])
        }
    }

    /// Arithmetic of two values element by element. An element of the second belongs to every element along a dimension where it
    /// has one.
    package static func combined(
        _ arithmetic: NetworkGraph.Arithmetic, _ a: [Float], _ shape: [Int], _ b: [Float], _ other: [Int]
    ) -> [Float] {
        a.indices.map { index in
            var (rest, place, step) = (index, 0, 1)
            for (extent, own) in zip(shape, other).reversed() {
                if own > 1 { place += rest % extent * step }
                rest /= extent
                step *= own
            }
            switch arithmetic {
            case .subtract: return a[index] - b[place]
            case .multiply: return a[index] * b[place]
            case .divide: return a[index] / b[place]
            case .maximum: return max(a[index], b[place])
            case .minimum: return min(a[index], b[place])
            }
        }
    }

    private func reduce(
        _ reduction: NetworkGraph.Reduction, _ input: [Float], _ shape: [Int], _ axis: Int
    ) -> [Float] {
        let inner = shape[(axis + 1)...].reduce(1, *)
        let outer = shape[..<axis].reduce(1, *)
        var results: [Float] = []
        for first in 0..<outer {
            for second in 0..<inner {
                let row = (0..<shape[axis]).map { input[(first * shape[axis] + $0) * inner + second] }
                switch reduction {
                case .mean: results.append(row.reduce(0, +) / Float(row.count))
                case .maximum: results.append(row.reduce(-.infinity) { max($0, $1) })
                case .minimum: results.append(row.reduce(.infinity) { min($0, $1) })
                }
            }
        }
        return results
    }

    private func softmax(_ input: [Float], channels: Int) -> [Float] {
        stride(from: 0, to: input.count, by: channels).flatMap { start in
            let row = input[start..<start + channels]
            let largest = row.reduce(-.infinity) { max($0, $1) }
            let powers = row.map { exp($0 - largest) }
            let sum = powers.reduce(0, +)
            return powers.map { $0 / sum }
        }
    }

    /// The windows of a padded map and the part of each that lies in the map.
    private struct Windows {
        let lines, columns, height, width, outputLines, outputColumns, strideY, strideX, top, left: Int

        init(
            _ input: [Int], _ output: [Int], _ height: Int, _ width: Int, _ strideY: Int, _ strideX: Int,
            _ padding: NetworkGraph.Padding
        ) {
            (lines, columns, outputLines, outputColumns) = (input[1], input[2], output[1], output[2])
            (self.height, self.width, self.strideY, self.strideX) = (height, width, strideY, strideX)
            (top, left) = (padding.top, padding.left)
        }

        /// Calls `body` for each position in each window that lies in the map, with the window, the map's pixel and the
        /// position.
        func forEach(_ body: (_ window: Int, _ pixel: Int, _ tap: Int) -> Void) {
            for y in 0..<outputLines {
                for x in 0..<outputColumns {
                    for tapY in 0..<height {
                        let line = y * strideY + tapY - top
                        guard (0..<lines).contains(line) else { continue }
                        for tapX in 0..<width {
                            let column = x * strideX + tapX - left
                            guard (0..<columns).contains(column) else { continue }
                            body(y * outputColumns + x, line * columns + column, tapY * width + tapX)
                        }
                    }
                }
            }
        }

        var count: Int { outputLines * outputColumns }
    }

    private func convolution(
        _ input: [Float], _ layer: Layer, _ windows: Windows, channels: Int, outputs: Int
    ) -> [Float] {
        var sums: [Float] = []
        sums.reserveCapacity(windows.count * outputs)
        for _ in 0..<windows.count { sums += layer.bias }
        windows.forEach { window, pixel, tap in
            layer.weights.accumulate(
                rows: channels, from: tap * channels * outputs, factors: input, at: pixel * channels, into: &sums,
                at: window * outputs, count: outputs)
        }
        return sums
    }

    private func depthwise(_ input: [Float], _ layer: Layer, _ windows: Windows, channels: Int) -> [Float] {
        var sums: [Float] = []
        sums.reserveCapacity(windows.count * channels)
        for _ in 0..<windows.count { sums += layer.bias }
        windows.forEach { window, pixel, tap in
            layer.weights.accumulateProducts(
                from: tap * channels, factors: input, at: pixel * channels, into: &sums, at: window * channels,
                count: channels)
        }
        return sums
    }

    private func maxPool(_ input: [Float], _ windows: Windows, channels: Int) -> [Float] {
        var largest = [Float](repeating: -.infinity, count: windows.count * channels)
        windows.forEach { window, pixel, _ in
            for channel in 0..<channels {
                largest[window * channels + channel] = max(
                    largest[window * channels + channel], input[pixel * channels + channel])
            }
        }
        return largest
    }

    private func pad(_ input: [Float], _ shape: [Int], _ amounts: [[Int]]) -> [Float] {
        // From the last dimension outwards: zeros are added around each run of a dimension and all dimensions after it.
        var elements = input
        var run = 1
        for (extent, amount) in zip(shape, amounts).reversed() {
            let (before, after) = (amount[0] * run, amount[1] * run)
            if before > 0 || after > 0 {
                var padded: [Float] = []
                for start in stride(from: 0, to: elements.count, by: extent * run) {
                    padded += repeatElement(0, count: before)
                    padded += elements[start..<start + extent * run]
                    padded += repeatElement(0, count: after)
                }
                elements = padded
            }
            run *= amount[0] + extent + amount[1]
        }
        return elements
    }

    /// `ResizeBilinear` of TFLite's reference operators.
    private func resize(
        _ input: [Float], _ shape: [Int], _ output: [Int], _ alignCorners: Bool, _ halfPixelCenters: Bool
    ) -> [Float] {
        func samples(_ from: Int, _ to: Int) -> [(lower: Int, upper: Int, share: Float)] {
            let scale = alignCorners && to > 1 ? Float(from - 1) / Float(to - 1) : Float(from) / Float(to)
            return (0..<to).map { index in
                let place = halfPixelCenters ? (Float(index) + 0.5) * scale - 0.5 : Float(index) * scale
                let lower = max(Int(place.rounded(.down)), 0)
                return (lower, min(Int(place.rounded(.up)), from - 1), place - Float(lower))
            }
        }
        let channels = shape[3]
        var elements: [Float] = []
        elements.reserveCapacity(output.reduce(1, *))
        let columns = samples(shape[2], output[2])
        for line in samples(shape[1], output[1]) {
            for column in columns {
                let corners = [
                    (line.lower, column.lower), (line.lower, column.upper), (line.upper, column.lower),
                    (line.upper, column.upper),
                ]
                .map { ($0 * shape[2] + $1) * channels }
                for channel in 0..<channels {
                    let above =
                        input[corners[0] + channel] * (1 - column.share) + input[corners[1] + channel] * column.share
                    let below =
                        input[corners[2] + channel] * (1 - column.share) + input[corners[3] + channel] * column.share
                    elements.append(above * (1 - line.share) + below * line.share)
                }
            }
        }
        return elements
    }

    private func concatenate(_ inputs: [Int], _ values: [[Float]], axis: Int) -> [Float] {
        // Elements of each input from one index before the axis to the next.
        let runs = inputs.map { graph.values[$0].shape[axis...].reduce(1, *) }
        let count = values[inputs[0]].count / runs[0]
        var elements: [Float] = []
        for index in 0..<count {
            for (input, run) in zip(inputs, runs) { elements += values[input][index * run..<(index + 1) * run] }
        }
        return elements
    }

    private func depthToSpace(_ input: [Float], _ shape: [Int], _ output: [Int], block: Int) -> [Float] {
        let channels = output[3]
        var elements: [Float] = []
        elements.reserveCapacity(input.count)
        for y in 0..<output[1] {
            for x in 0..<output[2] {
                let pixel = (y / block * shape[2] + x / block) * shape[3]
                let start = pixel + (y % block * block + x % block) * channels
                elements += input[start..<start + channels]
            }
        }
        return elements
    }

    private func activated(_ elements: [Float], _ activation: NetworkGraph.Activation) -> [Float] {
        switch activation {
        case .none: elements
        case .relu: elements.map { max($0, 0) }
        case .relu6: elements.map { min(max($0, 0), 6) }
        }
    }
}

extension [Float] {
    /// `sums[offset + i] += factors[place + r] * self[start + r * count + i]` for each row r, in order.
    fileprivate func accumulate(
        rows: Int, from start: Int, factors: [Float], at place: Int, into sums: inout [Float], at offset: Int,
        count: Int
    ) {
        precondition(start >= 0 && start + rows * count <= self.count && place >= 0 && place + rows <= factors.count)
        precondition(offset >= 0 && offset + count <= sums.count)
        // All ranges have just been checked; checks inside the loops would prevent vectorisation.
        unsafe withUnsafeBufferPointer { weights in
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                for row in 0..<rows {
                    let factor = factors[place + row]
                    // After a ReLU most elements are zero.
                    if factor == 0 { continue }
                    let first = start + row * count
                    for index in 0..<count {
                        unsafe sums[offset + index] += factor * weights[first + index]
                    }
                }
            }
        }
    }

    /// `sums[offset + i] += factors[place + i] * self[start + i]`.
    fileprivate func accumulateProducts(
        from start: Int, factors: [Float], at place: Int, into sums: inout [Float], at offset: Int, count: Int
    ) {
        precondition(start >= 0 && start + count <= self.count && place >= 0 && place + count <= factors.count)
        precondition(offset >= 0 && offset + count <= sums.count)
        unsafe withUnsafeBufferPointer { weights in
            unsafe factors.withUnsafeBufferPointer { factors in
                unsafe sums.withUnsafeMutableBufferPointer { sums in
                    for index in 0..<count {
                        unsafe sums[offset + index] += factors[place + index] * weights[start + index]
                    }
                }
            }
        }
    }
}
