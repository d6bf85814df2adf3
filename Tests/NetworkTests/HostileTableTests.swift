import Foundation
import KernelInterface
import Kernels
import ModelFile
import Network
import Testing
import Vocabulary

/// int8 convolutions whose scales, biases and slopes come from 60 powers of two: a plan refuses them, or gives the bits of its
/// reference on every tier.
///
/// A result is rounded to int32 before it is clamped, and beyond that range CPUs have rules of their own: on x86-64 any number
/// beyond becomes the smallest. A slope of -1e6 takes an ordinary sum there. Before slopes were part of the plan's check such tables
/// gave the other end of the range on the tiers of AVX2 and AVX-512 than on the portable one.
@Suite struct HostileTableTests {
    private static func power(_ exponents: ClosedRange<Float>, _ random: inout SplitMix64) -> Float {
        exp2f(.random(in: exponents, using: &random))
    }

    private enum Kind: CaseIterable { case slopes, depthwiseSlopes, residual, clipped, toFloat }

    private static func sketch(_ kind: Kind, _ seed: UInt64) -> GraphSketch {
        var sketch = GraphSketch(seed: seed)
        let input = sketch.input([1, 3, 5, 16])
        let sum = kind == .depthwiseSlopes ? sketch.depthwise(input, 3) : sketch.convolution(input, 16)
        switch kind {
        case .slopes, .depthwiseSlopes, .toFloat: sketch.output(sketch.prelu(sum))
        case .residual: sketch.output(sketch.add(sum, input))
        case .clipped: sketch.output(sketch.relu6(sum))
        }
        return sketch
    }

    /// The sketch's file with hostile tables.
    private static func file(_ sketch: GraphSketch, _ kind: Kind, _ random: inout SplitMix64) throws -> GraphFile {
        let file = try sketch.file()
        var parameters = file.parameters
        for (name, use) in file.graph.nodes.flatMap(\.operation.parameters) {
            guard let parameter = parameters[name] else { continue }
            if use == .perChannel {
                let factor = power(-20...40, &random)
                parameters[name]?.values = .float(parameter.floats().map { $0 * factor })
            } else {
                let scale = power(-30...30, &random)
                parameters[name]?.values = .int8(
                    (0..<parameter.shape.reduce(1, *)).map { _ in Int8.random(in: -127...127, using: &random) },
                    scales: (0..<16).map { _ in scale * Float.random(in: 0.5...1, using: &random) })
            }
        }
        var quantisation: [String: GraphFile.Quantisation] = [:]
        for value in file.graph.values {
            let scale = power(-30...30, &random)
            quantisation[value.name] = .init(scale: scale, zeroPoint: Int.random(in: 0...255, using: &random))
        }
        if kind == .toFloat, let last = file.graph.values.last { quantisation[last.name] = nil }
        return GraphFile(graph: file.graph, parameters: parameters, quantisation: quantisation)
    }

    @Test(arguments: Kind.allCases) private func everyTierGivesTheBitsOfTheReference(_ kind: Kind) throws {
        var random = SplitMix64(seed: 5)
        var (ran, refused) = (0, 0)
        for index in 0..<1500 {
            let sketch = Self.sketch(kind, UInt64(index))
            let file = try Self.file(sketch, kind, &random)
            let scale = file.quantisation[file.graph.values[0].name]?.scale ?? 1
            let inputs = sketch.inputs().map { $0.map { 300 * scale * $0 } }
            var reference = try StepReference(file)
            var isRefused = false
            for kernels in KernelRegistry.available {
                let plan: GraphPlan
                do throws(GraphError) { plan = try GraphPlan(file, kernels: kernels) } catch {
                    isRefused = true
                    continue
                }
                #expect(!isRefused, "one tier refuses what another runs")
                let (found, expected) = (GraphUnit(plan).outputs(of: inputs), reference.run(inputs))
                let areEqual = zip(found, expected).allSatisfy { $0.map(\.bitPattern) == $1.map(\.bitPattern) }
                #expect(areEqual, "table \(index) on \(kernels.tier)")
            }
            if isRefused { refused += 1 } else { ran += 1 }
        }
        #expect(ran > 100 && refused > 100, "\(ran) ran, \(refused) were refused")
    }
}
