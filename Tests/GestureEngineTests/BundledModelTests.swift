import BundledWeights
import Foundation
import ModelFile
import TestSupport
import Testing

/// The model inside the program is the file that stands beside it in the repository.
@Suite struct BundledModelTests {
    @Test func isTheShippedFile() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Weights/gesture-tcn-int8.safetensors").path
        let shipped = try ModelFile.load(path: path)
        let bundled = try ModelFile(embedded: BundledWeights.model)
        #expect(bundled.file.bytes == shipped.file.bytes)
        #expect(shipped.file.bytes.count <= 380_000)
    }
}
