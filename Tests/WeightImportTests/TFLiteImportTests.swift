import Foundation
import ModelFile
import TestSupport
import Testing
import WeightImport

/// Operators of small TFLite files, run with plain loops: expected numbers are worked out by hand.
@Suite struct TFLiteImportTests {
    /// Reads the file and runs it.
    private func run(_ writer: TFLiteWriter, _ input: [Float]) throws -> [[Float]] {
        try ReferenceGraph(TFLiteGraph.read(writer.bytes)).run([input])
    }

    private func operation(_ writer: TFLiteWriter, _ index: Int = 0) throws -> NetworkGraph.Operation {
        try TFLiteGraph.read(writer.bytes).graph.nodes[index].operation
    }

    /// A file of one input, which `build` gets, and one output of this shape, which it gets too.
    private func file(
        _ input: [Int], _ output: [Int], _ build: (inout TFLiteWriter, _ input: Int, _ output: Int) -> Void
    ) -> TFLiteWriter {
        var writer = TFLiteWriter()
        writer.inputs = [writer.tensor("in", input)]
        writer.outputs = [writer.tensor("out", output)]
        build(&writer, writer.inputs[0], writer.outputs[0])
        return writer
    }

    // MARK: Convolutions

    @Test func convolutionsPadAsSAMESays() throws {
        // 5 lines at stride 2 make 3 of 3x3 windows: (3 - 1) * 2 + 3 - 5 = 2, one on each side. 4 columns at stride 3 make 2:
        // (2 - 1) * 3 + 3 - 4 = 2.
        let writer = file([1, 5, 4, 1], [1, 3, 2, 1]) { writer, input, output in
            let weights = writer.floats("w", [1, 3, 3, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9])
            writer.convolution(input, weights: weights, bias: nil, to: output, strideY: 2, strideX: 3)
        }
        #expect(
            try operation(writer)
                == .convolution(
                    weights: "conv_2d_0.weights", bias: nil, strideY: 2, strideX: 3,
                    padding: .init(top: 1, bottom: 1, left: 1, right: 1), activation: .none))
        // The picture is 1...20; the first window sees 5 1 + 6 2 + 8 5 + 9 6 of the lower right of the weights.
        let result = try run(writer, (1...20).map(Float.init))[0]
        #expect(result == [111, 145, 363, 360, 261, 223].map(Float.init), "\(result)")
    }

    @Test func theOddLineOfSAMEIsAtTheEnd() throws {
        let writer = file([1, 4, 4, 1], [1, 2, 2, 1]) { writer, input, output in
            let weights = writer.floats("w", [1, 3, 3, 1], [Float](repeating: 1, count: 9))
            writer.convolution(input, weights: weights, bias: nil, to: output, strideY: 2, strideX: 2)
        }
        guard case .convolution(_, _, _, _, let padding, _) = try operation(writer) else {
            Issue.record("no convolution")
            return
        }
        #expect(padding == .init(top: 0, bottom: 1, left: 0, right: 1))
        #expect(try run(writer, [Float](repeating: 1, count: 16))[0] == [9, 6, 6, 4])
    }

    @Test func convolutionsAddBiasAndActivate() throws {
        let writer = file([1, 1, 1, 2], [1, 1, 1, 3]) { writer, input, output in
            let weights = writer.halves("w16", [3, 1, 1, 2], [1, 2, 3, 4, -5, -6])
            let unpacked = writer.tensor("w", [3, 1, 1, 2])
            writer.operation(6, [weights], [unpacked])
            let bias = writer.floats("b", [3], [0.5, 0.25, -1])
            writer.convolution(input, weights: unpacked, bias: bias, to: output, padding: 1, activation: 3)
        }
        // 1 + 2 + 0.5, 3 + 4 + 0.25 clipped at 6, -12 clipped at 0.
        #expect(try run(writer, [1, 1])[0] == [3.5, 6, 0])
    }

    @Test func depthwiseConvolutionsKeepChannelsApart() throws {
        let writer = file([1, 2, 2, 2], [1, 1, 1, 2]) { writer, input, output in
            let weights = writer.floats("w", [1, 2, 2, 2], [1, 10, 2, 20, 3, 30, 4, 40])
            let bias = writer.floats("b", [2], [1, -1000])
            writer.depthwise(input, weights: weights, bias: bias, to: output, padding: 1, activation: 1)
        }
        #expect(try run(writer, [1, 1, 1, 2, 1, 3, 1, 4])[0] == [11, 0])
        #expect(try run(writer, [1, 100, 1, 0, 1, 0, 1, 0])[0] == [11, 0])
        #expect(try run(writer, [1, 101, 1, 0, 1, 0, 1, 0])[0] == [11, 10])
    }

    @Test func fullyConnectedLayersFlatten() throws {
        let writer = file([1, 1, 2, 2], [1, 2]) { writer, input, output in
            let weights = writer.floats("w", [2, 4], [1, 2, 3, 4, -1, -1, -1, -1])
            let bias = writer.floats("b", [2], [0, 5])
            writer.operation(9, [input, weights, bias], [output], options: (8, [0: .int8(1)]))
        }
        #expect(try run(writer, [1, 1, 1, 2])[0] == [14, 0])
    }

    // MARK: Others

    @Test func additionsActivate() throws {
        var writer = TFLiteWriter()
        let inputs = [writer.tensor("a", [1, 3]), writer.tensor("b", [1, 3])]
        writer.inputs = inputs
        writer.outputs = [writer.tensor("out", [1, 3])]
        writer.operation(0, inputs, writer.outputs, options: (11, [0: .int8(1)]))
        let file = try TFLiteGraph.read(writer.bytes)
        #expect(try ReferenceGraph(file).run([[1, 2, 3], [1, -3, 1]]) == [[2, 0, 4]])
    }

    @Test func poolingIgnoresPadding() throws {
        let writer = file([1, 3, 3, 1], [1, 2, 2, 1]) { writer, input, output in
            writer.operation(
                17, [input], [output],
                options: (5, [0: .int8(0), 1: .int32(2), 2: .int32(2), 3: .int32(2), 4: .int32(2)]))
        }
        #expect(try run(writer, [-1, -2, -3, -4, -5, -6, -7, -8, -9])[0] == [-1, -3, -7, -9])
    }

    @Test func meansAreOverTheMap() throws {
        let writer = file([1, 2, 2, 2], [1, 2]) { writer, input, output in
            let axes = writer.integers("axes", [2], [-3, 2])
            writer.operation(40, [input, axes], [output], options: (27, [0: .int8(0)]))
        }
        #expect(try run(writer, [1, 10, 2, 20, 3, 30, 6, 60])[0] == [3, 30])
    }

    @Test func padsAllDimensions() throws {
        let writer = file([1, 1, 2, 1], [1, 2, 3, 2]) { writer, input, output in
            let amounts = writer.integers("p", [4, 2], [0, 0, 1, 0, 0, 1, 0, 1])
            writer.operation(34, [input, amounts], [output], options: (22, [:]))
        }
        #expect(try run(writer, [7, 8])[0] == [0, 0, 0, 0, 0, 0, 7, 0, 8, 0, 0, 0])
    }

    @Test func resizesWithEachConvention() throws {
        for (align, half, expected): (Int, Int, [Float]) in [
            (0, 0, [0, 2, 4, 4]), (1, 0, [0, 4 / 3, 8 / 3, 4]), (0, 1, [0, 1, 3, 4]),
        ] {
            let writer = file([1, 1, 2, 1], [1, 1, 4, 1]) { writer, input, output in
                let size = writer.integers("size", [2], [1, 4])
                writer.operation(
                    23, [input, size], [output], options: (15, [2: .int8(align), 3: .int8(half)]))
            }
            let result = try run(writer, [0, 4])[0]
            for (found, wanted) in zip(result, expected) { #expect(abs(found - wanted) < 1e-6) }
        }
    }

    @Test func joinsAndReshapes() throws {
        var writer = TFLiteWriter()
        let input = writer.tensor("in", [1, 2, 1, 2])
        let joined = writer.tensor("joined", [1, 2, 1, 4])
        let output = writer.tensor("out", [1, 8])
        (writer.inputs, writer.outputs) = ([input], [output])
        writer.operation(2, [input, input], [joined], options: (10, [0: .int32(-1)]))
        let shape = writer.integers("shape", [2], [1, -1])
        writer.operation(22, [joined, shape], [output])
        #expect(try run(writer, [1, 2, 3, 4])[0] == [1, 2, 1, 2, 3, 4, 3, 4])
        #expect(try operation(writer) == .concatenation(axis: 3))
    }

    @Test func movesDepthToSpace() throws {
        let writer = file([1, 1, 2, 4], [1, 2, 4, 1]) { writer, input, output in
            writer.operation(5, [input], [output], options: (94, [0: .int32(2)]))
        }
        #expect(try run(writer, [1, 2, 3, 4, 5, 6, 7, 8])[0] == [1, 2, 5, 6, 3, 4, 7, 8])
    }

    @Test func activations() throws {
        var writer = TFLiteWriter()
        let input = writer.tensor("in", [1, 1, 2, 2])
        let names = ["relu", "relu6", "logistic", "prelu"]
        let outputs = names.map { writer.tensor($0, [1, 1, 2, 2]) }
        (writer.inputs, writer.outputs) = ([input], outputs)
        let slope = writer.floats("slope", [1, 1, 2], [0.5, 0.25])
        writer.operation(19, [input], [outputs[0]])
        writer.operation(21, [input], [outputs[1]])
        writer.operation(14, [input], [outputs[2]])
        writer.operation(54, [input, slope], [outputs[3]])
        let results = try run(writer, [-2, -4, 8, 0])
        #expect(results[0] == [0, 0, 8, 0])
        #expect(results[1] == [0, 0, 6, 0])
        #expect(results[2][3] == 0.5 && abs(results[2][0] - 0.119_202_92) < 1e-6)
        #expect(results[3] == [-1, -1, 8, 0])
        #expect(try TFLiteGraph.read(writer.bytes).graph.values.map(\.name) == ["in"] + names)
    }

    // MARK: Sparse constants

    /// A level of sparse storage: a dense one of `size`, or one that lists its indices.
    private func dense(_ size: Int) -> FlatPart { .table([0: .int8(0), 1: .int32(size)]) }

    private func listed(_ segments: [Int], _ indices: [Int]) -> FlatPart {
        .table([
            0: .int8(1), 2: .int8(1), 3: .table([0: .int32s(segments)]), 4: .int8(2), 5: .table([0: .uint16s(indices)]),
        ])
    }

    /// A fully connected layer of the sparse 4x4 weights, which the unit vectors read out column by column.
    private func weights(_ values: [Float], _ sparsity: FlatPart) throws -> [[Float]] {
        let writer = file([1, 4], [1, 4]) { writer, input, output in
            let sparse = writer.halves("sparse", [4, 4], values, sparsity: sparsity)
            let dense = writer.tensor("dense", [4, 4], type: 1)
            let unpacked = writer.tensor("w", [4, 4])
            writer.operation(124, [sparse], [dense])
            writer.operation(6, [dense], [unpacked])
            writer.operation(9, [input, unpacked], [output])
        }
        return try (0..<4).map { column in
            var unit = [Float](repeating: 0, count: 4)
            unit[column] = 1
            return try run(writer, unit)[0]
        }
    }

    @Test func listedColumnsOfRows() throws {
        let columns = try weights(
            [1, 2, 3],
            .table([0: .int32s([0, 1]), 2: .tables([dense(4), listed([0, 1, 1, 3, 3], [2, 0, 3])])]))
        #expect(columns == [[0, 0, 2, 0], [0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 3, 0]])
    }

    @Test func blocksOfColumns() throws {
        // Rows in blocks of 2: the levels are pairs of rows, listed columns, the row in its pair.
        let columns = try weights(
            [1, 2, 3, 4],
            .table([
                0: .int32s([0, 1, 2]), 1: .int32s([0]), 2: .tables([dense(2), listed([0, 1, 2], [1, 3]), dense(2)]),
            ]))
        #expect(columns == [[0, 0, 0, 0], [1, 2, 0, 0], [0, 0, 0, 0], [0, 0, 3, 4]])
    }

    @Test(arguments: [
        // Segments that do not end with the indices, fall, or begin late; an index twice, out of range, or one too many.
        ([0, 1, 1, 3, 2], [2, 0, 3]), ([0, 2, 1, 3, 3], [2, 0, 3]), ([1, 1, 1, 3, 3], [2, 0, 3]),
        ([0, 1, 1, 3, 3], [2, 3, 3]), ([0, 1, 1, 3, 3], [2, 0, 4]), ([0, 1, 1, 4, 4], [2, 0, 1, 3]),
        ([0, 1, 1, 3], [2, 0, 3]),
    ])
    func contradictingStorageIsRefused(segments: [Int], indices: [Int]) {
        #expect(throws: TFLiteError.tensor("sparse", .sparsity)) {
            try weights([1, 2, 3], .table([0: .int32s([0, 1]), 2: .tables([dense(4), listed(segments, indices)])]))
        }
    }

    @Test func levelsThatAreNotTheShapesAreRefused() {
        for levels in [[dense(3), listed([0, 1, 1, 3], [2, 0, 3])], [dense(4)], [dense(4), dense(4), dense(1)]] {
            #expect(throws: TFLiteError.tensor("sparse", .sparsity)) {
                try weights([1, 2, 3], .table([0: .int32s([0, 1]), 2: .tables(levels)]))
            }
        }
        #expect(throws: TFLiteError.tensor("sparse", .sparsity)) {
            try weights([1, 2, 3], .table([0: .int32s([0, 0]), 2: .tables([dense(4), dense(4)])]))
        }
    }

    /// A file of little more than `entries` bytes: so many levels, of which each lists the same vector of zeros, which all of them allow.
    private func sharedVector(entries: Int, levels: Int) -> TFLiteWriter {
        file([1, 4, 4, 1], [1, 4, 4, 1]) { writer, input, output in
            let zeros = FlatPart.shared(0, .bytes([UInt8](repeating: 0, count: entries)))
            let level = FlatPart.table([
                0: .int8(1), 1: .int32(1), 2: .int8(1), 3: .table([0: .int32s([0, entries])]), 4: .int8(3),
                5: .table([0: zeros]),
            ])
            // The second half of the levels cuts the dimensions of the first into blocks of 1.
            let rank = (levels + 1) / 2
            let shape = [Int](repeating: 1, count: rank)
            let sparse = writer.halves(
                "sparse", shape, [1],
                sparsity: .table([
                    0: .int32s(Array(0..<levels)), 1: .int32s(Array(0..<levels - rank)),
                    2: .tables([FlatPart](repeating: level, count: levels)),
                ]))
            let dense = writer.tensor("dense", shape, type: 1)
            let slope = writer.tensor("slope", shape)
            writer.operation(124, [sparse], [dense])
            writer.operation(6, [dense], [slope])
            writer.operation(54, [input, slope], [output])
        }
    }

    /// All lists together have no more entries than the file has bytes, however many levels share one: the second level's are refused
    /// before they are read, and the error says how many were left.
    @Test(arguments: [1 << 12, 1 << 24]) func levelsThatShareAVectorAreRefused(_ entries: Int) {
        for levels in [2, 3, 8, 12] where entries < 1 << 20 || levels == 12 {
            let bytes = sharedVector(entries: entries, levels: levels).bytes
            #expect(bytes.count < entries + 4_096)
            // The first level's list and both segments of two were read.
            let left = bytes.count - entries - 4
            let start = ContinuousClock.now
            #expect(throws: TFLiteError.tooMany(.sparsity, count: entries, limit: left), "\(levels) levels") {
                try TFLiteGraph.read(bytes)
            }
            let elapsed = ContinuousClock.now - start
            #expect(elapsed < .seconds(10), "\(levels) levels of \(entries): \(elapsed)")
        }
    }

    /// One level is within the bound; what it lists is refused for itself: zeros do not rise.
    @Test func oneLevelOfThatVectorIsRead() {
        #expect(throws: TFLiteError.tensor("sparse", .sparsity)) {
            try TFLiteGraph.read(sharedVector(entries: 1 << 12, levels: 1).bytes)
        }
    }

    // MARK: Values behind the flatbuffer

    @Test func valuesMayLieBehindTheFlatbuffer() throws {
        func writer(isExternal: Bool) -> TFLiteWriter {
            file([1, 1, 1, 2], [1, 1, 1, 2]) { writer, input, output in
                let weights = writer.tensor(
                    "w", [2, 1, 1, 2], data: [Float(1), 2, 3, 4].flatMap(TFLiteWriter.bytes), isExternal: isExternal)
                let bias = writer.tensor(
                    "b", [2], data: [Float(10), 20].flatMap(TFLiteWriter.bytes), isExternal: isExternal)
                writer.convolution(input, weights: weights, bias: bias, to: output)
            }
        }
        let (inside, behind) = (writer(isExternal: false), writer(isExternal: true))
        #expect(behind.bytes.suffix(8) == [0, 0, 32, 65, 0, 0, 160, 65])
        #expect(try run(behind, [5, 6])[0] == [27, 59])
        #expect(try TFLiteGraph.read(behind.bytes).bytes() == TFLiteGraph.read(inside.bytes).bytes())
        // In a bundle, offsets count from the beginning of the member.
        let bundle = GraphSourceTests.archive([.init(name: "a.tflite", data: behind.bytes)], before: [0, 0])
        let member = try GraphSource(bytes: bundle, fileName: "x.task").graph()
        #expect(try ReferenceGraph(member).run([[5, 6]])[0] == [27, 59])
        // A placeholder of offset 1 is no value, nor is one of no bytes.
        for place in [(UInt64(1), UInt64(16)), (64, 0)] {
            var placeholder = behind
            placeholder.externalPlace = place
            #expect(throws: TFLiteError.operation(0, operation: "CONV_2D", .notConstant("w"))) {
                try TFLiteGraph.read(placeholder.bytes)
            }
        }
    }

    // MARK: A real file

    /// A block of MediaPipe's pose detector, sparse constants and all, against LiteRT.
    @Test func agreesWithLiteRT() throws {
        let folder = Fixtures.directory.appendingPathComponent("graphs")
        func floats(_ name: String) throws -> [Float] { try Fixtures.floats(folder.appendingPathComponent(name).path) }
        let file = try GraphSource.open(path: folder.appendingPathComponent("block.tflite").path).graph()
        let reference = ReferenceGraph(file)
        let (inputs, outputs) = (try floats("block.input.npy"), try floats("block.output.npy"))
        let count = 6 * 5 * 24
        #expect(inputs.count == 2 * count && outputs.count == 2 * count)
        let range = (outputs.max() ?? 0) - (outputs.min() ?? 0)
        for row in [0..<count, count..<2 * count] {
            let found = try reference.run([Array(inputs[row])])[0]
            let worst = zip(found, outputs[row]).map { abs($0 - $1) }.max() ?? .infinity
            #expect(worst < 1e-6 * range)
        }
    }
}
