import Foundation
import KernelInterface
import Kernels
import ModelFile
import Network
import TestSupport
import Testing

/// The networks of poses as they ship, on every tier, against what LiteRT makes of the files that they were read from.
@Suite struct PoseNetworkTests {
    private static func unit(_ name: String, _ tier: String) throws -> GraphUnit {
        let path = Fixtures.repository.appendingPathComponent("Weights/hands/\(name).safetensors").path
        let kernels = try #require(KernelRegistry.available.first { $0.tier == tier })
        return GraphUnit(try GraphPlan(GraphFile(contentsOf: path), kernels: kernels))
    }

    @Test(arguments: KernelRegistry.available.map(\.tier)) func agreeWithLiteRT(tier: String) throws {
        func floats(_ name: String) throws -> [Float] {
            try Fixtures.floats(Fixtures.directory.appendingPathComponent("graphs/poses.\(name).npy").path)
        }
        let (points, embeddings, scores) = (try floats("points"), try floats("embedding"), try floats("scores"))
        let rows = points.count / 63
        #expect(rows >= 16 && points.count == 63 * rows && embeddings.count == 128 * rows && scores.count == 8 * rows)
        let (embedder, classifier) = (
            try Self.unit("gesture-embedder", tier), try Self.unit("canned-gesture-classifier", tier)
        )
        var names: Set<Int> = []
        for row in 0..<rows {
            let embedding = embedder.outputs(of: [Array(points[63 * row..<63 * (row + 1)])])[0]
            let wanted = embeddings[128 * row..<128 * (row + 1)]
            let worst = zip(embedding, wanted).map { abs($0 - $1) }.max() ?? .infinity
            #expect(worst < 1e-4, "row \(row)")
            let found = classifier.outputs(of: [embedding])[0]
            let expected = Array(scores[8 * row..<8 * (row + 1)])
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-4 }, "row \(row): \(found)")
            names.insert(expected.indices.max { expected[$0] < expected[$1] } ?? 0)
        }
        // A fixture of one answer would prove little.
        #expect(names.count >= 4)
    }

    /// Neither the place nor the size of a hand counts.
    @Test func pointsMayBeInAnyUnit() throws {
        let points = try Fixtures.floats(Fixtures.directory.appendingPathComponent("graphs/poses.points.npy").path)
        let embedder = try Self.unit("gesture-embedder", KernelRegistry.available[0].tier)
        let hand = Array(points.prefix(63))
        let first = embedder.outputs(of: [hand])[0]
        let moved = embedder.outputs(of: [hand.map { 0.25 * $0 + 37 }])[0]
        #expect(zip(first, moved).allSatisfy { abs($0 - $1) < 1e-3 })
    }
}
