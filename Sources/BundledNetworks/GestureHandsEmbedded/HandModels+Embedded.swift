public import GestureEngine
import ModelFile
public import TrackerInference

/// The files of `Weights/hands` as base64, a member for each. The plugin `EmbedNetworks` writes them
/// while this is built.
package enum EmbeddedNetworks {}

extension HandModels {
    /// The networks of `lite()` of the product `GestureHands`, inside the program. The program needs no file beside it. They
    /// take 4.3 MB of it and are read once.
    ///
    /// - Parameter gestures: other temporal layers for the same networks, such as fine-tuned ones; nil takes the project's.
    /// - Throws: the errors of `gestures`.
    public static func embedded(gestures: GestureEngine.Source? = nil) throws(EngineError) -> HandModels {
        func bytes(_ text: StaticString) throws(EngineError) -> [UInt8] {
            do { return try EmbeddedText.decode(text) } catch { throw .model(error) }
        }
        return try HandModels(
            palmDetection: bytes(EmbeddedNetworks.palmDetectionLite),
            handLandmarks: bytes(EmbeddedNetworks.handLandmarkLite),
            poses: (bytes(EmbeddedNetworks.gestureEmbedder), bytes(EmbeddedNetworks.cannedGestureClassifier)),
            gestures: gestures ?? .embedded(EmbeddedNetworks.handGestures),
            background: .embedded(EmbeddedNetworks.handBackground))
    }
}
