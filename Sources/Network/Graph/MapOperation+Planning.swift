import ModelFile

/// From a planned step to its operation.
extension MapOperation {
    init(_ step: GraphSteps.Step, _ places: [MapPlace], _ graph: NetworkGraph) throws(GraphError) {
        let output = places[step.output]
        func slopes(_ activation: GraphSteps.Activation) -> [Float] {
            let slope = activation.slope ?? []
            return slope + [Float](repeating: 1, count: output.pixel - slope.count)
        }
        switch step {
        case .add(let a, let b, _, let activation):
            self = .add(places[a], places[b], output, slope: slopes(activation), upper: activation.upper)
        case .activation(let a, _, let activation):
            self = .activation(places[a], output, slope: slopes(activation), upper: activation.upper)
        case .maxPool(let a, _, let height, let width, let strideY, let strideX, let padding):
            self = .maxPool(
                places[a], output, height: height, width: width, strideY: strideY, strideX: strideX, padding: padding)
        case .mean(let a, _): self = .mean(places[a], output)
        case .resize(let a, _, let alignCorners, let halfPixelCenters):
            let input = places[a]
            self = .resize(
                input, output, rows: Self.samples(input.height, output.height, alignCorners, halfPixelCenters),
                columns: Self.samples(input.width, output.width, alignCorners, halfPixelCenters))
        case .logistic(let a, _): self = .logistic(places[a], output)
        case .reshape(let a, _): self = .reshape(places[a], output)
        case .concat(let parts, _):
            self = .concat(parts.map { (places[$0.input], $0.y, $0.x, $0.channel) }, output)
        case .depthToSpace(let a, _, let block): self = .depthToSpace(places[a], output, block: block)
        case .arithmetic(let arithmetic, let a, let b, _, let repetition):
            self = .arithmetic(arithmetic, places[a], places[b], output, repetition)
        case .affine(let a, _, let factors, let offsets, let activation):
            // Padded channels stay zero.
            func padded(_ values: [Float]?, _ otherwise: Float) -> [Float] {
                let values = values ?? [Float](repeating: otherwise, count: output.channels)
                return values + [Float](repeating: 0, count: output.pixel - values.count)
            }
            self = .affine(
                places[a], output, factors: padded(factors, 1), offsets: padded(offsets, 0), slope: slopes(activation),
                upper: activation.upper)
        case .reduce(let reduction, let a, _, let axis): self = .reduce(reduction, places[a], output, axis)
        case .gather(let a, _, let axis, let indices): self = .gather(places[a], output, axis, indices: indices)
        case .softmax(let a, _): self = .softmax(places[a], output)
        case .dequantise(let a, _): self = .dequantise(places[a], output)
        case .quantise(let a, _): self = .quantise(places[a], output)
        case .convolution, .depthwise, .block:
            throw .unsupported(value: "", reason: "a convolution is not a map operation")
        }
    }

    /// TFLite's sample positions: corners on corners, or pixel centres at halves, or `index * from / to`.
    private static func samples(_ from: Int, _ to: Int, _ alignCorners: Bool, _ halfPixelCenters: Bool) -> [Sample] {
        let scale =
            alignCorners && to > 1 ? Float(from - 1) / Float(to - 1) : Float(from) / Float(to)
        return (0..<to).map { index in
            let position = halfPixelCenters ? (Float(index) + 0.5) * scale - 0.5 : Float(index) * scale
            let first = min(max(Int(position.rounded(.down)), 0), from - 1)
            return Sample(
                first: first, second: min(max(Int(position.rounded(.down)) + 1, 0), from - 1),
                share: position - position.rounded(.down))
        }
    }
}
