import Frames
import HandTracking
import ModelFile
import Network
import Platform
import Streams
import Tracking

/// The hand tracker's networks as graphs on one tier's kernels.
///
/// Each stream has its own value, which shares the plans with others and has arenas from `takeArenas` to `returnArenas`:
/// once a frame. The tracker writes its images straight into the arenas.
struct HandGraphs: HandNetworks, ~Copyable {
    /// The plans of the networks, for any number of streams.
    struct Plans: Sendable {
        let palms: GraphPlan
        let landmarks: GraphPlan
        let poses: Poses?

        /// From points to an embedding, and from that to scores.
        struct Poses: Sendable {
            let embedder: GraphPlan
            let classifier: GraphPlan
        }
    }

    /// The outputs in MediaPipe's order. Their shapes differ, except for the two outputs of a single number.
    private enum PalmOutput { static let boxes = 0, scores = 1 }
    private enum LandmarkOutput { static let points = 0, presence = 1, handedness = 2, worldPoints = 3 }

    private let palms: GraphUnit
    private let hand: GraphUnit
    private let poses: (embedder: GraphUnit, classifier: GraphUnit)?
    private let clock: StreamClock
    /// Nanoseconds spent in each network since `restartTimes`.
    private(set) var palmTime: Int64 = 0
    private(set) var landmarkTime: Int64 = 0
    private(set) var poseTime: Int64 = 0

    init(_ plans: Plans, clock: StreamClock) {
        self.clock = clock
        palms = GraphUnit(sharingArenasOf: plans.palms)
        hand = GraphUnit(sharingArenasOf: plans.landmarks)
        poses = plans.poses.map {
            (GraphUnit(sharingArenasOf: $0.embedder), GraphUnit(sharingArenasOf: $0.classifier))
        }
    }

    /// Takes the memory in which the networks run.
    func takeArenas() {
        palms.takeArena()
        hand.takeArena()
        poses?.embedder.takeArena()
        poses?.classifier.takeArena()
    }

    /// Returns it. Nothing of the networks may be read afterwards.
    func returnArenas() {
        palms.returnArena()
        hand.returnArena()
        poses?.embedder.returnArena()
        poses?.classifier.returnArena()
    }

    mutating func restartTimes() {
        palmTime = 0
        landmarkTime = 0
        poseTime = 0
    }

    var palmImage: ImageBuffer { palms.image(side: BoxAnchors.palms.side) }
    var landmarkImage: ImageBuffer { hand.image(side: Self.landmarkSide) }

    mutating func detectPalms() {
        let begun = clock.now()
        palms.run()
        palmTime += clock.now() - begun
    }

    mutating func findLandmarks() {
        let begun = clock.now()
        hand.run()
        landmarkTime += clock.now() - begun
    }

    var palmBoxes: Span<Float> { @_lifetime(borrow self) get { palms.outputSpan(PalmOutput.boxes) } }
    var palmScores: Span<Float> { @_lifetime(borrow self) get { palms.outputSpan(PalmOutput.scores) } }
    var landmarks: Span<Float> { @_lifetime(borrow self) get { hand.outputSpan(LandmarkOutput.points) } }
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { hand.outputSpan(LandmarkOutput.worldPoints) } }
    var presence: Float { hand.outputSpan(LandmarkOutput.presence)[0] }
    var rightHandedness: Float { hand.outputSpan(LandmarkOutput.handedness)[0] }

    mutating func pose(of points: TrackedHand.Points) -> TrackedHand.Pose? {
        guard let poses else { return nil }
        let begun = clock.now()
        poses.embedder.setInput { points[$0 / 3][$0 % 3] }
        poses.embedder.run()
        let embedding = poses.embedder.outputSpan(0)
        poses.classifier.setInput(embedding)
        poses.classifier.run()
        let pose = TrackedHand.Pose(network: poses.classifier.outputSpan(0), of: embedding)
        poseTime += clock.now() - begun
        return pose
    }

    // MARK: Shapes

    private static let landmarkSide = 224

    /// Throws unless the graph has the shapes of a palm detector.
    static func checkPalms(_ file: GraphFile) throws(GestureEngineError) {
        let anchors = BoxAnchors.palms
        try check(
            file, side: anchors.side, outputs: [[1, anchors.count, anchors.numbersPerBox], [1, anchors.count, 1]])
    }

    /// Throws unless the graph has the shapes of a hand-landmark network.
    static func checkLandmarks(_ file: GraphFile) throws(GestureEngineError) {
        let points = [1, 3 * TrackedHand.Points.count]
        try check(file, side: landmarkSide, outputs: [points, [1, 1], [1, 1], points])
    }

    /// Throws unless the embedder takes points and the classifier turns its embedding into a score for each pose.
    static func checkPoses(embedder: GraphFile, classifier: GraphFile) throws(GestureEngineError) {
        let embedding = [1, TrackedHand.Pose.Embedding.count]
        let networks = [
            (embedder, [1, TrackedHand.Points.count, 3], embedding),
            (classifier, embedding, [1, TrackedHand.Pose.Name.allCases.count]),
        ]
        for (file, input, output) in networks {
            let graph = file.graph
            for (expected, ends) in [(input, graph.inputs), (output, graph.outputs)] {
                let found = ends.map { graph.values[$0].shape }
                guard found == [expected] else { throw .handGraph(expected: [expected], found: found) }
            }
        }
    }

    private static func check(_ file: GraphFile, side: Int, outputs: [[Int]]) throws(GestureEngineError) {
        do {
            try file.check(image: side, outputs: outputs)
        } catch {
            switch error {
            case .shapes(let expected, let found): throw .handGraph(expected: expected, found: found)
            case .quantisation(let sentence): throw .graph(sentence)
            }
        }
    }
}
