import KernelInterface
import ModelFile

/// Packs parameters and turns lowered ops into instructions.
@safe
struct GraphPacker {
    let kernels: KernelTable
    let file: GraphFile
    let places: [MapPlace]
    /// The graph's value that each layout holds, as it is or in another form.
    let origins: [Int]
    /// Bytes of packed parameters.
    private(set) var byteCount = 0
    /// Bytes of the kernels' working memory: the largest that one of them needs.
    private(set) var workingBytes = 0
    /// Where the working memory begins in the arena.
    private var working = 0
    private var cursor: UnsafeMutableRawPointer?

    init(kernels: KernelTable, file: GraphFile, layout: GraphLayout) {
        self.kernels = kernels
        self.file = file
        places = layout.places
        origins = layout.origins
    }

    /// Sets where parameters are packed, and where in the arena the kernels' working memory begins.
    mutating func begin(at base: UnsafeMutablePointer<UInt8>, working offset: Int) {
        unsafe cursor = UnsafeMutableRawPointer(base)
        working = offset
    }

    /// Adds the bytes of an op's parameters.
    mutating func count(_ step: GraphSteps.Step) {
        switch step {
        case .convolution(let c):
            let size = (columns: columns(c), depth: c.height * rowDepth(c))
            if places[c.input].quantisation != nil {
                byteCount += QuantisedParameters.roundingBytes
                byteCount += kernels.quantisedConvolution.packConvolution(
                    nil, nil, nil, nil, size.columns, size.depth, nil)
                workingBytes = max(workingBytes, batch(c).byteCount)
            } else {
                byteCount += kernels.convolution.packConvolution(nil, nil, nil, size.columns, size.depth, nil)
            }
        case .depthwise(let c):
            let channels = places[c.input].pixel
            if places[c.input].quantisation != nil {
                byteCount += QuantisedParameters.roundingBytes
                byteCount += kernels.quantisedConvolution.packDepthwise(nil, nil, nil, nil, channels, c.height, nil)
            } else {
                byteCount += kernels.convolution.packDepthwise(nil, nil, nil, channels, c.height, nil)
            }
        case .block(let expand, let depthwise, let project):
            if let expand { count(.convolution(expand)) }
            count(.depthwise(depthwise))
            if let project { count(.convolution(project)) }
        default: break
        }
    }

    /// Channels that a convolution writes, padded ones included, which are zero because their weights are.
    private func columns(_ c: GraphSteps.Convolution) -> Int { places[c.output].pixel }

    private func batch(_ c: GraphSteps.Convolution) -> QuantisedConvolutionKernels.Batch {
        let output = places[c.output]
        return QuantisedConvolutionKernels.Batch(
            taps: c.height, pixel: c.strideX * places[c.input].pixel, depth: rowDepth(c), height: output.height,
            width: output.width)
    }

    /// Elements that one row of taps reads.
    private func rowDepth(_ c: GraphSteps.Convolution) -> Int {
        let input = places[c.input]
        // A single pixel is read without its padded channels, several pixels with them.
        let count = c.isVector || c.width == 1 ? input.channels : c.width * input.pixel
        return input.quantisation == nil ? count : (count + 3) / 4 * 4
    }

    /// Multiply-accumulates of an op, without padded channels.
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

    private mutating func convolution(_ c: GraphSteps.Convolution) throws(GraphError) -> GraphConvolution {
        let (input, output) = (places[c.input], places[c.output])
        let (columns, rowDepth) = (columns(c), rowDepth(c))
        let depth = c.height * rowDepth
        var arithmetic = GraphConvolution.Arithmetic.float
        let packed: UnsafeRawPointer
        if input.quantisation == nil {
            let rows = Self.rows(
                file.parameters[c.weights]?.floats() ?? [], c, input, output, columns: columns, rowDepth: rowDepth)
            unsafe packed = advance(
                kernels.convolution.packConvolution(
                    rows, bias(c, columns), slope(c.activation, columns), columns, depth, cursor))
        } else {
            let quantised = try QuantisedParameters(file, c, places, name: name(c), count: columns)
            let working = GraphConvolution.Working(batch: batch(c), offset: working)
            let rounding = unsafe advance(quantised.write(to: cursor!))
            unsafe arithmetic = output.quantisation == nil ? .quantisedToFloat(working) : .quantised(rounding, working)
            let rows = Self.rows(quantised.weights, c, input, output, columns: columns, rowDepth: rowDepth)
            unsafe packed = advance(
                kernels.quantisedConvolution.packConvolution(
                    rows, quantised.bias, quantised.multiplier, slope(c.activation, columns), columns, depth, cursor))
        }
        let residual = c.residual.map { places[$0] }
        let taps = (c.padding.top * input.rowStride + c.padding.left * input.pixel) * input.elementSize
        return unsafe GraphConvolution(
            arithmetic: arithmetic, packed: packed, input: input.origin - taps,
            inputRow: c.strideY * input.rowStride, inputPixel: c.strideX * input.pixel,
            rows: output.height, pixels: output.width,
            taps: c.height, tapStride: input.rowStride, depth: rowDepth, columns: columns,
            residual: residual?.origin, residualRow: residual?.rowStride ?? 0, residualPixel: residual?.pixel ?? 0,
            residualColumns: min(residual?.pixel ?? 0, columns), upper: c.activation.upper,
            output: output.origin, outputRow: output.rowStride, outputPixel: output.pixel)
    }

    /// Reorders weights `[out][height][width][in]` to `[columns][height * rowDepth]`, with zeros for padded channels:
    /// those of the input inside each tap, those of the output at the end.
    private static func rows<Weight: Numeric>(
        _ weights: [Weight], _ c: GraphSteps.Convolution, _ input: MapPlace, _ output: MapPlace, columns: Int,
        rowDepth: Int
    ) -> [Weight] {
        let depth = c.height * rowDepth
        guard columns * depth != weights.count else { return weights }
        var rows = [Weight](repeating: 0, count: columns * depth)
        let (width, channels) = c.isVector ? (1, weights.count / output.channels) : (c.width, input.channels)
        var source = weights.startIndex
        for n in 0..<output.channels {
            for row in 0..<c.height {
                for column in 0..<width {
                    let target = n * depth + row * rowDepth + column * input.pixel
                    for k in 0..<channels { rows[target + k] = weights[source + k] }
                    source += channels
                }
            }
        }
        return rows
    }

    /// Moves the cursor past the `count` bytes written there, and returns where they begin.
    private mutating func advance(_ count: Int) -> UnsafeRawPointer {
        let start = unsafe UnsafeRawPointer(cursor!)
        unsafe cursor! += count
        return unsafe start
    }

    private mutating func depthwise(_ c: GraphSteps.Convolution) throws(GraphError) -> GraphDepthwise {
        let (input, output) = (places[c.input], places[c.output])
        let channels = input.pixel
        guard channels.isMultiple(of: input.quantisation == nil ? 8 : 16), output.pixel == channels else {
            throw .unsupported(value: name(c), reason: "a depthwise convolution of the graph's own input")
        }
        var rounding: UnsafeRawPointer?
        let packed: UnsafeRawPointer
        if input.quantisation == nil {
            let rows = Self.taps(
                file.parameters[c.weights]?.floats(channelsLast: true) ?? [], c, input.channels, padded: channels)
            unsafe packed = advance(
                kernels.convolution.packDepthwise(
                    rows, bias(c, channels), slope(c.activation, channels), channels, c.height, cursor))
        } else {
            let quantised = try QuantisedParameters(file, c, places, name: name(c), count: channels)
            unsafe rounding = advance(quantised.write(to: cursor!))
            let rows = Self.taps(quantised.weights, c, input.channels, padded: channels)
            unsafe packed = advance(
                kernels.quantisedConvolution.packDepthwise(
                    rows, quantised.bias, quantised.multiplier, slope(c.activation, channels), channels, c.height,
                    cursor))
        }
        let taps = (c.padding.top * input.rowStride + c.padding.left * input.pixel) * input.elementSize
        return unsafe GraphDepthwise(
            rounding: rounding, packed: packed, input: input.origin - taps, inputRow: input.rowStride,
            upper: c.activation.upper, output: output.origin, outputRow: output.rowStride)
    }

    /// Pads weights `[taps][channels]` with zeros to `[taps][padded]`.
    private static func taps<Weight: Numeric>(
        _ weights: [Weight], _ c: GraphSteps.Convolution, _ channels: Int, padded: Int
    ) -> [Weight] {
        var rows = [Weight](repeating: 0, count: c.height * c.width * padded)
        for tap in 0..<c.height * c.width {
            for k in 0..<channels { rows[tap * padded + k] = weights[tap * channels + k] }
        }
        return rows
    }

    /// Name of the graph's value that a convolution makes; the layout may hold another form of it.
    private func name(_ c: GraphSteps.Convolution) -> String { file.graph.values[origins[c.output]].name }

    mutating func instruction(
        _ step: GraphSteps.Step, scratch: Int
    ) throws(GraphError) -> GraphInstruction {
        let output = places[step.output]
        switch step {
        case .convolution(let c): return unsafe .convolution(try convolution(c), clears: output)
        case .depthwise(let c):
            let block = GraphBlock(
                shape: GraphBlock.Shape(nil, c, nil, places), expand: nil, depthwise: try depthwise(c), project: nil)
            return unsafe .block(block, scratch: scratch, clears: output)
        case .block(let expand, let middle, let project):
            let first = try expand.map { c throws(GraphError) in try convolution(c) }
            let depthwise = try depthwise(middle)
            let block = GraphBlock(
                shape: GraphBlock.Shape(expand, middle, project, places), expand: first, depthwise: depthwise,
                project: try project.map { c throws(GraphError) in try convolution(c) })
            return unsafe .block(block, scratch: scratch, clears: output)
        default: return .map(try MapOperation(step, places, file.graph), scratch: scratch, clears: output)
        }
    }
}
