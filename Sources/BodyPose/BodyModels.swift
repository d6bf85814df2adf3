import BodyTracking
import BodyWeights
import GestureEngine
import ModelFile
import Network
import Platform
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
    /// - Throws: `resourcesMissing` where the app was copied without this product's resources, `file` or `model` for a file that is
    ///   refused, `graph` for another network.
    public init(detection: String? = nil, landmarks: String? = nil) throws(BodyPoseError) {
        let files: (detection: String, landmarks: String)
        do throws(ResourceFolder.Missing) {
            files = (
                try Self.path(detection) { () throws(ResourceFolder.Missing) in try BodyWeights.detection },
                try Self.path(landmarks) { () throws(ResourceFolder.Missing) in try BodyWeights.landmarks }
            )
        } catch {
            throw .resourcesMissing(searched: error.searched)
        }
        self.detection = try Self.load(files.detection)
        self.landmarks = try Self.load(files.landmarks)
        try BodyGraphs.check(detection: self.detection, landmarks: self.landmarks)
    }

    /// The path that is given, or else the project's.
    private static func path(
        _ given: String?, or own: () throws(ResourceFolder.Missing) -> String
    ) throws(ResourceFolder.Missing) -> String {
        if let given { given } else { try own() }
    }

    private static func load(_ path: String) throws(BodyPoseError) -> GraphFile {
        do throws(ModelFileError) { return try GraphFile(contentsOf: path) } catch {
            throw error.namesItsFile ? .model(error) : .file(path: path, error)
        }
    }

    /// The project's own: MediaPipe's pose detector and full landmark network, read from this product's resources.
    public static func full() throws(BodyPoseError) -> BodyModels {
        try BodyModels()
    }
}
