import Foundation
import Kernels
import ModelFile
import Network
import TestSupport
import Testing

/// The points in metres of the hand network that ships, in int8, against those that LiteRT makes of the original in float.
@Suite struct HandMetresTests {
    @Test func pointsHaveNoConstantError() throws {
        func fixture(_ name: String) -> String {
            Fixtures.directory.appendingPathComponent("graphs/metres.\(name).npy").path
        }
        let wanted = try Fixtures.floats(fixture("points"))
        let (side, numbers) = (112, 63)
        let rows = wanted.count / numbers
        // The pixels are the end of the file, behind a short header.
        let crops = Array(try Data(contentsOf: URL(fileURLWithPath: fixture("crops"))).suffix(rows * side * side * 3))
        try #require(rows >= 5 && wanted.count == rows * numbers && crops.count == rows * side * side * 3)

        let path = Fixtures.repository.appendingPathComponent("Weights/hands/hand-landmark-lite.safetensors").path
        let file = try GraphFile(contentsOf: path)
        let unit = GraphUnit(try GraphPlan(file, kernels: KernelRegistry.select()))
        var offsets = [SIMD3<Float>](repeating: .zero, count: numbers / 3)
        var distance: Float = 0
        for row in 0..<rows {
            var picture: [Float] = []
            picture.reserveCapacity(4 * side * side * 3)
            for y in 0..<2 * side {
                for x in 0..<2 * side {
                    let pixel = ((row * side + y / 2) * side + x / 2) * 3
                    picture += crops[pixel..<pixel + 3].map { Float($0) / 255 }
                }
            }
            let found = unit.outputs(of: [picture])[3]
            for point in offsets.indices {
                func place(_ numbers: [Float], _ first: Int) -> SIMD3<Float> {
                    SIMD3(numbers[first], numbers[first + 1], numbers[first + 2])
                }
                let offset = place(found, 3 * point) - place(wanted, numbers * row + 3 * point)
                offsets[point] += offset / Float(rows)
                distance += (offset * offset).sum().squareRoot() / Float(rows * offsets.count)
            }
        }
        let constant = offsets.map { ($0 * $0).sum().squareRoot() }.reduce(0, +) / Float(offsets.count)
        #expect(distance < 0.0025, "\(distance) m")
        #expect(constant < 0.0020, "\(constant) m")
    }
}
