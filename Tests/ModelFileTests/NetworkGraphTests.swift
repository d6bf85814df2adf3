import ModelFile
import Testing

/// Graphs that cannot be run are refused, with the operator and what is wrong with it; JSON holds all of a graph.
@Suite struct NetworkGraphTests {
    /// One operator over values of these shapes; the last is the output.
    private func check(
        _ operation: NetworkGraph.Operation, _ shapes: [[Int]], _ parameters: [String: [Int]] = [:]
    ) throws {
        let values = shapes.enumerated().map { NetworkGraph.Value(name: "v\($0)", shape: $1) }
        let inputs = Array(0..<shapes.count - 1)
        let graph = NetworkGraph(
            values: values, nodes: [.init(operation, inputs: inputs, output: shapes.count - 1)], inputs: inputs,
            outputs: [shapes.count - 1])
        try graph.validate(parameterShapes: parameters)
        #expect(try NetworkGraph(json: graph.json) == graph)
    }

    private func expect(
        _ fault: ModelFileError.GraphFault.NodeFault, _ operation: NetworkGraph.Operation, _ shapes: [[Int]],
        _ parameters: [String: [Int]] = [:], _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: ModelFileError.GraphFault.node(0, operation: operation.name, fault), sourceLocation: location) {
            try check(operation, shapes, parameters)
        }
    }

    private func convolution(
        strideY: Int = 1, strideX: Int = 1, padding: NetworkGraph.Padding = .init(), bias: String? = nil
    ) -> NetworkGraph.Operation {
        .convolution(
            weights: "w", bias: bias, strideY: strideY, strideX: strideX, padding: padding, activation: .relu)
    }

    private func depthwise(_ padding: NetworkGraph.Padding = .init()) -> NetworkGraph.Operation {
        .depthwiseConvolution(
            weights: "w", bias: nil, strideY: 1, strideX: 1, padding: padding, activation: .relu6)
    }

    @Test func operatorsThatCanBeRun() throws {
        try check(
            convolution(strideY: 2, strideX: 3, padding: .init(top: 1, left: 2), bias: "b"),
            [[1, 6, 7, 2], [1, 3, 3, 4]],
            ["w": [4, 3, 3, 2], "b": [4]])
        try check(depthwise(), [[1, 5, 5, 3], [1, 3, 2, 3]], ["w": [1, 3, 4, 3]])
        try check(.add(.none), [[1, 2, 3], [1, 2, 3], [1, 2, 3]])
        try check(
            .maxPool(height: 2, width: 3, strideY: 2, strideX: 1, padding: .init(bottom: 1)),
            [[1, 3, 4, 2], [1, 2, 2, 2]])
        try check(.mean, [[1, 3, 4, 2], [1, 2]])
        try check(.mean, [[1, 3, 4, 2], [1, 1, 1, 2]])
        try check(.pad([[0, 0], [1, 2], [0, 3]]), [[1, 2, 2], [1, 5, 5]])
        try check(.resizeBilinear(alignCorners: false, halfPixelCenters: true), [[1, 2, 2, 3], [1, 5, 7, 3]])
        try check(.resizeBilinear(alignCorners: true, halfPixelCenters: false), [[1, 2, 2, 3], [1, 5, 7, 3]])
        try check(.reshape, [[1, 2, 2, 3], [1, 12]])
        try check(.concatenation(axis: 2), [[1, 2, 3], [1, 2, 4], [1, 2, 1], [1, 2, 8]])
        try check(
            .fullyConnected(weights: "w", bias: "b", activation: .relu), [[1, 2, 2, 3], [1, 5]],
            ["w": [5, 12], "b": [5]])
        try check(.logistic, [[1, 3], [1, 3]])
        try check(.relu, [[1, 3], [1, 3]])
        try check(.relu6, [[1, 3], [1, 3]])
        try check(.prelu(slope: "s"), [[1, 2, 2, 3], [1, 2, 2, 3]], ["s": [3]])
        try check(.depthToSpace(block: 2), [[1, 2, 2, 8], [1, 4, 4, 2]])
        for arithmetic in NetworkGraph.Arithmetic.allCases {
            try check(.arithmetic(arithmetic), [[1, 2, 3], [1, 1, 3], [1, 2, 3]])
            try check(.arithmetic(arithmetic), [[1, 2, 3], [1, 2, 1], [1, 2, 3]])
        }
        try check(.scale(factors: "f", activation: .relu), [[1, 2, 3], [1, 2, 3]], ["f": [3]])
        try check(.shift(offsets: "o", activation: .none), [[1, 2, 3], [1, 2, 3]], ["o": [3]])
        for reduction in NetworkGraph.Reduction.allCases {
            try check(.reduce(reduction, axis: 1), [[1, 2, 3], [1, 1, 3]])
            try check(.reduce(reduction, axis: 2), [[1, 2, 3], [1, 2]])
            try check(.reduce(reduction, axis: 1), [[1, 5], [1]])
        }
        try check(.gather(axis: 1, indices: [4, 0, 4]), [[1, 5, 3], [1, 3, 3]])
        try check(.gather(axis: 2, indices: [2]), [[1, 5, 3], [1, 5, 1]])
        try check(.gather(axis: 2, indices: [2]), [[1, 5, 3], [1, 5]])
        try check(.softmax, [[1, 2, 3], [1, 2, 3]])
    }

    /// Every operation with its fields is read back from JSON.
    @Test func operatorsByElementsAreReadAsTheyWereWritten() throws {
        let operations: [NetworkGraph.Operation] =
            NetworkGraph.Arithmetic.allCases.map { .arithmetic($0) }
            + NetworkGraph.Reduction.allCases.map { .reduce($0, axis: 2) } + [
                .scale(factors: "f", activation: .relu6), .shift(offsets: "o", activation: .none),
                .gather(axis: 1, indices: [3, 1, 2]), .softmax,
            ]
        let graph = NetworkGraph(
            values: [.init(name: "a", shape: [1, 2])],
            nodes: operations.map { NetworkGraph.Node($0, inputs: [0, 0], output: 0) }, inputs: [0], outputs: [0])
        #expect(try NetworkGraph(json: graph.json) == graph)
        for (field, other) in [("indices", "axes"), ("factors", "offset"), ("axis", "block")] {
            let text = graph.json.replacing("\"\(field)\"", with: "\"\(other)\"")
            #expect(throws: ModelFileError.self) { try NetworkGraph(json: text) }
        }
    }

    @Test func pruningKeepsWhatLeadsToAnOutput() {
        let graph = NetworkGraph(
            values: ["a", "unread", "b", "dead", "c"].map { .init(name: $0, shape: [1, 2]) },
            nodes: [
                .init(.relu, inputs: [0], output: 2), .init(.add(.none), inputs: [1, 2], output: 3),
                .init(.logistic, inputs: [2], output: 4),
            ], inputs: [0, 1], outputs: [4])
        let expected = NetworkGraph(
            values: ["a", "b", "c"].map { .init(name: $0, shape: [1, 2]) },
            nodes: [.init(.relu, inputs: [0], output: 1), .init(.logistic, inputs: [1], output: 2)],
            inputs: [0], outputs: [2])
        #expect(graph.pruned() == expected)
        #expect(expected.pruned() == expected)
    }

    @Test func convolutionsAreChecked() {
        func refused(
            _ fault: ModelFileError.GraphFault.NodeFault, _ operation: NetworkGraph.Operation? = nil,
            _ shapes: [[Int]] = [[1, 5, 5, 2], [1, 3, 3, 4]], _ parameters: [String: [Int]] = ["w": [4, 3, 3, 2]],
            _ location: SourceLocation = #_sourceLocation
        ) { expect(fault, operation ?? convolution(), shapes, parameters, location) }
        refused(.missingParameter("w"), convolution(), [[1, 5, 5, 2], [1, 3, 3, 4]], [:])
        refused(.missingParameter("b"), convolution(bias: "b"))
        refused(
            .parameterShape("b", expected: [4], found: [3]), convolution(bias: "b"), [[1, 5, 5, 2], [1, 3, 3, 4]],
            ["w": [4, 3, 3, 2], "b": [3]])
        refused(
            .parameterShape("w", expected: [4, 3, 3, 1], found: [4, 3, 3, 2]), convolution(),
            [[1, 5, 5, 1], [1, 3, 3, 4]])
        for shape in [[4, 3, 3], [4, 0, 3, 2], [4, 3, -3, 2], [1 << 40, 1 << 40, 3, 2]] {
            refused(
                .parameterShape("w", expected: [1, 1, 1, 1], found: shape), convolution(),
                [[1, 5, 5, 2], [1, 3, 3, 4]], ["w": shape])
        }
        refused(.inputShape([1, 5, 5]), convolution(), [[1, 5, 5], [1, 3, 3]])
        refused(.number("stride", 0), convolution(strideY: 0))
        refused(.number("stride", 257), convolution(strideX: 257))
        refused(.number("padding", 3), convolution(padding: .init(top: 3)))
        refused(.number("window", 3), convolution(), [[1, 2, 5, 2], [1, 1, 3, 4]])
        refused(.number("window", 257), convolution(), [[1, 300, 5, 2], [1, 44, 3, 4]], ["w": [4, 257, 3, 2]])
        refused(
            .outputShape(expected: [1, 3, 3, 4], found: [1, 3, 3, 5]), convolution(), [[1, 5, 5, 2], [1, 3, 3, 5]])
        refused(
            .parameterShape("w", expected: [1, 3, 3, 2], found: [2, 3, 3, 2]), depthwise(),
            [[1, 5, 5, 2], [1, 3, 3, 2]], ["w": [2, 3, 3, 2]])
    }

    @Test func otherOperatorsAreChecked() {
        expect(.inputShape([1, 3]), .add(.none), [[1, 2], [1, 3], [1, 2]])
        expect(.inputCount(expected: 2, found: 1), .add(.none), [[1, 2], [1, 2]])
        expect(.inputCount(expected: 1, found: 2), .relu, [[1, 2], [1, 2], [1, 2]])
        expect(.outputShape(expected: [1, 2], found: [1, 3]), .relu, [[1, 2], [1, 3]])
        expect(
            .number("window", 0), .maxPool(height: 0, width: 1, strideY: 1, strideX: 1, padding: .init()),
            [[1, 2, 2, 1], [1, 2, 2, 1]])
        expect(.inputShape([1, 4]), .mean, [[1, 4], [1, 4]])
        expect(.number("amounts", 2), .pad([[0, 0], [0, 0]]), [[1, 2, 2], [1, 2, 2]])
        expect(.number("amounts", 1), .pad([[0, 0], [0]]), [[1, 2], [1, 2]])
        expect(.number("amounts", -1), .pad([[0, 0], [-1, 1]]), [[1, 2], [1, 2]])
        expect(.outputShape(expected: [2, 2], found: [1, 4]), .pad([[1, 0], [0, 0]]), [[1, 2], [1, 4]])
        expect(
            .number("half_pixel_centers", 1), .resizeBilinear(alignCorners: true, halfPixelCenters: true),
            [[1, 2, 2, 3], [1, 4, 4, 3]])
        expect(
            .outputShape(expected: [1, 4, 4, 3], found: [1, 4, 4, 2]),
            .resizeBilinear(alignCorners: false, halfPixelCenters: false), [[1, 2, 2, 3], [1, 4, 4, 2]])
        expect(.outputShape(expected: [1, 2, 3], found: [1, 5]), .reshape, [[1, 2, 3], [1, 5]])
        expect(.number("axis", 0), .concatenation(axis: 0), [[1, 2], [1, 2], [1, 4]])
        expect(.number("axis", 2), .concatenation(axis: 2), [[1, 2], [1, 2], [1, 4]])
        expect(.inputShape([1, 3, 3]), .concatenation(axis: 1), [[1, 2, 2], [1, 3, 3], [1, 5, 2]])
        expect(.inputShape([1, 2]), .concatenation(axis: 1), [[1, 2, 2], [1, 2], [1, 4, 2]])
        expect(
            .parameterShape("w", expected: [5, 6], found: [5, 7]),
            .fullyConnected(weights: "w", bias: nil, activation: .none),
            [[1, 6], [1, 5]], ["w": [5, 7]])
        expect(.parameterShape("s", expected: [3], found: [1]), .prelu(slope: "s"), [[1, 3], [1, 3]], ["s": [1]])
        expect(.inputShape([1, 2, 2, 6]), .depthToSpace(block: 2), [[1, 2, 2, 6], [1, 4, 4, 1]])
        expect(.number("block", 0), .depthToSpace(block: 0), [[1, 2, 2, 4], [1, 2, 2, 4]])
    }

    @Test func operatorsByElementsAreChecked() {
        let subtract = NetworkGraph.Operation.arithmetic(.subtract)
        expect(.inputCount(expected: 2, found: 1), subtract, [[1, 2], [1, 2]])
        expect(.inputShape([1, 3]), subtract, [[1, 2], [1, 3], [1, 2]])
        expect(.inputShape([1]), subtract, [[1, 2], [1], [1, 2]])
        // The first value is not repeated.
        expect(.inputShape([1, 2]), subtract, [[1, 1], [1, 2], [1, 2]])
        expect(.outputShape(expected: [1, 2], found: [1, 3]), subtract, [[1, 2], [1, 2], [1, 3]])
        expect(.missingParameter("f"), .scale(factors: "f", activation: .none), [[1, 3], [1, 3]])
        for operation in [
            NetworkGraph.Operation.scale(factors: "f", activation: .none), .shift(offsets: "f", activation: .none),
        ] {
            expect(.parameterShape("f", expected: [3], found: [1]), operation, [[1, 3], [1, 3]], ["f": [1]])
            expect(.outputShape(expected: [1, 3], found: [1, 4]), operation, [[1, 3], [1, 4]], ["f": [3]])
        }
        for axis in [0, -1, 3] {
            expect(.number("axis", axis), .reduce(.mean, axis: axis), [[1, 2, 3], [1, 2, 3]])
            expect(.number("axis", axis), .gather(axis: axis, indices: [0]), [[1, 2, 3], [1, 2, 3]])
        }
        expect(.inputShape([1]), .reduce(.maximum, axis: 1), [[1], [1]])
        expect(.inputShape([1]), .gather(axis: 1, indices: [0]), [[1], [1]])
        expect(
            .outputShape(expected: [1, 1, 3], found: [1, 2, 3]), .reduce(.mean, axis: 1), [[1, 2, 3], [1, 2, 3]])
        expect(.outputShape(expected: [1, 3], found: [1, 2]), .reduce(.mean, axis: 1), [[1, 2, 3], [1, 2]])
        expect(.number("indices", 0), .gather(axis: 1, indices: []), [[1, 2], [1, 1]])
        expect(.number("indices", 2), .gather(axis: 1, indices: [0, 2]), [[1, 2], [1, 2]])
        expect(.number("indices", -1), .gather(axis: 1, indices: [-1]), [[1, 2], [1, 1]])
        let many = [Int](repeating: 0, count: 4097)
        expect(.number("indices", 4097), .gather(axis: 1, indices: many), [[1, 2], [1, 4097]])
        expect(
            .outputShape(expected: [1, 2, 3], found: [1, 3]), .gather(axis: 1, indices: [0, 1]), [[1, 2, 3], [1, 3]])
        expect(.outputShape(expected: [1, 2], found: [1, 3]), .softmax, [[1, 2], [1, 3]])
    }

    // MARK: The graph as a whole

    private func expect(
        _ fault: ModelFileError.GraphFault, _ location: SourceLocation = #_sourceLocation,
        _ alter: (inout NetworkGraph) -> Void
    ) {
        var graph = GraphFileTests.graph
        alter(&graph)
        let shapes = GraphFileTests.parameters().mapValues(\.shape)
        #expect(throws: fault, sourceLocation: location) { try graph.validate(parameterShapes: shapes) }
    }

    @Test func valuesAreChecked() throws {
        try GraphFileTests.graph.validate(parameterShapes: GraphFileTests.parameters().mapValues(\.shape))
        expect(.value("", .name)) { $0.values[1].name = "" }
        expect(.value("in", .name)) { $0.values[1].name = "in" }
        let long = String(repeating: "x", count: 1025)
        expect(.value(long.excerpt(), .nameTooLong(bytes: 1025, limit: 1024))) { $0.values[1].name = long }
        for shape in [[], [2, 2], [1, 0], [1, -1], [1, 1, 1, 1, 1, 1, 1]] {
            expect(.value("a", .shape(shape))) { $0.values[1].shape = shape }
        }
        expect(.tooMany(.elements, limit: 1 << 24)) { $0.values[1].shape = [1, 1 << 24, 2] }
        expect(.tooMany(.elements, limit: 1 << 24)) { $0.values[1].shape = [1, 1 << 32, 1 << 32] }
        expect(.tooMany(.elements, limit: 1 << 27)) { graph in
            graph.values += (0..<8).map { .init(name: "x\($0)", shape: [1, 1 << 24]) }
        }
        expect(.tooMany(.values, limit: 4096)) { graph in
            graph.values += (0..<4096).map { .init(name: "x\($0)", shape: [1, 1]) }
        }
        expect(.tooMany(.operators, limit: 4096)) { graph in
            graph.nodes = [NetworkGraph.Node](repeating: graph.nodes[0], count: 4097)
        }
    }

    @Test func theOrderIsChecked() {
        expect(.ends(.inputs, indices: [])) { $0.inputs = [] }
        expect(.ends(.outputs, indices: [6])) { $0.outputs = [6] }
        expect(.ends(.outputs, indices: [5, 5])) { $0.outputs = [5, 5] }
        expect(.ends(.inputs, indices: [-1])) { $0.inputs = [-1] }
        expect(.node(1, operation: "depthwise_convolution", .valueIndex(9))) { $0.nodes[1].inputs = [9] }
        expect(.node(1, operation: "depthwise_convolution", .valueIndex(-1))) { $0.nodes[1].output = -1 }
        expect(.node(0, operation: "depthwise_convolution", .notYetWritten(value: "a"))) { $0.nodes.swapAt(0, 1) }
        expect(.value("a", .writtenTwice)) { $0.nodes.insert($0.nodes[0], at: 1) }
        expect(.value("in", .writtenTwice)) { $0.nodes[0].output = 0 }
        expect(.value("x", .neverWritten)) { $0.values.append(.init(name: "x", shape: [1, 1])) }
        expect(.value("x", .neverRead)) { graph in
            graph.values.append(.init(name: "x", shape: [1, 4, 4, 2]))
            graph.nodes.append(.init(.relu, inputs: [0], output: 6))
        }
        expect(.node(1, operation: "depthwise_convolution", .parameterUse("w"))) { graph in
            graph.nodes[1].operation = .depthwiseConvolution(
                weights: "w", bias: nil, strideY: 1, strideX: 1, padding: .init(), activation: .none)
        }
    }

    @Test func workIsBounded() throws {
        // 2^24 elements of sums over 2^12 channels are 2^36 multiply-adds, just what is allowed.
        let map = [1, 1 << 12, 1 << 12, 1]
        func graph(_ depth: Int) -> NetworkGraph {
            NetworkGraph(
                values: [
                    .init(name: "a", shape: [1, 1 << 6, 1 << 6, depth]),
                    .init(name: "b", shape: [1, 1 << 6, 1 << 6, 1 << 12]),
                ],
                nodes: [.init(convolution(), inputs: [0], output: 1)], inputs: [0], outputs: [1])
        }
        #expect(map.reduce(1, *) == NetworkGraph.elementLimit)
        let weights = { (depth: Int) in ["w": [1 << 12, 1, 1, depth]] }
        try graph(1 << 12).validate(parameterShapes: weights(1 << 12))
        #expect(
            graph(1 << 12).multiplyAdds(of: graph(1 << 12).nodes[0], parameterShapes: weights(1 << 12)) == 1 << 36)
        var twice = graph(1 << 12)
        twice.values.append(.init(name: "c", shape: [1, 1 << 6, 1 << 6, 1]))
        twice.nodes.append(
            .init(
                .convolution(weights: "u", bias: nil, strideY: 1, strideX: 1, padding: .init(), activation: .none),
                inputs: [0], output: 2))
        twice.outputs.append(2)
        #expect(throws: ModelFileError.GraphFault.tooMany(.multiplyAdds, limit: 1 << 36)) {
            try twice.validate(parameterShapes: weights(1 << 12).merging(["u": [1, 1, 1, 1 << 12]]) { $1 })
        }
    }

    /// Pooling reads every element of every window: as much work as a convolution of one channel, and none of it in products.
    @Test(arguments: [(8, 256, false), (1, 256, false), (8, 2, true)])
    func poolingIsWork(_ pools: Int, _ window: Int, _ isAccepted: Bool) throws {
        let side = 2_048
        let before = window / 2
        let padding = NetworkGraph.Padding(
            top: before, bottom: window - 1 - before, left: before, right: window - 1 - before)
        let graph = NetworkGraph(
            values: (0...pools).map { .init(name: "v\($0)", shape: [1, side, side, 1]) },
            nodes: (0..<pools).map {
                .init(
                    .maxPool(height: window, width: window, strideY: 1, strideX: 1, padding: padding), inputs: [$0],
                    output: $0 + 1)
            }, inputs: [0], outputs: [pools])
        if isAccepted {
            try graph.validate(parameterShapes: [:])
        } else {
            #expect(throws: ModelFileError.GraphFault.tooMany(.multiplyAdds, limit: 1 << 36)) {
                try graph.validate(parameterShapes: [:])
            }
        }
    }

    // MARK: JSON

    @Test func jsonIsAsDocumented() throws {
        let text = """
            {"nodes":[{"output":1,"operation":"convolution","inputs":[0],"weights":"w","stride":[2,1],\
            "padding":[1,2,3,4],"activation":"relu6"}],
             "values":[{"shape":[1,8,8,3],"name":"a\\u0041"},{"name":"b","shape":[1]}],"outputs":[1],"inputs":[0]}
            """
        let graph = try NetworkGraph(json: text)
        #expect(
            graph.nodes == [
                .init(
                    .convolution(
                        weights: "w", bias: nil, strideY: 2, strideX: 1,
                        padding: .init(top: 1, bottom: 2, left: 3, right: 4), activation: .relu6), inputs: [0],
                    output: 1)
            ])
        #expect(graph.values.map(\.name) == ["aA", "b"])
    }

    @Test(arguments: [
        ("{}", ModelFileError.graph(.missingField("values"))),
        ("{\"x\":1}", .graph(.unknownField("x"))),
        ("{\"inputs\":[],\"inputs\":[]}", .duplicateKey("inputs")),
        ("{\"values\":[{\"name\":\"a\"}]}", .graph(.missingField("shape"))),
        ("{\"values\":[{\"name\":\"a\",\"name\":\"b\"}]}", .duplicateKey("name")),
        ("{\"nodes\":[{}]}", .graph(.node(0, operation: "", .missingField("inputs")))),
        (
            "{\"nodes\":[{\"operation\":\"tanh\",\"inputs\":[0],\"output\":1}]}",
            .graph(.node(0, operation: "tanh", .unknown))
        ),
        (
            "{\"nodes\":[{\"operation\":\"relu\",\"inputs\":[0],\"output\":1,\"axis\":1}]}",
            .graph(.node(0, operation: "relu", .unknownField("axis")))
        ),
        (
            "{\"nodes\":[{\"operation\":\"add\",\"inputs\":[0],\"output\":1,\"activation\":\"tanh\"}]}",
            .graph(.node(0, operation: "add", .unknownField("activation tanh")))
        ),
        (
            "{\"nodes\":[{\"operation\":\"max_pool\",\"inputs\":[0],\"output\":1,\"window\":[1]}]}",
            .graph(.node(0, operation: "max_pool", .number("window", 1)))
        ),
        ("{\"nodes\":[{\"output\":-1}]}", .syntax(.notAnInteger, offset: 20)),
        ("{\"nodes\":[{\"align_corners\":1}]}", .syntax(.otherKind, offset: 27)),
    ])
    func brokenJSON(text: String, error: ModelFileError) {
        #expect(throws: error) { try NetworkGraph(json: text) }
    }

    @Test func listsInJSONAreBounded() {
        let many = "[" + [String](repeating: "0", count: 4097).joined(separator: ",") + "]"
        #expect(throws: ModelFileError.graph(.tooMany(.values, limit: 4096))) {
            try NetworkGraph(json: "{\"inputs\":\(many)}")
        }
        let long = "{\"inputs\":[" + String(repeating: " ", count: NetworkGraph.textLimit) + "]}"
        #expect(throws: ModelFileError.graph(.tooMany(.bytes, limit: NetworkGraph.textLimit))) {
            try NetworkGraph(json: long)
        }
    }
}
