import Foundation
import Kernels
import ModelFile
import Network
import TestSupport
import Testing
import WeightImport

/// `gesture-import run` shows what the engine computes: with int8 networks on pictures of people, plain loops that round where
/// the engine rounds stay beside it. (Loops that round every value drift away where ten additions follow each other.)
@Suite struct SimulationTests {
    @Test(arguments: [("body/pose-landmark-full", 256), ("hands/hand-landmark-lite", 224)])
    func loopsStayBesideTheEngine(_ name: String, _ side: Int) throws {
        let path = Fixtures.repository.appendingPathComponent("Weights/\(name).safetensors").path
        let file = try GraphFile(contentsOf: path)
        let picture = try side == 256 ? Self.standing(side) : Self.hand(side)
        let expected = try ReferenceGraph(file).run([picture])
        let unit = GraphUnit(try GraphPlan(file, kernels: KernelRegistry.select()))
        for (index, (found, loops)) in zip(unit.outputs(of: [picture]), expected).enumerated() {
            let range = max((found.max() ?? 0) - (found.min() ?? 0), 0.5)
            let differences = zip(found, loops).map { abs($0 - $1) }
            let mean = differences.reduce(0, +) / Float(differences.count)
            #expect(mean <= 0.01 * range, "output \(index): \(mean) of \(range)")
        }
    }

    /// A person, 120x160, stretched to a square.
    private static func standing(_ side: Int) throws -> [Float] {
        let bytes = try bytes("body/standing.ppm").suffix(3 * 120 * 160)
        return stretched(Array(bytes), 120, 160, side)
    }

    /// The first of the crops around hands, 112x112.
    private static func hand(_ side: Int) throws -> [Float] {
        stretched(Array(try bytes("graphs/metres.crops.npy")[128..<128 + 3 * 112 * 112]), 112, 112, side)
    }

    private static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Fixtures.directory.appendingPathComponent(name)))
    }

    private static func stretched(_ pixels: [UInt8], _ width: Int, _ height: Int, _ side: Int) -> [Float] {
        (0..<3 * side * side).map { index in
            let (x, y) = (index / 3 % side * width / side, index / 3 / side * height / side)
            return Float(pixels[3 * (y * width + x) + index % 3]) / 255
        }
    }
}
