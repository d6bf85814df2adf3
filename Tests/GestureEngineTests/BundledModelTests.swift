import Foundation
import GestureHandsEmbedded
import GesturePixels
import ModelFile
import Testing

/// The model inside the program is the file that stands beside it in the repository.
@Suite struct BundledModelTests {
    @Test func isTheShippedFile() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Weights/gesture-tcn-int8.safetensors").path
        let shipped = try ModelFile.load(path: path)
        let bundled = try ModelFile(embedded: GesturePixels.EmbeddedNetworks.gestureTcnInt8)
        // Compared out here: of arrays that differ, the macro would look for the shortest edit between them, for hours.
        let isTheSame = bundled.file.bytes == shipped.file.bytes
        #expect(isTheSame)
        #expect(shipped.file.bytes.count <= 380_000)
    }

    /// The networks of `GestureHandsEmbedded`, which its build plugin writes. The texts are no arguments: the log would have
    /// their megabytes.
    @Test func embeddedNetworksAreTheShippedFiles() throws {
        typealias EmbeddedNetworks = GestureHandsEmbedded.EmbeddedNetworks
        for (name, text) in [
            ("palm-detection-lite", EmbeddedNetworks.palmDetectionLite),
            ("hand-landmark-lite", EmbeddedNetworks.handLandmarkLite),
            ("gesture-embedder", EmbeddedNetworks.gestureEmbedder),
            ("canned-gesture-classifier", EmbeddedNetworks.cannedGestureClassifier),
            ("hand-gestures", EmbeddedNetworks.handGestures),
            ("hand-background", EmbeddedNetworks.handBackground),
        ] {
            let shipped = try [UInt8](Data(contentsOf: URL(fileURLWithPath: HandScript.weights(name))))
            let isTheSame = try EmbeddedText.decode(text) == shipped
            #expect(isTheSame, "\(name)")
        }
    }
}
