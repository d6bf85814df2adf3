import HandTracking
import ModelFile
import Network
import Vocabulary

/// What the landmark front end runs: a palm detector, a hand-landmark network, and the temporal layers over what they find.
///
/// The product `GestureHands` has those of the project; `gesture-import` makes the files of others. Values are shared: an app
/// loads them once.
public struct HandModels: Sendable {
    /// The palm detector: 192x192 colours to 2,016 boxes and scores.
    let palms: GraphFile
    /// The landmark network: 224x224 colours to 21 points, presence, handedness and 21 points in metres.
    let landmarks: GraphFile
    /// The temporal layers and their labels.
    let gestures: ModelFile
    let weights: NetworkWeights

    /// Loads and checks the three files.
    /// - Parameters:
    ///   - palmDetection: a graph file of MediaPipe's palm detector, lite or full.
    ///   - handLandmarks: one of its hand-landmark network, lite or full.
    ///   - gestures: a model of the landmark front end.
    public init(
        palmDetection: String, handLandmarks: String, gestures: GestureEngine.Source
    ) throws(GestureEngineError) {
        palms = try GestureEngineError.naming(palmDetection) { path throws(ModelFileError) in
            try GraphFile(contentsOf: path)
        }
        landmarks = try GestureEngineError.naming(handLandmarks) { path throws(ModelFileError) in
            try GraphFile(contentsOf: path)
        }
        if case .file(let path) = gestures {
            self.gestures = try GestureEngineError.naming(path) { path throws(ModelFileError) in
                try ModelFile.load(path: path)
            }
        } else {
            self.gestures = try GestureEngine.load(gestures)
        }
        do { weights = try NetworkWeights(model: self.gestures) } catch { throw .model(error) }
        guard weights.frontEnd == .landmarks else {
            throw .model(
                .wrongNetwork(expected: FrontEnd.landmarks.networkName, found: self.gestures.manifest.network))
        }
        try HandGraphs.checkPalms(palms)
        try HandGraphs.checkLandmarks(landmarks)
    }
}
