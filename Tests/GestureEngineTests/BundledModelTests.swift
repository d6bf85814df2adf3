import BundledWeights
import Foundation
import ModelFile
import Testing

/// The model inside the program is the file that stands beside it in the repository.
@Suite struct BundledModelTests {
    @Test func isTheShippedFile() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Weights/gesture-tcn-int8.safetensors").path
        let shipped = try ModelFile.load(path: path)
        let bundled = try ModelFile(embedded: BundledWeights.model)
        // Compared out here: of arrays that differ, the macro would look for the shortest edit between them, for hours.
        let isTheSame = bundled.file.bytes == shipped.file.bytes
        #expect(isTheSame)
        #expect(shipped.file.bytes.count <= 380_000)
    }
}
