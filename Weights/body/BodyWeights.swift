import Foundation

/// Where this product's resources lie.
package enum BodyWeights {
    /// A graph file of MediaPipe's pose detector.
    package static var detection: String { path("pose-detection") }
    /// A graph file of MediaPipe's full pose-landmark network.
    package static var landmarks: String { path("pose-landmark-full") }

    private static func path(_ name: String) -> String {
        Bundle.module.path(forResource: name, ofType: "safetensors") ?? name + ".safetensors"
    }
}
