import ModelFile
import Testing

/// Graphs as files: what is written is read back, and what contradicts itself is refused.
@Suite struct GraphFileTests {
    /// A convolution, a depthwise one, PReLU, pooling, a mean and a fully connected layer.
    static let graph = NetworkGraph(
        values: [
            .init(name: "in", shape: [1, 4, 4, 2]), .init(name: "a", shape: [1, 2, 2, 3]),
            .init(name: "b", shape: [1, 2, 2, 3]), .init(name: "c", shape: [1, 2, 2, 3]),
            .init(name: "d \"e\"", shape: [1, 3]), .init(name: "out", shape: [1, 2]),
        ],
        nodes: [
            .init(
                .convolution(
                    weights: "w", bias: "b", strideY: 2, strideX: 2, padding: .init(bottom: 1, right: 1),
                    activation: .relu6),
                inputs: [0], output: 1),
            .init(
                .depthwiseConvolution(
                    weights: "v", bias: nil, strideY: 1, strideX: 1,
                    padding: .init(top: 1, bottom: 1, left: 1, right: 1), activation: .none), inputs: [1], output: 2),
            .init(.prelu(slope: "s"), inputs: [2], output: 3), .init(.mean, inputs: [3], output: 4),
            .init(.fullyConnected(weights: "f", bias: nil, activation: .relu), inputs: [4], output: 5),
        ], inputs: [0], outputs: [5])

    static func parameters(int8: Bool = false) -> [String: GraphFile.Parameter] {
        func weights(_ shape: [Int], channels: Int) -> GraphFile.Parameter {
            let count = shape.reduce(1, *)
            guard int8 else { return .init(shape: shape, values: .float((0..<count).map { Float($0) / 4 - 1 })) }
            let quantised = (0..<count).map { Int8(truncatingIfNeeded: $0 * 5 % 255 - 127) }
            return .init(shape: shape, values: .int8(quantised, scales: (1...channels).map { Float($0) / 8 }))
        }
        return [
            "w": weights([3, 3, 3, 2], channels: 3), "v": weights([1, 3, 3, 3], channels: 3),
            "f": weights([2, 3], channels: 2), "b": .init(shape: [3], values: .float([1, -2, 0.1])),
            "s": .init(shape: [3], values: .float([0.5, 0.25, 0])),
        ]
    }

    static func file(_ precision: ModelManifest.Precision) -> GraphFile {
        let quantisation = [
            "in": GraphFile.Quantisation(scale: 1 / 255, zeroPoint: 0),
            "a": GraphFile.Quantisation(scale: 0.1, zeroPoint: 128),
        ]
        return GraphFile(
            graph: graph, parameters: parameters(int8: precision == .int8),
            quantisation: precision == .int8 ? quantisation : [:],
            manifest: GraphManifest(
                precision: precision, source: "a.tflite", sourceSHA256: String(repeating: "0a", count: 32),
                calibration: precision == .int8 ? "none" : nil, provenance: "made up", additional: ["key": "value"]))
    }

    @Test(arguments: [ModelManifest.Precision.float32, .int8])
    func isReadAsItWasWritten(precision: ModelManifest.Precision) throws {
        let file = Self.file(precision)
        let bytes = try file.bytes()
        let read = try GraphFile(bytes: bytes)
        #expect(read.graph == file.graph)
        #expect(read.parameters == file.parameters)
        #expect(read.quantisation == file.quantisation)
        #expect(read.manifest == file.manifest)
        #expect(try read.bytes() == bytes)
    }

    @Test func float16IsRounded() throws {
        let read = try GraphFile(bytes: Self.file(.float16).bytes())
        #expect(read.parameters["w"] == Self.file(.float32).parameters["w"])
        // 0.1 as binary16.
        #expect(read.parameters["b"]?.floats() == [1, -2, 0.099_975_586])
    }

    @Test func scalesAreOfTheirChannels() throws {
        let file = try GraphFile(bytes: Self.file(.int8).bytes())
        let dense = try #require(file.parameters["f"]).floats()
        // -127, -122... times 1/8 in the first row and 2/8 in the second.
        let rows: [Float] = [-15.875, -15.25, -14.625, -28, -26.75, -25.5]
        #expect(dense == rows)
        let depthwise = try #require(file.parameters["v"]).floats(channelsLast: true)
        // Times 1/8, 2/8 and 3/8 in turn.
        let channels: [Float] = [-15.875, -30.5, -43.875, -14]
        #expect(Array(depthwise.prefix(4)) == channels)
    }

    // MARK: Refusals

    /// The file's bytes with other tensors or metadata, and the hash of those.
    private func bytes(
        _ precision: ModelManifest.Precision = .float32,
        _ alter: (inout [String: TensorPayload], inout [String: String]) -> Void
    ) throws -> [UInt8] {
        let file = try SafetensorsFile(bytes: Self.file(precision).bytes())
        var tensors = Dictionary(uniqueKeysWithValues: Self.payloads(file).map { ($0.name, $0) })
        var metadata = file.metadata
        alter(&tensors, &metadata)
        return try Self.hashed(Array(tensors.values), metadata)
    }

    static func payloads(_ file: SafetensorsFile) -> [TensorPayload] {
        file.tensors.map {
            TensorPayload(name: $0.name, type: $0.type, shape: $0.shape, bytes: Array(file.bytes[$0.byteRange]))
        }
    }

    /// A file of these tensors and metadata whose hash is right.
    static func hashed(_ tensors: [TensorPayload], _ metadata: [String: String]) throws -> [UInt8] {
        var metadata = metadata
        metadata[ContentHash.key] = ContentHash(metadata: metadata, tensors: tensors).digits
        return try SafetensorsWriter.bytes(tensors: tensors, metadata: metadata)
    }

    @Test func damageIsRefused() throws {
        let bytes = try Self.file(.float32).bytes()
        let file = try SafetensorsFile(bytes: bytes)
        let recorded = try #require(file.metadata[ContentHash.key])
        var damaged = bytes
        damaged[damaged.count - 1] ^= 1
        let found = ContentHash(try SafetensorsFile(bytes: damaged)).digits
        #expect(throws: ModelFileError.contentMismatch(recorded: recorded, found: found)) {
            try GraphFile(bytes: damaged)
        }
        var metadata = file.metadata
        metadata[ContentHash.key] = nil
        let without = try SafetensorsWriter.bytes(tensors: Self.payloads(file), metadata: metadata)
        #expect(throws: ModelFileError.missingMetadata(key: ContentHash.key)) { try GraphFile(bytes: without) }
    }

    private func expect(
        _ error: ModelFileError, _ precision: ModelManifest.Precision = .float32,
        _ location: SourceLocation = #_sourceLocation,
        _ alter: (inout [String: TensorPayload], inout [String: String]) -> Void
    ) {
        #expect(throws: error, sourceLocation: location) { try GraphFile(bytes: bytes(precision, alter)) }
    }

    @Test func metadataIsChecked() {
        expect(.notAGraph) { $1["format"] = "gesture-model" }
        expect(.notAGraph) { $1["format"] = nil }
        expect(.unsupportedVersion("2")) { $1["format_version"] = "2" }
        expect(.malformedMetadata(key: "precision", value: "int4")) { $1["precision"] = "int4" }
        expect(.malformedMetadata(key: "source_sha256", value: "0A")) { $1["source_sha256"] = "0A" }
        expect(.missingMetadata(key: "graph")) { $1["graph"] = nil }
        expect(.missingMetadata(key: "quantisation"), .int8) { $1["quantisation"] = nil }
        expect(.syntax(.unexpectedEnd, offset: 0)) { $1["graph"] = "" }
    }

    @Test func quantisationIsChecked() {
        func expectMalformed(_ text: String, _ value: String, _ location: SourceLocation = #_sourceLocation) {
            expect(.malformedMetadata(key: "quantisation", value: value), .int8, location) { $1["quantisation"] = text }
        }
        expectMalformed("{\"other\":[\"1\",0]}", "other")
        expectMalformed("{\"in\":[\"0\",0]}", "in")
        expectMalformed("{\"in\":[\"-1\",0]}", "in")
        expectMalformed("{\"in\":[\"inf\",0]}", "in")
        // Beyond `valueScales`.
        expectMalformed("{\"in\":[\"9e-13\",0]}", "in")
        expectMalformed("{\"in\":[\"1048577.0\",0]}", "in")
        expectMalformed("{\"in\":[\"1\",256]}", "in")
        expectMalformed("{\"in\":[\"1\"]}", "in")
        expectMalformed("{\"in\":[\"1\",0,0]}", "in")
        expect(.duplicateKey("in"), .int8) { $1["quantisation"] = "{\"in\":[\"1\",0],\"in\":[\"1\",0]}" }
    }

    @Test func tensorsAreChecked() {
        func refused(
            _ error: ModelFileError, _ tensor: TensorPayload, _ precision: ModelManifest.Precision = .float32,
            _ location: SourceLocation = #_sourceLocation
        ) { expect(error, precision, location) { tensors, _ in tensors[tensor.name] = tensor } }
        expect(.graph(.node(0, operation: "convolution", .missingParameter("w")))) { tensors, _ in tensors["w"] = nil }
        expect(.missingTensor("f.scale"), .int8) { tensors, _ in tensors["f.scale"] = nil }
        refused(.unexpectedTensor("x"), .float32("x", shape: [1], [1]))
        refused(.unexpectedTensor("w.scale"), .float32("w.scale", shape: [3], [1, 1, 1]))
        refused(
            .wrongType(tensor: "s", expected: "F32", found: "F16"), .float16("s", shape: [3], bits: [0, 0, 0]))
        refused(
            .wrongType(tensor: "b", expected: "F16", found: "F32"), .float32("b", shape: [3], [0, 0, 0]), .float16)
        refused(.invalidValue(tensor: "b", index: 1), .float32("b", shape: [3], [0, .nan, 0]))
        refused(.invalidValue(tensor: "b", index: 2), .float16("b", shape: [3], bits: [0, 0, 0x7C00]), .float16)
        refused(
            .wrongType(tensor: "f", expected: "I8", found: "F32"),
            .float32("f", shape: [2, 3], [0, 0, 0, 0, 0, 0]), .int8)
        refused(.invalidValue(tensor: "f", index: 4), .int8("f", shape: [2, 3], [0, 0, 0, 0, -128, 0]), .int8)
        // Beyond `parameterLimit` and `weightScales`.
        refused(
            .overflow(tensor: "b", index: 2),
            .float32("b", shape: [3], [GraphFile.parameterLimit, 0, -GraphFile.parameterLimit.nextUp]))
        for scale in [GraphFile.weightScales.lowerBound.nextDown, GraphFile.weightScales.upperBound.nextUp, 0] {
            refused(
                .invalidValue(tensor: "f.scale", index: 1), .float32("f.scale", shape: [2], [1, scale]), .int8)
        }
        refused(
            .wrongShape(tensor: "v.scale", expected: [3], found: [1]), .float32("v.scale", shape: [1], [1]), .int8)
    }

    @Test func onlyWhatIsReadIsWritten() {
        func expect(
            _ error: ModelFileError, _ parameters: [String: GraphFile.Parameter], _ precision: ModelManifest.Precision
        ) {
            #expect(throws: error) {
                try GraphFile(graph: Self.graph, parameters: parameters, manifest: .init(precision: precision)).bytes()
            }
        }
        var parameters = Self.parameters()
        expect(.wrongType(tensor: "f", expected: "I8", found: "F32"), parameters, .int8)
        parameters["x"] = .init(shape: [1], values: .float([1]))
        expect(.unexpectedTensor("x"), parameters, .float32)
        parameters["x"] = nil
        parameters["b"] = .init(shape: [3], values: .float([1e6, 0, 0]))
        expect(.invalidValue(tensor: "b", index: 0), parameters, .float16)
        parameters["b"] = nil
        expect(.missingTensor("b"), parameters, .float32)
        expect(.wrongType(tensor: "f", expected: "a float type", found: "I8"), Self.parameters(int8: true), .float32)
    }
}
