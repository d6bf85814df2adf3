import ModelFile

/// The body tracker's detector and landmark network. Copies share memory, so an app loads them once.
public struct BodyModels: Sendable {
    /// From 224 x 224 colour pixels to 2,254 boxes and scores.
    let detection: GraphFile
    /// From 256 x 256 colour pixels to 39 points, presence, mask, heat maps and 39 points in metres. Only the masks of
    /// MediaPipe's variants differ in size.
    let landmarks: GraphFile
    /// Width and height of the landmark network's masks.
    package let maskSide: Int

    /// Loads and checks the two files, which `gesture-import graph` makes.
    /// - Parameters:
    ///   - detectionFile: a graph file of MediaPipe's pose detector.
    ///   - landmarkFile: a graph file of MediaPipe's pose-landmark network, lite, full or heavy, whose masks may have any size up
    ///     to 256 x 256.
    package init(detectionFile: String, landmarkFile: String) throws(EngineError) {
        func load(_ path: String) throws(EngineError) -> GraphFile {
            try EngineError.naming(path) { path throws(ModelFileError) in try GraphFile(contentsOf: path) }
        }
        detection = try load(detectionFile)
        landmarks = try load(landmarkFile)
        maskSide = try BodyGraphs.check(detection: detection, landmarks: landmarks)
    }

    /// Checks the bytes of the two files.
    package init(detection: [UInt8], landmarks: [UInt8]) throws(EngineError) {
        do throws(ModelFileError) {
            self.detection = try GraphFile(bytes: detection)
            self.landmarks = try GraphFile(bytes: landmarks)
        } catch {
            throw .model(error)
        }
        maskSide = try BodyGraphs.check(detection: self.detection, landmarks: self.landmarks)
    }
}
