/// A feed-forward network over one image or vector: values, and the operators that compute them, in the order of
/// execution.
///
/// Shapes have a leading 1 for the batch; maps are `[1, height, width, channels]`, channels innermost. Parameters are
/// named tensors of the file that contains the graph, in TFLite's layouts.
package struct NetworkGraph: Sendable, Equatable {
    /// A tensor that flows between operators.
    package struct Value: Sendable, Equatable {
        package var name: String
        package var shape: [Int]

        package init(name: String, shape: [Int]) {
            self.name = name
            self.shape = shape
        }

        /// Number of elements.
        package var count: Int { shape.reduce(1, *) }
    }

    /// Zeros around a map: number of rows at top and bottom, and of pixels at left and right.
    package struct Padding: Sendable, Equatable {
        package var top: Int
        package var bottom: Int
        package var left: Int
        package var right: Int

        package init(top: Int = 0, bottom: Int = 0, left: Int = 0, right: Int = 0) {
            self.top = top
            self.bottom = bottom
            self.left = left
            self.right = right
        }
    }

    /// The function that an operator applies to its sum. Raw values are the file's.
    package enum Activation: String, Sendable, CaseIterable {
        case none
        case relu
        case relu6
    }

    /// The function of two elements in `arithmetic`. Raw values are the file's.
    package enum Arithmetic: String, Sendable, CaseIterable {
        case subtract
        case multiply
        case divide
        case maximum
        case minimum
    }

    /// The function of the elements along a dimension in `reduce`. Raw values are the file's, after `reduce_`.
    package enum Reduction: String, Sendable, CaseIterable {
        case mean
        case maximum
        case minimum
    }

    package enum Operation: Sendable, Equatable {
        /// Weights `[out, height, width, in]`, bias `[out]`.
        case convolution(
            weights: String, bias: String?, strideY: Int, strideX: Int, padding: Padding, activation: Activation)
        /// Weights `[1, height, width, channels]`, bias `[channels]`.
        case depthwiseConvolution(
            weights: String, bias: String?, strideY: Int, strideX: Int, padding: Padding, activation: Activation)
        /// Two values of one shape.
        case add(Activation)
        /// Padding is ignored by the maximum.
        case maxPool(height: Int, width: Int, strideY: Int, strideX: Int, padding: Padding)
        /// Mean over height and width.
        case mean
        /// Zeros before and after, one pair per dimension.
        case pad([[Int]])
        /// Resizes to the shape of the output, with one of TFLite's two conventions for the positions of samples.
        case resizeBilinear(alignCorners: Bool, halfPixelCenters: Bool)
        case reshape
        /// Along a dimension of the shape, counted from its front.
        case concatenation(axis: Int)
        /// Weights `[out, in]`, bias `[out]`; the input is taken as one vector.
        case fullyConnected(weights: String, bias: String?, activation: Activation)
        case logistic
        case relu
        case relu6
        /// Slopes `[channels]`.
        case prelu(slope: String)
        case depthToSpace(block: Int)
        /// The second value has the first's rank, and in each dimension the same extent or 1, which is broadcast.
        case arithmetic(Arithmetic)
        /// Factors `[channels]`.
        case scale(factors: String, activation: Activation)
        /// Adds offsets `[channels]`.
        case shift(offsets: String, activation: Activation)
        /// Reduces a dimension other than the first, which is 1 in the output or left out.
        case reduce(Reduction, axis: Int)
        /// The elements at these indices along a dimension other than the first; with one index the output may leave it
        /// out.
        case gather(axis: Int, indices: [Int])
        /// `exp` of each channel divided by their sum, for each pixel.
        case softmax
    }

    /// One operator.
    package struct Node: Sendable, Equatable {
        package var operation: Operation
        /// Indices into `values`.
        package var inputs: [Int]
        /// Index into `values`.
        package var output: Int

        package init(_ operation: Operation, inputs: [Int], output: Int) {
            self.operation = operation
            self.inputs = inputs
            self.output = output
        }
    }

    package var values: [Value]
    /// Every node reads only inputs of the graph or outputs of nodes before it; no value is written twice.
    package var nodes: [Node]
    /// Indices into `values`.
    package var inputs: [Int]
    /// Indices into `values`.
    package var outputs: [Int]

    package init(values: [Value], nodes: [Node], inputs: [Int], outputs: [Int]) {
        self.values = values
        self.nodes = nodes
        self.inputs = inputs
        self.outputs = outputs
    }

    /// The graph without the operators, values and inputs on which no output depends.
    package func pruned() -> NetworkGraph {
        var isNeeded = [Bool](repeating: false, count: values.count)
        for output in outputs { isNeeded[output] = true }
        for node in nodes.reversed() where isNeeded[node.output] {
            for input in node.inputs { isNeeded[input] = true }
        }
        var places: [Int: Int] = [:]
        for value in values.indices where isNeeded[value] { places[value] = places.count }
        func place(_ value: Int) -> Int? { places[value] }
        return NetworkGraph(
            values: values.indices.filter { isNeeded[$0] }.map { values[$0] },
            nodes: nodes.compactMap { node in
                place(node.output).map { Node(node.operation, inputs: node.inputs.compactMap(place), output: $0) }
            },
            inputs: inputs.compactMap(place), outputs: outputs.compactMap(place))
    }
}
