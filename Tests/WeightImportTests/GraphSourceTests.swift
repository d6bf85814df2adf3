import Foundation
import ModelFile
import TestSupport
import Testing
import WeightImport

/// Zip archives of stored members, and what is refused of others.
@Suite struct GraphSourceTests {
    struct Member {
        var name: String
        var data: [UInt8]
        var method = 0
        var flags = 0
        /// What the central directory says instead of the truth.
        var checksum: UInt32?
        var size: Int?
        var offset: Int?
        var localName: String?
    }

    static func archive(_ members: [Member], comment: [UInt8] = []) -> [UInt8] {
        func little(_ number: Int, _ width: Int) -> [UInt8] {
            (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
        for member in members {
            let checksum = little(Int(member.checksum ?? CRC32.of(member.data[...])), 4)
            let sizes = little(member.size ?? member.data.count, 4) + little(member.size ?? member.data.count, 4)
            let common = little(member.flags, 2) + little(member.method, 2) + [0, 0, 0, 0] + checksum + sizes
            let localName = Array((member.localName ?? member.name).utf8)
            let offset = bytes.count
            bytes +=
                [0x50, 0x4B, 3, 4, 20, 0] + common + little(localName.count, 2) + [0, 0] + localName + member.data
            directory += [0x50, 0x4B, 1, 2, 20, 0, 20, 0] + common + little(member.name.utf8.count, 2)
            directory += [UInt8](repeating: 0, count: 12) + little(member.offset ?? offset, 4) + Array(member.name.utf8)
        }
        let end =
            little(members.count, 2) + little(members.count, 2) + little(directory.count, 4) + little(bytes.count, 4)
        return bytes + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + end + little(comment.count, 2) + comment
    }

    private func network() throws -> [UInt8] {
        [UInt8](
            try Data(
                contentsOf: Fixtures.directory.appendingPathComponent("graphs").appendingPathComponent("block.tflite")))
    }

    @Test func aBundlesOnlyNetworkNeedsNoName() throws {
        let network = try network()
        let bundle = Self.archive(
            [Member(name: "readme.txt", data: Array("text".utf8)), Member(name: "a/b.tflite", data: network)],
            comment: Array("a comment".utf8))
        let source = try GraphSource(bytes: bundle, fileName: "hands.task")
        #expect(source.bytes == network)
        #expect(source.name == "hands.task/a/b.tflite")
        #expect(try source.graph().manifest.sourceSHA256 == SHA256.hexadecimal(of: network))
    }

    @Test func severalAreChosenFromByName() throws {
        let network = try network()
        let inner = Self.archive([Member(name: "b.tflite", data: network)])
        let bundle = Self.archive([Member(name: "a.tflite", data: network), Member(name: "inner.task", data: inner)])
        #expect(throws: ImportError.entryMissing("", available: ["a.tflite", "inner.task/b.tflite"])) {
            try GraphSource(bytes: bundle, fileName: "hands.task")
        }
        #expect(throws: ImportError.entryMissing("c", available: ["a.tflite", "inner.task/b.tflite"])) {
            try GraphSource(bytes: bundle, fileName: "hands.task", entry: "c")
        }
        let source = try GraphSource(bytes: bundle, fileName: "hands.task", entry: "inner.task/b.tflite")
        #expect(source.bytes == network)
        #expect(throws: ImportError.entryMissing("c", available: [])) {
            try GraphSource(bytes: network, fileName: "hands.tflite", entry: "c")
        }
        #expect(throws: ImportError.entryMissing("", available: [])) {
            try GraphSource(bytes: Self.archive([Member(name: "x", data: [1])]), fileName: "hands.task")
        }
    }

    @Test func brokenArchivesAreRefused() {
        func expect(_ fault: ZipArchive.Fault, _ bytes: [UInt8], _ location: SourceLocation = #_sourceLocation) {
            #expect(throws: fault, sourceLocation: location) { try ZipArchive(bytes: bytes) }
        }
        let member = Member(name: "a", data: [1, 2, 3])
        func changed(_ change: (inout Member) -> Void) -> [UInt8] {
            var member = member
            change(&member)
            return Self.archive([member])
        }
        expect(.encrypted("a"), changed { $0.flags = 1 })
        expect(.compressed("a", method: 8), changed { $0.method = 8 })
        expect(.checksum("a"), changed { $0.checksum = 0 })
        expect(.contradiction("a"), changed { $0.localName = "b" })
        expect(.malformed(offset: 0), changed { $0.size = 1 << 20 })
        expect(.malformed(offset: 1), changed { $0.offset = 1 })
        expect(.name("a"), Self.archive([member, member]))
        for name in ["", "/a", "../a", "a/../b", "a\\b"] { expect(.name(name), changed { $0.name = name }) }
        expect(.directory, [])
        expect(.directory, Array(Self.archive([member]).dropLast()))
        expect(.directory, Self.archive([member]) + [0])
        let twice = Self.archive([member, Member(name: "b", data: [1, 2, 3], offset: 0, localName: "b")])
        expect(.contradiction("b"), twice)
        #expect(throws: ZipArchive.Fault.tooManyEntries(limit: 1024)) {
            try ZipArchive(bytes: Self.archive((0...1024).map { Member(name: "\($0)", data: []) }))
        }
    }
}
