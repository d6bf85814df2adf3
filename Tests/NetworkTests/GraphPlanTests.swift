import Foundation
import KernelInterface
import Kernels
import ModelFile
import Network
import TestSupport
import Testing
import Vocabulary

/// Plans of graphs against plain loops, every tier.
@Suite struct GraphPlanTests {
    private static let tiers = KernelRegistry.available.map(\.tier)

    private static func kernels(_ tier: String) throws -> KernelTable {
        try #require(KernelRegistry.available.first { $0.tier == tier })
    }

    /// One graph an entry: every operator, every fusion, and every obstacle to a fusion.
    private static let graphs: [String: @Sendable () -> GraphSketch] = [
        "pointwise": {
            var s = GraphSketch()
            s.output(s.convolution(s.input([1, 5, 7, 3]), 20, then: .relu))
            return s
        },
        "strided convolution of the input": {
            var s = GraphSketch()
            let x = s.input([1, 11, 9, 3])
            let a = s.convolution(x, 16, 3, stride: 2, padding: s.same(x, 3, 2), then: .relu6)
            s.output(s.convolution(a, 5, 1, 3, padding: .init(left: 1, right: 1)))
            return s
        },
        "activations apart": {
            var s = GraphSketch()
            let x = s.input([1, 4, 6, 5])
            let a = s.prelu(s.convolution(x, 12, 3, padding: s.same(x, 3, 1)))
            let b = s.relu6(s.relu(s.depthwise(a, 3)))
            s.output(s.relu(s.prelu(s.add(a, b))))
            return s
        },
        "an activation of what is read elsewhere": {
            var s = GraphSketch()
            let a = s.convolution(s.input([1, 4, 4, 6]), 9)
            s.output(s.add(s.relu(a), a), s.relu6(a))
            return s
        },
        "activations of inputs": {
            var s = GraphSketch()
            let x = s.input([1, 5, 5, 3])
            s.output(s.convolution(s.prelu(x), 4, 3), s.logistic(x), s.relu(s.reshape(x, [1, 75])))
            return s
        },
        "addition of what is read elsewhere": {
            var s = GraphSketch()
            let x = s.convolution(s.input([1, 6, 6, 3]), 16)
            let y = s.convolution(x, 16)
            s.output(s.add(x, y, then: .relu), s.maxPool(y, 2, 2, stride: 2))
            return s
        },
        "addition of two convolutions": {
            var s = GraphSketch()
            let x = s.input([1, 6, 5, 3])
            s.output(s.relu6(s.add(s.convolution(x, 10), s.convolution(x, 10, 3, padding: s.same(x, 3, 1)))))
            return s
        },
        "a value and itself": {
            var s = GraphSketch()
            let x = s.convolution(s.input([1, 3, 3, 3]), 7)
            s.output(s.add(x, x, then: .relu6))
            return s
        },
        "addition of the input": {
            var s = GraphSketch()
            let x = s.input([1, 6, 5, 12])
            let a = s.add(s.convolution(x, 12), x)
            s.output(s.convolution(s.add(x, s.convolution(a, 12, 3, padding: s.same(a, 3, 1)), then: .relu), 3))
            return s
        },
        "addition behind a full layer": {
            var s = GraphSketch()
            let x = s.input([1, 12])
            s.output(
                s.add(s.full(x, 12, then: .none), x, then: .relu),
                s.add(s.pad(s.full(x, 4), [[0, 0], [0, 8]]), s.full(x, 12)))
            return s
        },
        "one-dimensional padding before an addition": {
            var s = GraphSketch()
            let x = s.input([1, 8])
            s.output(s.add(s.pad(x, [[0, 0], [0, 5]]), s.full(x, 13)))
            return s
        },
        "join of one before an addition": {
            var s = GraphSketch()
            let x = s.input([1, 8])
            s.output(s.add(s.join([x], axis: 1), s.full(x, 8)))
            return s
        },
        "full layer behind a depthwise convolution": {
            var s = GraphSketch()
            let x = s.convolution(s.input([1, 5, 4, 3]), 10)
            s.output(s.full(s.depthwise(x, 3, then: .relu6), 7), s.full(s.depthwise(x, 5, stride: 2), 3, then: .relu))
            return s
        },
        "full layer behind a depthwise convolution of one pixel": {
            var s = GraphSketch()
            let x = s.convolution(s.input([1, 3, 3, 3]), 10)
            s.output(s.full(s.depthwise(x, 3, padding: .init()), 7))
            return s
        },
        "full layers of maps, vectors and inputs": {
            var s = GraphSketch()
            let x = s.input([1, 4, 3, 5])
            let a = s.convolution(x, 9, 3, padding: s.same(x, 3, 1))
            let b = s.full(a, 11, then: .relu)
            s.output(s.full(x, 4), s.logistic(s.full(b, 1)), s.full(s.mean(a), 3), s.full(s.mean(a, keeping: true), 3))
            return s
        },
        "means": {
            var s = GraphSketch()
            let x = s.input([1, 5, 3, 3])
            s.output(s.mean(x), s.convolution(s.mean(x, keeping: true), 5), s.mean(s.convolution(x, 9)))
            return s
        },
        "pooling": {
            var s = GraphSketch()
            let x = s.input([1, 7, 9, 3])
            let a = s.maxPool(x, 3, 3, stride: 2, padding: s.same(x, 3, 2))
            let b = s.maxPool(s.convolution(a, 11), 2, 2, stride: 1, padding: .init(top: 1, right: 1))
            s.output(s.convolution(b, 4), s.maxPool(x, 7, 2, stride: 3))
            return s
        },
        "resizing": {
            var s = GraphSketch()
            let x = s.input([1, 4, 5, 3])
            let a = s.convolution(x, 10)
            for (corners, centers) in [(false, false), (true, false), (false, true)] {
                for (height, width) in [(8, 10), (1, 1), (3, 17), (4, 5)] {
                    s.output(s.convolution(s.resize(a, height, width, corners: corners, centers: centers), 2))
                    s.output(s.convolution(s.resize(x, height, width, corners: corners, centers: centers), 2))
                }
            }
            return s
        },
        "joins": {
            var s = GraphSketch()
            let x = s.input([1, 4, 5, 3])
            let (a, b) = (s.convolution(x, 5), s.convolution(x, 10))
            let channels = s.join([a, x, b, a], axis: 3)
            let columns = s.join([a, a, s.convolution(x, 5)], axis: 2)
            let lines = s.join([a, s.maxPool(a, 2, 1, stride: 1)], axis: 1)
            s.output(s.convolution(channels, 3, 3), s.convolution(columns, 3), s.depthwise(lines, 3))
            s.output(s.join([s.reshape(a, [1, 50, 2]), s.reshape(b, [1, 100, 2])], axis: 1))
            s.output(s.join([s.reshape(a, [1, 50, 2]), s.reshape(b, [1, 50, 4])], axis: 2))
            s.output(s.join([s.mean(a), s.mean(b)], axis: 1))
            return s
        },
        "padding": {
            var s = GraphSketch()
            let x = s.input([1, 4, 5, 3])
            let a = s.convolution(x, 6)
            s.output(s.convolution(s.pad(x, [[0, 0], [1, 2], [3, 0], [0, 0]]), 4, 3))
            s.output(s.pad(a, [[0, 0], [0, 1], [2, 1], [3, 4]]), s.pad(s.mean(a), [[0, 0], [2, 3]]))
            s.output(s.pad(s.reshape(a, [1, 60, 2]), [[0, 0], [1, 2], [1, 0]]))
            return s
        },
        "reshapes": {
            var s = GraphSketch()
            let x = s.input([1, 4, 6, 3])
            let a = s.convolution(x, 6)
            s.output(
                s.convolution(s.reshape(a, [1, 2, 8, 9]), 3, 2), s.reshape(a, [1, 144]), s.reshape(x, [1, 36, 2]))
            s.output(s.reshape(s.reshape(a, [1, 2, 2, 2, 3, 6]), [1, 12, 12, 1]))
            return s
        },
        // Sixteen channels need no padding, so rows and whole maps are copied at once, unless a border lies between them.
        "copies of rows and maps": {
            var s = GraphSketch()
            let x = s.input([1, 4, 6, 16])
            let (a, b) = (s.convolution(x, 16), s.relu(s.convolution(x, 16)))
            let lines = s.join([a, b, a], axis: 1)
            s.output(s.convolution(lines, 3, 3, padding: s.same(lines, 3, 1)), s.join([b, a], axis: 2))
            s.output(s.convolution(s.join([a, b], axis: 3), 4), s.pad(b, [[0, 0], [1, 0], [0, 2], [0, 0]]))
            s.output(s.depthwise(s.reshape(b, [1, 6, 4, 16]), 3), s.reshape(a, [1, 12, 32]))
            // Heads: only copied, with and without channels that would be padded.
            let heads = [s.convolution(x, 5), s.convolution(x, 16), s.convolution(x, 10)]
            s.output(s.join(heads.map { s.reshape($0, [1, s.shape($0).reduce(1, *)]) }, axis: 1))
            s.output(s.join([heads[0], s.convolution(x, 3)], axis: 3))
            return s
        },
        "depth to space": {
            var s = GraphSketch()
            let x = s.input([1, 3, 4, 12])
            s.output(s.convolution(s.depthToSpace(x, block: 2), 5, 3))
            s.output(s.depthToSpace(s.convolution(x, 18), block: 3), s.depthToSpace(x, block: 1))
            return s
        },
        "outputs that are read again": {
            var s = GraphSketch()
            let x = s.input([1, 5, 5, 3])
            let a = s.convolution(x, 12, 3, padding: s.same(x, 3, 1), then: .relu)
            let b = s.convolution(a, 16)
            s.output(a, b, s.depthwise(b, 3), x, s.mean(b))
            return s
        },
        "several inputs": {
            var s = GraphSketch()
            let (x, y) = (s.input([1, 5, 4, 8]), s.input([1, 5, 4, 8]))
            s.output(s.depthwise(x, 3), s.add(x, y), s.add(s.convolution(y, 8), x), s.depthwise(y, 5, stride: 2))
            return s
        },
        "an input alone": {
            var s = GraphSketch()
            s.output(s.input([1, 2, 3, 4]))
            return s
        },
        "shapes of six dimensions": {
            var s = GraphSketch()
            let x = s.input([1, 2, 3, 2, 4, 5])
            s.output(s.logistic(s.prelu(s.add(s.relu(x), x))), s.join([s.reshape(x, [1, 1, 1, 8, 6, 5])], axis: 3))
            return s
        },
    ]

    @Test(arguments: tiers, graphs.keys.sorted())
    func equalsPlainLoops(tier: String, name: String) throws {
        let make = try #require(Self.graphs[name])
        try comparePlan(make(), Self.kernels(tier), name)
    }

    /// Blocks of MobileNet of every shape: windows of 3 and 5, strides, odd sizes, padding, widths that are no multiple of 8,
    /// with and without what is around the depthwise convolution, and additions that may and may not be fused.
    @Test(arguments: tiers, [[3, 1], [3, 2], [5, 1], [5, 2]])
    func blocks(tier: String, window: [Int]) throws {
        let (size, stride) = (window[0], window[1])
        let kernels = try Self.kernels(tier)
        for (height, width) in [(5, 5), (6, 9), (13, 7), (1, 8), (64, 40)] {
            for (narrow, wide) in [(8, 24), (12, 20), (3, 9), (16, 96)] {
                for isSame in [true, false] where isSame || height >= size {
                    for activation in NetworkGraph.Activation.allCases {
                        var s = GraphSketch(seed: UInt64(height * 100 + narrow))
                        let x = s.convolution(s.input([1, height, width, 3]), narrow)
                        let expanded = s.convolution(x, wide, then: activation)
                        let padding = isSame ? nil : GraphSketch.Padding()
                        let middle = s.depthwise(expanded, size, stride: stride, padding: padding, then: activation)
                        let y = s.prelu(s.convolution(middle, narrow))
                        // Both orders of terms, where shapes allow it.
                        let z = s.convolution(s.depthwise(y, 3, then: .relu6), narrow, bias: false)
                        let first = s.relu(s.add(y, z))
                        let w = s.convolution(s.depthwise(s.convolution(first, wide, then: .relu), size), narrow)
                        let second = s.add(w, first)
                        s.output(second, s.depthwise(s.convolution(second, wide), size, stride: stride))
                        try comparePlan(s, kernels, "\(height)x\(width) \(narrow) \(wide) \(isSame) \(activation)")
                    }
                }
            }
        }
    }

    /// A value between the convolutions of a block has another reader, or is an output.
    @Test(arguments: tiers)
    func blocksThatMayNotBeFused(tier: String) throws {
        let kernels = try Self.kernels(tier)
        for reader in 0..<4 {
            var s = GraphSketch()
            let x = s.convolution(s.input([1, 9, 8, 3]), 12)
            let expanded = s.convolution(x, 20, then: .relu)
            let middle = s.depthwise(expanded, 3)
            let y = s.convolution(middle, 12)
            switch reader {
            case 0: s.output(expanded)
            case 1: s.output(middle)
            case 2: s.output(s.mean(expanded))
            default: s.output(s.add(middle, expanded))
            }
            s.output(s.add(x, y), y)
            try comparePlan(s, kernels, "reader \(reader)")
        }
    }

    /// Channels that are zero are not added: as in a network that widens its maps while it halves them.
    @Test(arguments: tiers)
    func additionOfPaddedChannels(tier: String) throws {
        let kernels = try Self.kernels(tier)
        for (narrow, wide) in [(8, 16), (16, 24), (32, 48), (12, 20), (5, 8), (8, 13)] {
            for before in [0, 2] {
                for isFirst in [true, false] {
                    for lines in [0, 1] {
                        var s = GraphSketch()
                        let x = s.convolution(s.input([1, 8, 6, 3]), narrow)
                        let pooled = s.maxPool(x, 2, 2, stride: 2)
                        let amounts = [[0, 0], [0, lines], [0, 0], [before, wide - narrow]]
                        let padded = s.pad(pooled, amounts)
                        var y = s.convolution(s.depthwise(x, 5, stride: 2), before + wide)
                        if lines > 0 { y = s.resize(y, 5, 3) }
                        y = s.convolution(y, before + wide)
                        s.output(s.prelu(isFirst ? s.add(padded, y) : s.add(y, padded)))
                        try comparePlan(s, kernels, "\(narrow) \(wide) \(before) \(isFirst) \(lines)")
                    }
                }
            }
        }
    }

    /// Graphs by chance: any operator on any value that fits it. Values that shared memory while both are needed, borders that
    /// were not cleared and channels that were not zero would show.
    @Test(arguments: tiers, 0..<8)
    func randomGraphs(tier: String, part: Int) throws {
        let kernels = try Self.kernels(tier)
        for index in 0..<25 {
            let seed = UInt64(1000 * part + index)
            try comparePlan(Self.random(seed: seed), kernels, "seed \(seed)")
        }
    }

    // MARK: int8

    /// The same graphs quantised: the same bits on every tier, and no further from the real answer than plain loops that round
    /// every value to its code, but for what chance does.
    @Test(arguments: graphs.keys.sorted())
    func quantisedGraphs(name: String) throws {
        let make = try #require(Self.graphs[name])
        try compareQuantisedPlan(make(), KernelRegistry.available, name)
    }

    @Test(arguments: 0..<8)
    func quantisedRandomGraphs(part: Int) throws {
        for index in 0..<25 {
            let seed = UInt64(1000 * part + index)
            try compareQuantisedPlan(Self.random(seed: seed), KernelRegistry.available, "seed \(seed)")
        }
    }

    private static func random(seed: UInt64) -> GraphSketch {
        var random = SplitMix64(seed: seed)
        func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        var s = GraphSketch(seed: seed)
        var maps = [s.input([1, pick(3...17), pick(3...17), pick(1...20)])]
        var vectors: [Int] = []
        for _ in 0..<pick(3...24) {
            // Recent values are read more often, so that graphs are deep.
            let x = maps[max(maps.count - 1 - pick(0...3), 0)]
            let shape = s.shape(x)
            let activation = NetworkGraph.Activation.allCases[pick(0...2)]
            switch pick(0...17) {
            case 0, 1, 2: maps.append(s.convolution(x, pick(1...40), then: activation))
            case 3:
                let window = pick(1...min(4, shape[1], shape[2]))
                let stride = pick(1...2)
                maps.append(
                    s.convolution(
                        x, pick(1...24), window, stride: stride,
                        padding: pick(0...1) == 0 ? .init() : s.same(x, window, stride), then: activation))
            case 4, 5, 6:
                // Only the caller's own maps cannot be convolved depthwise.
                let wide = s.convolution(x, pick(1...40), then: activation)
                maps.append(s.depthwise(wide, [3, 5][pick(0...1)], stride: pick(1...2), then: activation))
                if pick(0...2) > 0 { maps.append(s.convolution(maps[maps.count - 1], pick(1...24))) }
            case 7, 8:
                let other = maps.last { s.shape($0) == shape && $0 != x } ?? s.convolution(x, shape[3])
                maps.append(pick(0...1) == 0 ? s.add(x, other, then: activation) : s.add(other, x, then: activation))
            case 9: maps.append(s.prelu(x))
            case 10: maps.append(pick(0...1) == 0 ? s.relu(x) : s.relu6(x))
            case 11:
                let window = pick(1...min(3, shape[1], shape[2]))
                maps.append(s.maxPool(x, window, window, stride: pick(1...2), padding: s.same(x, window, 1)))
            case 12: maps.append(s.resize(x, pick(1...20), pick(1...20), centers: pick(0...1) == 0))
            case 13:
                let others = maps.filter { Array(s.shape($0).prefix(3)) == Array(shape.prefix(3)) }
                if shape[3] < 64 { maps.append(s.join([x] + others.suffix(2), axis: 3)) }
            case 14:
                maps.append(
                    s.pad(
                        x,
                        [
                            [0, 0], [pick(0...2), pick(0...2)], [pick(0...2), pick(0...2)], [pick(0...1), pick(0...9)],
                        ]))
            case 15: maps.append(s.reshape(x, [1, shape[2], shape[1], shape[3]]))
            case 16: vectors.append(s.full(x, pick(1...20), then: activation))
            default: vectors.append(s.mean(x))
            }
        }
        if let last = vectors.last { vectors.append(s.logistic(s.full(last, 5))) }
        // Some outputs are read by the graph, too.
        s.output(maps[maps.count / 2])
        s.outputTheRest()
        return s
    }

    // MARK: What cannot be run

    private static func error(_ sketch: GraphSketch) throws -> GraphError? {
        let file = try sketch.file()
        do throws(GraphError) {
            _ = try GraphPlan(file, kernels: KernelRegistry.select())
            return nil
        } catch {
            return error
        }
    }

    private static func isUnsupported(_ sketch: GraphSketch) throws -> Bool {
        guard case .unsupported(let value, let reason) = try error(sketch) else { return false }
        return value.hasPrefix("v") && !reason.isEmpty
    }

    @Test func whatNoKernelDoesIsRefused() throws {
        var four = GraphSketch()
        four.output(four.depthwise(four.convolution(four.input([1, 6, 6, 3]), 8), 4))
        #expect(try Self.isUnsupported(four))
        var fast = GraphSketch()
        fast.output(fast.depthwise(fast.convolution(fast.input([1, 9, 9, 3]), 8), 3, stride: 3))
        #expect(try Self.isUnsupported(fast))
        var input = GraphSketch()
        input.output(input.depthwise(input.input([1, 9, 9, 3]), 3))
        #expect(try Self.isUnsupported(input))
        // Joins and padding of a dimension before lines.
        var join = GraphSketch()
        let a = join.input([1, 2, 3, 4, 5])
        join.output(join.join([a, a], axis: 1))
        #expect(try Self.isUnsupported(join))
        var lines = GraphSketch()
        let b = lines.input([1, 2, 3, 4, 5])
        lines.output(lines.join([b, b], axis: 2))
        #expect(try Self.isUnsupported(lines))
        var pad = GraphSketch()
        pad.output(pad.pad(pad.input([1, 2, 3, 4, 5]), [[0, 0], [1, 0], [0, 0], [0, 0], [0, 0]]))
        #expect(try Self.isUnsupported(pad))
    }

    /// Maps that grow in memory, not in the graph: eight channels for one, and a border of a window's size on all sides.
    @Test func memoryIsBounded() throws {
        var thin = GraphSketch()
        thin.output(thin.maxPool(thin.convolution(thin.input([1, 4096, 4096, 1]), 1), 2, 2, stride: 2))
        guard case .tooLarge(let bytes, let limit) = try Self.error(thin) else {
            Issue.record("accepted")
            return
        }
        #expect(bytes > limit && limit == GraphPlan.byteLimit)
        var border = GraphSketch()
        border.output(
            border.convolution(
                border.convolution(border.input([1, 40_000, 16, 1]), 8), 1, 256, stride: 200,
                padding: .init(top: 255, bottom: 255, left: 255, right: 255)))
        guard case .tooLarge = try Self.error(border) else {
            Issue.record("accepted")
            return
        }
    }

    /// The project's networks, which are int8: the same bits on every tier.
    @Test(arguments: ["palm-detection-lite", "hand-landmark-lite"])
    func handNetworksOfAllTiers(name: String) throws {
        let path = Fixtures.repository.appendingPathComponent("Weights/hands/\(name).safetensors").path
        let file = try GraphFile(contentsOf: path)
        var random = SplitMix64(seed: 4)
        let picture = (0..<file.graph.values[file.graph.inputs[0]].count).map { _ in
            Float.random(in: 0...1, using: &random)
        }
        let answers = try Self.tiers.map { tier in
            GraphUnit(try GraphPlan(file, kernels: Self.kernels(tier))).outputs(of: [picture])
        }
        #expect(answers[0].map(\.count) == file.graph.outputs.map { file.graph.values[$0].count })
        for (answer, kernels) in zip(answers, Self.tiers) {
            let areEqual = zip(answer, answers[0]).allSatisfy { $0.map(\.bitPattern) == $1.map(\.bitPattern) }
            #expect(areEqual, "\(kernels)")
        }
    }

    /// Sums stay within 32 bits also where a tier has quantised values about their middle: 383 times the weights beside the bias.
    @Test func sumsThatCouldLeave32BitsAreRefused() throws {
        func plan(bias: Float, slope: Float = 1, _ kernels: KernelTable) throws -> GraphPlan {
            let graph = NetworkGraph(
                values: ["in", "sum", "out"].map { .init(name: $0, shape: [1, 1, 1, 1]) },
                nodes: [
                    .init(
                        .convolution(
                            weights: "w", bias: "b", strideY: 1, strideX: 1, padding: .init(), activation: .none),
                        inputs: [0], output: 1), .init(.prelu(slope: "s"), inputs: [1], output: 2),
                ], inputs: [0], outputs: [2])
            return try GraphPlan(
                GraphFile(
                    graph: graph,
                    parameters: [
                        "s": .init(shape: [1], values: .float([slope])),
                        "w": .init(shape: [1, 1, 1, 1], values: .int8([127], scales: [1])),
                        "b": .init(shape: [1], values: .float([bias])),
                    ],
                    quantisation: ["in": .init(scale: 1, zeroPoint: 0), "out": .init(scale: 2, zeroPoint: 0)]),
                kernels: kernels)
        }
        for tier in Self.tiers {
            let kernels = try Self.kernels(tier)
            // 2^31 - 383 * 127 is 2,147,435,007; floats lie 128 apart there.
            _ = try plan(bias: 2_147_434_880, kernels)
            #expect(throws: GraphError.self, "\(tier)") { try plan(bias: 2_147_435_008, kernels) }
            #expect(throws: GraphError.self, "\(tier)") { try plan(bias: -2_147_435_008, kernels) }
            // A slope multiplies what was within them: half of 2,048 + 48,641 times 84,720 is below 2^31, times 84,740 above.
            for sign: Float in [1, -1] {
                _ = try plan(bias: 2_048, slope: sign * 84_720, kernels)
                #expect(throws: GraphError.self, "\(tier)") { try plan(bias: 2_048, slope: sign * 84_740, kernels) }
            }
        }
    }

    /// Streams take turns in the arenas of a plan: each frame's outputs are those of a unit with an arena of its own,
    /// whatever ran in the arena before.
    @Test(arguments: tiers) func unitsShareArenas(_ tier: String) throws {
        let makeSketch = try #require(Self.graphs["strided convolution of the input"])
        let sketch = makeSketch()
        let plan = try GraphPlan(sketch.file(), kernels: Self.kernels(tier))
        let units = (0..<5).map { _ in GraphUnit(sharingArenasOf: plan) }
        var bases: Set<UInt> = []
        for round in 0..<12 {
            // Two at once, in changing pairs.
            for unit in [units[round % 5], units[(round + 2) % 5]] {
                unit.takeArena()
                unit.takeArena()
            }
            for unit in [units[(round + 2) % 5], units[round % 5]] {
                let inputs = sketch.inputs(seed: UInt64(round))
                #expect(unit.outputs(of: inputs) == GraphUnit(plan).outputs(of: inputs), "round \(round)")
                bases.insert(unsafe UInt(bitPattern: unit.input().base))
            }
            for unit in [units[round % 5], units[(round + 2) % 5]] {
                unit.returnArena()
                unit.returnArena()
            }
        }
        #expect(bases.count == 2)
    }
}
