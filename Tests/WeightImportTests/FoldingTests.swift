import ModelFile
import Network
import Testing
import Vocabulary
import WeightImport

@Suite struct FoldingTests {
    /// BatchNorm after a convolution, computed as BatchNorm is defined, equals the folded convolution.
    @Test func theFoldedLayerComputesWhatTheTwoDid() throws {
        let tensors = Fixture.tensors(seed: 3)
        let network = try FoldedNetwork(tensors, classCount: 13)
        var numbers = Fixture.Numbers(seed: 4)
        func values(_ name: String) throws -> [Double] { try #require(tensors[name]?.values).map(Double.init) }
        for layer in network.layers {
            let spec = layer.spec
            guard let prefix = spec.batchNormPrefix else { continue }
            let weights = try values(spec.name + ".weight")
            let (gamma, beta) = (try values(prefix + ".weight"), try values(prefix + ".bias"))
            let (mean, variance) = (try values(prefix + ".running_mean"), try values(prefix + ".running_var"))
            let input = numbers.next(spec.depth).map(Double.init)
            for channel in 0..<spec.outputChannels {
                var plain = 0.0
                var folded = Double(layer.bias[channel])
                var size = 1.0
                for k in 0..<spec.depth {
                    plain += weights[channel * spec.depth + k] * input[k]
                    folded += Double(layer.weights[channel * spec.depth + k]) * input[k]
                    size += abs(Double(layer.weights[channel * spec.depth + k]) * input[k])
                }
                let expected =
                    (plain - mean[channel]) / (variance[channel] + 0.00001).squareRoot() * gamma[channel]
                    + beta[channel]
                // Each stored value is rounded once to float32.
                #expect(abs(folded - expected) <= size * 0x1p-23, "\(spec.name) \(channel)")
            }
            #expect(layer.wasFoldedHere)
        }
        #expect(network.layers.map(\.spec.name) == GestureTCN.layers().map(\.name))
    }

    @Test func foldedAndRawLayersMayStandSideBySide() throws {
        let foldedNames: Set = ["b2.pw", "t3.conv"]
        let tensors = Fixture.tensors(folded: foldedNames)
        let network = try FoldedNetwork(tensors, classCount: 13)
        for layer in network.layers where foldedNames.contains(layer.spec.name) {
            #expect(!layer.wasFoldedHere)
            #expect(layer.weights == tensors[layer.spec.name + ".weight"]?.values)
            #expect(layer.bias == tensors[layer.spec.name + ".bias"]?.values)
        }
        #expect(network.layers.filter { !$0.wasFoldedHere }.map(\.spec.name) == ["b2.pw", "t3.conv", "fc"])
        let allFolded = Set(GestureTCN.layers().map(\.name))
        #expect(
            try FoldedNetwork(Fixture.tensors(folded: allFolded), classCount: 13).layers.allSatisfy {
                !$0.wasFoldedHere
            })
    }

    /// A convolution's own bias is added before BatchNorm.
    @Test func aBiasBeforeBatchNormIsFolded() throws {
        var tensors = Fixture.tensors(of: FrontEnd.landmarks.layers(), seed: 3)
        let plain = try FoldedNetwork(tensors, classCount: 13).layers[1]
        let bias = (0..<160).map { Float($0) / 64 - 1 }
        tensors["t2.conv.bias"] = Fixture.tensor([160], bias)
        let layer = try FoldedNetwork(tensors, classCount: 13).layers[1]
        #expect(layer.weights == plain.weights)
        let gains = try #require(tensors["t2.bn.weight"]?.values)
        let variances = try #require(tensors["t2.bn.running_var"]?.values)
        for channel in 0..<160 {
            let shift = bias[channel] * gains[channel] / (variances[channel] + 1e-5).squareRoot()
            #expect(abs(layer.bias[channel] - plain.bias[channel] - shift) < 1e-5)
        }
    }

    @Test func everyDifferenceIsInOneTable() throws {
        var tensors = Fixture.tensors()
        tensors["b1.dw.weight"] = nil
        tensors["t1.bn.running_var"] = nil
        tensors["b2.dw.weight"] = Fixture.tensor([32, 3, 3], [Float](repeating: 0, count: 288))
        tensors["b3.pw_bn.bias"] = Fixture.checkpointTensor(.int8("t", shape: [64], [Int8](repeating: 1, count: 64)))
        tensors["aux.head.weight"] = Fixture.tensor([1], [0])
        tensors["aux.a"] = Fixture.tensor([1], [0])
        var expected = TensorMismatch()
        expected.missing = ["b1.dw.weight", "t1.bn.running_var"]
        expected.unexpected = ["aux.a", "aux.head.weight"]
        expected.types = [.init(tensor: "b3.pw_bn.bias", found: "I8")]
        do throws(ImportError) {
            _ = try FoldedNetwork(tensors, classCount: 13)
            Issue.record("accepted")
        } catch {
            guard case .mismatch(var found) = error else { throw error }
            #expect(found.shapes.map(\.tensor) == ["b2.dw.weight"])
            #expect(found.shapes.first?.expected == [32, 1, 3, 3] && found.shapes.first?.found == [32, 3, 3])
            found.shapes = []
            #expect(found == expected)
        }
    }

    @Test func unexpectedTensorsMayBePassedOver() throws {
        var tensors = Fixture.tensors()
        tensors["aux.head.weight"] = Fixture.tensor([1], [0])
        var mismatch = TensorMismatch()
        mismatch.unexpected = ["aux.head.weight"]
        #expect(throws: ImportError.mismatch(mismatch)) { try FoldedNetwork(tensors, classCount: 13) }
        #expect(try FoldedNetwork(tensors, classCount: 13, ignoringUnexpected: true).layers.count == 23)
        tensors["fc.bias"] = nil
        mismatch.unexpected = []
        mismatch.missing = ["fc.bias"]
        #expect(throws: ImportError.mismatch(mismatch)) {
            try FoldedNetwork(tensors, classCount: 13, ignoringUnexpected: true)
        }
    }

    @Test func longListsAreCutShort() throws {
        var mismatch = TensorMismatch()
        mismatch.unexpected = (0..<4096).map { "\($0)" + String(repeating: "n", count: 250) }
        mismatch.missing = (0..<21).map { "m\($0)" }
        mismatch.types = (0..<20).map { .init(tensor: "t\($0)", found: "I8") }
        let lines = "\(ImportError.mismatch(mismatch))".split(separator: "\n")
        #expect(lines.count == 1 + 21 + 21 + 20 + 1 && lines.allSatisfy { $0.utf8.count < 200 })
        #expect(lines.contains("  missing     m19") && lines.contains("  missing     and 1 more"))
        #expect(lines.contains("  unexpected  and 4076 more") && !lines.contains("  missing     m20"))
        #expect(lines.contains("  type        t19: expected a float type, found I8"))
    }

    @Test func aLayerWithoutEitherFormLacksWhatTheOthersHave() throws {
        func missing(_ tensors: [String: Checkpoint.Tensor]) -> [String] {
            do throws(ImportError) {
                _ = try FoldedNetwork(tensors, classCount: 13)
                return []
            } catch {
                guard case .mismatch(let mismatch) = error else { return ["\(error)"] }
                return mismatch.missing
            }
        }
        var raw = Fixture.tensors()
        for name in ["weight", "bias", "running_mean", "running_var"] { raw["b1.dw_bn." + name] = nil }
        #expect(missing(raw) == ["weight", "bias", "running_mean", "running_var"].map { "b1.dw_bn." + $0 })
        var folded = Fixture.tensors(folded: Set(GestureTCN.layers().map(\.name)))
        folded["b1.dw.bias"] = nil
        #expect(missing(folded) == ["b1.dw.bias"])
    }

    @Test(arguments: [
        ("b5.pw.weight", Float.nan), ("b5.pw_bn.running_mean", .infinity), ("fc.bias", -.infinity),
        ("stem.bn.weight", .nan),
    ])
    func valuesThatAreNoNumbersAreNamed(_ name: String, _ value: Float) throws {
        var tensors = Fixture.tensors()
        let tensor = try #require(tensors[name])
        var values = try #require(tensor.values)
        values[values.count - 1] = value
        tensors[name] = Fixture.tensor(tensor.shape, values)
        #expect(throws: ImportError.notFinite(tensor: name, index: values.count - 1)) {
            try FoldedNetwork(tensors, classCount: 13)
        }
    }

    @Test func impossibleStatisticsAreRefused() throws {
        var tensors = Fixture.tensors()
        var variance = [Float](repeating: 1, count: 160)
        variance[7] = -0.25
        tensors["t2.bn.running_var"] = Fixture.tensor([160], variance)
        #expect(throws: ImportError.negativeVariance(tensor: "t2.bn.running_var", index: 7)) {
            try FoldedNetwork(tensors, classCount: 13)
        }
        tensors = Fixture.tensors()
        var gain = [Float](repeating: 1, count: 16)
        gain[3] = .greatestFiniteMagnitude
        tensors["b1.dw_bn.weight"] = Fixture.tensor([16], gain)
        tensors["b1.dw_bn.running_var"] = Fixture.tensor([16], [Float](repeating: 0, count: 16))
        #expect(throws: ImportError.foldOverflow(layer: "b1.dw", channel: 3)) {
            try FoldedNetwork(tensors, classCount: 13)
        }
    }

    @Test func channelsWithoutWeightsAreFound() throws {
        var tensors = Fixture.tensors()
        var weights = try #require(tensors["b1.dw.weight"]?.values)
        for index in 9 * 5..<9 * 6 { weights[index] = 0 }
        tensors["b1.dw.weight"] = Fixture.tensor([16, 1, 3, 3], weights)
        let layers = try FoldedNetwork(tensors, classCount: 13).layers
        #expect(layers.filter { !$0.zeroChannels.isEmpty }.map(\.spec.name) == ["b1.dw"])
        #expect(layers[1].zeroChannels == [5])
    }
}
