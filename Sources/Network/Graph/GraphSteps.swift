package import ModelFile

/// A graph's operators, lowered for the plan: activations, additions and padding are fused into convolutions, and a
/// depthwise convolution is joined with the 1x1 convolutions around it.
package struct GraphSteps {
    /// `min(max(v, 0) + slope * min(v, 0), upper)`; nil slopes are 1.
    package struct Activation {
        package var slope: [Float]?
        package var upper = Float.infinity

        var isIdentity: Bool { slope == nil && upper == .infinity }

        static func of(_ activation: NetworkGraph.Activation, channels: Int) -> Activation {
            switch activation {
            case .none: Activation()
            case .relu: Activation(slope: [Float](repeating: 0, count: channels))
            case .relu6: Activation(slope: [Float](repeating: 0, count: channels), upper: 6)
            }
        }
    }

    package struct Convolution {
        package var input: Int
        package var output: Int
        package let weights: String
        package let bias: String?
        package let height, width: Int
        package let strideY, strideX: Int
        package var padding: NetworkGraph.Padding
        /// A fully connected layer: its whole input is one vector.
        package let isVector: Bool
        package let isDepthwise: Bool
        /// Weights are int8.
        package let hasQuantisedWeights: Bool
        package var activation: Activation
        /// Added before the activation; a value with fewer channels leaves the last channels as they are.
        package var residual: Int?

        var isPointwise: Bool {
            !isVector && height == 1 && width == 1 && strideY == 1 && strideX == 1
                && padding == NetworkGraph.Padding()
        }
    }

    package indirect enum Step {
        case convolution(Convolution)
        case depthwise(Convolution)
        /// A depthwise convolution whose input, output or both exist only band by band.
        case block(expand: Convolution?, depthwise: Convolution, project: Convolution?)
        case add(Int, Int, output: Int, Activation)
        case activation(Int, output: Int, Activation)
        case maxPool(
            Int, output: Int, height: Int, width: Int, strideY: Int, strideX: Int, padding: NetworkGraph.Padding)
        case mean(Int, output: Int)
        case resize(Int, output: Int, alignCorners: Bool, halfPixelCenters: Bool)
        case logistic(Int, output: Int)
        case reshape(Int, output: Int)
        /// Concat or padding: the parts with the row, pixel and channel where each begins; the rest is zero.
        case concat([(input: Int, y: Int, x: Int, channel: Int)], output: Int)
        case depthToSpace(Int, output: Int, block: Int)
        case arithmetic(NetworkGraph.Arithmetic, Int, Int, output: Int, Repetition)
        /// Each channel times its factor, plus its offset.
        case affine(Int, output: Int, factors: [Float]?, offsets: [Float]?, Activation)
        case reduce(NetworkGraph.Reduction, Int, output: Int, Axis)
        case gather(Int, output: Int, Axis, indices: [Int])
        case softmax(Int, output: Int)
        /// Quantised values to floats, and back.
        case dequantise(Int, output: Int)
        case quantise(Int, output: Int)
    }

    package private(set) var steps: [Step] = []
    /// Quantisation of each value; nil if it has floats.
    package let quantisations: [GraphFile.Quantisation?]

    package init(_ file: GraphFile) throws(GraphError) {
        let graph = file.graph
        quantisations = graph.values.map { file.quantisation[$0.name] }
        for node in graph.nodes { steps.append(try Self.step(node, file)) }
        fuseActivations(graph)
        fuseAdditions(graph)
        fuseActivations(graph)
        fuseShifts(graph)
        fusePadding(graph)
        fuseBlocks(graph)
    }

    /// The values that the steps compute and round to their codes. The others are fused away: a sum that an activation or an
    /// addition follows goes on as it is.
    package var computedValues: Set<Int> {
        var values: Set<Int> = []
        for step in steps {
            values.insert(step.output)
            guard case .block(let expand, let depthwise, _) = step else { continue }
            values.insert(depthwise.output)
            if let expand { values.insert(expand.output) }
        }
        return values
    }

    private static func step(_ node: NetworkGraph.Node, _ file: GraphFile) throws(GraphError) -> Step {
        let graph = file.graph
        let output = node.output
        let channels = graph.values[output].shape.last ?? 1
        let input = node.inputs[0]
        switch node.operation {
        case .convolution(let weights, let bias, let strideY, let strideX, let padding, let activation):
            return .convolution(convolution(node, file, weights, bias, strideY, strideX, padding, activation))
        case .depthwiseConvolution(let weights, let bias, let strideY, let strideX, let padding, let activation):
            let depthwise = convolution(
                node, file, weights, bias, strideY, strideX, padding, activation, isDepthwise: true)
            guard depthwise.height == depthwise.width, depthwise.height == 3 || depthwise.height == 5,
                strideY == strideX, strideY <= 2
            else { throw refused(node, "a depthwise convolution is 3x3 or 5x5 with a stride of 1 or 2", graph) }
            return .depthwise(depthwise)
        case .fullyConnected(let weights, let bias, let activation):
            return .convolution(convolution(node, file, weights, bias, 1, 1, .init(), activation))
        case .add(let activation):
            return .add(input, node.inputs[1], output: output, .of(activation, channels: channels))
        case .relu: return .activation(input, output: output, .of(.relu, channels: channels))
        case .relu6: return .activation(input, output: output, .of(.relu6, channels: channels))
        case .prelu(let slope):
            return .activation(input, output: output, Activation(slope: file.parameters[slope]!.floats()))
        case .maxPool(let height, let width, let strideY, let strideX, let padding):
            return .maxPool(
                input, output: output, height: height, width: width, strideY: strideY, strideX: strideX,
                padding: padding)
        case .mean: return .mean(input, output: output)
        case .resizeBilinear(let alignCorners, let halfPixelCenters):
            return .resize(input, output: output, alignCorners: alignCorners, halfPixelCenters: halfPixelCenters)
        case .logistic: return .logistic(input, output: output)
        case .reshape: return .reshape(input, output: output)
        case .depthToSpace(let block): return .depthToSpace(input, output: output, block: block)
        case .arithmetic(let arithmetic):
            let repetition = Repetition(graph.values[input].shape, graph.values[node.inputs[1]].shape)
            return .arithmetic(arithmetic, input, node.inputs[1], output: output, repetition)
        case .scale(let factors, let activation):
            return .affine(
                input, output: output, factors: file.parameters[factors]!.floats(), offsets: nil,
                .of(activation, channels: channels))
        case .shift(let offsets, let activation):
            return .affine(
                input, output: output, factors: nil, offsets: file.parameters[offsets]!.floats(),
                .of(activation, channels: channels))
        case .reduce(let reduction, let axis):
            return .reduce(reduction, input, output: output, Axis(axis, of: graph.values[input].shape))
        case .gather(let axis, let indices):
            return .gather(input, output: output, Axis(axis, of: graph.values[input].shape), indices: indices)
        case .softmax: return .softmax(input, output: output)
        case .pad(let amounts): return try padding(amounts, node, graph)
        case .concatenation(let axis): return try concatenation(axis, node, graph)
        }
    }

    /// Weights `[out, height, width, in]` or `[out, in]`.
    private static func convolution(
        _ node: NetworkGraph.Node, _ file: GraphFile, _ weights: String, _ bias: String?, _ strideY: Int,
        _ strideX: Int, _ padding: NetworkGraph.Padding, _ activation: NetworkGraph.Activation,
        isDepthwise: Bool = false
    ) -> Convolution {
        let parameter = file.parameters[weights]!
        let isVector = parameter.shape.count == 2
        var hasQuantisedWeights = false
        if case .int8 = parameter.values { hasQuantisedWeights = true }
        return Convolution(
            input: node.inputs[0], output: node.output, weights: weights, bias: bias,
            height: isVector ? 1 : parameter.shape[1], width: isVector ? 1 : parameter.shape[2],
            strideY: strideY, strideX: strideX, padding: padding, isVector: isVector, isDepthwise: isDepthwise,
            hasQuantisedWeights: hasQuantisedWeights,
            activation: .of(activation, channels: file.graph.values[node.output].shape.last ?? 1))
    }

    private static func padding(
        _ amounts: [[Int]], _ node: NetworkGraph.Node, _ graph: NetworkGraph
    ) throws(GraphError) -> Step {
        guard graph.values[node.output].shape.dropLast(3).allSatisfy({ $0 == 1 }) else {
            throw refused(node, "only channels, columns and rows are padded", graph)
        }
        // Counted from the last dimension: channels, width, height.
        func before(_ fromLast: Int) -> Int {
            amounts.count > fromLast ? amounts[amounts.count - 1 - fromLast][0] : 0
        }
        return .concat([(node.inputs[0], before(2), before(1), before(0))], output: node.output)
    }

    private static func concatenation(
        _ axis: Int, _ node: NetworkGraph.Node, _ graph: NetworkGraph
    ) throws(GraphError) -> Step {
        let shape = graph.values[node.output].shape
        let fromLast = shape.count - 1 - axis
        guard fromLast <= 2, shape.dropLast(3).allSatisfy({ $0 == 1 }) else {
            throw refused(node, "only channels, columns and rows are joined", graph)
        }
        var parts: [(input: Int, y: Int, x: Int, channel: Int)] = []
        var position = 0
        for part in node.inputs {
            parts.append(
                (part, fromLast == 2 ? position : 0, fromLast == 1 ? position : 0, fromLast == 0 ? position : 0))
            position += graph.values[part].shape[axis]
        }
        return .concat(parts, output: node.output)
    }

    private static func refused(_ node: NetworkGraph.Node, _ reason: String, _ graph: NetworkGraph) -> GraphError {
        .unsupported(value: graph.values[node.output].name, reason: reason)
    }

    // MARK: Fusion

    /// Number of ops that read each value; an output of the graph has one reader more.
    private func readers(_ graph: NetworkGraph) -> [Int] {
        var count = [Int](repeating: 0, count: graph.values.count)
        for step in steps { for input in step.inputs { count[input] += 1 } }
        for output in graph.outputs { count[output] += 1 }
        return count
    }

    /// Index of the op that writes each value.
    private func writers(_ graph: NetworkGraph) -> [Int?] {
        var writers = [Int?](repeating: nil, count: graph.values.count)
        for (index, step) in steps.enumerated() { writers[step.output] = index }
        return writers
    }

    private mutating func remove(_ removed: Set<Int>) {
        steps = steps.indices.filter { !removed.contains($0) }.map { steps[$0] }
    }

    /// Moves an activation into the op before it, if nothing else reads that op's output.
    private mutating func fuseActivations(_ graph: NetworkGraph) {
        let readers = readers(graph)
        let writers = writers(graph)
        var removed: Set<Int> = []
        for (index, step) in steps.enumerated() {
            guard case .activation(let input, let output, let activation) = step, readers[input] == 1,
                let writer = writers[input]
            else { continue }
            switch steps[writer] {
            case .convolution(var convolution) where convolution.activation.isIdentity:
                convolution.activation = activation
                convolution.output = output
                steps[writer] = .convolution(convolution)
            case .depthwise(var convolution) where convolution.activation.isIdentity:
                convolution.activation = activation
                convolution.output = output
                steps[writer] = .depthwise(convolution)
            case .add(let a, let b, _, let own) where own.isIdentity:
                steps[writer] = .add(a, b, output: output, activation)
            case .affine(let a, _, let factors, let offsets, let own) where own.isIdentity:
                steps[writer] = .affine(a, output: output, factors: factors, offsets: offsets, activation)
            default: continue
            }
            removed.insert(index)
        }
        remove(removed)
    }

    /// Moves an addition into the convolution that makes one of its terms; that convolution then runs in its stead.
    private mutating func fuseAdditions(_ graph: NetworkGraph) {
        let readers = readers(graph)
        let writers = writers(graph)
        var removed: Set<Int> = []
        for (index, step) in steps.enumerated() {
            guard case .add(let a, let b, let output, let activation) = step, a != b else { continue }
            for (term, other) in [(b, a), (a, b)] {
                guard readers[term] == 1, isWhole(other, graph), let writer = writers[term],
                    !removed.contains(writer),
                    case .convolution(var convolution) = steps[writer], convolution.residual == nil,
                    convolution.activation.isIdentity, areAlike(convolution, other, output)
                else { continue }
                convolution.residual = other
                // Padded channels are zero and need not be added.
                if readers[other] == 1, let padding = writers[other], case .concat(let parts, _) = steps[padding],
                    parts.count == 1, let part = parts.first, part.y == 0, part.x == 0, part.channel == 0,
                    graph.values[part.input].shape.dropLast() == graph.values[other].shape.dropLast(),
                    quantisations[part.input] == quantisations[other],
                    graph.values[part.input].shape.last?.isMultiple(of: lanes(of: other)) == true
                {
                    convolution.residual = part.input
                    removed.insert(padding)
                }
                convolution.output = output
                convolution.activation = activation
                steps[index] = .convolution(convolution)
                removed.insert(writer)
                break
            }
        }
        remove(removed)
    }

    /// Whether a convolution may add a value to the sums that become the output: all are quantised, or none is.
    private func areAlike(_ convolution: Convolution, _ residual: Int, _ output: Int) -> Bool {
        let isQuantised = convolution.hasQuantisedWeights && quantisations[convolution.input] != nil
        return isQuantised == (quantisations[residual] != nil) && isQuantised == (quantisations[output] != nil)
    }

    /// Number of channels that kernels take at a time.
    private func lanes(of value: Int) -> Int { quantisations[value] == nil ? 8 : 16 }

    /// Whether kernels may add the value `lanes` channels at a time. The caller's maps have no zeros after their
    /// channels.
    private func isWhole(_ value: Int, _ graph: NetworkGraph) -> Bool {
        let shape = graph.values[value].shape
        return shape.count != 4 || !graph.inputs.contains(value) || shape[3].isMultiple(of: lanes(of: value))
    }

    /// Joins factors with the offsets after them; the joined op rounds as the two ops in turn.
    private mutating func fuseShifts(_ graph: NetworkGraph) {
        let readers = readers(graph)
        let writers = writers(graph)
        var removed: Set<Int> = []
        for (index, step) in steps.enumerated() {
            guard case .affine(let input, let output, nil, let offsets, let activation) = step, readers[input] == 1,
                quantisations[input] == nil, let writer = writers[input],
                case .affine(let first, _, let factors, nil, let own) = steps[writer], own.isIdentity
            else { continue }
            steps[index] = .affine(first, output: output, factors: factors, offsets: offsets, activation)
            removed.insert(writer)
        }
        remove(removed)
    }

    /// Moves zeros around a map into the only convolution that reads them.
    private mutating func fusePadding(_ graph: NetworkGraph) {
        let readers = readers(graph)
        let writers = writers(graph)
        var removed: Set<Int> = []
        for (index, step) in steps.enumerated() {
            var convolution: Convolution
            switch step {
            case .convolution(let c) where !c.isVector: convolution = c
            case .depthwise(let c): convolution = c
            default: continue
            }
            guard readers[convolution.input] == 1, let writer = writers[convolution.input],
                case .concat(let parts, _) = steps[writer], parts.count == 1, let part = parts.first,
                quantisations[part.input] == quantisations[convolution.input]
            else { continue }
            let (inner, outer) = (graph.values[part.input].shape, graph.values[convolution.input].shape)
            guard inner.count == 4, outer.count == 4, inner[3] == outer[3] else { continue }
            convolution.padding.top += part.y
            convolution.padding.bottom += outer[1] - inner[1] - part.y
            convolution.padding.left += part.x
            convolution.padding.right += outer[2] - inner[2] - part.x
            convolution.input = part.input
            steps[index] = convolution.isDepthwise ? .depthwise(convolution) : .convolution(convolution)
            removed.insert(writer)
        }
        remove(removed)
    }

    /// Joins a depthwise convolution with the 1x1 convolutions before and after it, if nothing else reads the values
    /// between.
    private mutating func fuseBlocks(_ graph: NetworkGraph) {
        let readers = readers(graph)
        let writers = writers(graph)
        var removed: Set<Int> = []
        for (index, step) in steps.enumerated() {
            guard case .convolution(let project) = step, project.isPointwise, readers[project.input] == 1,
                let middle = writers[project.input], case .depthwise(let depthwise) = steps[middle],
                let isQuantised = areValuesQuantised(steps[index]), isQuantised == areValuesQuantised(steps[middle])
            else { continue }
            var expand: Convolution?
            if readers[depthwise.input] == 1, let first = writers[depthwise.input],
                case .convolution(let convolution) = steps[first], convolution.isPointwise,
                convolution.residual == nil, isQuantised == areValuesQuantised(steps[first])
            {
                expand = convolution
                removed.insert(first)
            }
            removed.insert(middle)
            steps[index] = .block(expand: expand, depthwise: depthwise, project: project)
        }
        remove(removed)
    }
}

extension GraphSteps {
    /// Whether an op's inputs and its output are quantised (true) or floats (false); nil if they are mixed.
    private func areValuesQuantised(_ step: Step) -> Bool? {
        let isQuantised = self.isQuantised(step)
        let values = step.inputs + [step.output]
        return values.allSatisfy { (quantisations[$0] != nil) == isQuantised } ? isQuantised : nil
    }

    /// Whether an op reads quantised values as they are; all other ops read and write floats.
    package func isQuantised(_ step: Step) -> Bool {
        switch step {
        case .convolution(let c):
            c.hasQuantisedWeights && quantisations[c.input] != nil
                && (c.residual.map { quantisations[$0] != nil && quantisations[c.output] != nil } ?? true)
        case .depthwise(let c), .block(_, let c, _):
            c.hasQuantisedWeights && quantisations[c.input] != nil && quantisations[c.output] != nil
        case .maxPool, .resize, .reshape, .concat, .depthToSpace:
            quantisations[step.output] != nil
                && step.inputs.allSatisfy { quantisations[$0] == quantisations[step.output] }
        case .mean(let a, let output): quantisations[a] != nil && quantisations[output] == nil
        case .add: (step.inputs + [step.output]).allSatisfy { quantisations[$0] != nil }
        case .activation, .logistic, .dequantise, .quantise, .arithmetic, .affine, .reduce, .gather, .softmax: false
        }
    }
}

extension GraphSteps.Step {
    /// Every value that the op reads.
    package var inputs: [Int] {
        switch self {
        case .convolution(let c), .depthwise(let c): [c.input] + (c.residual.map { [$0] } ?? [])
        case .block(let expand, let depthwise, let project):
            [expand?.input ?? depthwise.input] + (project?.residual.map { [$0] } ?? [])
        case .add(let a, let b, _, _), .arithmetic(_, let a, let b, _, _): [a, b]
        case .activation(let a, _, _), .maxPool(let a, _, _, _, _, _, _), .mean(let a, _), .resize(let a, _, _, _),
            .logistic(let a, _), .reshape(let a, _), .depthToSpace(let a, _, _), .dequantise(let a, _),
            .quantise(let a, _),
            .affine(let a, _, _, _, _), .reduce(_, let a, _, _), .gather(let a, _, _, _), .softmax(let a, _):
            [a]
        case .concat(let parts, _): parts.map { $0.input }
        }
    }

    /// The value that the op writes.
    package var output: Int {
        switch self {
        case .convolution(let c), .depthwise(let c): c.output
        case .block(_, let depthwise, let project): project?.output ?? depthwise.output
        case .add(_, _, let output, _), .activation(_, let output, _), .maxPool(_, let output, _, _, _, _, _),
            .mean(_, let output), .resize(_, let output, _, _), .logistic(_, let output), .reshape(_, let output),
            .concat(_, let output), .depthToSpace(_, let output, _), .dequantise(_, let output),
            .quantise(_, let output),
            .arithmetic(_, _, _, let output, _), .affine(_, let output, _, _, _), .reduce(_, _, let output, _),
            .gather(_, let output, _, _), .softmax(_, let output):
            output
        }
    }

    /// The same op on other values.
    func on(inputs new: (Int) -> Int, output: Int) -> GraphSteps.Step {
        switch self {
        case .convolution(var c):
            (c.input, c.residual, c.output) = (new(c.input), c.residual.map(new), output)
            return .convolution(c)
        case .depthwise(var c):
            (c.input, c.output) = (new(c.input), output)
            return .depthwise(c)
        case .block(var expand, var depthwise, var project):
            if let first = expand?.input { expand?.input = new(first) } else { depthwise.input = new(depthwise.input) }
            if project == nil { depthwise.output = output }
            let residual = project?.residual.map(new)
            project?.residual = residual
            project?.output = output
            return .block(expand: expand, depthwise: depthwise, project: project)
        case .add(let a, let b, _, let activation): return .add(new(a), new(b), output: output, activation)
        case .activation(let a, _, let activation): return .activation(new(a), output: output, activation)
        case .maxPool(let a, _, let height, let width, let strideY, let strideX, let padding):
            return .maxPool(
                new(a), output: output, height: height, width: width, strideY: strideY, strideX: strideX,
                padding: padding)
        case .mean(let a, _): return .mean(new(a), output: output)
        case .resize(let a, _, let alignCorners, let halfPixelCenters):
            return .resize(new(a), output: output, alignCorners: alignCorners, halfPixelCenters: halfPixelCenters)
        case .logistic(let a, _): return .logistic(new(a), output: output)
        case .reshape(let a, _): return .reshape(new(a), output: output)
        case .concat(let parts, _):
            return .concat(parts.map { (new($0.input), $0.y, $0.x, $0.channel) }, output: output)
        case .depthToSpace(let a, _, let block): return .depthToSpace(new(a), output: output, block: block)
        case .arithmetic(let arithmetic, let a, let b, _, let repetition):
            return .arithmetic(arithmetic, new(a), new(b), output: output, repetition)
        case .affine(let a, _, let factors, let offsets, let activation):
            return .affine(new(a), output: output, factors: factors, offsets: offsets, activation)
        case .reduce(let reduction, let a, _, let axis): return .reduce(reduction, new(a), output: output, axis)
        case .gather(let a, _, let axis, let indices): return .gather(new(a), output: output, axis, indices: indices)
        case .softmax(let a, _): return .softmax(new(a), output: output)
        case .dequantise(let a, _): return .dequantise(new(a), output: output)
        case .quantise(let a, _): return .quantise(new(a), output: output)
        }
    }
}
