import Foundation
import ModelFile
import TestSupport
import Testing
import Vocabulary
import WeightImport

/// Broken TFLite files and bundles must be refused or read consistently, and never trap: a trap ends the test process.
@Suite struct GraphMutationTests {
    /// Mutations of each kind; `GRAPH_MUTATIONS` sets another number.
    private static let count =
        ProcessInfo.processInfo.environment["GRAPH_MUTATIONS"].flatMap { Int($0) } ?? 100_000

    /// A graph of every operator that can be read, sparse, float16 and external constants included.
    static func everyOperator() -> [UInt8] {
        var writer = TFLiteWriter()
        let input = writer.tensor("in", [1, 4, 4, 2])
        writer.inputs = [input]
        func map(_ name: String, _ side: Int, _ channels: Int) -> Int {
            writer.tensor(name, [1, side, side, channels])
        }

        let rows = FlatPart.table([
            0: .int32s([0, 1, 2, 3, 4]), 1: .int32s([3]),
            2: .tables([
                .table([0: .int8(0), 1: .int32(4)]), .table([0: .int8(0), 1: .int32(1)]),
                .table([0: .int8(0), 1: .int32(1)]),
                .table([
                    0: .int8(1), 2: .int8(1), 3: .table([0: .int32s([0, 1, 1, 2, 3])]), 4: .int8(2),
                    5: .table([0: .uint16s([0, 0, 0])]),
                ]),
                .table([0: .int8(0), 1: .int32(2)]),
            ]),
        ])
        let sparse = writer.halves("sparse", [4, 1, 1, 2], [1, 2, 3, 4, 5, 6], sparsity: rows)
        let half = writer.tensor("half", [4, 1, 1, 2], type: 1)
        let weights = writer.tensor("weights", [4, 1, 1, 2])
        writer.operation(124, [sparse], [half])
        writer.operation(6, [half], [weights])
        let bias = writer.tensor(
            "bias", [4], data: [Float(1), 2, 3, 4].flatMap(TFLiteWriter.bytes), isExternal: true)
        let first = map("first", 4, 4)
        writer.convolution(input, weights: weights, bias: bias, to: first, activation: 3)
        let second = map("second", 4, 4)
        let taps = writer.floats("taps", [1, 3, 3, 4], (0..<36).map(Float.init))
        writer.depthwise(first, weights: taps, bias: bias, to: second)
        let third = map("third", 4, 4)
        writer.operation(0, [first, second], [third], options: (11, [0: .int8(1)]))
        let slope = writer.floats("slope", [1, 1, 4], [0.1, 0.2, 0.3, 0.4])
        let fourth = map("fourth", 4, 4)
        writer.operation(54, [third, slope], [fourth])
        let pooled = map("pooled", 2, 4)
        writer.operation(
            17, [fourth], [pooled], options: (5, [1: .int32(2), 2: .int32(2), 3: .int32(2), 4: .int32(2)]))
        let amounts = writer.integers("amounts", [4, 2], [0, 0, 0, 0, 0, 0, 0, 4])
        let padded = map("padded", 2, 8)
        writer.operation(34, [pooled, amounts], [padded], options: (22, [:]))
        let size = writer.integers("size", [2], [4, 4])
        let resized = map("resized", 4, 8)
        writer.operation(23, [padded, size], [resized], options: (15, [3: .int8(1)]))
        let spread = map("spread", 8, 2)
        writer.operation(5, [resized], [spread], options: (94, [0: .int32(2)]))
        let clipped = map("clipped", 8, 2)
        writer.operation(21, [spread], [clipped])
        let positive = map("positive", 8, 2)
        writer.operation(19, [clipped], [positive])
        let joined = map("joined", 8, 4)
        writer.operation(2, [positive, spread], [joined], options: (10, [0: .int32(3)]))
        let axes = writer.integers("axes", [2], [1, 2])
        let mean = writer.tensor("mean", [1, 4])
        writer.operation(40, [joined, axes], [mean], options: (27, [:]))
        let rest = writer.floats("rest", [3, 4], (0..<12).map(Float.init))
        let score = writer.tensor("score", [1, 3])
        writer.operation(9, [mean, rest], [score], options: (8, [:]))
        let shape = writer.integers("shape", [3], [1, 3, 1])
        let column = writer.tensor("column", [1, 3, 1])
        writer.operation(22, [score, shape], [column], options: (17, [:]))
        let answer = writer.tensor("answer", [1, 3, 1])
        writer.operation(14, [column], [answer])
        writer.outputs = [answer]
        return writer.bytes
    }

    /// Reads the file; what is accepted must be a graph that can be written and run. True if it was accepted.
    private func exercise(_ bytes: [UInt8]) throws -> Bool {
        guard let file = try? TFLiteGraph.read(bytes) else { return false }
        try file.graph.validate(parameterShapes: file.parameters.mapValues(\.shape))
        let size = file.graph.values.reduce(0) { $0 + $1.count }
        // A window or map may have grown to what is legal but slow.
        guard size < 100_000, file.parameters.values.reduce(0, { $0 + $1.shape.reduce(1, *) }) < 100_000 else {
            return true
        }
        let inputs = file.graph.inputs.map { [Float](repeating: 0.5, count: file.graph.values[$0].count) }
        let outputs = try ReferenceGraph(file).run(inputs)
        #expect(outputs.map(\.count) == file.graph.outputs.map { file.graph.values[$0].count })
        return true
    }

    @Test func everyOperatorIsRead() throws {
        let file = try TFLiteGraph.read(Self.everyOperator())
        #expect(file.graph.nodes.count == 15)
        #expect(try GraphFile(bytes: file.bytes()).graph == file.graph)
        #expect(try exercise(Self.everyOperator()))
    }

    @Test func mutatedFiles() throws {
        let original = Self.everyOperator()
        var generator = SplitMix64(seed: 1)
        var accepted = 0
        for _ in 0..<Self.count {
            var bytes = original
            for _ in 0...Int.random(in: 0..<3, using: &generator) { mutate(&bytes, &generator) }
            if try exercise(bytes) { accepted += 1 }
        }
        // Changes of weights and names leave the file whole, so both outcomes are exercised.
        #expect(accepted > Self.count / 100 && accepted < Self.count)
    }

    @Test func mutatedBundles() throws {
        let original = GraphSourceTests.archive([
            .init(name: "a.tflite", data: Self.everyOperator()), .init(name: "b", data: [1, 2, 3]),
        ])
        var generator = SplitMix64(seed: 2)
        var accepted = 0
        for _ in 0..<Self.count {
            var bytes = original
            // Most of the bytes are the network's, of which the checksum catches any change: aim at the records too.
            if Bool.random(using: &generator) {
                let index = original.count - 1 - Int.random(in: 0..<160, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            } else {
                mutate(&bytes, &generator)
            }
            if let source = try? GraphSource(bytes: bytes, fileName: "x"), (try? source.graph()) != nil {
                accepted += 1
            }
        }
        #expect(accepted > 0 && accepted < Self.count)
    }

    /// Numbers that offsets, counts and sizes do not expect.
    private static let words: [UInt32] = [0, 1, 4, 0x7F, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFC, 0xFFFF_FFFF]

    private func mutate(_ bytes: inout [UInt8], _ generator: inout SplitMix64) {
        guard bytes.count >= 8 else { return }
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 3:
            let start = index & ~3
            let word = Self.words.randomElement(using: &generator) ?? 0
            for byte in 0..<4 where start + byte < bytes.count {
                bytes[start + byte] = UInt8(truncatingIfNeeded: word >> (8 * UInt32(byte)))
            }
        case 4:
            // One offset or number for another.
            let from = Int.random(in: 0..<bytes.count / 4, using: &generator) * 4
            let start = index & ~3
            for byte in 0..<4 where start + byte < bytes.count && from + byte < bytes.count {
                bytes[start + byte] = bytes[from + byte]
            }
        case 5: bytes[index] = bytes[index] &+ 4
        case 6: bytes[index] = bytes[index] &- 1
        default: bytes.removeLast(min(bytes.count - index, bytes.count - 8))
        }
    }
}
