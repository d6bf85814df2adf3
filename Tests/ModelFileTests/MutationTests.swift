import Foundation
import ModelFile
import TestSupport
import Testing
import Vocabulary

/// Broken files must be refused or read consistently, and never trap: a trap ends the test process.
@Suite struct MutationTests {
    /// Mutations of each kind; `MODEL_FILE_MUTATIONS` sets another number.
    private static let count =
        ProcessInfo.processInfo.environment["MODEL_FILE_MUTATIONS"].flatMap { Int($0) } ?? 100_000

    /// Reads everything that can be read. Returns whether the container was accepted.
    private func exercise(_ bytes: [UInt8]) -> Bool {
        guard let file = try? SafetensorsFile(bytes: bytes) else { return false }
        var end: Int?
        for tensor in file.tensors {
            #expect(end == nil || tensor.byteRange.lowerBound == end)
            end = tensor.byteRange.upperBound
            #expect(tensor.elementCount * tensor.type.byteCount == tensor.byteRange.count)
            #expect(file.rawBytes(of: tensor).count == tensor.byteRange.count)
            _ = try? file.floats(tensor.name)
        }
        #expect(end == nil || end == bytes.count)
        // Without its hash, damage to a model's contents would not get to the checks behind it.
        if let bytes = Sealing.resealed(bytes), let model = try? ModelFile(bytes: bytes) {
            #expect(model.manifest.labels.indices.contains(model.manifest.nullIndex))
            for name in model.layerNames {
                guard let shape = file[name + ".weight"]?.shape else { continue }
                guard let layer = try? model.floatLayer(name, shape: shape) else { continue }
                #expect(layer.weights.allSatisfy(\.isFinite) && layer.bias.count == shape[0])
            }
        }
        return true
    }

    @Test func mutatedBytes() throws {
        let original = try ModelFileTests.bytes()
        var generator = SplitMix64(seed: 1)
        var accepted = 0
        for _ in 0..<Self.count {
            var bytes = original
            for _ in 0...Int.random(in: 0..<4, using: &generator) { mutate(&bytes, &generator) }
            if exercise(bytes) { accepted += 1 }
        }
        // Changes inside tensors and metadata values keep the container whole, so both outcomes are exercised.
        #expect(accepted > Self.count / 1000 && accepted < Self.count)
    }

    /// Mutates the header's text and repairs the length before it, so that the damage reaches the later checks.
    @Test func mutatedHeaders() throws {
        let original = try ModelFileTests.bytes()
        let length = original[..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
        var generator = SplitMix64(seed: 2)
        var accepted = 0
        for _ in 0..<Self.count {
            var text = Array(original[8..<8 + length])
            for _ in 0...Int.random(in: 0..<3, using: &generator) { mutateText(&text, &generator) }
            if exercise(Self.withLength(text) + original[(8 + length)...]) { accepted += 1 }
        }
        #expect(accepted > Self.count / 1000 && accepted < Self.count)
    }

    /// Graph files: the JSON of the graph in the header, the quantisation, and the tensors.
    @Test(arguments: [ModelManifest.Precision.float32, .int8])
    func mutatedGraphs(precision: ModelManifest.Precision) throws {
        let original = try GraphFileTests.file(precision).bytes()
        let length = original[..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
        var generator = SplitMix64(seed: 3)
        var accepted = 0
        for _ in 0..<Self.count {
            var text = Array(original[8..<8 + length])
            for _ in 0...Int.random(in: 0..<2, using: &generator) { mutateText(&text, &generator) }
            // The hash would catch the damage before the checks that are to be tried.
            guard let damaged = try? SafetensorsFile(bytes: Self.withLength(text) + original[(8 + length)...]),
                let file = try? GraphFile(
                    bytes: GraphFileTests.hashed(GraphFileTests.payloads(damaged), damaged.metadata))
            else { continue }
            accepted += 1
            try file.graph.validate(parameterShapes: file.parameters.mapValues(\.shape))
            #expect(file.parameters.values.allSatisfy { $0.floats().count == $0.shape.reduce(1, *) })
        }
        #expect(accepted > Self.count / 1000 && accepted < Self.count)
    }

    private static func withLength(_ text: [UInt8]) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) } + text
    }

    private func mutate(_ bytes: inout [UInt8], _ generator: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
        case 4: bytes.removeLast(bytes.count - index)
        default: bytes[Int.random(in: 0..<min(8, bytes.count), using: &generator)] = [0, 1, 0x7F, 0xFF][index % 4]
        }
    }

    private static let fragments = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "null", "0", "-", "9223372036854775807",
        "18446744073709551616",
        "1e9", "[0,0]", "\"dtype\"", "F64", "BOOL", "__metadata__", "\u{0}", " ", "\u{301}", "4294967296",
    ].map { Array($0.utf8) }

    private func mutateText(_ text: inout [UInt8], _ generator: inout SplitMix64) {
        guard !text.isEmpty else { return }
        let index = Int.random(in: 0..<text.count, using: &generator)
        let other = Int.random(in: index..<min(text.count, index + 40), using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0:
            // One digit for another: offsets, shapes, counts.
            let digits = text.indices.filter { (0x30...0x39).contains(text[$0]) }
            if let digit = digits.randomElement(using: &generator) {
                text[digit] = UInt8.random(in: 0x30...0x39, using: &generator)
            }
        case 1: text.removeSubrange(index..<other)
        case 2: text.insert(contentsOf: text[index..<other], at: Int.random(in: 0...text.count, using: &generator))
        case 3: text.insert(contentsOf: Self.fragments.randomElement(using: &generator) ?? [], at: index)
        default: text[index] = UInt8.random(in: 0...255, using: &generator)
        }
    }
}
