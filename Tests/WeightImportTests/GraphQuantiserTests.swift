import ModelFile
import Network
import Testing
import Vocabulary
import WeightImport

/// int8 graphs: quantised values cover the observed range with zero exact, and outputs are close to the float graph's.
@Suite struct GraphQuantiserTests {
    private func quantised(
        _ file: GraphFile, inputRange: ClosedRange<Float> = 0...1, _ pictures: [[Float]]
    ) throws -> GraphFile {
        var quantiser = GraphQuantiser(file, inputRange: inputRange)
        for picture in pictures { try quantiser.measure([picture]) }
        return try quantiser.quantised()
    }

    // MARK: Codes of values

    @Test func codesHoldTheRangeAndZero() {
        var generator = SplitMix64(seed: 1)
        var ranges: [ClosedRange<Float>] = [
            0...1, -1...0, -1...1, 0...0, 3...4, -4...(-3), -1e-6...1, -1...1e-6, -3e38...Float.leastNonzeroMagnitude,
            -Float.leastNonzeroMagnitude...3e38, -3e38...3e38,
        ]
        for _ in 0..<10_000 {
            let ends = (0..<2).map { _ in Float.random(in: -1..<1, using: &generator) * 1000 }
            ranges.append(min(ends[0], ends[1])...max(ends[0], ends[1]))
        }
        for range in ranges {
            let codes = GraphQuantiser.codes(range)
            let (low, high) = (min(Double(range.lowerBound), 0), max(Double(range.upperBound), 0))
            let scale = Double(codes.scale)
            #expect((0...255).contains(codes.zeroPoint) && scale > 0 && scale.isFinite)
            // Half a step of rounding in the last place of the scale.
            #expect(-Double(codes.zeroPoint) * scale <= low + 1e-6 * (high - low), "\(range)")
            #expect(Double(255 - codes.zeroPoint) * scale >= high - 1e-6 * (high - low), "\(range)")
            // Not much wider than the range, unless one side is next to nothing and still gets a code.
            if high > low { #expect(255 * scale <= (high - low) * 1.009, "\(range)") }
        }
        #expect(GraphQuantiser.codes(0...1) == .init(scale: 1 / 255, zeroPoint: 0))
        #expect(GraphQuantiser.codes(-1...1) == .init(scale: 1 / 127, zeroPoint: 128))
        #expect(GraphQuantiser.codes(0...0) == .init(scale: 1, zeroPoint: 0))
    }

    /// An image's bytes are the quantised input: a step is 1/255 of the range; black is off by half of it at most.
    @Test func picturesKeepTheirCodes() throws {
        let file = try TFLiteGraph.read(GraphMutationTests.everyOperator())
        let count = file.graph.values[file.graph.inputs[0]].count
        let picture = (0..<count).map { Float($0) / Float(count) }
        for range: ClosedRange<Float> in [-1...1, 0...1, -1...0, -0.5...2] {
            let int8 = try quantised(file, inputRange: range, [picture.map { $0 * 0 }])
            let codes = try #require(int8.quantisation["in"])
            let step = (range.upperBound - range.lowerBound) / 255
            #expect(codes.scale == step)
            #expect(abs(Float(0 - codes.zeroPoint) * step - range.lowerBound) <= 0.5001 * step)
        }
        // What goes beyond the range counts for more than the range.
        let wide = try quantised(file, inputRange: -1...1, [picture.map { $0 * 4 }]).quantisation["in"]
        #expect((wide?.scale ?? 0) * 255 >= 0.999 + 4 * (picture.last ?? 0))
    }

    @Test func answersAndMeansAreRealNumbers() throws {
        let file = try TFLiteGraph.read(GraphMutationTests.everyOperator())
        let count = file.graph.values[file.graph.inputs[0]].count
        let int8 = try quantised(file, [[Float](repeating: 0.5, count: count), (0..<count).map { Float($0) / 32 }])
        let names = file.graph.values.map(\.name)
        let real = ["mean_11", "fully_connected_12", "reshape_13", "answer"]
        #expect(Set(int8.quantisation.keys) == Set(names).subtracting(real))
        // Codes move through these as they are.
        for (from, to) in [
            ("prelu_3", "max_pool_4"), ("max_pool_4", "pad_5"), ("pad_5", "resize_bilinear_6"),
            ("resize_bilinear_6", "depth_to_space_7"),
        ] {
            #expect(int8.quantisation[from] != nil && int8.quantisation[from] == int8.quantisation[to])
        }
        #expect(int8.quantisation["in"] == .init(scale: 1 / 255, zeroPoint: 0))
        #expect(int8.manifest.precision == .int8)
        #expect(int8.manifest.calibration == "minimum and maximum over 2 pictures")
        #expect(try GraphFile(bytes: int8.bytes()).parameters == int8.parameters)
    }

    @Test func refusesWhatCannotBeMeasured() throws {
        let file = chain([1, 1], [1, 1], .relu)
        #expect(throws: ImportError.calibrationRequired) { try quantised(file, []) }
        #expect(throws: ImportError.inputSize(value: "in", expected: 2, found: 3)) { try quantised(file, [[1, 2, 3]]) }
        #expect(throws: ImportError.activationNotFinite(layer: "in")) { try quantised(file, [[.infinity, 1]]) }
    }

    // MARK: Weights

    @Test func weightsNeedTheirChannelsLargest() throws {
        let file = chain([1, -2], [4, 0.5], .none)
        let int8 = try quantised(file, [[1, 1]])
        let parameter = try #require(int8.parameters["last"])
        guard case .int8(let codes, let scales) = parameter.values else {
            Issue.record("no codes")
            return
        }
        #expect(scales.count == 1 && codes.contains { abs($0) == 127 })
        #expect(codes.allSatisfy { $0 != -128 })
    }

    @Test func biasesStayWithinInt32() throws {
        // One weight next to nothing beside its bias: the scale must grow for the bias.
        let graph = NetworkGraph(
            values: [.init(name: "in", shape: [1, 1, 1, 1]), .init(name: "out", shape: [1, 1, 1, 1])],
            nodes: [
                .init(
                    .convolution(weights: "w", bias: "b", strideY: 1, strideX: 1, padding: .init(), activation: .none),
                    inputs: [0], output: 1)
            ], inputs: [0], outputs: [1])
        let file = GraphFile(
            graph: graph,
            parameters: [
                "w": .init(shape: [1, 1, 1, 1], values: .float([1e-12])),
                "b": .init(shape: [1], values: .float([1000])),
            ])
        guard case .int8(_, let scales)? = try quantised(file, [[1]]).parameters["w"]?.values else {
            Issue.record("no codes")
            return
        }
        #expect(1000 / (scales[0] / 255) <= NetworkWeights.biasLimit * 1.000_001)
    }

    // MARK: Channels evened out

    /// A 1x1 convolution that gives each channel of the input its gain, a depthwise one, and a convolution that sums the
    /// channels with these weights.
    private func chain(_ gains: [Float], _ last: [Float], _ activation: NetworkGraph.Activation) -> GraphFile {
        let count = gains.count
        var first = [Float](repeating: 0, count: count * count)
        for channel in 0..<count { first[channel * count + channel] = gains[channel] }
        let map = [1, 1, 1, count]
        func convolution(_ weights: String, _ activation: NetworkGraph.Activation) -> NetworkGraph.Operation {
            .convolution(
                weights: weights, bias: nil, strideY: 1, strideX: 1, padding: .init(), activation: activation)
        }
        return GraphFile(
            graph: NetworkGraph(
                values: [
                    .init(name: "in", shape: map), .init(name: "a", shape: map), .init(name: "b", shape: map),
                    .init(name: "out", shape: [1, 1, 1, 1]),
                ],
                nodes: [
                    .init(convolution("first", activation), inputs: [0], output: 1),
                    .init(
                        .depthwiseConvolution(
                            weights: "taps", bias: nil, strideY: 1, strideX: 1, padding: .init(), activation: .none),
                        inputs: [1], output: 2), .init(convolution("last", .none), inputs: [2], output: 3),
                ], inputs: [0], outputs: [3]),
            parameters: [
                "first": .init(shape: [count, 1, 1, count], values: .float(first)),
                "taps": .init(shape: [1, 1, 1, count], values: .float([Float](repeating: 1, count: count))),
                "last": .init(shape: [1, 1, 1, count], values: .float(last)),
            ])
    }

    @Test(arguments: [NetworkGraph.Activation.none, .relu, .relu6])
    func smallChannelsKeepTheirSay(activation: NetworkGraph.Activation) throws {
        // The second channel is a thousandth of the first and counts a thousand times: with shared codes as they are it would
        // be rounded away.
        let file = chain([6, 0.006], [1, 1000], activation)
        let int8 = try quantised(file, [[1, 1], [0.5, 0.25]])
        let (float, coded) = (ReferenceGraph(file), ReferenceGraph(int8))
        for picture: [Float] in [[1, 1], [0, 1], [1, 0], [0.5, 0.5]] {
            let expected = try float.run([picture])[0][0]
            let found = try coded.run([picture])[0][0]
            #expect(abs(found - expected) < 0.02 * 12, "\(picture): \(found) instead of \(expected)")
        }
    }

    @Test func reLU6StillLetsThroughWhatWasSeen() throws {
        // The sum reaches 18 and is clipped at 6 behind; channels share their factors with it.
        var file = chain([18, 6], [1, 1], .none)
        var graph = file.graph
        graph.values.append(.init(name: "clipped", shape: [1, 1, 1, 2]))
        graph.nodes.insert(.init(.relu6, inputs: [1], output: 4), at: 1)
        graph.nodes[2].inputs = [4]
        file = GraphFile(graph: graph, parameters: file.parameters)
        let int8 = try quantised(file, [[1, 1], [0.2, 1]])
        for picture: [Float] in [[0.2, 1], [0.3, 0.9], [0, 1]] {
            let expected = try ReferenceGraph(file).run([picture])[0][0]
            #expect(abs(try ReferenceGraph(int8).run([picture])[0][0] - expected) < 0.02 * 12)
        }
    }

    /// Random weights through every kind of operator that values with shared factors may pass.
    @Test func blocksAgreeWithFloat() throws {
        var numbers = Fixture.Numbers(seed: 5)
        let (side, channels) = (6, 8)
        let map = [1, side, side, channels]
        let wide = [1, side / 2, side / 2, 2 * channels]
        var graph = NetworkGraph(
            values: [.init(name: "in", shape: [1, side, side, 3])], nodes: [], inputs: [0], outputs: [])
        var parameters: [String: GraphFile.Parameter] = [:]
        func add(_ operation: NetworkGraph.Operation, _ inputs: [Int], _ shape: [Int]) -> Int {
            graph.values.append(.init(name: "v\(graph.values.count)", shape: shape))
            graph.nodes.append(.init(operation, inputs: inputs, output: graph.values.count - 1))
            return graph.values.count - 1
        }
        func parameter(_ shape: [Int], gain: Float) -> String {
            let name = "p\(parameters.count)"
            parameters[name] = .init(
                shape: shape,
                values: .float(numbers.next(shape.reduce(1, *)).enumerated().map { $1 * gain * Float(1 + $0 % 7) }))
            return name
        }
        let first = add(
            .convolution(
                weights: parameter([channels, 3, 3, 3], gain: 0.1), bias: parameter([channels], gain: 0.1), strideY: 1,
                strideX: 1, padding: .init(top: 1, bottom: 1, left: 1, right: 1), activation: .relu6), [0], map)
        let depthwise = add(
            .depthwiseConvolution(
                weights: parameter([1, 3, 3, channels], gain: 0.1), bias: parameter([channels], gain: 0.1), strideY: 1,
                strideX: 1, padding: .init(top: 1, bottom: 1, left: 1, right: 1), activation: .none), [first], map)
        let project = add(
            .convolution(
                weights: parameter([channels, 1, 1, channels], gain: 0.1), bias: nil, strideY: 1, strideX: 1,
                padding: .init(), activation: .none), [depthwise], map)
        let sum = add(.add(.none), [project, first], map)
        let bent = add(.prelu(slope: parameter([channels], gain: 0.1)), [sum], map)
        let pooled = add(
            .maxPool(height: 2, width: 2, strideY: 2, strideX: 2, padding: .init()), [bent],
            [1, side / 2, side / 2, channels])
        let padded = add(.pad([[0, 0], [0, 0], [0, 0], [0, channels]]), [pooled], wide)
        let widened = add(
            .convolution(
                weights: parameter([2 * channels, 2, 2, channels], gain: 0.05), bias: nil, strideY: 2, strideX: 2,
                padding: .init(), activation: .none), [bent], wide)
        let joined = add(.add(.relu), [padded, widened], wide)
        let answer = add(
            .convolution(
                weights: parameter([4, 1, 1, 2 * channels], gain: 0.1), bias: parameter([4], gain: 0.1), strideY: 1,
                strideX: 1, padding: .init(), activation: .none), [joined], [1, side / 2, side / 2, 4])
        graph.outputs = [answer]
        try graph.validate(parameterShapes: parameters.mapValues(\.shape))
        let file = GraphFile(graph: graph, parameters: parameters)

        let pictures = (0..<20).map { _ in numbers.next(side * side * 3).map { ($0 + 1) / 2 } }
        let int8 = try quantised(file, pictures)
        #expect(int8.quantisation["v\(answer)"] == nil && int8.quantisation.count == graph.values.count - 1)
        var (worst, largest): (Float, Float) = (0, 0)
        for picture in pictures {
            let expected = try ReferenceGraph(file).run([picture])[0]
            let found = try ReferenceGraph(int8).run([picture])[0]
            for (found, expected) in zip(found, expected) {
                worst = max(worst, abs(found - expected))
                largest = max(largest, abs(expected))
            }
        }
        #expect(largest > 1 && worst < 0.03 * largest, "\(worst) of \(largest)")
    }
}
