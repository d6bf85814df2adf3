import ModelFile
import Testing
import WeightImport

/// What is not known, or broken, is refused by its name.
@Suite struct TFLiteRefusalTests {
    /// A 3x3 convolution, altered before it is written.
    private func convolution(
        padding: Int = 0, stride: Int = 1, activation: Int = 0, dilation: Int = 1,
        _ alter: (inout TFLiteWriter) -> Void = { _ in }
    ) -> TFLiteWriter {
        var writer = TFLiteWriter()
        writer.inputs = [writer.tensor("in", [1, 4, 4, 1])]
        writer.outputs = [writer.tensor("out", [1, 4, 4, 1])]
        let weights = writer.floats("w", [1, 3, 3, 1], [Float](repeating: 1, count: 9))
        writer.convolution(
            0, weights: weights, bias: nil, to: 1, padding: padding, strideY: stride, strideX: stride,
            activation: activation, dilation: dilation)
        alter(&writer)
        return writer
    }

    private func expect(_ error: TFLiteError, _ writer: TFLiteWriter, _ location: SourceLocation = #_sourceLocation) {
        #expect(throws: error, sourceLocation: location) { try TFLiteGraph.read(writer.bytes) }
    }

    /// An operator of the file by its code, with an input and an output of one shape.
    private func operation(
        _ code: Int, custom: String? = nil, options: (type: Int, slots: [Int: FlatPart])? = nil,
        output: [Int] = [1, 4, 4, 1], constant: (inout TFLiteWriter) -> Int? = { _ in nil }
    ) -> TFLiteWriter {
        var writer = TFLiteWriter()
        writer.inputs = [writer.tensor("in", [1, 4, 4, 1])]
        writer.outputs = [writer.tensor("out", output)]
        let second = constant(&writer)
        writer.operation(code, [0] + (second.map { [$0] } ?? []), [1], options: options, custom: custom)
        return writer
    }

    @Test func theConvolutionItselfIsFine() throws {
        _ = try TFLiteGraph.read(convolution().bytes)
    }

    @Test func unknownOperators() {
        expect(.operation(0, operation: "TANH", .unsupported), operation(28))
        expect(.operation(0, operation: "STABLEHLO_CBRT", .unsupported), operation(208))
        expect(.operation(0, operation: "operator 209", .unsupported), operation(209))
        expect(.operation(0, operation: "operator 100000", .unsupported), operation(100_000))
        expect(.operation(0, operation: "CUSTOM Magic", .unsupported), operation(32, custom: "Magic"))
    }

    @Test func unknownOptions() {
        func fault(_ fault: TFLiteError.OperationFault) -> TFLiteError { .operation(0, operation: "CONV_2D", fault) }
        expect(fault(.dilation(2, 2)), convolution(dilation: 2))
        expect(fault(.activation("TANH")), convolution(activation: 4))
        expect(fault(.activation("activation 9")), convolution(activation: 9))
        expect(fault(.option("stride", 0)), convolution(stride: 0))
        expect(fault(.option("stride", -1)), convolution(stride: -1))
        expect(fault(.option("padding", 2)), convolution(padding: 2))
        expect(
            .operation(0, operation: "CONV_2D", .optionsType(0)), operation(3) { $0.floats("w", [1, 1, 1, 1], [1]) })
        expect(
            .operation(0, operation: "CONV_2D", .optionsType(2)),
            operation(3, options: (2, [:])) { $0.floats("w", [1, 1, 1, 1], [1]) })
        expect(
            .operation(0, operation: "MAX_POOL_2D", .activation("RELU")),
            operation(
                17, options: (5, [1: .int32(1), 2: .int32(1), 3: .int32(1), 4: .int32(1), 5: .int8(1)])))
        expect(
            .operation(0, operation: "FULLY_CONNECTED", .option("weights_format", 1)),
            operation(9, options: (8, [1: .int8(1)])) { $0.floats("w", [1, 16], [Float](repeating: 0, count: 16)) })
        var multiplied = TFLiteWriter()
        multiplied.inputs = [multiplied.tensor("in", [1, 4, 4, 1])]
        multiplied.outputs = [multiplied.tensor("out", [1, 4, 4, 2])]
        let weights = multiplied.floats("w", [1, 1, 1, 2], [1, 1])
        multiplied.depthwise(0, weights: weights, bias: nil, to: 1, multiplier: 2)
        expect(.operation(0, operation: "DEPTHWISE_CONV_2D", .depthMultiplier(2)), multiplied)
    }

    @Test func operandsOfTheWrongKind() {
        expect(
            .operation(0, operation: "MAXIMUM", .constant("c")),
            operation(55) { $0.floats("c", [1, 4, 4, 1], [Float](repeating: 0, count: 16)) })
        expect(.operation(0, operation: "MEAN", .notConstant("in")), operation(40) { _ in 0 })
        expect(
            .operation(0, operation: "MEAN", .constantOperand("axes")),
            operation(40) { $0.integers("axes", [2], [1, 3]) })
        expect(.operation(0, operation: "ADD", .operand(99)), operation(0) { _ in 99 })
        expect(.operation(0, operation: "ADD", .operand(-1)), operation(0) { _ in -1 })
        expect(.operation(0, operation: "ADD", .operandCount(inputs: 1, outputs: 1)), operation(0))
        expect(
            .operation(0, operation: "PAD", .constantOperand("paddings")),
            operation(34) { $0.integers("p", [4, 2], [0, 0, -1, 1, 0, 0, 0, 0]) })
        expect(.operation(0, operation: "DEQUANTIZE", .notConstant("in")), operation(6))
        expect(
            .operation(0, operation: "RESIZE_BILINEAR", .constantOperand("size")),
            operation(23) { $0.integers("size", [2], [8, 8]) })
    }

    @Test func tensorsOfTheWrongKind() {
        func convolution(_ weights: (inout TFLiteWriter) -> Int) -> TFLiteWriter {
            var writer = TFLiteWriter()
            writer.inputs = [writer.tensor("in", [1, 4, 4, 1])]
            writer.outputs = [writer.tensor("out", [1, 4, 4, 1])]
            let tensor = weights(&writer)
            writer.convolution(0, weights: tensor, bias: nil, to: 1)
            return writer
        }
        expect(
            .tensor("w", .type(found: "INT8", expected: "FLOAT32 or FLOAT16")),
            convolution { $0.tensor("w", [1, 1, 1, 1], type: 9, data: [1]) })
        expect(
            .tensor("w", .byteCount(expected: 4, found: 3)),
            convolution { $0.tensor("w", [1, 1, 1, 1], data: [1, 2, 3]) })
        expect(
            .tensor("w", .byteCount(expected: 36, found: 4)),
            convolution { $0.tensor("w", [1, 3, 3, 1], data: [1, 2, 3, 4]) })
        expect(.tensor("w", .notFinite(index: 0)), convolution { $0.floats("w", [1, 1, 1, 1], [.nan]) })
        expect(.tensor("w", .notFinite(index: 0)), convolution { $0.halves("w", [1, 1, 1, 1], [.infinity]) })
        expect(
            .tensor("w", .byteCount(expected: 36, found: 4)),
            convolution { $0.tensor("w", [1, 3, 3, 1], data: [0, 0, 0, 0], isExternal: true) })
        let whole = convolution { $0.tensor("w", [1, 1, 1, 1], data: [0, 0, 128, 63], isExternal: true) }
        let end = whole.bytes.count
        for (offset, size) in [(end - 3, 4), (end, 4), (end + 1, 4), (2, end), (Int.max, 4), (4, Int.max)] {
            var writer = whole
            writer.externalPlace = (UInt64(offset), UInt64(size))
            expect(.tensor("w", .externalBuffer(offset: offset, size: size, fileSize: end)), writer)
        }
        for (offset, size) in [(UInt64.max, UInt64(4)), (4, .max), (.max, .max)] {
            var writer = whole
            writer.externalPlace = (offset, size)
            #expect(throws: TFLiteError.self) { try TFLiteGraph.read(writer.bytes) }
        }
        expect(
            .operation(0, operation: "CONV_2D", .notConstant("w")), convolution { $0.tensor("w", [1, 1, 1, 1]) })
        let large = 1 << 30
        expect(
            .operation(0, operation: "CONV_2D", .option("window", large)),
            convolution { $0.tensor("w", [1, large, large, large], data: [0, 0, 0, 0]) })
        var state = convolution { $0.floats("w", [1, 1, 1, 1], [1]) }
        let variable = state.tensor("state", [1, 4, 4, 1], isVariable: true)
        state.inputs = [variable]
        expect(.tensor("state", .variable), state)
        var integer = convolution { $0.floats("w", [1, 1, 1, 1], [1]) }
        integer.inputs = [integer.tensor("bytes", [1, 4, 4, 1], type: 9)]
        expect(.tensor("bytes", .type(found: "INT8", expected: "FLOAT32")), integer)
    }

    @Test func filesOfTheWrongKind() {
        expect(.notTFLite, convolution { $0.identifier = "TFL2" })
        expect(.version(2), convolution { $0.version = 2 })
        expect(.subgraphCount(2), convolution { $0.subgraphCount = 2 })
        expect(.subgraphCount(0), convolution { $0.subgraphCount = 0 })
        expect(.ends(tensor: 77), convolution { $0.outputs = [77] })
        expect(.ends(tensor: 2), convolution { $0.inputs = [0, 2] })
        expect(.graph(.node(0, operation: "convolution", .notYetWritten(value: "in"))), convolution { $0.inputs = [] })
        let long = String(repeating: "n", count: 1025)
        expect(
            .graph(.value(long.excerpt(), .nameTooLong(bytes: 1025, limit: 1024))),
            convolution { $0.tensors[0] = .table([0: .int32s([1, 4, 4, 1]), 1: .int8(0), 3: .string(long)]) })
        expect(.graph(.value("out", .writtenTwice)), convolution { $0.convolution(0, weights: 2, bias: nil, to: 1) })
        expect(
            .graph(.node(0, operation: "convolution", .outputShape(expected: [1, 4, 4, 1], found: [1, 9, 9, 1]))),
            convolution { $0.tensors[1] = .table([0: .int32s([1, 9, 9, 1]), 1: .int8(0), 3: .string("out")]) })
    }

    @Test func brokenOffsets() {
        let bytes = convolution().bytes
        #expect(throws: TFLiteError.notTFLite) { try TFLiteGraph.read(Array(bytes.prefix(7))) }
        #expect(throws: TFLiteError.notTFLite) { try TFLiteGraph.read([]) }
        #expect(throws: TFLiteError.malformed(.table, offset: 0)) { try TFLiteGraph.read(Array(bytes.prefix(8))) }
        for root: [UInt8] in [[0, 0, 0, 0], [255, 255, 255, 255], [255, 255, 255, 127]] {
            #expect(throws: TFLiteError.malformed(.table, offset: 0)) {
                try TFLiteGraph.read(root + bytes.dropFirst(4))
            }
        }
        // Every cut of the file is refused: the last bytes are a table that is needed.
        for count in 8..<bytes.count - 3 {
            #expect(throws: TFLiteError.self) { try TFLiteGraph.read(Array(bytes.prefix(count))) }
        }
    }
}
