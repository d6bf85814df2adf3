import Platform

/// Where this product's resources lie.
package enum BodyWeights {
    /// A graph file of MediaPipe's pose detector.
    package static var detection: String {
        get throws(ResourceFolder.Missing) { try folder.path(of: "pose-detection.safetensors") }
    }
    /// A graph file of MediaPipe's full pose-landmark network.
    package static var landmarks: String {
        get throws(ResourceFolder.Missing) { try folder.path(of: "pose-landmark-full.safetensors") }
    }

    private static var folder: ResourceFolder { ResourceFolder("swift-gesture_BodyFiles") }
}
