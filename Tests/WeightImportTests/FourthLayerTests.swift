import Kernels
import ModelFile
import Network
import PixelFrontEnd
import TestSupport
import Testing
import Vocabulary
import WeightImport

/// Checkpoints of landmark networks with a fourth temporal layer, on their way into models.
@Suite struct FourthLayerTests {
    private static let layers = ColumnModel.fourLayers
    private static let names = layers.map(\.name)
    private static let scales = Dictionary(uniqueKeysWithValues: names.dropLast().map { ($0, Float(6) / 255) })

    /// No layer folded, all, and the fourth alone.
    private static let foldings: [Set<String>] = [[], Set(names), ["t4.conv"]]

    private static func network(folded: Set<String> = []) throws -> FoldedNetwork {
        try FoldedNetwork(Fixture.tensors(of: layers, folded: folded, seed: 6), classCount: 13)
    }

    private static func columns(_ count: Int, seed: UInt64 = 61) -> [[UInt8]] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in (0..<128).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
    }

    private static func mismatch(_ tensors: [String: Checkpoint.Tensor], ignoring: Bool = false) -> TensorMismatch? {
        do throws(ImportError) {
            _ = try FoldedNetwork(tensors, classCount: 13, ignoringUnexpected: ignoring)
            return nil
        } catch {
            guard case .mismatch(let mismatch) = error else { return nil }
            return mismatch
        }
    }

    @Test(arguments: foldings)
    func theFourthLayerIsTakenWhereItIs(folded: Set<String>) throws {
        let network = try Self.network(folded: folded)
        #expect(network.frontEnd == .landmarks && network.layers.map(\.spec) == Self.layers)
        #expect(network.layers[3].wasFoldedHere == !folded.contains("t4.conv"))
        let three = Fixture.tensors(of: FrontEnd.landmarks.layers(), seed: 6)
        #expect(try FoldedNetwork(three, classCount: 13).layers.map(\.spec) == FrontEnd.landmarks.layers())
    }

    @Test(arguments: foldings, ModelManifest.Precision.allCases)
    func modelsHaveTheFourthLayer(folded: Set<String>, precision: ModelManifest.Precision) throws {
        let network = try Self.network(folded: folded)
        let product = try ModelBuilder(precision: precision, activationScales: Self.scales).build(network)
        #expect(product.weights.layers.map(\.spec) == Self.layers && product.weights.receptiveField == 39)
        #expect(product.model.file.tensors.count == (precision == .int8 ? 15 : 10))
        if precision == .float32 {
            let stored = try product.model.floatLayer("t4.conv", shape: [160, 160, 3])
            #expect(stored.weights == network.layers[3].weights && stored.bias == network.layers[3].bias)
        }
        var comparison = try NetworkComparison(reference: network, model: product.weights)
        for (index, column) in Self.columns(50).enumerated() {
            try comparison.push(column.span, startsSequence: index == 0)
        }
        let result = comparison.result()
        #expect(result.layers.map(\.layer) == Self.names && result.windowCount == 35)
        for layer in result.layers {
            if precision == .float32 { #expect(layer.decibels == nil, "\(layer.layer)") }
            if let decibels = layer.decibels { #expect(decibels > 25, "\(layer.layer): \(decibels)") }
        }
    }

    @Test func anInt8ModelNeedsTheFourthScale() throws {
        var scales = Self.scales
        scales["t4.conv"] = nil
        let builder = ModelBuilder(precision: .int8, activationScales: scales)
        #expect(throws: ImportError.calibrationRequired) { try builder.build(Self.network()) }
    }

    @Test func scalesLearnedInTraining() throws {
        var metadata = ["activation_scale.t4.conv": "0.0125"]
        for name in ["t1.conv", "t2.conv", "t3.conv"] { metadata["activation_scale." + name] = "0.02" }
        func scales() throws -> [String: Float]? {
            let bytes = try SafetensorsWriter.bytes(
                tensors: [.float32("a", shape: [1], [0])], metadata: metadata)
            return try Checkpoint(bytes: bytes).activationScales(Self.layers)
        }
        #expect(try scales() == ["t1.conv": 0.02, "t2.conv": 0.02, "t3.conv": 0.02, "t4.conv": 0.0125])
        metadata["activation_scale.t4.conv"] = nil
        #expect(throws: ImportError.file(.missingMetadata(key: "activation_scale.t4.conv"))) { try scales() }
    }

    @Test func incompleteFourthLayersAreNamed() throws {
        let raw = Fixture.tensors(of: Self.layers)
        let folded = Fixture.tensors(of: Self.layers, folded: Set(Self.names))
        for (tensors, names) in [
            (raw, ["t4.conv.weight", "t4.bn.weight", "t4.bn.bias", "t4.bn.running_mean", "t4.bn.running_var"]),
            (folded, ["t4.conv.weight", "t4.conv.bias"]),
        ] {
            for name in names {
                var tensors = tensors
                tensors[name] = nil
                #expect(Self.mismatch(tensors)?.missing == [name])
            }
        }
        var tensors = raw
        tensors["t4.conv.weight"] = Fixture.tensor([160, 160, 2], [Float](repeating: 0, count: 160 * 320))
        let shape = try #require(Self.mismatch(tensors)?.shapes.first)
        #expect(shape.tensor == "t4.conv.weight" && shape.expected == [160, 160, 3] && shape.found == [160, 160, 2])
        tensors = raw.filter { !$0.key.hasPrefix("t3.") }
        #expect(Self.mismatch(tensors)?.missing.contains("t3.conv.weight") == true)
    }

    /// Without its fourth layer it would be another network, so that it is not passed over as other tensors may be.
    @Test(arguments: [false, true])
    func pixelsHaveThreeLayers(ignoring: Bool) throws {
        let tensors = Fixture.tensors(of: FrontEnd.pixels.layers(temporal: GestureTCN.longTemporal))
        let found = try #require(Self.mismatch(tensors, ignoring: ignoring))
        let names = tensors.keys.filter { $0.hasPrefix("t4.") }.sorted()
        #expect(found.unexpected == names && names.count == 5)
    }

    /// A fourth layer is measured from the first prediction on, which does not wait for its whole past.
    @Test func theFourthLayerIsCalibrated() throws {
        let network = try Self.network()
        let unit = NetworkUnit(float: try network.networkWeights(), kernels: KernelRegistry.select())
        let firstColumns = [2, 6, 14, 15]
        for count in [16, 60] {
            let columns = Self.columns(count)
            unit.reset()
            var largest: [Float] = Array(repeating: 0, count: 4)
            for (index, column) in columns.enumerated() {
                var layer = 0
                _ = unit.trace(column.span) { _, values in
                    if layer < 4, index >= firstColumns[layer] {
                        largest[layer] = max(largest[layer], values.max() ?? 0)
                    }
                    layer += 1
                }
            }
            var calibrator = try ActivationCalibrator(network, countingValues: false)
            for (index, column) in columns.enumerated() {
                try calibrator.push(column.span, startsSequence: index == 0)
            }
            let ranges = try calibrator.ranges()
            #expect(ranges.map(\.layer) == Array(Self.names.dropLast()) && ranges.map(\.largest) == largest)
            #expect(ranges.allSatisfy { $0.largest > 0 })
        }
    }

    /// Another classifier on the same memory: `fc` alone changes.
    @Test func headsAreReplaced() throws {
        let labels = Array(ModelBuilder.defaultLabels.dropLast()) + ["null", "wave"]
        let layers = FrontEnd.landmarks.layers(classCount: 14, temporal: GestureTCN.longTemporal)
        let network = try FoldedNetwork(Fixture.tensors(of: layers), classCount: 14)
        let replacement = try HeadReplacement(labels: labels, nullLabel: "null")
        try replacement.check(Fixture.tensors(of: layers))
        let builder = ModelBuilder(precision: .int8, labels: labels, activationScales: Self.scales)
        let product = try builder.build(network)
        #expect(product.weights.layers.map(\.spec).dropLast() == Self.layers.dropLast())
        #expect((160..<320).contains(try replacement.addedBytes(product, of: network, by: builder)))
        let selected = network.selectingClasses([13, 0])
        #expect(selected.layers.dropLast() == network.layers.dropLast() && selected.frontEnd == .landmarks)
        let report = ImportReport(checkpoint: try Fixture.golden(), network: network, product: product)
        #expect(report.layers.map(\.name) == Self.names && report.network == FrontEnd.landmarks.networkName)
        let weights = 3 * 160 * (128 + 3 * 160) + 160 * 14
        #expect(report.multiplyAddsPerFrame == weights && report.parameters == weights + 4 * 320 + 14)
    }
}
