import KernelInterface
import ModelFile

/// Packs parameters and turns steps into instructions.
@safe
struct GraphPacker {
    let kernels: ConvolutionKernels
    let file: GraphFile
    let places: [MapPlace]
    private(set) var byteCount = 0
    private var cursor: UnsafeMutableRawPointer?

    init(kernels: ConvolutionKernels, file: GraphFile, places: [MapPlace]) {
        self.kernels = kernels
        self.file = file
        self.places = places
    }

    mutating func begin(at base: UnsafeMutablePointer<UInt8>) {
        unsafe cursor = UnsafeMutableRawPointer(base)
    }

    /// Adds the bytes of a step's parameters.
    mutating func count(_ step: GraphSteps.Step) {
        switch step {
        case .convolution(let c): byteCount += kernels.packConvolution(nil, nil, nil, columns(c), depth(c), nil)
        case .depthwise(let c):
            byteCount += kernels.packDepthwise(nil, nil, nil, places[c.input].pixel, c.height, nil)
        case .block(let expand, let depthwise, let project):
            if let expand { count(.convolution(expand)) }
            count(.depthwise(depthwise))
            if let project { count(.convolution(project)) }
        default: break
        }
    }

    /// Columns that a convolution writes: padded channels are zero because their weights are.
    private func columns(_ c: GraphSteps.Convolution) -> Int { places[c.output].pixel }

    private func isVector(_ c: GraphSteps.Convolution) -> Bool { file.parameters[c.weights]?.shape.count == 2 }

    private func depth(_ c: GraphSteps.Convolution) -> Int {
        isVector(c) ? places[c.input].channels : c.height * c.width * places[c.input].pixel
    }

    /// Multiply-accumulates of a step, padding of channels left out.
    func macs(_ step: GraphSteps.Step) -> Int {
        func macs(_ c: GraphSteps.Convolution, _ depth: Int) -> Int {
            let out = places[c.output]
            return out.height * out.width * out.channels * depth
        }
        switch step {
        case .convolution(let c): return macs(c, c.height * c.width * places[c.input].channels)
        case .depthwise(let c): return macs(c, c.height * c.width)
        case .block(let expand, let depthwise, let project):
            return (expand.map { macs($0, places[$0.input].channels) } ?? 0)
                + macs(depthwise, depthwise.height * depthwise.width)
                + (project.map { macs($0, places[$0.input].channels) } ?? 0)
        default: return 0
        }
    }

    private func bias(_ c: GraphSteps.Convolution, _ count: Int) -> [Float] {
        let values = c.bias.flatMap { file.parameters[$0]?.floats() } ?? []
        return values + [Float](repeating: 0, count: count - values.count)
    }

    private func slope(_ activation: GraphSteps.Activation, _ count: Int) -> [Float] {
        let values = activation.slope ?? []
        return values + [Float](repeating: 1, count: count - values.count)
    }

    private mutating func convolution(_ c: GraphSteps.Convolution) -> GraphConvolution {
        let (input, output) = (places[c.input], places[c.output])
        let columns = columns(c)
        let depth = depth(c)
        let weights = file.parameters[c.weights]?.floats() ?? []
        var rows = weights
        if columns * depth != weights.count {
            // Zeros for padded channels: of the input inside each tap, of the output at the end.
            rows = [Float](repeating: 0, count: columns * depth)
            let taps = c.height * c.width
            for n in 0..<output.channels {
                for tap in 0..<taps {
                    for k in 0..<input.channels {
                        rows[n * depth + tap * input.pixel + k] = weights[(n * taps + tap) * input.channels + k]
                    }
                }
            }
        }
        let packed = unsafe cursor!
        unsafe cursor! += kernels.packConvolution(
            rows, bias(c, columns), slope(c.activation, columns), columns, depth, cursor)
        let residual = c.residual.map { places[$0] }
        return unsafe GraphConvolution(
            packed: packed,
            input: input.origin - c.padding.top * input.line - c.padding.left * input.pixel,
            inputLine: c.strideY * input.line, inputPixel: c.strideX * input.pixel,
            lines: output.height, pixels: output.width,
            taps: c.height, tapStride: input.line, depth: depth / c.height, columns: columns,
            residual: residual?.origin, residualLine: residual?.line ?? 0, residualPixel: residual?.pixel ?? 0,
            residualColumns: min(residual?.pixel ?? 0, columns), upper: c.activation.upper,
            output: output.origin, outputLine: output.line, outputPixel: output.pixel)
    }

    private mutating func depthwise(_ c: GraphSteps.Convolution) throws(GraphError) -> GraphDepthwise {
        let (input, output) = (places[c.input], places[c.output])
        let channels = input.pixel
        guard channels.isMultiple(of: 8), output.pixel == channels else {
            throw .unsupported(
                value: file.graph.values[c.output].name, reason: "a depthwise convolution of the graph's own input")
        }
        let taps = c.height * c.width
        let weights = file.parameters[c.weights]?.floats(channelsLast: true) ?? []
        var rows = [Float](repeating: 0, count: taps * channels)
        for tap in 0..<taps {
            for k in 0..<input.channels { rows[tap * channels + k] = weights[tap * input.channels + k] }
        }
        let packed = unsafe cursor!
        unsafe cursor! += kernels.packDepthwise(
            rows, bias(c, channels), slope(c.activation, channels), channels, c.height, cursor)
        return unsafe GraphDepthwise(
            packed: packed,
            firstElement: input.origin - c.padding.top * input.line - c.padding.left * input.pixel,
            inputLine: input.line, upper: c.activation.upper, output: output.origin, outputLine: output.line)
    }

    mutating func instruction(
        _ step: GraphSteps.Step, _ layout: GraphLayout
    ) throws(GraphError) -> GraphInstruction {
        let output = places[step.output]
        switch step {
        case .convolution(let c): return unsafe .convolution(convolution(c), clears: output)
        case .depthwise(let c):
            let block = GraphBlock(
                shape: GraphBlock.Shape(nil, c, nil, places), expand: nil, depthwise: try depthwise(c), project: nil)
            return unsafe .block(block, scratch: layout.scratchOffset, clears: output)
        case .block(let expand, let middle, let project):
            let first = expand.map { convolution($0) }
            let depthwise = try depthwise(middle)
            let block = GraphBlock(
                shape: GraphBlock.Shape(expand, middle, project, places), expand: first, depthwise: depthwise,
                project: project.map { convolution($0) })
            return unsafe .block(block, scratch: layout.scratchOffset, clears: output)
        default: return unsafe .map(try MapOperation(step, places, file.graph), clears: output)
        }
    }
}
