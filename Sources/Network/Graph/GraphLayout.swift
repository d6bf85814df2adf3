import ModelFile

/// Gives every value of a graph its layout in an arena.
struct GraphLayout {
    private(set) var places: [MapPlace] = []
    private(set) var steps: [GraphSteps.Step] = []
    /// The outputs of the graph, dense.
    private(set) var outputs: [Int] = []
    /// The graph's value that each layout holds, as it is or in another form.
    private(set) var origins: [Int] = []
    private let graph: NetworkGraph
    private var shapes: [[Int]]
    private var quantisations: [GraphFile.Quantisation?]

    init(_ file: GraphFile, _ fused: GraphSteps) {
        graph = file.graph
        shapes = graph.values.map { $0.shape }
        quantisations = fused.quantisations
        origins = Array(shapes.indices)
        separateQuantised(fused)
        var borders = [MapBorder](repeating: MapBorder(), count: shapes.count)
        for step in steps {
            switch step {
            case .convolution(let c), .depthwise(let c), .block(nil, let c, _):
                let p = c.padding
                borders[c.input] = borders[c.input].union(
                    MapBorder(top: p.top, bottom: p.bottom, left: p.left, right: p.right))
            default: break
            }
        }
        for (index, shape) in shapes.enumerated() {
            let isPadded = shape.count == 4 && !graph.inputs.contains(index)
            places.append(
                MapPlace(shape: shape, quantisation: quantisations[index], isPadded: isPadded, border: borders[index]))
        }
        flattenVectors()
        var isRead = [Bool](repeating: false, count: places.count)
        var (isConvolution, isComputedWith) = (isRead, isRead)
        for step in steps {
            for input in step.inputs { isRead[input] = true }
            switch step {
            case .convolution: isConvolution[step.output] = true
            case .reshape, .concat: continue
            default: break
            }
            for input in step.inputs { isComputedWith[input] = true }
        }
        // What is only copied needs no padded channels, and without them it is copied at once.
        for index in shapes.indices
        where isConvolution[index] && isRead[index] && !isComputedWith[index] && quantisations[index] == nil {
            places[index] = MapPlace(shape: shapes[index], isPadded: false)
        }
        for output in graph.outputs {
            outputs.append(handOut(output, mayMove: !isRead[output] && isConvolution[output]))
        }
    }

    /// Gives lowered ops that compute with floats dequantised forms of the quantised values that they read or write.
    private mutating func separateQuantised(_ fused: GraphSteps) {
        var dequantised: [Int: Int] = [:]
        for step in fused.steps {
            guard !fused.isQuantised(step) else {
                steps.append(step)
                continue
            }
            for input in Set(step.inputs).sorted() where quantisations[input] != nil && dequantised[input] == nil {
                dequantised[input] = appendForm(of: input)
                steps.append(.dequantise(input, output: dequantised[input]!))
            }
            let output = quantisations[step.output] == nil ? step.output : appendForm(of: step.output)
            steps.append(step.on(inputs: { dequantised[$0] ?? $0 }, output: output))
            if output != step.output { steps.append(.quantise(output, output: step.output)) }
        }
    }

    /// Appends a value of the same shape whose elements are floats.
    private mutating func appendForm(of value: Int) -> Int {
        shapes.append(shapes[value])
        quantisations.append(nil)
        origins.append(origins[value])
        return shapes.count - 1
    }

    private mutating func append(_ place: MapPlace, of value: Int) -> Int {
        places.append(place)
        origins.append(origins[value])
        return places.count - 1
    }

    /// Makes the input of each fully connected layer one vector, without a border or padded channels between its
    /// elements.
    private mutating func flattenVectors() {
        for (index, step) in steps.enumerated().reversed() {
            guard case .convolution(let c) = step, c.isVector, places[c.input].width * places[c.input].height > 1
            else { continue }
            let place = places[c.input]
            let count = place.channels * place.width * place.height
            let vector = append(
                MapPlace(shape: [1, count], quantisation: place.quantisation, isPadded: place.quantisation != nil),
                of: c.input)
            steps.insert(.reshape(c.input, output: vector), at: index)
            steps[index + 1] = step.on(inputs: { $0 == c.input ? vector : $0 }, output: c.output)
        }
    }

    /// Gives an output of the graph a dense layout of floats. The output is copied only if it is quantised, or if it is
    /// padded and its layout cannot change.
    private mutating func handOut(_ value: Int, mayMove: Bool) -> Int {
        let dense = MapPlace(shape: shapes[value], isPadded: false)
        if quantisations[value] != nil {
            let real = append(dense, of: value)
            steps.append(.dequantise(value, output: real))
            return real
        }
        if places[value].isDense { return value }
        if mayMove {
            places[value] = dense
            return value
        }
        let copy = append(dense, of: value)
        steps.append(.reshape(value, output: copy))
        return copy
    }

    /// Gives every layout its offset. Returns the bytes of all values and of the ops' working memory, and where that
    /// memory begins.
    mutating func place() -> (bytes: Int, scratch: Int) {
        var first = [Int?](repeating: nil, count: places.count)
        var last = [Int](repeating: 0, count: places.count)
        for input in graph.inputs { first[input] = -1 }
        for (index, step) in steps.enumerated() {
            first[step.output] = index
            for input in step.inputs { last[input] = index }
        }
        // Inputs live throughout, so that a caller may write them once and run twice.
        for value in graph.inputs + outputs { last[value] = steps.count }
        var placed: [Int] = []
        var total = 0
        func rounded(_ count: Int) -> Int { (count + 63) / 64 * 64 }
        let order = places.indices.filter { first[$0] != nil }.sorted {
            (places[$0].byteCount, $1) > (places[$1].byteCount, $0)
        }
        for value in order {
            let others = placed.filter {
                first[$0]! <= max(last[value], first[value]!) && first[value]! <= max(last[$0], first[$0]!)
            }
            .sorted { places[$0].offset < places[$1].offset }
            var offset = 0
            let count = rounded(places[value].byteCount)
            for other in others {
                if places[other].offset >= offset + count { break }
                offset = max(offset, places[other].offset + rounded(places[other].byteCount))
            }
            places[value].offset = offset
            total = max(total, offset + count)
            placed.append(value)
        }
        var scratch = 0
        for step in steps {
            switch step {
            case .block(let expand, let depthwise, let project):
                scratch = max(scratch, GraphBlock.Shape(expand, depthwise, project, places).scratchBytes)
            case .resize(let input, let output, _, _):
                scratch = max(scratch, MapOperation.resizeScratchBytes(places[input], places[output]))
            default: continue
            }
        }
        return (total + rounded(scratch), total)
    }
}
