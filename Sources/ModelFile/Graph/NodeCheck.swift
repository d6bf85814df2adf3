/// Checks one operator of a graph whose values and indices were checked before.
struct NodeCheck {
    typealias Failure = ModelFileError.GraphFault.NodeFault.Failure

    let node: NetworkGraph.Node
    let graph: NetworkGraph
    let parameterShapes: [String: [Int]]

    func run() throws(Failure) {
        try requireInputCount()
        let input = graph.values[node.inputs[0]].shape
        switch node.operation {
        case .convolution(let weights, let bias, let strideY, let strideX, let padding, _):
            try checkConvolution(input, weights, bias, strideY, strideX, padding, isDepthwise: false)
        case .depthwiseConvolution(let weights, let bias, let strideY, let strideX, let padding, _):
            try checkConvolution(input, weights, bias, strideY, strideX, padding, isDepthwise: true)
        case .add:
            let other = graph.values[node.inputs[1]].shape
            guard other == input else { throw Failure(.inputShape(other)) }
            try requireOutput(input)
        case .maxPool(let height, let width, let strideY, let strideX, let padding):
            let map = try requireMap(input)
            let (lines, columns) = try windows(
                over: map, height: height, width: width, strideY: strideY, strideX: strideX, padding: padding)
            try requireOutput([1, lines, columns, map.channels])
        case .mean:
            let map = try requireMap(input)
            // The output may keep the reduced dimensions or leave them out.
            try requireOutput(output.count == 4 ? [1, 1, 1, map.channels] : [1, map.channels])
        case .pad(let amounts): try checkPad(amounts, input)
        case .resizeBilinear(let alignCorners, let halfPixelCenters):
            let map = try requireMap(input)
            guard !(alignCorners && halfPixelCenters) else { throw Failure(.number("half_pixel_centers", 1)) }
            guard output.count == 4 else { throw Failure(.outputShape(expected: input, found: output)) }
            try requireOutput([1, output[1], output[2], map.channels])
        case .reshape:
            guard NetworkGraph.product(input) == NetworkGraph.product(output) else {
                throw Failure(.outputShape(expected: input, found: output))
            }
        case .concatenation(let axis): try checkConcatenation(axis, input)
        case .fullyConnected(let weights, let bias, _):
            let shape = try requireParameter(weights, rank: 2)
            try require(weights, shape, is: [shape[0], NetworkGraph.product(input) ?? 0])
            try requireVector(bias, count: shape[0])
            try requireOutput([1, shape[0]])
        case .logistic, .relu, .relu6, .softmax: try requireOutput(input)
        case .prelu(let vector), .scale(let vector, _), .shift(let vector, _):
            try requireVector(vector, count: input[input.count - 1])
            try requireOutput(input)
        case .arithmetic: try checkArithmetic(input)
        case .reduce(_, let axis):
            try require("axis", axis, in: 1...max(1, input.count - 1))
            try requireOutput(input, along: axis, count: 1)
        case .gather(let axis, let indices): try checkGather(axis, indices, input)
        case .depthToSpace(let block):
            let map = try requireMap(input)
            try require("block", block, in: 1...NetworkGraph.extentLimit)
            guard map.channels % (block * block) == 0 else { throw Failure(.inputShape(input)) }
            try requireOutput([1, map.height * block, map.width * block, map.channels / (block * block)])
        }
    }

    private var output: [Int] { graph.values[node.output].shape }

    // MARK: Single operators

    private func checkConvolution(
        _ input: [Int], _ weights: String, _ bias: String?, _ strideY: Int, _ strideX: Int,
        _ padding: NetworkGraph.Padding, isDepthwise: Bool
    ) throws(Failure) {
        let map = try requireMap(input)
        let shape = try requireParameter(weights, rank: 4)
        try require(weights, shape, is: [isDepthwise ? 1 : shape[0], shape[1], shape[2], map.channels])
        let channels = isDepthwise ? map.channels : shape[0]
        try requireVector(bias, count: channels)
        let (height, width) = try windows(
            over: map, height: shape[1], width: shape[2], strideY: strideY, strideX: strideX, padding: padding)
        try requireOutput([1, height, width, channels])
    }

    private func checkArithmetic(_ input: [Int]) throws(Failure) {
        let other = graph.values[node.inputs[1]].shape
        guard other.count == input.count, zip(other, input).allSatisfy({ $0 == $1 || $0 == 1 }) else {
            throw Failure(.inputShape(other))
        }
        try requireOutput(input)
    }

    private func checkGather(_ axis: Int, _ indices: [Int], _ input: [Int]) throws(Failure) {
        try require("axis", axis, in: 1...max(1, input.count - 1))
        try require("indices", indices.count, in: 1...NetworkGraph.countLimit)
        for index in indices { try require("indices", index, in: 0...(axis < input.count ? input[axis] - 1 : 0)) }
        try requireOutput(input, along: axis, count: indices.count)
    }

    private func checkPad(_ amounts: [[Int]], _ input: [Int]) throws(Failure) {
        guard amounts.count == input.count else { throw Failure(.number("amounts", amounts.count)) }
        var expected: [Int] = []
        for (dimension, pair) in zip(input, amounts) {
            guard pair.count == 2 else { throw Failure(.number("amounts", pair.count)) }
            for amount in pair { try require("amounts", amount, in: 0...NetworkGraph.elementLimit) }
            expected.append(pair[0] + dimension + pair[1])
        }
        try requireOutput(expected)
    }

    private func checkConcatenation(_ axis: Int, _ input: [Int]) throws(Failure) {
        // Along the first axis the result would be a batch of several.
        guard axis > 0, axis < input.count else { throw Failure(.number("axis", axis)) }
        var expected = input
        expected[axis] = 0
        for index in node.inputs {
            let shape = graph.values[index].shape
            guard shape.count == input.count,
                shape.indices.allSatisfy({ $0 == axis || shape[$0] == input[$0] })
            else { throw Failure(.inputShape(shape)) }
            // The sum does not overflow: at most `countLimit` dimensions of at most `elementLimit`.
            expected[axis] += shape[axis]
        }
        try requireOutput(expected)
    }

    /// The number of windows in a padded map, vertically and horizontally; each window overlaps the map itself.
    private func windows(
        over map: Map, height: Int, width: Int, strideY: Int, strideX: Int, padding: NetworkGraph.Padding
    ) throws(Failure) -> (height: Int, width: Int) {
        func count(
            _ extent: Int, _ window: Int, _ stride: Int, _ before: Int, _ after: Int
        ) throws(Failure) -> Int {
            try require("window", window, in: 1...NetworkGraph.extentLimit)
            try require("stride", stride, in: 1...NetworkGraph.extentLimit)
            try require("padding", before, in: 0...window - 1)
            try require("padding", after, in: 0...window - 1)
            guard before + extent + after >= window else { throw Failure(.number("window", window)) }
            return (before + extent + after - window) / stride + 1
        }
        return (
            try count(map.height, height, strideY, padding.top, padding.bottom),
            try count(map.width, width, strideX, padding.left, padding.right)
        )
    }

    // MARK: Requirements

    private struct Map {
        let height, width, channels: Int
    }

    private func requireInputCount() throws(Failure) {
        let found = node.inputs.count
        switch node.operation {
        case .add, .arithmetic: guard found == 2 else { throw Failure(.inputCount(expected: 2, found: found)) }
        case .concatenation:
            guard (1...NetworkGraph.countLimit).contains(found) else {
                throw Failure(.inputCount(expected: 1, found: found))
            }
        default: guard found == 1 else { throw Failure(.inputCount(expected: 1, found: found)) }
        }
    }

    private func requireMap(_ shape: [Int]) throws(Failure) -> Map {
        guard shape.count == 4 else { throw Failure(.inputShape(shape)) }
        return Map(height: shape[1], width: shape[2], channels: shape[3])
    }

    private func requireOutput(_ expected: [Int]) throws(Failure) {
        guard output == expected else { throw Failure(.outputShape(expected: expected, found: output)) }
    }

    /// Requires the input's shape with `count` elements along a dimension, which the output may leave out if `count` is
    /// 1.
    private func requireOutput(_ input: [Int], along axis: Int, count: Int) throws(Failure) {
        guard axis < input.count else { throw Failure(.inputShape(input)) }
        var expected = input
        expected[axis] = count
        if count == 1, output.count == input.count - 1 { expected.remove(at: axis) }
        try requireOutput(expected)
    }

    private func require(_ name: String, _ number: Int, in range: ClosedRange<Int>) throws(Failure) {
        guard range.contains(number) else { throw Failure(.number(name, number)) }
    }

    private func require(_ parameter: String, _ found: [Int], is expected: [Int]) throws(Failure) {
        guard found == expected else {
            throw Failure(.parameterShape(parameter, expected: expected, found: found))
        }
    }

    private func requireParameter(_ name: String, rank: Int) throws(Failure) -> [Int] {
        guard let shape = parameterShapes[name] else { throw Failure(.missingParameter(name)) }
        guard shape.count == rank, let count = NetworkGraph.product(shape), count <= NetworkGraph.totalElementLimit
        else {
            throw Failure(.parameterShape(name, expected: [Int](repeating: 1, count: rank), found: shape))
        }
        return shape
    }

    private func requireVector(_ name: String?, count: Int) throws(Failure) {
        guard let name else { return }
        guard let shape = parameterShapes[name] else { throw Failure(.missingParameter(name)) }
        try require(name, shape, is: [count])
    }
}
