import BodyWeights
import Platform
public import TrackerInference

extension BodyModels {
    /// Loads and checks the two files, which `gesture-import graph` makes.
    /// - Parameters:
    ///   - detection: a graph file of MediaPipe's pose detector; nil for the project's.
    ///   - landmarks: a graph file of MediaPipe's pose-landmark network, lite, full or heavy, whose masks may have any
    ///     size up to 256 x 256; nil for the project's, which is full.
    /// - Throws: `resourcesMissing` if the app was copied without this product's resources, `file` or `model` for a
    ///   file that is refused, `otherGraph` for another network.
    public init(detection: String? = nil, landmarks: String? = nil) throws(EngineError) {
        let files: (detection: String, landmarks: String)
        do throws(ResourceFolder.Missing) {
            files = (
                try Self.path(detection) { () throws(ResourceFolder.Missing) in try BodyWeights.detection },
                try Self.path(landmarks) { () throws(ResourceFolder.Missing) in try BodyWeights.landmarks }
            )
        } catch {
            throw .resourcesMissing(searched: error.searched)
        }
        try self.init(detectionFile: files.detection, landmarkFile: files.landmarks)
    }

    /// The given path, else the project's.
    private static func path(
        _ given: String?, or own: () throws(ResourceFolder.Missing) -> String
    ) throws(ResourceFolder.Missing) -> String {
        if let given { given } else { try own() }
    }

    /// Loads the project's own networks, MediaPipe's pose detector and full landmark network, from this product's
    /// resources.
    public static func full() throws(EngineError) -> BodyModels {
        try BodyModels()
    }
}

extension BodyPoseEngine {
    /// Makes an engine of the project's own networks.
    /// - Parameter excludedTiers: kernel tiers that are not used, as in `GestureEngine.Configuration`.
    public convenience init(excludedTiers: Set<String> = []) throws(EngineError) {
        self.init(try .full(), excludedTiers: excludedTiers)
    }
}
