import Foundation
import ModelFile
import Testing

/// A model is read as it was written, or it is refused.
@Suite struct ContentHashTests {
    private func error(_ bytes: [UInt8]) -> ModelFileError? {
        do throws(ModelFileError) {
            _ = try ModelFile(bytes: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func everyBitCounts() throws {
        for precision in ModelManifest.Precision.allCases {
            var bytes = try ModelFileTests.bytes(
                ModelFileTests.tensors(precision), ModelFileTests.manifest(precision))
            #expect(error(bytes) == nil)
            for bit in 0..<8 * bytes.count {
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(error(bytes) != nil, "\(precision): bit \(bit)")
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            }
        }
    }

    /// Upper and lower case of a hexadecimal digit in an escape are the same: accepted as the same model.
    @Test func whatSaysTheSameIsTheSame() throws {
        var manifest = ModelFileTests.manifest()
        manifest.additional["note"] = "\u{1B}"
        let bytes = try ModelFileTests.bytes(ModelFileTests.tensors(), manifest)
        let escape = try #require(Data(bytes).range(of: Data("\\u001b".utf8)))
        var other = bytes
        other[escape.upperBound - 1] ^= 0x20
        let model = try ModelFile(bytes: other)
        #expect(other != bytes && model.manifest == manifest)
    }

    @Test func theOrderOfTheFileDoesNot() throws {
        let file = try SafetensorsFile(bytes: ModelFileTests.bytes())
        let payloads = ModelFileTests.tensors()
        let digits = ContentHash(file).digits
        for tensors in [payloads, payloads.reversed()] {
            #expect(ContentHash(metadata: file.metadata, tensors: tensors).digits == digits)
        }
        var metadata = file.metadata
        metadata[ContentHash.key] = nil
        #expect(ContentHash(metadata: metadata, tensors: payloads).digits == digits)
        #expect(digits.utf8.count == 16 && file.metadata[ContentHash.key] == digits)
    }

    /// Entries whose bytes in a row are the same have different hashes: every text has its length.
    @Test func noEntryRunsIntoTheNext() {
        func digits(_ metadata: [String: String], _ tensors: [TensorPayload] = []) -> String {
            ContentHash(metadata: metadata, tensors: tensors).digits
        }
        #expect(digits(["ab": "c"]) != digits(["a": "bc"]))
        #expect(digits(["a": "", "b": ""]) != digits(["a": "b"]))
        #expect(digits([:], [.int8("a", shape: [1], [1])]) != digits([:], [.int8("b", shape: [1], [1])]))
        // One hash in sixteen begins with a zero.
        #expect((0..<200).allSatisfy { digits(["a": "\($0)"]).utf8.count == 16 })
        #expect(
            digits([:], [.int8("a", shape: [2, 3], [1, 2, 3, 4, 5, 6])])
                != digits([:], [.int8("a", shape: [3, 2], [1, 2, 3, 4, 5, 6])]))
        #expect(
            digits([:], [.int8("a", shape: [1], [1])])
                != digits([:], [TensorPayload(name: "a", type: .uint8, shape: [1], bytes: [1])]))
    }

    @Test func aFileWithoutIsRefused() throws {
        let manifest = ModelFileTests.manifest()
        let tensors = ModelFileTests.tensors()
        var metadata = try manifest.metadata()
        #expect(
            error(try SafetensorsWriter.bytes(tensors: tensors, metadata: metadata))
                == .missingMetadata(key: "content_xxh64"))
        // Files of version 1 had none.
        metadata["format_version"] = "1"
        #expect(
            error(try SafetensorsWriter.bytes(tensors: tensors, metadata: metadata)) == .unsupportedVersion("1"))
    }

    @Test func whatWasChangedIsNamed() throws {
        let file = try SafetensorsFile(bytes: ModelFileTests.bytes())
        var metadata = file.metadata
        metadata["post.begin_confidence"] = "0.05"
        let recorded = try #require(metadata[ContentHash.key])
        let found = ContentHash(metadata: metadata, tensors: ModelFileTests.tensors()).digits
        #expect(
            error(try SafetensorsWriter.bytes(tensors: ModelFileTests.tensors(), metadata: metadata))
                == .contentMismatch(recorded: recorded, found: found))
        metadata[ContentHash.key] = found
        #expect(error(try SafetensorsWriter.bytes(tensors: ModelFileTests.tensors(), metadata: metadata)) == nil)
        metadata[ContentHash.key] = found.uppercased()
        #expect(error(try SafetensorsWriter.bytes(tensors: ModelFileTests.tensors(), metadata: metadata)) != nil)
    }
}
