import BodyTracking
import BodyWeights
import GestureEngine
import ModelFile
import Network
import Tracking

/// What the body tracker runs: a detector and a landmark network. Values are shared: an app loads them once.
public struct BodyModels: Sendable {
    /// 224x224 colours to 2,254 boxes and scores.
    let detection: GraphFile
    /// 256x256 colours to 39 points, presence, mask, heat maps and 39 points in metres.
    let landmarks: GraphFile

    /// Loads and checks the two files.
    /// - Parameters:
    ///   - detection: a graph file of MediaPipe's pose detector; nil takes the project's.
    ///   - landmarks: one of its pose-landmark network, lite, full or heavy; nil takes the project's, which is the full one.
    ///
    /// `gesture-import graph` makes such files.
    public init(detection: String? = nil, landmarks: String? = nil) throws(BodyPoseError) {
        do {
            self.detection = try GraphFile(contentsOf: detection ?? BodyWeights.detection)
            self.landmarks = try GraphFile(contentsOf: landmarks ?? BodyWeights.landmarks)
        } catch {
            throw .model(error)
        }
        try BodyGraphs.check(detection: self.detection, landmarks: self.landmarks)
    }

    /// The project's own: MediaPipe's pose detector and full landmark network, read from this product's resources.
    public static func full() throws(BodyPoseError) -> BodyModels {
        try BodyModels()
    }
}
