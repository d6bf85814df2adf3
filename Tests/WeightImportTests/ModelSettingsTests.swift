import ModelFile
import Network
import TestSupport
import Testing
import WeightImport

@Suite struct ModelSettingsTests {
    private func file(_ bytes: [UInt8]) throws -> SafetensorsFile { try SafetensorsFile(bytes: bytes) }

    @Test func countsBecomeMilliseconds() throws {
        let old = try file(ColumnModel.int8())
        let new = try file(ModelSettings.bytes(of: old) { $0.onceMilliseconds = 500 })
        #expect(old.metadata["post.median_frames"] == "5" && new.metadata["post.median_frames"] == nil)
        #expect(new.metadata["post.median_ms"] == "167" && new.metadata["post.begin_ms"] == "100")
        #expect(new.metadata["post.end_ms"] == "67" && new.metadata["post.once_ms"] == "500")
        #expect(
            old.tensors.map { Array(old.bytes[$0.byteRange]) } == new.tensors.map { Array(new.bytes[$0.byteRange]) })
        let settings = Set(new.metadata.keys.filter { $0.hasPrefix("post.") } + [ContentHash.key])
        #expect(
            new.metadata.filter { !settings.contains($0.key) }
                == old.metadata.filter {
                    !$0.key.hasPrefix("post.") && $0.key != ContentHash.key
                })
    }

    @Test func whatAModelMayNotSayIsRefused() throws {
        let old = try file(ColumnModel.int8())
        #expect(throws: ImportError.file(.malformedMetadata(key: "post.median_ms", value: "900"))) {
            try ModelSettings.bytes(of: old) { $0.median = .milliseconds(900) }
        }
    }
}
