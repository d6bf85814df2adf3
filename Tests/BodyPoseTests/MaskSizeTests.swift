import BodyPose
import BodyWeights
import Foundation
import ModelFile
import TestSupport
import Testing
import TrackerInference

/// Landmark networks whose masks have other sizes than the included one's, as MediaPipe's lite has.
@Suite struct MaskSizeTests {
    /// The included landmark network with a mask of another shape that an operation makes of its own.
    private static func network(mask shape: [Int], by operation: NetworkGraph.Operation) throws -> GraphFile {
        let full = try GraphFile(contentsOf: try BodyWeights.landmarks)
        var graph = full.graph
        graph.values.append(NetworkGraph.Value(name: "other_mask", shape: shape))
        let output = graph.values.count - 1
        graph.nodes.append(NetworkGraph.Node(operation, inputs: [graph.outputs[2]], output: output))
        graph.outputs[2] = output
        return GraphFile(
            graph: graph, parameters: full.parameters, quantisation: full.quantisation, manifest: full.manifest)
    }

    private static func pool(_ height: Int, _ width: Int) -> NetworkGraph.Operation {
        .maxPool(height: height, width: width, strideY: height, strideX: width, padding: .init())
    }

    /// The included landmark network with its mask reduced to the largest of each block of this side.
    private static func network(dividing block: Int) throws -> GraphFile {
        try network(mask: [1, 256 / block, 256 / block, 1], by: pool(block, block))
    }

    /// Lends the path of a graph's file.
    private static func withFile<Result>(_ graph: GraphFile, _ body: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("mask-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(try graph.bytes()).write(to: file)
        return try body(file.path)
    }

    private static func mask(_ engine: BodyPoseEngine, _ width: Int, _ height: Int) throws -> [Float] {
        let stream = try engine.makeStream(BodyTrackingConfiguration(smoothing: nil, segmentation: true))
        try StandingPerson().withView { stream.track($0, at: .zero) }
        var pixels = [Float](repeating: -1, count: width * height)
        var span = pixels.mutableSpan
        #expect(stream.copyMask(width: width, height: height, to: &span) && stream.bodies.count == 1)
        return pixels
    }

    /// Points are the same; the mask is that of the smaller one, which follows the larger one's outline.
    @Test(arguments: [2, 4]) func aSmallerMaskIsTakenAtItsOwnSize(_ block: Int) throws {
        let (width, height) = (StandingPerson.width, StandingPerson.height)
        let full = try BodyPoseEngine()
        let small = try Self.withFile(Self.network(dividing: block)) {
            try BodyPoseEngine(BodyModels(landmarks: $0))
        }
        let people = try StandingPerson().withView { (try full.bodies(in: $0), try small.bodies(in: $0)) }
        #expect(people.0 == people.1 && people.0.count == 1)
        let (expected, found) = (try Self.mask(full, width, height), try Self.mask(small, width, height))
        #expect(found.allSatisfy { (0...1).contains($0) } && found != expected)
        let differing = zip(expected, found).filter { abs($0 - $1) > 0.5 }.count
        let covered = expected.filter { $0 > 0.5 }.count
        #expect(covered > width * height / 20)
        // The block's largest value widens the outline by less than a block, of which the coarsest are three pixels wide.
        #expect(differing < covered / 2, "\(differing) of \(covered)")
    }

    /// The choice among variants takes a network of another mask as the last resort, and it works with masks.
    @Test func theLightestVariantOfATightBudgetHasASmallMask() throws {
        let light = try Self.withFile(Self.network(dividing: 2)) { try BodyModels(landmarks: $0) }
        let engine = try BodyPoseEngine(choosingFrom: [BodyModels(), light], within: .nanoseconds(1))
        #expect(engine.variant == 1)
        let ample = try BodyPoseEngine(choosingFrom: [light, BodyModels()], within: .seconds(3_600))
        #expect(ample.variant == 0)
        #expect(try Self.mask(engine, 40, 30) == Self.mask(ample, 40, 30))
    }

    /// A mask that is not square, that has more cells than the image has pixels, or that is a vector.
    @Test func masksOfOtherShapesAreRefused() throws {
        for (shape, operation) in [
            ([1, 128, 64, 1], Self.pool(2, 4)),
            ([1, 512, 512, 1], .resizeBilinear(alignCorners: false, halfPixelCenters: true)),
            ([1, 65_536], .reshape),
        ] {
            try Self.withFile(Self.network(mask: shape, by: operation)) { path in
                do {
                    _ = try BodyModels(landmarks: path)
                    Issue.record("\(shape) was accepted")
                } catch EngineError.otherGraph(let expected, let found) {
                    #expect(found.contains(shape) && !expected.contains(shape))
                }
            }
        }
    }
}
