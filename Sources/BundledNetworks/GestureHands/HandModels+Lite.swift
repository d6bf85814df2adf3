public import GestureEngine
import Platform
public import TrackerInference

extension HandModels {
    /// The project's own: MediaPipe's palm detector and hand-landmark network in their lite forms, its networks of poses, and temporal
    /// layers trained on the landmarks. All but those of poses are int8 and give the same bits on every CPU. 3.2 MB, read from the
    /// resources of this product.
    ///
    /// - Parameter gestures: other temporal layers for the same networks, such as fine-tuned ones; nil takes the project's.
    /// - Throws: `resourcesMissing` where the app was copied without this product's resources, `file` for one that is damaged.
    public static func lite(gestures: GestureEngine.Source? = nil) throws(EngineError) -> HandModels {
        let folder = ResourceFolder("swift-gesture_HandFiles")
        func path(_ name: String) throws(EngineError) -> String {
            do throws(ResourceFolder.Missing) {
                return try folder.path(of: name + ".safetensors")
            } catch {
                throw .resourcesMissing(searched: error.searched)
            }
        }
        let layers: GestureEngine.Source = if let gestures { gestures } else { .file(path: try path("hand-gestures")) }
        return try HandModels(
            palmDetection: path("palm-detection-lite"), handLandmarks: path("hand-landmark-lite"),
            poses: (path("gesture-embedder"), path("canned-gesture-classifier")), gestures: layers,
            background: .file(path: path("hand-background")))
    }
}
