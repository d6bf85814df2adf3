import Kernels
import ModelFile
import Network
import PixelFrontEnd
import Testing
import WeightImport

@Suite struct ModelBuilderTests {
    private func builder(_ precision: ModelManifest.Precision) -> ModelBuilder {
        var builder = ModelBuilder(precision: precision, activationScales: Fixture.scales)
        builder.calibration = "made up"
        builder.training = "{}"
        builder.sourceSHA256 = String(repeating: "a", count: 64)
        return builder
    }

    @Test func theSameInputGivesTheSameBytes() throws {
        for precision in ModelManifest.Precision.allCases {
            let first = try builder(precision).build(FoldedNetwork(Fixture.tensors(), classCount: 13))
            let second = try builder(precision).build(FoldedNetwork(Fixture.tensors(), classCount: 13))
            #expect(first.bytes == second.bytes)
            #expect(
                first.bytes
                    != (try builder(precision).build(FoldedNetwork(Fixture.tensors(seed: 2), classCount: 13))).bytes)
        }
    }

    @Test func anInt8ModelIsSmallAndCarriesItsManifest() throws {
        let product = try builder(.int8).build(Fixture.goldenNetwork())
        #expect(product.bytes.count < 380_000)
        let manifest = try ModelFile(bytes: product.bytes).manifest
        #expect(manifest.network == "GestureTCN-340K" && manifest.precision == .int8)
        #expect(manifest.labels.count == 13 && manifest.nullIndex == 12 && manifest.labels[12] == "null")
        #expect(manifest.activationScales == Fixture.scales && manifest.calibration == "made up")
        #expect(manifest.postProcessing == .init() && manifest.training == "{}")
        #expect(product.model.file.tensors.count == 3 * 23)
    }

    @Test func floatModelsHoldTheFoldedParameters() throws {
        let network = try Fixture.goldenNetwork()
        let single = try builder(.float32).build(network)
        let half = try builder(.float16).build(network)
        #expect(single.model.manifest.activationScales.isEmpty && single.model.manifest.calibration == nil)
        for layer in network.layers {
            let stored = try single.model.floatLayer(layer.spec.name, shape: layer.spec.weightShape)
            #expect(stored.weights == layer.weights && stored.bias == layer.bias)
            let rounded = try half.model.floatLayer(layer.spec.name, shape: layer.spec.weightShape)
            for (exact, found) in zip(layer.weights + layer.bias, rounded.weights + rounded.bias) {
                #expect(abs(found - exact) <= max(abs(exact) * 0x1p-11, 0x1p-25))
            }
        }
        #expect(half.bytes.count < single.bytes.count * 51 / 100)
    }

    @Test func int8NeedsEveryScale() throws {
        let network = try Fixture.goldenNetwork()
        var builder = builder(.int8)
        builder.activationScales["t2.conv"] = nil
        #expect(throws: ImportError.calibrationRequired) { try builder.build(network) }
        builder.activationScales["t2.conv"] = 0.5
        #expect(throws: ImportError.file(.malformedMetadata(key: "activation_scale.t2.conv", value: "0.5"))) {
            try builder.build(network)
        }
    }

    @Test func labelsMustFitTheClasses() throws {
        let network = try Fixture.goldenNetwork()
        var builder = builder(.int8)
        builder.nullLabel = "nothing"
        #expect(throws: ImportError.labels(ModelBuilder.defaultLabels, nullLabel: "nothing")) {
            try builder.build(network)
        }
        builder.nullLabel = "null"
        builder.labels = ["wave", "null"]
        #expect(throws: ImportError.labels(["wave", "null"], nullLabel: "null")) { try builder.build(network) }
        builder.labels = [String](repeating: "null", count: 13)
        #expect(throws: ImportError.file(.malformedMetadata(key: "labels", value: JSONText.array(builder.labels)))) {
            try builder.build(network)
        }
    }

    @Test func weightsBeyondFloat16AreNamed() throws {
        var tensors = Fixture.tensors()
        var weights = try #require(tensors["fc.weight"]?.values)
        weights[11] = 1e6
        // The middle between the largest float16 and the next step rounds up to infinity, what is below it down.
        weights[12] = -65_520
        weights[13] = (65_520 as Float).nextDown
        tensors["fc.weight"] = Fixture.tensor([13, 160], weights)
        let network = try FoldedNetwork(tensors, classCount: 13)
        let error = ImportError.halfOverflow(tensor: "fc.weight", index: 11, value: 1e6, count: 2)
        #expect(throws: error) { try builder(.float16).build(network) }
        #expect(
            "\(error)"
                == "fc.weight has 1000000.0 at element 11, which is outside of float16's range, and 1 more such values."
        )
        #expect(try builder(.float32).build(network).bytes.count > 0)
    }

    @Test func weightsThatCouldOverflowAreNamed() throws {
        var tensors = Fixture.tensors()
        var weights = try #require(tensors["fc.weight"]?.values)
        weights[11] = 1e36
        tensors["fc.weight"] = Fixture.tensor([13, 160], weights)
        let network = try FoldedNetwork(tensors, classCount: 13)
        #expect(throws: ImportError.file(.overflow(tensor: "fc.weight", index: 11))) {
            try builder(.float32).build(network)
        }
        // Calibration runs the float network, too.
        #expect(throws: ImportError.file(.overflow(tensor: "fc.weight", index: 11))) {
            try ActivationCalibrator(network, countingValues: false).frameCount
        }
    }

    /// Two classes more, trained in the classifier alone: the old classes' logits stay, and the file hardly grows.
    @Test func aLargerHeadLeavesTheOldClassesAlone() throws {
        var tensors = try TensorNames().apply(Fixture.golden().tensors)
        let small = try FoldedNetwork(tensors, classCount: 13)
        var numbers = Fixture.Numbers(seed: 15)
        for (name, shape, count) in [("fc.weight", [15, 160], 320), ("fc.bias", [15], 2)] {
            tensors[name] = Fixture.tensor(shape, try #require(tensors[name]?.values) + numbers.next(count))
        }
        let large = try FoldedNetwork(tensors, classCount: 15)
        var largeBuilder = builder(.int8)
        largeBuilder.labels = ModelBuilder.defaultLabels + ["fist", "peace"]
        let products = [try builder(.int8).build(small), try largeBuilder.build(large)]
        #expect((0..<1024).contains(products[1].bytes.count - products[0].bytes.count))

        var logits: [[Float]] = []
        for product in products {
            let unit = try NetworkUnit(int8: product.weights, kernels: KernelRegistry.select())
            var last: [Float]?
            for frame in try Fixture.goldenFrames()[..<16] { last = unit.trace(frame.span) { _, _ in } }
            logits.append(try #require(last))
        }
        #expect(logits[1].count == 15 && Array(logits[1][..<13]) == logits[0])
    }
}
