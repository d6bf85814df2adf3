import ModelFile
import Testing
import WeightImport

@Suite struct ONNXCheckpointTests {
    private typealias Writer = CheckpointWriter
    private typealias Wire = CheckpointWriter.Wire

    /// Models of both of PyTorch's exporters, which fold BatchNorm and rename, and one with int8 weights. BatchNorm's
    /// epsilon is folded in, so the values move by 5 of a million.
    @Test(arguments: ["scoped.onnx", "exported.onnx", "quantised.onnx"])
    func modelsOfExporters(_ file: String) throws {
        let checkpoint = try Checkpoint(bytes: Fixture.checkpoint(file), fileExtension: "onnx")
        TorchCheckpointTests.expectKnown(checkpoint, tolerance: file == "quantised.onnx" ? 0 : 2e-5)
    }

    private func read(_ constant: [UInt8]) throws -> Checkpoint.Tensor {
        try #require(try Checkpoint(bytes: Writer.onnx(constants: [constant])).tensors["a"])
    }

    private func expect(
        _ fault: ONNXFault, _ bytes: [UInt8], _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: ImportError.onnx(fault), sourceLocation: location) { try Checkpoint(bytes: bytes) }
    }

    private func expectTensor(
        _ fault: ONNXFault.TensorFault, type: Int = 1, _ shape: [Int], _ values: [UInt8],
        _ location: SourceLocation = #_sourceLocation
    ) {
        expect(
            .tensor("a", fault), Writer.onnx(constants: [Writer.onnxTensor("a", type: type, shape, values)]), location)
    }

    @Test func valuesOfEveryField() throws {
        let packed = Wire.bytes(4, Writer.bytes([1, -0.5]))
        let single = Wire.float(4, 1) + Wire.float(4, -0.5)
        let mixed = Wire.float(4, 1) + Wire.bytes(4, Writer.bytes([-0.5]))
        for values in [packed, single, mixed, Wire.bytes(9, Writer.bytes([1, -0.5]))] {
            let tensor = try read(Writer.onnxTensor("a", [2], values))
            #expect(tensor.values == [1, -0.5] && tensor.shape == [2] && tensor.type == "FLOAT")
        }
        // Packed dimensions.
        let dimensions = Wire.bytes(1, [1, 2]) + Wire.number(2, 1) + packed + Wire.text(8, "a")
        #expect(try read(dimensions).shape == [1, 2])
        let doubles = [1, -0.5].flatMap { CheckpointWriter.little(Int(bitPattern: UInt($0.bitPattern)), 8) }
        #expect(try read(Writer.onnxTensor("a", type: 11, [2], Wire.bytes(10, doubles))).values == [1, -0.5])
        let halves = Wire.number(5, 0x3C00) + Wire.number(5, 0xB800)
        #expect(try read(Writer.onnxTensor("a", type: 10, [2], halves)).values == [1, -0.5])
        #expect(try read(Writer.onnxTensor("a", type: 10, [1], Wire.bytes(9, [0, 0x3C]))).values == [1])
        #expect(try read(Writer.onnxTensor("a", type: 16, [1], Wire.number(5, 0x3F80))).values == [1])
        #expect(try read(Writer.onnxTensor("a", type: 16, [1], Wire.bytes(9, [0x80, 0x3F]))).values == [1])
        for (type, name, field) in [
            (2, "UINT8", 5), (3, "INT8", 5), (6, "INT32", 5), (7, "INT64", 7), (9, "BOOL", 5), (13, "UINT64", 11),
        ] {
            let tensor = try read(Writer.onnxTensor("a", type: type, [1], Wire.number(field, 1)))
            #expect(tensor.values == nil && tensor.type == name)
        }
        #expect(try read(Writer.onnxTensor("a", [0, 3], [])).values == [])
        #expect(try read(Writer.onnxTensor("a", [], Wire.float(4, 7))).values == [7])
    }

    @Test func badConstantsAreRefused() {
        let one = Wire.float(4, 1)
        expectTensor(.dataField, [1], [])
        expectTensor(.dataField, [1], one + Wire.bytes(9, Writer.bytes([1])))
        expectTensor(.dataField, [1], Wire.number(5, 1))
        expectTensor(.dataField, type: 3, [1], one)
        expectTensor(.elementCount(expected: 2, found: 1), [2], one)
        expectTensor(.elementCount(expected: 1, found: 2), [1], one + one)
        expectTensor(.elementCount(expected: 2, found: 1), [2], Wire.bytes(9, Writer.bytes([1]) + [0]))
        expectTensor(.shape([-1]), [-1], one)
        expectTensor(.shape([1 << 32, 1 << 32]), [1 << 32, 1 << 32], [])
        expectTensor(.shape([0, Int.max]), [0, Int.max], [])
        expectTensor(.tooManyDimensions(limit: 16), [Int](repeating: 1, count: 1000), one)
        expectTensor(.type(8), type: 8, [1], Wire.text(6, "text"))
        expectTensor(.type(0), type: 0, [1], one)
        expectTensor(.segment, [1], one + Wire.bytes(3, []))
        expectTensor(.range, type: 3, [1], Wire.number(5, 128))
        expectTensor(.range, type: 2, [1], Wire.number(5, -1))
        expectTensor(.range, type: 10, [1], Wire.number(5, 65536))
        expectTensor(.range, type: 6, [1], Wire.number(5, 1 << 32))
        // Values in another file, which a path could put anywhere.
        let path = Wire.bytes(13, Wire.text(1, "location") + Wire.text(2, "../../etc/passwd"))
        expectTensor(.external, [1], path)
        expectTensor(.external, [1], Wire.number(14, 1))
        expect(.structure("a constant without a name"), Writer.onnx(constants: [Writer.onnxTensor("", [1], one)]))
        let constant = Writer.onnxTensor("a", [1], one)
        expect(.nameTwice("a"), Writer.onnx(constants: [constant, constant]))
        expect(.sparse, Writer.onnx(constants: [constant], graph: Wire.bytes(15, [])))
        expect(.structure("no graph"), Wire.number(1, 8) + Wire.text(2, "test"))
        expect(.structure("two graphs"), Writer.onnx(constants: []) + Wire.bytes(7, []))
        expect(
            .tooMany("constants", limit: 4096),
            Writer.onnx(constants: (0...4096).map { Writer.onnxTensor("\($0)", [1], one) }))
        expect(
            .nameTwice("k"), Writer.onnx(constants: [constant], metadata: [("k", "1"), ("k", "2")]))
    }

    @Test func brokenMessagesAreRefused() {
        let start = Wire.number(1, 8) + Wire.text(2, "test")
        let offset = start.count
        // A number of eleven bytes, of more than 64 bits, and one that does not end.
        expect(.wire(.number(offset: offset + 1)), start + [0x28] + [UInt8](repeating: 0x80, count: 10) + [1])
        expect(.wire(.number(offset: offset + 1)), start + [0x28] + [UInt8](repeating: 0xFF, count: 9) + [2])
        expect(.wire(.length(offset: offset + 1)), start + [0x28, 0x80])
        expect(.wire(.length(offset: offset)), start + [0x3A, 5, 1])
        expect(.wire(.length(offset: offset)), start + [0x3A] + Wire.varint(.max))
        // Field 0, groups, kind 7, a field beyond the largest number.
        for tag: [UInt8] in [[0x00], [0x3B], [0x3C], [0x3F], Wire.varint(1 << 32)] {
            expect(.wire(.field(offset: offset)), start + tag + [0, 0, 0, 0])
        }
        expect(.wire(.kind(field: 7, offset: offset)), start + Wire.number(7, 1))
        expect(.wire(.text(offset: offset + 2)), start + Wire.bytes(14, Wire.bytes(1, [0xFF])))
    }

    @Test func weightsAreNamedAfterTheirOperators() throws {
        func constant(_ name: String, _ shape: [Int], _ values: [Float]) -> [UInt8] {
            Writer.onnxTensor(.init(name: name, shape: shape, values: values))
        }
        let transposed = Wire.text(1, "transB") + Wire.number(3, 1)
        let nodes = [
            Writer.onnxNode("Conv", name: "/module/t1/conv/Conv", ["x", "onnx::Conv_1", "onnx::Conv_2"], ["y"]),
            Writer.onnxNode("Clip", ["y", "low", "high"], ["z"]),
            Writer.onnxNode("Identity", ["shared"], ["other.bias"]),
            Writer.onnxNode("Conv", ["z", "other.weight", "other.bias"], ["v"]),
            Writer.onnxNode("MatMul", name: "/fc/MatMul", ["v", "onnx::MatMul_3"], ["u"]),
            Writer.onnxNode("Add", ["u", "fc.bias"], ["t"]),
            Writer.onnxNode("Gemm", ["t", "head.weight"], ["s"], attributes: [transposed]),
            Writer.onnxNode("Gemm", ["s", "tail.weight"], ["r"]),
            Writer.onnxNode("Reshape", ["r", "shape"], ["q"]),
        ]
        let bytes = Writer.onnx(
            constants: [
                constant("onnx::Conv_1", [1, 1, 1], [1]), constant("onnx::Conv_2", [1], [2]), constant("low", [], [0]),
                constant("high", [], [6]), constant("shared", [1], [3]), constant("other.weight", [1, 1, 1], [4]),
                constant("onnx::MatMul_3", [2, 3], [1, 2, 3, 4, 5, 6]), constant("fc.bias", [3], [1, 2, 3]),
                constant("head.weight", [2, 3], [1, 2, 3, 4, 5, 6]), constant("tail.weight", [1, 2], [7, 8]),
                Writer.onnxTensor("shape", type: 7, [1], Wire.number(7, -1)), constant("unused", [1], [9]),
            ], nodes: nodes, metadata: [("labels", "[]")])
        let checkpoint = try Checkpoint(bytes: bytes)
        let expected: [String: ([Int], [Float])] = [
            "module.t1.conv.weight": ([1, 1, 1], [1]), "module.t1.conv.bias": ([1], [2]), "other.bias": ([1], [3]),
            "other.weight": ([1, 1, 1], [4]), "fc.weight": ([3, 2], [1, 4, 2, 5, 3, 6]), "fc.bias": ([3], [1, 2, 3]),
            "head.weight": ([2, 3], [1, 2, 3, 4, 5, 6]), "tail.weight": ([2, 1], [7, 8]), "unused": ([1], [9]),
        ]
        #expect(Set(checkpoint.tensors.keys) == Set(expected.keys))
        for (name, (shape, values)) in expected {
            #expect(checkpoint.tensors[name]?.shape == shape && checkpoint.tensors[name]?.values == values, "\(name)")
        }
        #expect(checkpoint.metadata == ["labels": "[]"])
    }

    @Test func operatorsThatWouldChangeTheNetworkAreRefused() {
        let weight = Writer.onnxTensor(.init(name: "w", shape: [1], values: [1]))
        let epsilon = Wire.text(1, "epsilon") + Wire.float(2, 0.001)
        let norm = Writer.onnxNode(
            "BatchNormalization", name: "bn", ["x", "w", "w", "w", "w"], ["y"], attributes: [epsilon])
        expect(.epsilon("bn", 0.001), Writer.onnx(constants: [weight], nodes: [norm]))
        let quantised = Writer.onnxNode("QLinearConv", ["x", "s", "z", "w"], ["y"])
        expect(.quantisedOperator("QLinearConv"), Writer.onnx(constants: [weight], nodes: [quantised]))
    }

    @Test func dequantisedWeights() throws {
        func read(
            _ scales: [UInt8], _ zeros: [UInt8]?, axis: Int = 0, shape: [Int] = [2, 3], more: [[UInt8]] = []
        ) throws -> [Float]? {
            let codes = Writer.onnxTensor("w_quantized", type: 3, shape, Wire.bytes(9, [1, 2, 3, 0xFF, 0xFE, 0x80]))
            let inputs = ["w_quantized", "s"] + (zeros == nil ? [] : ["z"])
            let attribute = Wire.text(1, "axis") + Wire.number(3, axis)
            let nodes = [
                Writer.onnxNode("DequantizeLinear", inputs, ["d"], attributes: [attribute] + more),
                Writer.onnxNode("Conv", ["x", "d"], ["y"]),
            ]
            let file = Writer.onnx(constants: [codes, scales] + (zeros.map { [$0] } ?? []), nodes: nodes)
            let checkpoint = try Checkpoint(bytes: file)
            #expect(Set(checkpoint.tensors.keys) == ["w"])
            return checkpoint.tensors["w"]?.values
        }
        func scales(_ shape: [Int], _ values: [Float]) -> [UInt8] {
            Writer.onnxTensor(.init(name: "s", shape: shape, values: values))
        }
        func zeros(_ shape: [Int], _ values: [UInt8]) -> [UInt8] {
            Writer.onnxTensor("z", type: 3, shape, Wire.bytes(9, values))
        }
        #expect(try read(scales([], [2]), nil) == [2, 4, 6, -2, -4, -256])
        #expect(try read(scales([2], [1, 0.5]), zeros([2], [1, 0xFF])) == [0, 1, 2, 0, -0.5, -63.5])
        #expect(try read(scales([3], [1, 2, 4]), nil, axis: 1) == [1, 4, 12, -1, -4, -512])
        #expect(try read(scales([3], [1, 2, 4]), nil, axis: -1) == [1, 4, 12, -1, -4, -512])
        let fault = ImportError.onnx(.tensor("w_quantized", .dequantisation))
        #expect(throws: fault) { try read(scales([3], [1, 2, 3]), nil) }
        #expect(throws: fault) { try read(scales([2], [1, 2]), nil, axis: 5) }
        #expect(throws: fault) { try read(scales([2], [1, 2]), zeros([1], [0])) }
        #expect(throws: fault) { try read(scales([1, 2], [1, 2]), nil) }
        let blocks = Wire.text(1, "block_size") + Wire.number(3, 2)
        #expect(throws: fault) { try read(scales([2], [1, 2]), nil, more: [blocks]) }
        // Scales that are computed.
        let node = Writer.onnxNode("DequantizeLinear", ["w", "computed"], ["d"])
        let codes = Writer.onnxTensor("w", type: 3, [1], Wire.bytes(9, [1]))
        expect(.tensor("w", .dequantisation), Writer.onnx(constants: [codes], nodes: [node]))
    }
}
