import Foundation
import ModelFile
import TestSupport
import Testing
import WeightImport

/// Operators of small TFLite files that work element by element or along a dimension: expected numbers are worked out by hand.
@Suite struct TFLiteElementTests {
    /// A file of one operator, whose first input is the graph's and whose output has this shape.
    private func file(
        _ code: Int, _ input: [Int], _ output: [Int], options: (type: Int, slots: [Int: FlatPart])? = nil,
        others: (inout TFLiteWriter) -> [Int] = { _ in [] }, isFirst: Bool = true
    ) -> TFLiteWriter {
        var writer = TFLiteWriter()
        writer.inputs = [writer.tensor("in", input)]
        writer.outputs = [writer.tensor("out", output)]
        let others = others(&writer)
        writer.operation(code, isFirst ? [0] + others : others + [0], [1], options: options)
        return writer
    }

    private func run(_ writer: TFLiteWriter, _ input: [Float]) throws -> [Float] {
        try ReferenceGraph(TFLiteGraph.read(writer.bytes)).run([input])[0]
    }

    private func refuses(
        _ fault: TFLiteError.OperationFault, _ name: String, _ writer: TFLiteWriter,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: TFLiteError.operation(0, operation: name, fault), sourceLocation: location) {
            try TFLiteGraph.read(writer.bytes)
        }
    }

    // MARK: Constants

    @Test func constantsHaveANumberForEachChannel() throws {
        let scaled = file(18, [1, 2, 3], [1, 2, 3]) { [$0.floats("k", [3], [1, 10, 100])] }
        #expect(try run(scaled, [1, 2, 3, 4, 5, 6]) == [1, 20, 300, 4, 50, 600])
        // The constant may come first, and an activation may follow.
        let shifted = file(
            0, [1, 2], [1, 2], options: (11, [0: .int8(1)]), others: { [$0.floats("k", [1, 2], [-3, 1])] },
            isFirst: false)
        #expect(try run(shifted, [1, 2]) == [0, 3])
        let one = file(0, [1, 2, 1], [1, 2, 1]) { [$0.floats("k", [], [0.5])] }
        #expect(try run(one, [1, 2]) == [1.5, 2.5])
        #expect(try TFLiteGraph.read(one.bytes).parameters["add_0.offsets"]?.shape == [1])
    }

    @Test func constantsOfOtherShapesAreRefused() {
        refuses(
            .constantOperand("factors"), "MUL",
            file(18, [1, 2, 3], [1, 2, 3]) { [$0.floats("k", [2, 3], [1, 2, 3, 4, 5, 6])] })
        refuses(.constantOperand("offsets"), "ADD", file(0, [1, 2, 3], [1, 2, 3]) { [$0.floats("k", [2], [1, 2])] })
        refuses(.constantOperand("offsets"), "ADD", file(0, [1, 2, 3], [1, 2, 3]) { [$0.floats("k", [], [1])] })
        refuses(.constant("k"), "DIV", file(42, [1, 3], [1, 3]) { [$0.floats("k", [3], [1, 2, 3])] })
        refuses(.constant("k"), "SUB", file(41, [1, 3], [1, 3]) { [$0.floats("k", [3], [1, 2, 3])] })
        refuses(.activation("RELU"), "SUB", file(41, [1, 3], [1, 3], options: (28, [0: .int8(1)])) { _ in [0] })
    }

    // MARK: Two values

    private static let third: Float = 3 / 11
    private static let pairs: [(code: Int, expected: [Float])] = [
        (41, [0, 0, -8, 3, 3, -5]), (18, [1, 4, 30, 4, 10, 60]), (42, [1, 1, third, 4, 2.5, 2 * third]),
        (55, [1, 2, 11, 4, 5, 11]), (57, [1, 2, 3, 1, 2, 6]),
    ]

    @Test(arguments: pairs) func theSecondValueIsRepeated(code: Int, expected: [Float]) throws {
        var writer = TFLiteWriter()
        writer.inputs = [writer.tensor("a", [1, 2, 3]), writer.tensor("b", [1, 1, 3])]
        writer.outputs = [writer.tensor("out", [1, 2, 3])]
        writer.operation(code, [0, 1], [2])
        let second: [Float] = code == 18 ? [1, 2, 10] : [1, 2, 11]
        let found = try ReferenceGraph(TFLiteGraph.read(writer.bytes)).run([[1, 2, 3, 4, 5, 6], second])[0]
        #expect(found == expected)
        // The other way round the result is larger than the first value.
        var turned = TFLiteWriter()
        turned.inputs = [turned.tensor("b", [1, 1, 3]), turned.tensor("a", [1, 2, 3])]
        turned.outputs = [turned.tensor("out", [1, 2, 3])]
        turned.operation(code, [0, 1], [2])
        #expect(throws: TFLiteError.self) { try TFLiteGraph.read(turned.bytes) }
    }

    // MARK: Along a dimension

    @Test func reductions() throws {
        let numbers: [Float] = [1, 2, 3, -4, 5, 0]
        let mean = file(40, [1, 2, 3], [1, 1, 3]) { [$0.integers("axes", [], [-2])] }
        #expect(try run(mean, numbers) == [-1.5, 3.5, 1.5])
        let largest = file(82, [1, 2, 3], [1, 2]) { [$0.integers("axes", [1], [2])] }
        #expect(try run(largest, numbers) == [3, 5])
        let smallest = file(89, [1, 3], [1], options: (27, [:])) { [$0.integers("axes", [], [-1])] }
        #expect(try run(smallest, [2, -1, 4]) == [-1])
        refuses(
            .constantOperand("axes"), "REDUCE_MAX", file(82, [1, 2, 3], [1]) { [$0.integers("axes", [2], [1, 2])] })
        refuses(.notConstant("in"), "REDUCE_MAX", file(82, [1, 2], [1]) { _ in [0] })
        #expect(throws: TFLiteError.graph(.node(0, operation: "reduce_maximum", .number("axis", 0)))) {
            try TFLiteGraph.read(file(82, [1, 2], [1, 2]) { [$0.integers("axes", [], [0])] }.bytes)
        }
    }

    @Test func gathering() throws {
        let rows = file(36, [1, 3, 2], [1, 2, 2], options: (23, [0: .int32(1)])) { [$0.integers("i", [2], [2, 0])] }
        #expect(try run(rows, [1, 2, 3, 4, 5, 6]) == [5, 6, 1, 2])
        for index in [-1, 3] {
            let outside = file(36, [1, 3, 2], [1, 1, 2], options: (23, [0: .int32(1)])) {
                [$0.integers("i", [1], [index])]
            }
            #expect(throws: TFLiteError.graph(.node(0, operation: "gather", .number("indices", index)))) {
                try TFLiteGraph.read(outside.bytes)
            }
        }
        refuses(
            .constantOperand("indices"), "GATHER",
            file(36, [1, 3, 2], [1, 1, 1, 2], options: (23, [0: .int32(1)])) { [$0.integers("i", [1, 1], [0])] })
        refuses(
            .option("batch_dims", 1), "GATHER",
            file(36, [1, 3, 2], [1, 1, 2], options: (23, [0: .int32(1), 1: .int32(1)])) { [$0.integers("i", [1], [0])] }
        )
    }

    /// One of three outputs is requested: the others are not part of the graph.
    @Test func unpackingLeavesOutWhatNothingReads() throws {
        var writer = TFLiteWriter()
        writer.inputs = [writer.tensor("in", [1, 2, 3]), writer.tensor("unread", [1, 7])]
        let parts = (0..<3).map { writer.tensor("part\($0)", [1, 2]) }
        writer.outputs = [parts[1]]
        writer.operation(88, [0], parts, options: (64, [0: .int32(3), 1: .int32(-1)]))
        let graph = try TFLiteGraph.read(writer.bytes).graph
        #expect(graph.nodes == [.init(.gather(axis: 2, indices: [1]), inputs: [0], output: 1)])
        #expect(graph.values.map(\.name) == ["in", "part1"] && graph.inputs == [0] && graph.outputs == [1])
        #expect(try ReferenceGraph(TFLiteGraph.read(writer.bytes)).run([[1, 2, 3, 4, 5, 6]]) == [[2, 5]])
        for (count, axis) in [(2, 2), (3, 1), (3, 3), (3, -4)] {
            writer.operators = []
            writer.operation(88, [0], parts, options: (64, [0: .int32(count), 1: .int32(axis)]))
            #expect(throws: TFLiteError.self) { try TFLiteGraph.read(writer.bytes) }
        }
    }

    @Test func slicesOfEverything() throws {
        func slice(
            _ input: [Int], _ output: [Int], _ begins: [Int], _ ends: [Int], _ strides: [Int], _ masks: [Int: Int] = [:]
        ) -> TFLiteWriter {
            file(45, input, output, options: (32, masks.mapValues { .int32($0) })) {
                [
                    $0.integers("begin", [begins.count], begins), $0.integers("end", [ends.count], ends),
                    $0.integers("strides", [strides.count], strides),
                ]
            }
        }
        #expect(
            try run(slice([1, 2, 2], [1, 2, 2], [0, 0, 0], [0, 0, 0], [1, 1, 1], [0: 7, 1: 7]), [1, 2, 3, 4]) == [
                1, 2, 3, 4,
            ])
        #expect(try run(slice([1, 2], [1, 2], [0, 0], [1, 2], [1, 1]), [1, 2]) == [1, 2])
        // All of the dimensions, and a new one behind them.
        #expect(try run(slice([1, 2], [1, 2, 1], [0, 0], [0, 0], [1, 1], [2: 1, 3: 2]), [1, 2]) == [1, 2])
        for part in [
            slice([1, 3], [1, 2], [0, 1], [1, 3], [1, 1]), slice([1, 3], [1, 2], [0, 0], [1, 2], [1, 1]),
            slice([1, 3], [1, 3], [0, 0], [1, 3], [1, -1]), slice([1, 3], [1, 3], [0, 0, 0], [1, 3, 1], [1, 1, 1]),
            slice([1, 3], [1, 3], [0, 0], [1, 3], [1]),
        ] {
            refuses(.constantOperand("slice"), "STRIDED_SLICE", part)
        }
        // A dimension that is taken at one index and is larger.
        #expect(throws: TFLiteError.self) {
            try TFLiteGraph.read(slice([1, 3], [1], [0, 0], [1, 3], [1, 1], [4: 2]).bytes)
        }
    }

    @Test func softmaxSumsToOne() throws {
        let one = FlatPart.int32(Int(Float(1).bitPattern))
        let found = try run(file(25, [1, 3], [1, 3], options: (9, [0: one])), [1_000, 1_000, 1_000 + log(2)])
        #expect(zip(found, [0.25, 0.25, 0.5]).allSatisfy { abs($0 - Float($1)) < 1e-4 })
        refuses(.option("beta", 0), "SOFTMAX", file(25, [1, 3], [1, 3], options: (9, [:])))
        refuses(
            .option("beta", 2), "SOFTMAX",
            file(25, [1, 3], [1, 3], options: (9, [0: .int32(Int(Float(2).bitPattern))])))
    }

    // MARK: Real files

    /// What MediaPipe's embedder does with points before its first layer, and its classifier whole, against LiteRT.
    @Test(arguments: ["hand-normalisation", "canned_gesture_classifier"]) func agreesWithLiteRT(name: String) throws {
        let folder = Fixtures.directory.appendingPathComponent("graphs")
        func path(_ ending: String) -> String { folder.appendingPathComponent(name + ending).path }
        let file = try GraphSource.open(path: path(".tflite")).graph()
        // As a file of ours, too.
        let read = try GraphFile(bytes: file.bytes())
        #expect(read.graph == file.graph && read.parameters == file.parameters)
        let (inputs, outputs) = (try Fixtures.floats(path(".input.npy")), try Fixtures.floats(path(".output.npy")))
        let (width, count) = (
            read.graph.values[read.graph.inputs[0]].count, read.graph.values[read.graph.outputs[0]].count
        )
        let rows = inputs.count / width
        #expect(rows > 1 && inputs.count == rows * width && outputs.count == rows * count)
        let range = (outputs.max() ?? 0) - (outputs.min() ?? 0)
        let reference = ReferenceGraph(read)
        for row in 0..<rows {
            let found = try reference.run([Array(inputs[row * width..<(row + 1) * width])])[0]
            let worst = zip(found, outputs[row * count..<(row + 1) * count]).map { abs($0 - $1) }.max() ?? .infinity
            #expect(worst < 1e-6 * range, "row \(row)")
        }
    }
}
