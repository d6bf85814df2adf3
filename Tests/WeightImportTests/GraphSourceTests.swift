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
        /// A false entry of the central directory.
        var checksum: UInt32?
        var size: Int?
        /// Of a compressed member's content; the size of its bytes if nil.
        var contentSize: Int?
        var localChecksum: UInt32?
        var offset: Int?
        var localName: String?
        /// In the directory alone: its header and bytes are where `offset` says.
        var isListedAlone = false
    }

    /// - Parameter before: bytes before the first member.
    static func archive(_ members: [Member], comment: [UInt8] = [], before: [UInt8] = []) -> [UInt8] {
        var (bytes, directory): ([UInt8], [UInt8]) = (before, [])
        for member in members {
            let offset = bytes.count
            if !member.isListedAlone { bytes += localHeader(member) + member.data }
            directory +=
                [0x50, 0x4B, 1, 2, 20, 0, 20, 0] + common(member, member.checksum) + little(member.name.utf8.count, 2)
            directory += [UInt8](repeating: 0, count: 12) + little(member.offset ?? offset, 4) + Array(member.name.utf8)
        }
        let end =
            little(members.count, 2) + little(members.count, 2) + little(directory.count, 4) + little(bytes.count, 4)
        return bytes + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + end + little(comment.count, 2) + comment
    }

    private static func localHeader(_ member: Member) -> [UInt8] {
        let name = Array((member.localName ?? member.name).utf8)
        return [0x50, 0x4B, 3, 4, 20, 0] + common(member, member.localChecksum ?? member.checksum)
            + little(name.count, 2) + [0, 0] + name
    }

    /// What both headers of a member say.
    private static func common(_ member: Member, _ checksum: UInt32?) -> [UInt8] {
        let checksum = little(Int(checksum ?? CRC32.of(member.data[...])), 4)
        let size = member.size ?? member.data.count
        return little(member.flags, 2) + little(member.method, 2) + [0, 0, 0, 0] + checksum + little(size, 4)
            + little(member.contentSize ?? size, 4)
    }

    private static func little(_ number: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
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
        #expect(throws: ZipArchive.Fault.compressed("a", method: 12)) {
            try ZipArchive(bytes: changed { $0.method = 12 }, allowingDeflate: true)
        }
        expect(.checksum("a"), changed { $0.checksum = 0 })
        expect(.contradiction("a"), changed { $0.localName = "b" })
        expect(.malformed(offset: 0), changed { $0.size = 1 << 20 })
        expect(.malformed(offset: 1), changed { $0.offset = 1 })
        expect(.name("a"), Self.archive([member, member]))
        for name in ["", "/a", "../a", "a/../b", "a\\b"] { expect(.name(name), changed { $0.name = name }) }
        expect(.directory, [])
        expect(.directory, Array(Self.archive([member]).dropLast()))
        expect(.directory, Self.archive([member]) + [0])
        // The record of the end says that the directory begins behind where it does.
        var late = Self.archive([member])
        late[late.count - 6] += 1
        expect(.directory, late)
        let twice = Self.archive([member, Member(name: "b", data: [1, 2, 3], offset: 0, localName: "b")])
        expect(.contradiction("b"), twice)
        #expect(throws: ZipArchive.Fault.tooManyEntries(limit: 1024)) {
            try ZipArchive(bytes: Self.archive((0...1024).map { Member(name: "\($0)", data: []) }))
        }
    }

    /// Bytes before the first member, with offsets from the beginning of all bytes, as MediaPipe's bundles have them, or from
    /// that of the archive, as where an archive was put behind other bytes.
    @Test(arguments: [
        [0, 0], [UInt8](repeating: 0, count: 61), Array("PK\u{3}\u{4} text".utf8), Array("PK\u{5}\u{6}".utf8),
    ])
    func bytesMayComeBeforeTheFirstMember(_ before: [UInt8]) throws {
        let network = try network()
        let members = [Member(name: "a.tflite", data: network), Member(name: "b", data: [1, 2, 3])]
        for bundle in [Self.archive(members, before: before), before + Self.archive(members)] {
            let source = try GraphSource(bytes: bundle, fileName: "hands.task")
            #expect(source.bytes == network && source.name == "hands.task/a.tflite")
            #expect(try ZipArchive(bytes: bundle).entries.map(\.name) == ["a.tflite", "b"])
        }
        let inner = Self.archive(members, comment: Array("PK\u{5}\u{6} a comment".utf8), before: before)
        let outer = Self.archive([Member(name: "inner.task", data: inner)], before: before)
        #expect(try GraphSource(bytes: outer, fileName: "x").name == "x/inner.task/a.tflite")
    }

    /// As of TFLite files with labels in their metadata.
    @Test func aNetworkWithAnArchiveBehindItIsANetwork() throws {
        let network = try network()
        let labelled = network + Self.archive([Member(name: "labels.txt", data: Array("fist".utf8))])
        let plain = try GraphSource(bytes: network, fileName: "a.tflite").graph()
        let source = try GraphSource(bytes: labelled, fileName: "a.tflite")
        #expect(source.name == "a.tflite")
        #expect(try source.graph().graph == plain.graph)
        let bundle = Self.archive([Member(name: "a.tflite", data: labelled), Member(name: "b.tflite", data: network)])
        #expect(throws: ImportError.entryMissing("", available: ["a.tflite", "b.tflite"])) {
            try GraphSource(bytes: bundle, fileName: "hands.task")
        }
    }

    @Test func archivesAreLookedIntoTwoDeep() throws {
        let network = try network()
        let inner = Self.archive([Member(name: "a.tflite", data: network)])
        let middle = Self.archive([Member(name: "inner.task", data: inner)])
        #expect(try GraphSource(bytes: middle, fileName: "x").name == "x/inner.task/a.tflite")
        let outer = Self.archive([Member(name: "middle.task", data: middle)])
        #expect(throws: ImportError.archive(.tooDeep("middle.task/inner.task", limit: 2))) {
            try GraphSource(bytes: outer, fileName: "x")
        }
        // The same path by a folder's name and by an archive's.
        let twice = Self.archive([Member(name: "inner/a.tflite", data: network), Member(name: "inner", data: inner)])
        #expect(throws: ImportError.archive(.name("inner/a.tflite"))) { try GraphSource(bytes: twice, fileName: "x") }
    }

    /// A member that holds the header and the bytes of another one, or the header alone: the same bytes would count twice.
    @Test func membersMayNotShareBytes() throws {
        let second = Member(name: "b", data: [4, 5, 6], offset: 31, isListedAlone: true)
        let shared = Self.archive([Member(name: "a", data: Self.localHeader(second) + second.data), second])
        #expect(throws: ZipArchive.Fault.overlap("b")) { try ZipArchive(bytes: shared) }
        // The bytes behind the header are the first of the next member's.
        let header = Member(name: "b", data: [0x50, 0x4B, 3], offset: 31, isListedAlone: true)
        let enclosed = Self.archive([
            Member(name: "a", data: Self.localHeader(header)), header, Member(name: "c", data: [1]),
        ])
        #expect(throws: ZipArchive.Fault.overlap("b")) { try ZipArchive(bytes: enclosed) }
    }
}
