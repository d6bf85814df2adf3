import KernelInterface
import Kernels
import ModelFile
import Network
import PixelFrontEnd
import TestSupport
import Testing
import Vocabulary

/// The head of landmarks with a fourth temporal layer: what it remembers, and that streaming equals the definition.
@Suite struct LongMemoryTests {
    private static let tiers = KernelRegistry.available.map(\.tier)
    /// Columns with which the logits are compared: more than twice the receptive field.
    private static let columnCount = 90
    /// Three temporal layers and four.
    private static let heads = [GestureTCN.temporal, GestureTCN.longTemporal]

    private static func weights(
        _ temporal: [LayerSpec] = GestureTCN.longTemporal, _ precision: ModelManifest.Precision = .int8
    ) throws -> NetworkWeights {
        let layers = FrontEnd.landmarks.layers(temporal: temporal)
        return try NetworkWeights(model: ModelFile(bytes: ColumnModel.random(seed: 31, precision, layers: layers)))
    }

    private static func unit(
        _ weights: NetworkWeights, _ backend: Backend = .int8, _ tier: String? = nil, stride: Int = 1
    ) throws -> NetworkUnit {
        let kernels = try #require(KernelRegistry.available.first { tier == nil || $0.tier == tier })
        return NetworkUnit(
            try PackedLayers(weights, backend: backend, kernels: kernels), columnStride: stride)
    }

    private static func columns(seed: UInt64, _ count: Int) -> [[UInt8]] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            (0..<GestureTCN.featureCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
    }

    /// The logits after every column, before the window is full as well.
    private static func stream(_ unit: NetworkUnit, _ columns: [[UInt8]]) -> [[Float]] {
        columns.map { column in
            unit.encode(column.span)
            var logits = [Float](repeating: 0, count: unit.classCount)
            var output = logits.mutableSpan
            unit.advance(&output)
            return logits
        }
    }

    // MARK: Streaming

    /// Every column from the first on, bit for bit: the past before a stream is zeros at every layer.
    @Test(arguments: heads, [1, 2, 4])
    func streamingEqualsTheReference(temporal: [LayerSpec], stride: Int) throws {
        let weights = try Self.weights(temporal)
        let columns = Self.columns(seed: 41, Self.columnCount * stride)
        let expected = ReferenceNetwork(weights).logits(ofColumns: columns, stride: stride)
        for tier in Self.tiers {
            #expect(try Self.stream(Self.unit(weights, .int8, tier, stride: stride), columns) == expected, "\(tier)")
        }
    }

    /// A reset restores the zeros, and a repeated column counts like one that is given again.
    @Test(arguments: tiers, [1, 2, 4])
    func afterAResetAndWithRepeatsItEqualsTheReference(tier: String, stride: Int) throws {
        let weights = try Self.weights()
        let unit = try Self.unit(weights, .int8, tier, stride: stride)
        _ = Self.stream(unit, Self.columns(seed: 42, 53 * stride))
        unit.reset()
        #expect(!unit.isWarm)
        var columns = Self.columns(seed: 43, 50 * stride)
        for index in columns.indices where index > 0 && (index % 7 == 3 || (20..<26).contains(index)) {
            columns[index] = columns[index - 1]
        }
        let expected = ReferenceNetwork(weights).logits(ofColumns: columns, stride: stride)
        for (index, column) in columns.enumerated() {
            let isRepeated = index > 0 && column == columns[index - 1]
            let logits = isRepeated ? unit.pushRepeat() : unit.push(column)
            #expect((logits != nil) == (index >= 16 * stride - 1))
            if let logits { #expect(logits == expected[index], "column \(index)") }
        }
    }

    /// A longer memory does not delay the first decision.
    @Test(arguments: heads, [1, 2, 4])
    func bothAreWarmAfterSixteenColumns(temporal: [LayerSpec], stride: Int) throws {
        let unit = try Self.unit(Self.weights(temporal), stride: stride)
        for (index, column) in Self.columns(seed: 44, 20 * stride).enumerated() {
            #expect((unit.push(column) != nil) == (index >= 16 * stride - 1))
        }
    }

    /// The logits change with a column as far back as the receptive field says and with none before it: what was seen before
    /// a loss of the hand of up to a second is still there.
    @Test(arguments: Backend.allCases, [1, 2, 4])
    func memoryIsTheReceptiveField(backend: Backend, stride: Int) throws {
        for (temporal, field) in zip(Self.heads, [15, 39]) {
            let weights = try Self.weights(temporal)
            #expect(weights.receptiveField == field)
            let columns = Self.columns(seed: 45, 60 * stride)
            let last = columns.count - 1
            let expected = try Self.stream(Self.unit(weights, backend, stride: stride), columns)[last]
            func logits(changing column: Int) throws -> [Float] {
                var other = columns
                other[column] = columns[column].map { 255 - $0 }
                return try Self.stream(Self.unit(weights, backend, stride: stride), other)[last]
            }
            // The first column that counts is seen along one path alone: the oldest tap of every layer.
            #expect(try logits(changing: last - (field - 1) * stride) != expected)
            for past in [field * stride, (field - 1) * stride + 1, (field + 6) * stride] {
                #expect(try logits(changing: last - past) == expected, "\(past) columns back")
            }
            // Between them is no gap.
            for back in 0..<field { #expect(try logits(changing: last - back * stride) != expected, "\(back)") }
        }
    }

    /// Half a second without a hand, which is the same column again and again, hides all of a short memory and not of a long one.
    @Test func aLossDoesNotHideWhatWasBefore() throws {
        let before = [46, 47].map { Self.columns(seed: $0, 20) }
        let empty = [[UInt8]](repeating: [UInt8](repeating: 0, count: GestureTCN.featureCount), count: 15)
        for (temporal, isTheSame) in zip(Self.heads, [true, false]) {
            let weights = try Self.weights(temporal)
            let ends = try before.map { try Self.stream(Self.unit(weights), $0 + empty).last }
            #expect((ends[0] == ends[1]) == isTheSame)
        }
    }

    // MARK: Other arithmetic

    /// Float over the same parameters, on every tier, and through the products of tiers without their own.
    @Test(arguments: tiers)
    func floatFollowsInt8(tier: String) throws {
        let weights = try Self.weights()
        let columns = Self.columns(seed: 48, Self.columnCount)
        let float = try Self.stream(Self.unit(weights, .float, tier), columns)
        let int8 = try Self.stream(Self.unit(weights, .int8, tier), columns)
        var (difference, size): (Float, Float) = (0, 0)
        for (a, b) in zip(float, int8) {
            let middle = a.reduce(0, +) / Float(a.count)
            for index in a.indices {
                difference += (a[index] - b[index]) * (a[index] - b[index])
                size += (a[index] - middle) * (a[index] - middle)
            }
        }
        #expect(size > 0)
        #expect(difference < 0.01 * size, "\(difference) of \(size)")
    }

    /// Float parameters of both widths against sums in double precision.
    @Test(arguments: [ModelManifest.Precision.float16, .float32], [1, 2])
    func floatEqualsItsDefinition(precision: ModelManifest.Precision, stride: Int) throws {
        let weights = try Self.weights(GestureTCN.longTemporal, precision)
        let columns = Self.columns(seed: 49, 60 * stride)
        var sequence = columns.map { $0.map { Double($0) * 6 / 255 } }
        for layer in weights.layers {
            let (spec, values) = (layer.spec, layer.floats)
            let taps = spec.kind == .temporal ? 3 : 1
            sequence = sequence.indices.map { t in
                (0..<spec.outputChannels).map { o in
                    var sum = Double(layer.bias[o])
                    for tap in 0..<taps {
                        let source = t - (taps - 1 - tap) * spec.dilation * stride
                        guard source >= 0 else { continue }
                        for i in 0..<spec.inputChannels {
                            sum += sequence[source][i] * Double(values[(o * spec.inputChannels + i) * taps + tap])
                        }
                    }
                    return spec.kind == .temporal ? min(max(sum, 0), 6) : sum
                }
            }
        }
        for tier in Self.tiers {
            let found = try Self.stream(Self.unit(weights, .float, tier, stride: stride), columns)
            for (index, logits) in found.enumerated() {
                for (value, expected) in zip(logits, sequence[index]) {
                    #expect(abs(Double(value) - expected) < 1e-4, "\(tier), column \(index)")
                }
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func featuresAreTheLastLayers(backend: Backend) throws {
        let unit = try Self.unit(Self.weights(), backend)
        for column in Self.columns(seed: 50, 20) {
            var names: [String] = []
            var outputs: [[Float]] = []
            _ = unit.trace(column.span) { spec, values in
                names.append(spec.name)
                outputs.append(values)
            }
            #expect(names == ["t1.conv", "t2.conv", "t3.conv", "t4.conv", "fc"])
            var features = [Float](repeating: -1, count: unit.featureCount)
            var output = features.mutableSpan
            unit.copyFeatures(to: &output)
            #expect(features.count == 160 && features == outputs[3] && features != outputs[2])
        }
        var times = [UInt64](repeating: 0, count: 5)
        var clock: UInt64 = 0
        func now() -> UInt64 {
            clock += 1
            return clock
        }
        let column = Self.columns(seed: 51, 1)[0]
        unit.profile(column.span, now: now, &times)
        #expect(times == [1, 1, 1, 1, 1])
    }

    // MARK: Files

    private static func error(
        _ precision: ModelManifest.Precision = .int8, layers: [LayerSpec] = ColumnModel.fourLayers,
        frontEnd: FrontEnd = .landmarks, _ change: (inout [TensorPayload], inout [String: Float]) -> Void
    ) throws -> ModelFileError? {
        do {
            let bytes = try ColumnModel.random(
                seed: 32, precision, layers: layers, frontEnd: frontEnd, change: change)
            _ = try NetworkWeights(model: ModelFile(bytes: bytes))
            return nil
        } catch let error as ModelFileError {
            return error
        }
    }

    @Test(arguments: ModelManifest.Precision.allCases)
    func theTensorsTellTheLayers(precision: ModelManifest.Precision) throws {
        for temporal in Self.heads {
            let weights = try Self.weights(temporal, precision)
            #expect(weights.frontEnd == .landmarks && weights.layers.map(\.spec).dropLast() == temporal[...])
        }
    }

    @Test(arguments: ModelManifest.Precision.allCases)
    func incompleteFourthLayersAreNamed(precision: ModelManifest.Precision) throws {
        func without(_ name: String) throws -> ModelFileError? {
            try Self.error(precision) { tensors, _ in tensors.removeAll { $0.name == name } }
        }
        #expect(try without("t4.conv.bias") == .missingTensor("t4.conv.bias"))
        #expect(try without("t3.conv.bias") == .missingTensor("t3.conv.bias"))
        // Without its weight it is no layer, and what is left belongs to none.
        #expect(try without("t4.conv.weight") != nil)
        func reshaped(_ name: String, _ shape: [Int]) throws -> ModelFileError? {
            try Self.error(precision) { tensors, _ in
                guard let index = tensors.firstIndex(where: { $0.name == name }) else { return }
                let old = tensors[index]
                let width = old.bytes.count / old.shape.reduce(1, *)
                let count = width * shape.reduce(1, *)
                let bytes = Array((old.bytes + old.bytes).prefix(count))
                tensors[index] = TensorPayload(name: name, type: old.type, shape: shape, bytes: bytes)
            }
        }
        for shape in [[160, 128, 3], [160, 160, 2], [160, 480], [160, 3, 160]] {
            #expect(
                try reshaped("t4.conv.weight", shape)
                    == .wrongShape(tensor: "t4.conv.weight", expected: [160, 160, 3], found: shape))
        }
        #expect(
            try reshaped("t4.conv.bias", [159])
                == .wrongShape(tensor: "t4.conv.bias", expected: [160], found: [159]))
        let isThird = try Self.error(precision) { tensors, scales in
            tensors.removeAll { $0.name.hasPrefix("t3.") }
            scales["t3.conv"] = nil
        }
        #expect(isThird == .missingTensor("t3.conv.weight"))
        let hasFifth = try Self.error(precision) { tensors, _ in
            tensors += tensors.filter { $0.name.hasPrefix("t4.") }.map {
                TensorPayload(name: "t5" + $0.name.dropFirst(2), type: $0.type, shape: $0.shape, bytes: $0.bytes)
            }
        }
        #expect(hasFifth == .unexpectedTensor("t5.conv.weight"))
    }

    @Test func scalesOfTheFourthLayerAreChecked() throws {
        #expect(
            try Self.error { _, scales in scales["t4.conv"] = nil }
                == .missingMetadata(key: "activation_scale.t4.conv"))
        #expect(
            try Self.error { _, scales in scales["t4.conv"] = 1 }
                == .malformedMetadata(key: "activation_scale.t4.conv", value: "1.0"))
        // A scale without its layer: the layer was lost.
        let three = FrontEnd.landmarks.layers()
        #expect(
            try Self.error(layers: three) { _, scales in scales["t4.conv"] = 0.01 }
                == .missingTensor("t4.conv.weight"))
    }

    @Test(arguments: ModelManifest.Precision.allCases)
    func pixelsHaveThreeLayers(precision: ModelManifest.Precision) throws {
        let layers = FrontEnd.pixels.layers(temporal: GestureTCN.longTemporal)
        #expect(
            try Self.error(precision, layers: layers, frontEnd: .pixels) { _, _ in }
                == .unexpectedTensor("t4.conv.weight"))
        #expect(throws: ModelFileError.unexpectedTensor("t4.conv.weight")) {
            try NetworkWeights(float: RandomModel.floats(seed: 1, layers: layers), classCount: 13)
        }
    }

    @Test func identitiesDiffer() throws {
        var identities: Set<String> = []
        for change in 0..<3 {
            let bytes = try ColumnModel.random(seed: 33) { tensors, scales in
                if change == 1 { scales["t4.conv"] = 0.011 }
                guard change == 2, let index = tensors.firstIndex(where: { $0.name == "t4.conv.weight" }) else {
                    return
                }
                var codes = tensors[index].bytes
                codes[1234] ^= 1
                tensors[index] = TensorPayload(
                    name: tensors[index].name, type: .int8, shape: tensors[index].shape, bytes: codes)
            }
            let model = try ModelFile(bytes: bytes)
            identities.insert(try NetworkWeights(model: model).identity(model.manifest))
        }
        #expect(identities.count == 3)
    }
}
