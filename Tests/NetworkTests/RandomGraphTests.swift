import Foundation
import KernelInterface
import Kernels
import ModelFile
import Network
import Testing
import Vocabulary
import WeightImport

/// Small graphs of random operators whose values and weights are quantised at random, and whose numbers are sometimes hostile: what
/// is accepted gives its reference's results on every tier, or is refused with an error. A trap ends the test process.
@Suite struct RandomGraphTests {
    /// Graphs; `RANDOM_GRAPHS` sets another number.
    private static let count =
        ProcessInfo.processInfo.environment["RANDOM_GRAPHS"].flatMap { Int($0) } ?? 4_000

    /// One operator more on a random value.
    private static func extend(_ sketch: inout GraphSketch, _ random: inout SplitMix64) {
        func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let value = draw(0...sketch.graph.values.count - 1)
        let shape = sketch.shape(value)
        let activation: NetworkGraph.Activation = [.none, .relu, .relu6][draw(0...2)]
        if draw(0...2) == 0 {
            extendByElements(&sketch, value, &random)
            return
        }
        guard shape.count == 4 else {
            switch draw(0...3) {
            case 0: _ = sketch.full(value, draw(1...20), then: activation)
            case 1: _ = sketch.logistic(value)
            case 2: _ = sketch.prelu(value)
            default: _ = sketch.add(value, value, then: activation)
            }
            return
        }
        let side = min(shape[1], shape[2])
        switch draw(0...12) {
        case 0, 1: _ = sketch.convolution(value, draw(1...20), then: activation)
        case 2:
            let window = draw(1...3)
            _ = sketch.convolution(
                value, draw(1...20), window, stride: draw(1...3), padding: sketch.same(value, window, 1),
                bias: draw(0...1) == 0, then: activation)
        case 3, 4:
            _ = sketch.depthwise(
                value, draw(0...1) == 0 ? 3 : 5, stride: draw(1...2), then: activation, bias: draw(0...1) == 0)
        case 5: _ = sketch.add(value, value, then: activation)
        case 6: if side > 1 { _ = sketch.maxPool(value, 2, 2, stride: draw(1...2)) }
        case 7: _ = sketch.mean(value, keeping: draw(0...1) == 0)
        case 8:
            _ = sketch.pad(
                value, [[0, 0], [draw(0...2), draw(0...2)], [draw(0...2), draw(0...2)], [0, draw(0...5)]])
        case 9: _ = sketch.resize(value, draw(1...7), draw(1...7), centers: draw(0...1) == 0)
        case 10: _ = sketch.reshape(value, [1, shape.reduce(1, *)])
        case 11: _ = sketch.join([value, value], axis: draw(1...3))
        default: _ = draw(0...1) == 0 ? sketch.relu(value) : sketch.prelu(value)
        }
    }

    /// An operator that works element by element or along a dimension, of a value of any rank.
    private static func extendByElements(_ sketch: inout GraphSketch, _ value: Int, _ random: inout SplitMix64) {
        func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let shape = sketch.shape(value)
        let activation: NetworkGraph.Activation = [.none, .relu, .relu6][draw(0...2)]
        let arithmetic = NetworkGraph.Arithmetic.allCases.randomElement(using: &random)!
        let reduction = NetworkGraph.Reduction.allCases.randomElement(using: &random)!
        switch draw(0...7) {
        case 0: _ = sketch.scale(value, then: activation)
        case 1: _ = sketch.shift(value, then: activation)
        case 2: _ = sketch.shift(sketch.scale(value), then: activation)
        case 3: _ = sketch.softmax(value)
        case 4: _ = sketch.arithmetic(arithmetic, value, value)
        case 5 where shape.count > 1:
            let axis = draw(1...shape.count - 1)
            let indices = (0..<draw(1...4)).map { _ in draw(0...shape[axis] - 1) }
            _ = sketch.gather(value, axis: axis, indices, keeping: draw(0...1) == 0)
        case 6 where shape.count > 1:
            // With one element along a dimension, which is repeated.
            let least = sketch.reduce(reduction, value, axis: draw(1...shape.count - 1))
            _ = sketch.arithmetic(arithmetic, value, least)
        case 7 where shape.count > 1:
            _ = sketch.reduce(reduction, value, axis: draw(1...shape.count - 1), keeping: draw(0...1) == 0)
        default:
            // Of five and six dimensions, and back.
            let split = shape.count < 5 ? shape + [1] : [1, shape.reduce(1, *)]
            _ = sketch.reshape(value, split)
        }
    }

    /// A factor from the whole range of floats.
    private static func hostile(_ random: inout SplitMix64) -> Float {
        let sign: Float = Bool.random(using: &random) ? 1 : -1
        return sign * Float(sign: .plus, exponent: Int.random(in: -140...127, using: &random), significand: 1)
    }

    /// A sketch's file; three in four are int8 with some values quantised, whether or not kernels exist for the mixture.
    private static func mixed(_ file: GraphFile, _ random: inout SplitMix64) -> GraphFile {
        var parameters = file.parameters
        // Every eighth graph has hostile numbers.
        let isHostile = Int.random(in: 0..<8, using: &random) == 0
        for (name, parameter) in parameters.sorted(by: { $0.key < $1.key }) where isHostile {
            guard case .float(var values) = parameter.values, Bool.random(using: &random) else { continue }
            values[Int.random(in: values.indices, using: &random)] *= hostile(&random)
            parameters[name]?.values = .float(values)
        }
        guard Int.random(in: 0..<4, using: &random) > 0 else {
            return GraphFile(graph: file.graph, parameters: parameters)
        }
        for node in file.graph.nodes {
            for (name, use) in node.operation.parameters where use != .perChannel {
                guard let parameter = parameters[name] else { continue }
                let channels = use == .weights ? parameter.shape[0] : parameter.shape[parameter.shape.count - 1]
                let count = parameter.shape.reduce(1, *)
                parameters[name] = GraphFile.Parameter(
                    shape: parameter.shape,
                    values: .int8(
                        (0..<count).map { _ in Int8.random(in: -127...127, using: &random) },
                        scales: (0..<channels).map { _ in
                            Float.random(in: 1e-4...0.1, using: &random) * (isHostile ? abs(hostile(&random)) : 1)
                        }))
            }
        }
        let share = Int.random(in: 0...4, using: &random)
        var quantisation: [String: GraphFile.Quantisation] = [:]
        for value in file.graph.values where Int.random(in: 0...3, using: &random) < share {
            let scale: Float = isHostile ? abs(hostile(&random)) : .random(in: 1e-3...0.5, using: &random)
            quantisation[value.name] = .init(scale: scale, zeroPoint: Int.random(in: 0...255, using: &random))
        }
        return GraphFile(
            graph: file.graph, parameters: parameters, quantisation: quantisation,
            manifest: GraphManifest(precision: .int8))
    }

    /// The outputs of a plan on a tier.
    private static func outputs(
        _ file: GraphFile, _ inputs: [[Float]], _ kernels: KernelTable
    ) throws(GraphError) -> [[Float]] {
        GraphUnit(try GraphPlan(file, kernels: kernels)).outputs(of: inputs)
    }

    /// What a graph's plans give beside its reference, in words; nil if all is as it should be.
    ///
    /// A graph with quantised values gives the reference's bits on every tier, and any graph on the portable one. On another tier
    /// floats differ by what rounding does: 20 times as much as where every product and result is off by 1e-6 of itself, at
    /// most.
    private static func difference(_ file: GraphFile, _ inputs: [[Float]]) throws -> String? {
        var reference = try StepReference(file)
        let expected = reference.run(inputs)
        var allowed = expected.map { output in
            output.map { _ in 1e-6 * output.reduce(0) { max($0, abs($1)) } }
        }
        if file.quantisation.isEmpty {
            for seed in 1...3 {
                var noisy = try StepReference(file, noise: 1e-6, seed: UInt64(seed))
                for (output, values) in noisy.run(inputs).enumerated() {
                    for (index, value) in values.enumerated() {
                        allowed[output][index] = max(allowed[output][index], 20 * abs(value - expected[output][index]))
                    }
                }
            }
        }
        // Lowering keeps what a graph of floats says: the reference of the graph as it stands agrees, too.
        let whole = file.quantisation.isEmpty ? try ReferenceGraph(file).run(inputs) : expected
        for (output, values) in whole.enumerated() {
            for (index, value) in values.enumerated()
            where abs(value - expected[output][index]) > allowed[output][index] {
                return "lowered: element \(index) of output \(output) is \(expected[output][index]) instead of \(value)"
            }
        }
        for kernels in KernelRegistry.available {
            let found = try outputs(file, inputs, kernels)
            let isExact = !file.quantisation.isEmpty || kernels.tier == KernelRegistry.names.last
            for (output, values) in found.enumerated() {
                for (index, value) in values.enumerated() {
                    let wanted = expected[output][index]
                    let isSame =
                        value.bitPattern == wanted.bitPattern || value.isNaN && wanted.isNaN
                        || !isExact && !(abs(value - wanted) > allowed[output][index])
                    if !isSame {
                        return "\(kernels.tier): element \(index) of output \(output) is \(value) instead of \(wanted)"
                    }
                }
            }
        }
        return nil
    }

    /// The same graph with its first value as the only output that also differs.
    private static func smallest(_ file: GraphFile, _ inputs: [[Float]]) throws -> String {
        for node in file.graph.nodes {
            var graph = file.graph
            graph.outputs = [node.output]
            let part = GraphFile(graph: graph, parameters: file.parameters, quantisation: file.quantisation)
                .keeping(outputs: [0])
            if let difference = try difference(part, inputs) {
                return "\(difference)\n\(part.graph.json)\n\(part.quantisation)"
            }
        }
        return "no part of it differs"
    }

    @Test func acceptedGraphsRunAsTheirReference() throws {
        var random = SplitMix64(seed: 20_261_125)
        var (ran, quantised, refused, unreadable) = (0, 0, 0, 0)
        for index in 0..<Self.count {
            var sketch = GraphSketch(seed: UInt64(index))
            let side = Int.random(in: 1...9, using: &random)
            _ = sketch.input([1, side, Int.random(in: 1...9, using: &random), Int.random(in: 1...20, using: &random)])
            for _ in 0..<Int.random(in: 1...5, using: &random) { Self.extend(&sketch, &random) }
            sketch.outputTheRest()
            let file: GraphFile
            do {
                // As an attacker writes it: the bytes, and their hash, are sound.
                file = try GraphFile(bytes: Self.mixed(try sketch.file(), &random).bytes())
            } catch is ModelFileError {
                unreadable += 1
                continue
            }
            let inputs = sketch.inputs()
            var runs: [Bool] = []
            for kernels in KernelRegistry.available {
                do throws(GraphError) {
                    let found = try Self.outputs(file, inputs, kernels)
                    #expect(found.map(\.count) == file.graph.outputs.map { file.graph.values[$0].count })
                    runs.append(true)
                } catch { runs.append(false) }
            }
            #expect(Set(runs).count == 1, "graph \(index): one tier refuses what another runs")
            guard runs.allSatisfy({ $0 }) else {
                refused += 1
                continue
            }
            ran += 1
            quantised += file.quantisation.isEmpty ? 0 : 1
            if let difference = try Self.difference(file, inputs) {
                Issue.record("graph \(index): \(difference)\n\(try Self.smallest(file, inputs))")
            }
        }
        #expect(
            ran > Self.count / 4 && quantised > ran / 4,
            "\(ran) ran, \(quantised) of them quantised, \(refused) were refused by the plan, \(unreadable) by the reader"
        )
    }

    /// The value that an error names is the graph's, also where the plan works on another form of it.
    @Test func depthwiseOfTheInputToQuantisedValues() throws {
        var sketch = GraphSketch()
        let first = sketch.depthwise(sketch.input([1, 9, 9, 3]), 3)
        sketch.output(sketch.convolution(first, 4))
        let file = try sketch.file()
        let mixed = GraphFile(
            graph: file.graph, parameters: file.parameters,
            quantisation: [file.graph.values[first].name: .init(scale: 0.0157, zeroPoint: 144)])
        for kernels in KernelRegistry.available {
            #expect(
                throws: GraphError.unsupported(
                    value: file.graph.values[first].name, reason: "a depthwise convolution of the graph's own input")
            ) { _ = try GraphPlan(mixed, kernels: kernels) }
        }
    }
}
