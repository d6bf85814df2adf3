import BodyTracking
import BodyWeights
import ModelFile
import Network
import Platform
import Streams
import Tracking

/// The body tracker's detector and landmark network. Copies share memory, so an app loads them once.
public struct BodyModels: Sendable {
    /// From 224 x 224 colour pixels to 2,254 boxes and scores.
    let detection: GraphFile
    /// From 256 x 256 colour pixels to 39 points, presence, mask, heat maps and 39 points in metres. Only the masks of
    /// MediaPipe's variants differ in size.
    let landmarks: GraphFile
    /// Width and height of the landmark network's masks.
    let maskSide: Int

    /// Loads and checks the two files, which `gesture-import graph` makes.
    /// - Parameters:
    ///   - detection: a graph file of MediaPipe's pose detector; nil for the project's.
    ///   - landmarks: a graph file of MediaPipe's pose-landmark network, lite, full or heavy, whose masks may have any
    ///     size up to 256 x 256; nil for the project's, which is full.
    /// - Throws: `resourcesMissing` if the app was copied without this product's resources, `file` or `model` for a
    ///   file that is refused, `graph` for another network.
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
        maskSide = try BodyGraphs.check(detection: self.detection, landmarks: self.landmarks)
    }

    /// The given path, else the project's.
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

    /// Loads the project's own networks, MediaPipe's pose detector and full landmark network, from this product's
    /// resources.
    public static func full() throws(BodyPoseError) -> BodyModels {
        try BodyModels()
    }
}
