import Kernels
import ModelFile
import Network
import PixelFrontEnd
import Testing
import Vocabulary
import WeightImport

@Suite struct ExportTests {
    /// A model with every setting that a checkpoint can bring.
    private func product(
        _ frontEnd: FrontEnd, _ precision: ModelManifest.Precision, temporal: [LayerSpec] = GestureTCN.temporal
    ) throws -> ModelBuilder.Product {
        let layers = frontEnd.layers(classCount: 13, temporal: temporal)
        var builder = ModelBuilder(precision: precision, activationScales: Fixture.scales)
        builder.activationScales["t4.conv"] = temporal.count == 4 ? 4 / 255 : nil
        if frontEnd == .landmarks { builder.activationScales = builder.activationScales.filter { $0.key.first == "t" } }
        builder.training = #"{"recipe":"none"}"#
        builder.postProcessing = ModelManifest.PostProcessing(
            median: .milliseconds(100), begin: .milliseconds(90), beginConfidence: 0.75,
            classConfidence: ["tap": 0.5], steady: .init(milliseconds: 150, confidence: 0.5),
            end: .milliseconds(60), unsureEndMilliseconds: 300, returnMilliseconds: 400,
            returnStrokes: ["swipeLeft": "swipeRight"], mergeWindowMilliseconds: 200)
        return try builder.build(FoldedNetwork(Fixture.tensors(of: layers, seed: 4), classCount: 13))
    }

    /// As `gesture-import import` does it, without the hash of the source.
    private func imported(_ bytes: [UInt8], _ precision: ModelManifest.Precision) throws -> ModelBuilder.Product {
        let checkpoint = try Checkpoint(bytes: bytes)
        let network = try FoldedNetwork(TensorNames().apply(checkpoint.tensors), classCount: 13)
        var builder = ModelBuilder(
            precision: precision,
            labels: try JSONText.stringArray(in: Array(#require(checkpoint.metadata["labels"]).utf8)))
        builder.activationScales = try checkpoint.activationScales(network.layers.map(\.spec)) ?? [:]
        builder.postProcessing = try #require(try checkpoint.postProcessing())
        builder.training = checkpoint.metadata["training"]
        return try builder.build(network)
    }

    /// A model of what was exported is the model itself.
    @Test(arguments: [FrontEnd.pixels, .landmarks], [ModelManifest.Precision.float32, .float16])
    func exportsBecomeTheSameModel(_ frontEnd: FrontEnd, _ precision: ModelManifest.Precision) throws {
        let product = try product(frontEnd, precision)
        let files = [
            try ModelExport.safetensors(product.model, product.weights),
            ModelExport.onnx(product.model, product.weights),
        ]
        for file in files { #expect(try imported(file, precision).bytes == product.bytes) }
    }

    /// Of an int8 model the floats are exported that its values stand for.
    @Test func int8ModelsAreDequantised() throws {
        for temporal in [GestureTCN.temporal, GestureTCN.longTemporal] {
            let product = try product(.landmarks, .int8, temporal: temporal)
            let checkpoint = try Checkpoint(bytes: ModelExport.onnx(product.model, product.weights))
            for layer in product.weights.layers {
                #expect(checkpoint.tensors[layer.spec.name + ".weight"]?.values == layer.floats)
                #expect(checkpoint.tensors[layer.spec.name + ".bias"]?.values == layer.bias)
            }
            #expect(checkpoint.tensors.count == 2 * product.weights.layers.count)
            let again = try imported(ModelExport.safetensors(product.model, product.weights), .int8)
            #expect(again.model.manifest.activationScales == product.model.manifest.activationScales)
            let difference = try FileDifference(Checkpoint(bytes: product.bytes), Checkpoint(bytes: again.bytes))
            // Scales are rounded to float16 again at most once.
            for tensor in difference.tensors { #expect(try #require(tensor.decibels) > 60, "\(tensor.name)") }
        }
    }

    // MARK: Differences

    @Test func differencesAreNamed() throws {
        func file(_ tensors: [TensorPayload], _ metadata: [String: String] = [:]) throws -> Checkpoint {
            try Checkpoint(bytes: SafetensorsWriter.bytes(tensors: tensors, metadata: metadata))
        }
        let first = try file(
            [
                .float32("module.a", shape: [2], [1, 2]), .float32("b", shape: [1], [1]),
                .float32("c", shape: [2], [1, 2]),
                .float32("gone", shape: [], [1]), .int8("k", shape: [1], [1]), .float32("n", shape: [1], [.nan]),
            ], ["x": "1", "y": "1", "z": "1"])
        let second = try file(
            [
                .float32("a", shape: [2], [1, 2.5]), .float32("b", shape: [1], [1]),
                .float32("c", shape: [1, 2], [1, 2]), .float32("new", shape: [], [1]), .float32("k", shape: [1], [1]),
                .float32("n", shape: [1], [1]),
            ], ["x": "1", "y": "2"])
        let difference = try FileDifference(first, second)
        #expect(difference.equalTensors == 1 && difference.differs)
        #expect(difference.tensors.map(\.name) == ["a", "c", "gone", "k", "n", "new"])
        #expect(
            difference.tensors.map(\.kind) == [.values, .shape, .onlyFirst, .type, .values, .onlySecond])
        #expect(difference.tensors[0].largestDifference == 0.5)
        #expect(difference.tensors[4].largestDifference == .infinity)
        #expect(difference.tensors[1].first == "F32 2" && difference.tensors[1].second == "F32 1x2")
        #expect(difference.settings.map(\.key) == ["y", "z"])
        #expect(difference.settings.map(\.second) == ["2", nil])
        #expect(try !FileDifference(first, first).differs)
        // The notes of a checkpoint do not count. Of two models the settings do, and where they come from does not.
        let tensor: [TensorPayload] = [.float32("a", shape: [1], [1])]
        func differ(_ one: [String: String], _ other: [String: String]) throws -> Bool {
            let difference = try FileDifference(file(tensor, one), file(tensor, other))
            #expect(difference.settings.count == 1)
            return difference.differs
        }
        let model = ["format": ModelManifest.format]
        #expect(try !differ(["x": "1"], ["x": "2"]) && !differ([:], model))
        #expect(try differ(model, model.merging(["post.once_ms": "9"]) { $1 }))
        #expect(try !differ(model, model.merging(["source_sha256": "9"]) { $1 }))
        let codes = try [file([.int8("k", shape: [1], [1])]), file([.int8("k", shape: [1], [2])])]
        let other = try FileDifference(codes[0], codes[1])
        #expect(other.tensors.map(\.kind) == [.values] && other.tensors[0].largestDifference == nil)
    }

    @Test func modelsOfTwoPrecisionsDifferByRounding() throws {
        let network = try FoldedNetwork(
            Fixture.tensors(of: FrontEnd.landmarks.layers(), seed: 4), classCount: 13)
        func model(_ precision: ModelManifest.Precision) throws -> Checkpoint {
            try Checkpoint(
                bytes: ModelBuilder(
                    precision: precision, activationScales: Fixture.scales.filter { $0.key.first == "t" }
                )
                .build(network).bytes)
        }
        let difference = try FileDifference(model(.float32), model(.int8))
        let weights = difference.tensors.filter { $0.name.hasSuffix(".weight") }
        #expect(weights.count == 4 && weights.allSatisfy { $0.kind == .values && ($0.decibels ?? 0) > 35 })
        #expect(difference.settings.map(\.key).contains("precision"))
    }

    // MARK: References

    @Test func aModelAgreesWithTheLogitsOfItsNetwork() throws {
        let network = try FoldedNetwork(
            Fixture.tensors(of: FrontEnd.landmarks.layers(), seed: 4), classCount: 13)
        let product = try ModelBuilder(precision: .float32).build(network)
        var generator = SplitMix64(seed: 8)
        let inputs = (0..<20).map { _ in (0..<128).map { _ in UInt8.random(in: 0...255, using: &generator) } }
        let result = try ModelVerification(product.weights, against: network, inputs: 20)
        #expect(result.inputs == 20 && result.windows == 5 && result.top1Agreement == 1 && result.largestError == 0)

        // From a file, for every input or for every window, with one logit changed.
        let unit = NetworkUnit(float: try network.networkWeights(), kernels: KernelRegistry.select())
        var logits = inputs.compactMap { unit.trace($0.span) { _, _ in } }
        #expect(logits.count == 5)
        let largest = try #require(logits[2].max())
        logits[2][try #require(logits[2].firstIndex(of: largest))] -= 1000
        let padding = [[Float]](repeating: [Float](repeating: 0, count: 13), count: 15)
        for rows in [logits, padding + logits] {
            let bytes = Self.archive(inputs, rows)
            let reference = try ReferenceLogits(npz: bytes, frontEnd: .landmarks, classCount: 13)
            #expect(reference.inputs == inputs && reference.logits == rows)
            let result = try ModelVerification(product.weights, against: reference)
            #expect(abs(result.largestError - 1000) < 0.1 && result.top1Agreement == 0.8)
            #expect(abs(result.meanError - Double(result.largestError) / 65) < 1e-3)
        }
        // Rows before the first window are not compared, whatever they have.
        let odd = [[Float]](repeating: [Float](repeating: .nan, count: 13), count: 15)
        let padded = try ReferenceLogits(npz: Self.archive(inputs, odd + logits), frontEnd: .landmarks, classCount: 13)
        #expect(try ModelVerification(product.weights, against: padded).windows == 5)
        logits[1][0] = .nan
        let broken = try ReferenceLogits(npz: Self.archive(inputs, logits), frontEnd: .landmarks, classCount: 13)
        #expect(throws: ImportError.notFinite(tensor: "logits", index: 13)) {
            try ModelVerification(product.weights, against: broken)
        }
    }

    private static func archive(_ inputs: [[UInt8]], _ logits: [[Float]]) -> [UInt8] {
        let input = CheckpointWriter.npy(type: "'|u1'", shape: "(\(inputs.count), 128)", inputs.flatMap { $0 })
        let tensor = CheckpointWriter.Tensor(name: "logits", shape: [logits.count, 13], values: logits.flatMap { $0 })
        return GraphSourceTests.archive([
            .init(name: "input.npy", data: input), .init(name: "logits.npy", data: CheckpointWriter.npy(tensor)),
        ])
    }

    @Test func badReferencesAreRefused() {
        let logits = GraphSourceTests.Member(
            name: "logits.npy", data: CheckpointWriter.npy(.init(name: "", shape: [1, 2], values: [1, 2])))
        func input(_ type: String, _ shape: String, _ count: Int) -> GraphSourceTests.Member {
            .init(
                name: "input.npy",
                data: CheckpointWriter.npy(type: type, shape: shape, [UInt8](repeating: 0, count: count)))
        }
        func expect(
            _ error: ModelFileError, _ members: [GraphSourceTests.Member], _ at: SourceLocation = #_sourceLocation
        ) {
            #expect(throws: ImportError.file(error), sourceLocation: at) {
                try ReferenceLogits(npz: GraphSourceTests.archive(members), frontEnd: .landmarks, classCount: 2)
            }
        }
        let good = input("'|u1'", "(16, 128)", 2048)
        expect(.missingTensor("input"), [logits])
        expect(.missingTensor("logits"), [good])
        expect(
            .wrongType(tensor: "input", expected: "|u1", found: "<f4"),
            [input("'<f4'", "(16, 32)", 2048), logits])
        expect(
            .wrongShape(tensor: "input", expected: [16, 128], found: [15, 128]),
            [input("'|u1'", "(15, 128)", 1920), logits])
        expect(
            .wrongShape(tensor: "input", expected: [2048, 128], found: [2048]),
            [input("'|u1'", "(2048,)", 2048), logits])
        var other = logits
        other.data = CheckpointWriter.npy(.init(name: "", shape: [2, 1], values: [1, 2]))
        expect(.wrongShape(tensor: "logits", expected: [1, 2], found: [2, 1]), [good, other])
    }
}
