import ModelFile
import NumPyFormat
import Testing
import WeightImport

@Suite struct NumPyCheckpointTests {
    private typealias Writer = CheckpointWriter

    private func read(_ bytes: [UInt8]) throws -> Checkpoint.Tensor {
        try #require(try Checkpoint(bytes: bytes, name: "a").tensors["a"])
    }

    private func expect(_ fault: NumPyFault, _ bytes: [UInt8], _ location: SourceLocation = #_sourceLocation) {
        #expect(throws: ImportError.numpy(tensor: "a", fault), sourceLocation: location) {
            try Checkpoint(bytes: bytes, name: "a")
        }
    }

    /// Archives that NumPy itself wrote: stored, compressed, and column-major float64 of the other byte order.
    @Test(arguments: ["stored.npz", "compressed.npz", "fortran-big-endian.npz"])
    func archivesOfNumPy(_ file: String) throws {
        try TorchCheckpointTests.expectKnown(Checkpoint(bytes: Fixture.checkpoint(file), fileExtension: "npz"))
    }

    @Test func everyTypeAndOrder() throws {
        let halves: [UInt8] = [0, 0x3C, 0, 0xB8]
        #expect(try read(Writer.npy(type: "'<f2'", shape: "(2,)", halves)).values == [1, -0.5])
        #expect(try read(Writer.npy(type: "'>f2'", shape: "(2,)", [0x3C, 0, 0xB8, 0])).values == [1, -0.5])
        let double = Array(CheckpointWriter.little(Int(bitPattern: UInt(Double(1e300).bitPattern)), 8))
        #expect(try read(Writer.npy(type: "'<f8'", shape: "()", double)).values == [.infinity])
        for (type, size) in [("|i1", 1), ("|u1", 1), ("|b1", 1), ("<i2", 2), (">i4", 4), ("<u8", 8)] {
            let tensor = try read(Writer.npy(type: "'\(type)'", shape: "(3,)", [UInt8](repeating: 1, count: 3 * size)))
            #expect(tensor.shape == [3] && tensor.type == type && tensor.values == nil)
        }
        let numbers = Writer.bytes([1, 2, 3, 4, 5, 6])
        #expect(try read(Writer.npy(shape: "(2, 3)", numbers)).values == [1, 2, 3, 4, 5, 6])
        // The first dimension is innermost.
        #expect(try read(Writer.npy(order: "True", shape: "(2, 3)", numbers)).values == [1, 3, 5, 2, 4, 6])
        #expect(try read(Writer.npy(shape: "(0, 3)", [])).values == [])
        for version: UInt8 in [2, 3] {
            #expect(try read(Writer.npy(shape: "(6,)", numbers, version: version)).values?.count == 6)
        }
    }

    @Test func badArraysAreRefused() {
        let numbers = Writer.bytes([1, 2])
        expect(.type("|O"), Writer.npy(type: "'|O'", shape: "(2,)", numbers))
        expect(.type("<U4"), Writer.npy(type: "'<U4'", shape: "(2,)", numbers))
        expect(.type("=f4"), Writer.npy(type: "'=f4'", shape: "(2,)", numbers))
        expect(.type("|f4"), Writer.npy(type: "'|f4'", shape: "(2,)", numbers))
        expect(.header(.record), Writer.npy(type: "[('x', '<f4')]", shape: "(2,)", numbers))
        expect(.header(.version(major: 4, minor: 0)), Writer.npy(shape: "(2,)", numbers, version: 4))
        expect(.header(.tooLong(bytes: 10_001, limit: 10_000)), Writer.npy(shape: "(2,)", numbers, length: 10_001))
        expect(
            .header(.tooLong(bytes: 0xFFFF_FFFF, limit: 10_000)),
            Writer.npy(shape: "(2,)", numbers, version: 2, length: 0xFFFF_FFFF))
        expect(.truncated, Writer.npy(shape: "(2,)", [], length: 1000))
        expect(.size(expected: 8, found: 9), Writer.npy(shape: "(2,)", numbers + [0]))
        expect(.size(expected: 12, found: 8), Writer.npy(shape: "(3,)", numbers))
        // The product wraps to 0 in 64 bits; with a zero it must not be taken for small either.
        let side = 1 << 32
        expect(.shape([side, side]), Writer.npy(shape: "(\(side), \(side))", []))
        expect(.shape([0, side, side]), Writer.npy(shape: "(0, \(side), \(side))", []))
        expect(.shape([Int.max]), Writer.npy(shape: "(\(Int.max),)", numbers))
        expect(
            .tooManyDimensions(17, limit: 16), Writer.npy(shape: "(" + String(repeating: "1, ", count: 17) + ")", []))
        for shape in ["(2)", "[2]", "(-2,)", "(2,", "(2.0,)", "(9223372036854775808,)", "(2,) + (1,)"] {
            #expect(throws: ImportError.self, "\(shape)") {
                try Checkpoint(bytes: Writer.npy(shape: shape, numbers), name: "a")
            }
        }
        for order in ["1", "'False'", "Falsehood", "__import__('os')"] {
            #expect(throws: ImportError.self, "\(order)") {
                try Checkpoint(bytes: Writer.npy(order: order, shape: "(2,)", numbers), name: "a")
            }
        }
    }

    /// What archives allow besides, and what of them is refused.
    @Test func badArchivesAreRefused() throws {
        let array = Writer.npy(.init(name: "a", shape: [2], values: [1, 2]))
        func expect(_ error: ImportError, _ members: [GraphSourceTests.Member], _ at: SourceLocation = #_sourceLocation)
        {
            #expect(throws: error, sourceLocation: at) { try Checkpoint(bytes: GraphSourceTests.archive(members)) }
        }
        expect(.numpy(tensor: "b.txt", .member), [.init(name: "a.npy", data: array), .init(name: "b.txt", data: [1])])
        expect(.archive(.name("../a.npy")), [.init(name: "../a.npy", data: array)])
        expect(.archive(.checksum("a.npy")), [.init(name: "a.npy", data: array, checksum: 1)])
        expect(.numpy(tensor: "a", .truncated), [.init(name: "a.npy", data: Array(array[..<40]))])
        let long = String(repeating: "a", count: 1025)
        expect(.file(.nameTooLong(long, limit: 1024)), [.init(name: long + ".npy", data: array)])

        // Compressed members state their size. It must be one that their bytes can give, and the right one.
        let stream: [UInt8] = [1, UInt8(array.count), 0, ~UInt8(array.count), 0xFF] + array
        func deflated(_ size: Int) -> [GraphSourceTests.Member] {
            [.init(name: "a.npy", data: stream, method: 8, checksum: CRC32.of(array[...]), contentSize: size)]
        }
        #expect(
            try Checkpoint(bytes: GraphSourceTests.archive(deflated(array.count))).tensors["a"]?.values == [1, 2])
        expect(
            .archive(.deflate("a.npy", .size(expected: array.count - 1, found: array.count))), deflated(array.count - 1)
        )
        expect(.archive(.ratio("a.npy", size: 1 << 30)), deflated(1 << 30))
        var wrong = deflated(array.count)
        wrong[0].checksum = 1
        expect(.archive(.checksum("a.npy")), wrong)
        // Each member may be what its bytes can give, but not all of them together.
        let bombs = (0..<33).map { index in
            GraphSourceTests.Member(
                name: "\(index).npy", data: [UInt8](repeating: 0, count: 8192), method: 8, contentSize: 8192 * 1032)
        }
        expect(.archive(.tooLarge(limit: 256 << 20)), bombs)
        // The two headers must say the same.
        expect(.archive(.contradiction("a.npy")), [.init(name: "a.npy", data: array, localChecksum: 7)])
    }
}
