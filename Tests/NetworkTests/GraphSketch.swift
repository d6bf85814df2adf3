import KernelInterface
import ModelFile
import Network
import Testing
import Vocabulary
import WeightImport

/// Graphs written down operator by operator; shapes follow from the inputs, parameters are random.
struct GraphSketch {
    typealias Padding = NetworkGraph.Padding

    private(set) var graph = NetworkGraph(values: [], nodes: [], inputs: [], outputs: [])
    private(set) var parameters: [String: GraphFile.Parameter] = [:]
    private var random: SplitMix64

    init(seed: UInt64 = 1) { random = SplitMix64(seed: seed) }

    func shape(_ value: Int) -> [Int] { graph.values[value].shape }

    /// TFLite's SAME: as many windows as strides begin, the odd zero behind.
    static func same(_ height: Int, _ width: Int, _ window: Int, _ stride: Int) -> Padding {
        func total(_ extent: Int) -> Int { max((((extent + stride - 1) / stride) - 1) * stride + window - extent, 0) }
        let (y, x) = (total(height), total(width))
        return Padding(top: y / 2, bottom: y - y / 2, left: x / 2, right: x - x / 2)
    }

    func same(_ value: Int, _ window: Int, _ stride: Int) -> Padding {
        Self.same(shape(value)[1], shape(value)[2], window, stride)
    }

    mutating func input(_ shape: [Int]) -> Int {
        let index = value(shape)
        graph.inputs.append(index)
        return index
    }

    mutating func output(_ values: Int...) { graph.outputs += values }

    private mutating func value(_ shape: [Int]) -> Int {
        graph.values.append(.init(name: "v\(graph.values.count)", shape: shape))
        return graph.values.count - 1
    }

    private mutating func node(_ operation: NetworkGraph.Operation, _ inputs: [Int], _ shape: [Int]) -> Int {
        let output = value(shape)
        graph.nodes.append(.init(operation, inputs: inputs, output: output))
        return output
    }

    private mutating func parameter(_ shape: [Int], _ range: ClosedRange<Float>) -> String {
        let name = "p\(parameters.count)"
        let count = shape.reduce(1, *)
        parameters[name] = .init(
            shape: shape, values: .float((0..<count).map { _ in Float.random(in: range, using: &random) }))
        return name
    }

    private func windows(_ shape: [Int], _ height: Int, _ width: Int, _ y: Int, _ x: Int, _ p: Padding) -> (Int, Int) {
        ((p.top + shape[1] + p.bottom - height) / y + 1, (p.left + shape[2] + p.right - width) / x + 1)
    }

    mutating func convolution(
        _ input: Int, _ channels: Int, _ height: Int = 1, _ width: Int? = nil, stride: Int = 1,
        padding: Padding = Padding(), bias: Bool = true, then activation: NetworkGraph.Activation = .none
    ) -> Int {
        let (s, width) = (shape(input), width ?? height)
        let bound = (6 / Float(height * width * s[3])).squareRoot()
        let weights = parameter([channels, height, width, s[3]], -bound...bound)
        let bias = bias ? parameter([channels], -0.5...0.5) : nil
        let (lines, columns) = windows(s, height, width, stride, stride, padding)
        return node(
            .convolution(
                weights: weights, bias: bias, strideY: stride, strideX: stride, padding: padding,
                activation: activation), [input], [1, lines, columns, channels])
    }

    mutating func depthwise(
        _ input: Int, _ size: Int, stride: Int = 1, padding: Padding? = nil,
        then activation: NetworkGraph.Activation = .none, bias: Bool = true
    ) -> Int {
        let s = shape(input)
        let padding = padding ?? same(input, size, stride)
        let bound = (6 / Float(size * size)).squareRoot()
        let weights = parameter([1, size, size, s[3]], -bound...bound)
        let bias = bias ? parameter([s[3]], -0.5...0.5) : nil
        let (lines, columns) = windows(s, size, size, stride, stride, padding)
        return node(
            .depthwiseConvolution(
                weights: weights, bias: bias, strideY: stride, strideX: stride, padding: padding,
                activation: activation), [input], [1, lines, columns, s[3]])
    }

    mutating func full(_ input: Int, _ count: Int, then activation: NetworkGraph.Activation = .none) -> Int {
        let depth = graph.values[input].count
        let bound = (6 / Float(depth)).squareRoot()
        let weights = parameter([count, depth], -bound...bound)
        return node(
            .fullyConnected(weights: weights, bias: parameter([count], -0.5...0.5), activation: activation), [input],
            [1, count])
    }

    mutating func add(_ a: Int, _ b: Int, then activation: NetworkGraph.Activation = .none) -> Int {
        node(.add(activation), [a, b], shape(a))
    }

    mutating func relu(_ input: Int) -> Int { node(.relu, [input], shape(input)) }
    mutating func relu6(_ input: Int) -> Int { node(.relu6, [input], shape(input)) }
    mutating func logistic(_ input: Int) -> Int { node(.logistic, [input], shape(input)) }

    mutating func prelu(_ input: Int) -> Int {
        let slope = parameter([shape(input).last ?? 1], -0.5...0.5)
        return node(.prelu(slope: slope), [input], shape(input))
    }

    mutating func maxPool(_ input: Int, _ height: Int, _ width: Int, stride: Int, padding: Padding = Padding()) -> Int {
        let s = shape(input)
        let (lines, columns) = windows(s, height, width, stride, stride, padding)
        return node(
            .maxPool(height: height, width: width, strideY: stride, strideX: stride, padding: padding), [input],
            [1, lines, columns, s[3]])
    }

    mutating func mean(_ input: Int, keeping: Bool = false) -> Int {
        let channels = shape(input)[3]
        return node(.mean, [input], keeping ? [1, 1, 1, channels] : [1, channels])
    }

    mutating func pad(_ input: Int, _ amounts: [[Int]]) -> Int {
        node(.pad(amounts), [input], zip(shape(input), amounts).map { $1[0] + $0 + $1[1] })
    }

    mutating func resize(_ input: Int, _ height: Int, _ width: Int, corners: Bool = false, centers: Bool = false) -> Int
    {
        node(
            .resizeBilinear(alignCorners: corners, halfPixelCenters: centers), [input],
            [1, height, width, shape(input)[3]])
    }

    mutating func reshape(_ input: Int, _ shape: [Int]) -> Int { node(.reshape, [input], shape) }

    mutating func join(_ inputs: [Int], axis: Int) -> Int {
        var result = shape(inputs[0])
        result[axis] = inputs.reduce(0) { $0 + shape($1)[axis] }
        return node(.concatenation(axis: axis), inputs, result)
    }

    mutating func depthToSpace(_ input: Int, block: Int) -> Int {
        let s = shape(input)
        return node(.depthToSpace(block: block), [input], [1, s[1] * block, s[2] * block, s[3] / (block * block)])
    }

    mutating func arithmetic(_ arithmetic: NetworkGraph.Arithmetic, _ a: Int, _ b: Int) -> Int {
        node(.arithmetic(arithmetic), [a, b], shape(a))
    }

    mutating func scale(_ input: Int, then activation: NetworkGraph.Activation = .none) -> Int {
        let factors = parameter([shape(input).last ?? 1], -2...2)
        return node(.scale(factors: factors, activation: activation), [input], shape(input))
    }

    mutating func shift(_ input: Int, then activation: NetworkGraph.Activation = .none) -> Int {
        let offsets = parameter([shape(input).last ?? 1], -1...1)
        return node(.shift(offsets: offsets, activation: activation), [input], shape(input))
    }

    private func along(_ input: Int, axis: Int, count: Int, keeping: Bool) -> [Int] {
        var result = shape(input)
        result[axis] = count
        if !keeping { result.remove(at: axis) }
        return result
    }

    mutating func reduce(_ reduction: NetworkGraph.Reduction, _ input: Int, axis: Int, keeping: Bool = true) -> Int {
        node(.reduce(reduction, axis: axis), [input], along(input, axis: axis, count: 1, keeping: keeping))
    }

    mutating func gather(_ input: Int, axis: Int, _ indices: [Int], keeping: Bool = true) -> Int {
        node(
            .gather(axis: axis, indices: indices), [input],
            along(input, axis: axis, count: indices.count, keeping: keeping || indices.count > 1))
    }

    mutating func softmax(_ input: Int) -> Int { node(.softmax, [input], shape(input)) }

    /// Every value that nothing reads becomes an output.
    mutating func outputTheRest() {
        let read = Set(graph.nodes.flatMap(\.inputs) + graph.outputs)
        graph.outputs += graph.values.indices.filter { !read.contains($0) }
    }

    /// The file, checked as one that is read.
    func file() throws -> GraphFile {
        try graph.validate(parameterShapes: parameters.mapValues(\.shape))
        return GraphFile(graph: graph, parameters: parameters)
    }

    func inputs(seed: UInt64 = 77) -> [[Float]] {
        var random = SplitMix64(seed: seed)
        return graph.inputs.map { index in
            (0..<graph.values[index].count).map { _ in Float.random(in: -1...1, using: &random) }
        }
    }
}

extension GraphUnit {
    func outputs(of inputs: [[Float]]) -> [[Float]] {
        for (index, values) in inputs.enumerated() { setInput(values, index: index) }
        run()
        return plan.graph.outputs.indices.map { index in unsafe Array(output(index)) }
    }
}

/// Runs a graph by its plan and by plain loops.
///
/// The tolerance of an output is 1e-4 of its range: sums of a few hundred products, in another order and with fused rounding,
/// differ by less than 1e-6 of theirs, and a dozen layers multiply that by less than ten.
func comparePlan(
    _ sketch: GraphSketch, _ kernels: KernelTable, _ comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = try sketch.file()
    let plan = try GraphPlan(file, kernels: kernels)
    let inputs = sketch.inputs()
    let expected = try ReferenceGraph(file).run(inputs)
    let unit = GraphUnit(plan)
    let found = unit.outputs(of: inputs)
    #expect(found.count == expected.count)
    for (index, (a, b)) in zip(found, expected).enumerated() {
        let range = max((b.max() ?? 0) - (b.min() ?? 0), b.map(abs).max() ?? 0)
        let worst = zip(a, b).map { abs($0 - $1) }.max() ?? 0
        let isNear = a.count == b.count && a.allSatisfy(\.isFinite) && worst <= 1e-4 * range
        #expect(
            isNear, "\(kernels.tier) \(comment) output \(index): \(worst) of \(range)", sourceLocation: sourceLocation)
    }
    // Again without setting the inputs: they stay as they are, and nothing of a run is left to the next.
    unit.run()
    let again = plan.graph.outputs.indices.map { index in unsafe Array(unit.output(index)) }
    #expect(again == found, "\(comment) a second run", sourceLocation: sourceLocation)
    // What is not a number fills the arena, and the next run finds none of it.
    _ = unit.outputs(of: inputs.map { $0.map { _ in .nan } })
    let cured = unit.outputs(of: inputs)
    #expect(cured == found, "\(comment) after a run over what is not a number", sourceLocation: sourceLocation)
}

/// Runs the int8 graph of a graph by its plans, and compares their answers with each other's and with the real ones.
///
/// The plain loops round what a plan rounds. So both have about the same mean error, as a share of an output's range. A twentieth
/// of the range is let pass beside twice that of the loops, for outputs of few elements whose errors are chance.
func compareQuantisedPlan(
    _ sketch: GraphSketch, _ tiers: [KernelTable], _ comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let exact = try sketch.file()
    var quantiser = GraphQuantiser(exact, inputRange: -1...1)
    let inputs = sketch.inputs()
    for seed in 78...80 { try quantiser.measure(sketch.inputs(seed: UInt64(seed))) }
    try quantiser.measure(inputs)
    let file = try quantiser.quantised()
    let (real, rounded) = (try ReferenceGraph(exact).run(inputs), try ReferenceGraph(file).run(inputs))
    var first: [[Float]]?
    for kernels in tiers {
        let unit = GraphUnit(try GraphPlan(file, kernels: kernels))
        let found = unit.outputs(of: inputs)
        if let first {
            let areEqual = zip(first, found).allSatisfy { $0.map(\.bitPattern) == $1.map(\.bitPattern) }
            #expect(areEqual, "\(comment): \(kernels.tier) is not \(tiers[0].tier)", sourceLocation: sourceLocation)
        } else {
            first = found
            for (index, output) in found.enumerated() {
                let range = max((real[index].max() ?? 0) - (real[index].min() ?? 0), 1e-3)
                func error(_ values: [Float]) -> Float {
                    zip(values, real[index]).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(values.count) / range
                }
                let isNear = output.count == real[index].count && error(output) <= 2 * error(rounded[index]) + 0.05
                #expect(
                    isNear, "\(comment) output \(index): \(error(output)), loops \(error(rounded[index]))",
                    sourceLocation: sourceLocation)
            }
        }
        // Again, and after a run over what is not a number.
        unit.run()
        let again = sketch.graph.outputs.indices.map { index in unsafe Array(unit.output(index)) }
        _ = unit.outputs(of: inputs.map { $0.map { _ in .nan } })
        let areSame = again == found && unit.outputs(of: inputs) == found
        #expect(areSame, "\(comment): \(kernels.tier) a second run", sourceLocation: sourceLocation)
    }
}
