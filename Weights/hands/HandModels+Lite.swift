import Foundation
public import GestureEngine

extension HandModels {
    /// The project's own: MediaPipe's palm detector and hand-landmark network in their lite forms, and temporal layers trained on
    /// their landmarks. All are int8 and give the same bits on every CPU. 2.4 MB, read from the resources of this product.
    ///
    /// - Parameter gestures: other temporal layers for the same networks, such as fine-tuned ones; nil takes the project's.
    public static func lite(gestures: GestureEngine.Source? = nil) throws(GestureEngineError) -> HandModels {
        func path(_ name: String) -> String {
            Bundle.module.path(forResource: name, ofType: "safetensors") ?? name + ".safetensors"
        }
        return try HandModels(
            palmDetection: path("palm-detection-lite"), handLandmarks: path("hand-landmark-lite"),
            gestures: gestures ?? .file(path: path("hand-gestures")))
    }
}
