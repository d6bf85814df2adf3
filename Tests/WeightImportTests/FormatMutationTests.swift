import Foundation
import ModelFile
import Testing
import Vocabulary
import WeightImport

/// Broken checkpoints must be refused or read, and never trap: a trap ends the test process.
@Suite struct FormatMutationTests {
    private typealias Writer = CheckpointWriter

    /// Mutations of each kind; `FORMAT_MUTATIONS` sets another number.
    static let count = ProcessInfo.processInfo.environment["FORMAT_MUTATIONS"].flatMap { Int($0) } ?? 100_000

    /// Mutates parts in turn and reads what `file` makes of them. Both outcomes must occur.
    private func run(_ seed: UInt64, _ originals: [[UInt8]], _ file: (Int, [UInt8]) -> [UInt8]) {
        var generator = SplitMix64(seed: seed)
        var accepted = 0
        for index in 0..<Self.count {
            let place = index % originals.count
            var bytes = originals[place]
            Mutation.change(&bytes, &generator)
            guard let checkpoint = try? Checkpoint(bytes: file(place, bytes)) else { continue }
            for tensor in checkpoint.tensors.values where tensor.values != nil {
                #expect(tensor.values?.count == tensor.shape.reduce(1, *))
            }
            accepted += 1
        }
        #expect(accepted > 0 && accepted < Self.count)
    }

    /// A member whose checksum is that of the mutated bytes: otherwise the checksum alone would catch most changes.
    @Test func arrays() throws {
        let tensor = Writer.Tensor(name: "a", shape: [2, 3], values: [1, 2, 3, 4, 5, 6])
        let plain = Writer.npy(tensor)
        run(1, [plain, Writer.npz([tensor]), try Fixture.checkpoint("compressed.npz")]) { place, bytes in
            place == 0 ? GraphSourceTests.archive([.init(name: "a.npy", data: bytes)]) : bytes
        }
    }

    @Test func pickles() throws {
        let archive = try ZipArchive(bytes: Fixture.checkpoint("training.pt"))
        let members = archive.entries.map {
            GraphSourceTests.Member(name: $0.name, data: Array(archive.bytes[$0.range]))
        }
        let place = try #require(members.firstIndex { $0.name.hasSuffix("/data.pkl") })
        run(2, [members[place].data, archive.bytes]) { original, bytes in
            guard original == 0 else { return bytes }
            var changed = members
            changed[place].data = bytes
            return GraphSourceTests.archive(changed)
        }
    }

    @Test func graphs() throws {
        let files = try ["scoped.onnx", "exported.onnx", "quantised.onnx"].map(Fixture.checkpoint)
        run(3, files) { _, bytes in bytes }
    }
}
