import ModelFile
import Network
import TestSupport
import Testing
import WeightImport

@Suite struct ModelSettingsTests {
    private func file(_ bytes: [UInt8]) throws -> SafetensorsFile { try SafetensorsFile(bytes: bytes) }

    @Test func countsBecomeMilliseconds() throws {
        let old = try file(ColumnModel.int8())
        let new = try file(ModelSettings.bytes(of: old) { $0.mergeWindowMilliseconds = 500 })
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
        func expect(
            _ option: String, _ value: String, _ location: SourceLocation = #_sourceLocation,
            _ change: (inout ModelManifest.PostProcessing) -> Void
        ) {
            do throws(ImportError) {
                _ = try ModelSettings.bytes(of: old, changing: change)
                Issue.record("taken", sourceLocation: location)
            } catch {
                #expect("\(error)".hasPrefix("\(option) cannot be \(value): "), "\(error)", sourceLocation: location)
            }
        }
        expect("--median-ms", "900") { $0.median = .milliseconds(900) }
        expect("--begin-ms", "0") { $0.begin = .milliseconds(0) }
        expect("--end-ms", "5001") { $0.end = .milliseconds(5001) }
        expect("--unsure-end-ms", "10") { $0.unsureEndMilliseconds = 10 }
        expect("--once-ms", "60001") { $0.mergeWindowMilliseconds = 60_001 }
        expect("--steady", "0") { $0.steady = .init(milliseconds: 0, confidence: 0.5) }
        expect("--steady", "1.0") { $0.steady = .init(milliseconds: 100, confidence: 1) }
        expect("--begin-confidence", "1.5") { $0.beginConfidence = 1.5 }
        expect("--class-confidence", #"{"wave":"0.5"}"#) { $0.classConfidence = ["wave": 0.5] }
    }
}
