import Kernels
import ModelFile
import Network
import TestSupport
import Testing
import Vocabulary

/// Networks whose first layer reads the arms, beside those that do not.
@Suite struct ArmColumnTests {
    private static func unit(arms: Bool, _ precision: ModelManifest.Precision) throws -> any NetworkUnit {
        let temporal = arms ? GestureTCN.withArms(GestureTCN.longTemporal) : GestureTCN.longTemporal
        let file = try ModelFile(
            bytes: ColumnModel.random(seed: 5, precision, layers: FrontEnd.landmarks.layers(temporal: temporal)))
        let weights = try NetworkWeights(model: file)
        #expect(weights.layers[0].spec.inputChannels == (arms ? 160 : 128))
        let kernels = KernelRegistry.select()
        return precision == .int8 ? try Int8Unit(weights, kernels: kernels) : FloatUnit(weights, kernels: kernels)
    }

    /// Logits of each column of a stream.
    private static func logits(_ unit: any NetworkUnit, _ columns: [[UInt8]]) -> [[Float]?] {
        columns.map { column in
            unit.encode(column.span)
            var logits = [Float](repeating: 0, count: unit.classCount)
            var span = logits.mutableSpan
            unit.advance(&span)
            return unit.isWarm ? logits : nil
        }
    }

    private static func columns(_ seed: UInt64) -> [[UInt8]] {
        var random = SplitMix64(seed: seed)
        return (0..<20).map { _ in (0..<GestureTCN.columnCount).map { _ in UInt8.random(in: 0...255, using: &random) } }
    }

    @Test(arguments: [ModelManifest.Precision.int8, .float32])
    func aNetworkWithArmsSpeaksFromTheFirstColumn(_ precision: ModelManifest.Precision) throws {
        let columns = Self.columns(1)
        let with = Self.logits(try Self.unit(arms: true, precision), columns)
        let without = Self.logits(try Self.unit(arms: false, precision), columns)
        #expect(with.allSatisfy { $0 != nil })
        #expect(without.firstIndex { $0 != nil } == GestureTCN.windowLength - 1)
    }

    @Test(arguments: [ModelManifest.Precision.int8, .float32])
    func onlyANetworkWithArmsReadsThem(_ precision: ModelManifest.Precision) throws {
        let columns = Self.columns(2)
        let changed = columns.map { $0[..<128] + $0[128...].map { 255 - $0 } }.map(Array.init)
        for arms in [true, false] {
            let same = Self.logits(try Self.unit(arms: arms, precision), columns)
            let other = Self.logits(try Self.unit(arms: arms, precision), changed)
            #expect((same == other) == !arms)
        }
    }

    @Test func aFirstLayerOfAnotherWidthIsRefused() throws {
        let layers = FrontEnd.landmarks.layers(temporal: GestureTCN.longTemporal)
        let bytes = try ColumnModel.random(seed: 5, .float32, layers: layers) { tensors, _ in
            guard let index = tensors.firstIndex(where: { $0.name == "t1.conv.weight" }) else { return }
            let values = [Float](repeating: 0.1, count: 160 * 144 * 3)
            tensors[index] = .float32("t1.conv.weight", shape: [160, 144, 3], values)
        }
        #expect(
            throws: ModelFileError.wrongShape(
                tensor: "t1.conv.weight", expected: [160, 128, 3], found: [160, 144, 3])
        ) { try NetworkWeights(model: ModelFile(bytes: bytes)) }
    }
}
