import HandTracking
import ModelFile
import Network
public import TrackerInference
import Vocabulary

/// The networks of the landmark front end: a palm detector, a hand-landmark network, optional pose networks, and the
/// temporal layers that run on their results.
///
/// The product `GestureHands` contains the project's networks; `gesture-import` makes the files of others. Copies share
/// their memory, so an app loads the networks once.
public struct HandModels: Sendable {
    /// The palm detector: a 192x192 colour image to 2,016 boxes and scores.
    let palms: GraphFile
    /// The landmark network: a 224x224 colour image to 21 points, presence, handedness and 21 points in metres.
    let landmarks: GraphFile
    /// The pose networks: from 21 points to an embedding, and from the embedding to eight scores.
    let poses: (embedder: GraphFile, classifier: GraphFile)?
    /// The temporal layers and their labels.
    let gestures: ModelFile
    let weights: NetworkWeights
    /// Columns of other movements, from which enrolment separates new ones; read when first needed.
    let background: GestureEngine.Source?

    /// Loads and checks the files.
    /// - Parameters:
    ///   - palmDetection: a graph file of MediaPipe's palm detector, lite or full.
    ///   - handLandmarks: a graph file of MediaPipe's hand-landmark network, lite or full.
    ///   - poses: graph files of the embedder and the canned classifier in MediaPipe's gesture recognizer; without them
    ///     hands have no pose.
    ///   - gestures: a model of the landmark front end.
    ///   - background: columns of other movements, from which enrolment separates new ones: `hand-background` of this project, for temporal layers
    ///     that are those of its `hand-gestures`. It is read when a gesture is first enrolled; for other layers it has no effect.
    public init(
        palmDetection: String, handLandmarks: String, poses: (embedder: String, classifier: String)? = nil,
        gestures: GestureEngine.Source, background: GestureEngine.Source? = nil
    ) throws(EngineError) {
        func graph(_ path: String) throws(EngineError) -> GraphFile {
            try EngineError.naming(path) { path throws(ModelFileError) in try GraphFile(contentsOf: path) }
        }
        func layers() throws(EngineError) -> ModelFile {
            guard case .file(let path) = gestures else { return try GestureEngine.load(gestures) }
            return try EngineError.naming(path) { path throws(ModelFileError) in try ModelFile.load(path: path) }
        }
        try self.init(
            palms: graph(palmDetection), landmarks: graph(handLandmarks),
            poses: try Self.both(poses) { path throws(EngineError) in try graph(path) }, gestures: layers(),
            background: background)
    }

    /// Loads and checks the same files in memory. An error names the argument.
    /// - Parameters:
    ///   - palmDetection: the bytes of a graph file; likewise the other arguments but the last.
    ///   - gestures: a model of the landmark front end.
    ///   - background: as for files.
    public init(
        palmDetection: [UInt8], handLandmarks: [UInt8], poses: (embedder: [UInt8], classifier: [UInt8])? = nil,
        gestures: GestureEngine.Source, background: GestureEngine.Source? = nil
    ) throws(EngineError) {
        func graph(_ bytes: [UInt8], _ name: String) throws(EngineError) -> GraphFile {
            try EngineError.naming(name) { _ throws(ModelFileError) in try GraphFile(bytes: bytes) }
        }
        try self.init(
            palms: graph(palmDetection, "palmDetection"), landmarks: graph(handLandmarks, "handLandmarks"),
            poses: try Self.both(poses) { bytes throws(EngineError) in try graph(bytes, "poses") },
            gestures: GestureEngine.load(gestures), background: background)
    }

    private static func both<Source>(
        _ poses: (embedder: Source, classifier: Source)?, _ read: (Source) throws(EngineError) -> GraphFile
    ) throws(EngineError) -> (embedder: GraphFile, classifier: GraphFile)? {
        guard let poses else { return nil }
        return (try read(poses.embedder), try read(poses.classifier))
    }

    private init(
        palms: GraphFile, landmarks: GraphFile, poses: (embedder: GraphFile, classifier: GraphFile)?,
        gestures: ModelFile, background: GestureEngine.Source?
    ) throws(EngineError) {
        (self.palms, self.landmarks, self.poses, self.gestures) = (palms, landmarks, poses, gestures)
        self.background = background
        do { weights = try NetworkWeights(model: self.gestures) } catch { throw .model(error) }
        guard weights.frontEnd == .landmarks else {
            throw .model(
                .wrongNetwork(expected: FrontEnd.landmarks.networkName, found: self.gestures.manifest.network))
        }
        try HandGraphs.check(palms: palms, landmarks: landmarks, poses: poses)
    }
}
