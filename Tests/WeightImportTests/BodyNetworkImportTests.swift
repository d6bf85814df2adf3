import BodyPose
import Foundation
import ModelFile
import Testing
import WeightImport

/// A small TFLite file with the inputs and outputs of MediaPipe's pose-landmark networks, whose masks differ in size.
@Suite struct BodyNetworkImportTests {
    /// Points, presence, mask, heat maps and points in metres, of one convolution each over reduced colours.
    private static func network(maskSide: Int) throws -> GraphFile {
        var writer = TFLiteWriter()
        let image = writer.tensor("image", [1, 256, 256, 3])
        writer.inputs = [image]
        func colours(_ side: Int, _ name: String, channels: Int = 3) -> Int {
            let map = writer.tensor(name, [1, side, side, channels])
            let weights = writer.floats(
                name + "_weights", [channels, 1, 1, 3],
                (0..<3 * channels).map { $0 % 3 == ($0 / 3) % 3 ? 8 : -2 })
            writer.convolution(
                image, weights: weights, bias: nil, to: map, strideY: 256 / side, strideX: 256 / side)
            return map
        }
        let mask = colours(maskSide, "mask", channels: 1)
        let heatmaps = colours(64, "heatmaps", channels: 39)
        let coarse = colours(4, "coarse")
        let axes = writer.integers("axes", [2], [1, 2])
        let mean = writer.tensor("mean", [1, 1, 1, 3])
        writer.operation(40, [coarse, axes], [mean], options: (27, [0: .int8(1)]))
        func numbers(_ count: Int, _ name: String) -> Int {
            let vector = writer.tensor(name, [1, count])
            let weights = writer.floats(
                name + "_weights", [count, 3], (0..<3 * count).map { Float($0 % 7) / 7 - 0.4 })
            writer.operation(9, [mean, weights], [vector], options: (8, [:]))
            return vector
        }
        let presence = writer.tensor("presence", [1, 1])
        writer.operation(14, [numbers(1, "presence_logit")], [presence])
        writer.outputs = [numbers(195, "points"), presence, mask, heatmaps, numbers(117, "metres")]
        return try TFLiteGraph.read(writer.bytes)
    }

    private static func load(_ graph: GraphFile) throws -> BodyModels {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("body-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(try graph.bytes()).write(to: file)
        return try BodyModels(landmarks: file.path)
    }

    /// In each precision the imported network loads and runs in the tracker.
    @Test(arguments: [128, 256, 64]) func networksOfEveryMaskRunAfterTheirImport(_ side: Int) throws {
        let float = try Self.network(maskSide: side)
        var manifest = float.manifest
        manifest.precision = .float16
        let half = GraphFile(graph: float.graph, parameters: float.parameters, manifest: manifest)
        var quantiser = GraphQuantiser(float, inputRange: 0...1)
        let picture: [Float] = (0..<256 * 256 * 3).map { (index: Int) -> Float in Float(index % 251) / 250 }
        try quantiser.measure([picture])
        for graph in [float, half, try quantiser.quantised()] {
            let engine = try BodyPoseEngine(Self.load(graph))
            let stream = try engine.makeStream(BodyTrackingConfiguration(segmentation: true))
            let gray = [UInt8](repeating: 90, count: 4 * 64 * 64)
            stream.track(
                try PixelView(gray.span, format: .rgba, width: 64, height: 64, bytesPerRow: 256), at: .zero)
            #expect(stream.bodies.isEmpty)
            // The choice runs the landmark network.
            let own = try Self.load(graph)
            #expect(try BodyPoseEngine(choosingFrom: [own, own], within: .seconds(60)).variant == 0)
        }
    }
}
