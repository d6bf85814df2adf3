package import HandTracking
package import KernelInterface
package import ModelFile
import Network
import Platform
package import Streams
package import Tracking

/// The hand tracker's networks: a palm detector, a landmark network, and the two pose networks of a hand.
package struct HandGraphs: HandNetworks, ~Copyable {
    /// The plans of the networks, for any number of streams.
    package struct Plans: Sendable {
        fileprivate let tracker: TrackerNetworks.Plans
        /// From points to an embedding, and from that to scores.
        fileprivate let poses: (embedder: GraphPlan, classifier: GraphPlan)?

        package init(
            palms: GraphFile, landmarks: GraphFile, poses: (embedder: GraphFile, classifier: GraphFile)?,
            kernels: KernelTable
        ) throws(EngineError) {
            tracker = try TrackerNetworks.Plans(detector: palms, landmarks: landmarks, kernels: kernels)
            self.poses = try poses.map { poses throws(EngineError) in
                (try EngineError.plan(poses.embedder, kernels), try EngineError.plan(poses.classifier, kernels))
            }
        }
    }

    /// The outputs in MediaPipe's order. Their shapes differ, except for the two outputs of a single number.
    private enum PalmOutput { static let boxes = 0, scores = 1 }
    private enum LandmarkOutput { static let points = 0, presence = 1, handedness = 2, worldPoints = 3 }

    private static let palmInput = TrackerNetworks.Image(side: BoxAnchors.palms.side)
    private static let landmarkInput = TrackerNetworks.Image(side: 224)

    private var networks: TrackerNetworks
    private let poses: (embedder: GraphUnit, classifier: GraphUnit)?
    private let clock: StreamClock
    /// Nanoseconds spent in the pose networks since `restartTimes`.
    package private(set) var poseTime: Int64 = 0

    package init(_ plans: Plans, clock: StreamClock) {
        self.clock = clock
        networks = TrackerNetworks(
            plans.tracker, detectorInput: Self.palmInput, landmarkInput: Self.landmarkInput, clock: clock)
        poses = plans.poses.map {
            (GraphUnit(sharingArenasOf: $0.embedder), GraphUnit(sharingArenasOf: $0.classifier))
        }
    }

    /// Takes the memory in which the networks run.
    package func takeArenas() {
        networks.takeArenas()
        poses?.embedder.takeArena()
        poses?.classifier.takeArena()
    }

    /// Returns it. Nothing of the networks may be read afterwards.
    package func returnArenas() {
        networks.returnArenas()
        poses?.embedder.returnArena()
        poses?.classifier.returnArena()
    }

    package mutating func restartTimes() {
        networks.restartTimes()
        poseTime = 0
    }

    package var palmTime: Int64 { networks.detectionTime }
    package var landmarkTime: Int64 { networks.landmarkTime }
    package var palmImage: ImageBuffer { networks.detectionImage }
    package var landmarkImage: ImageBuffer { networks.landmarkImage }
    package mutating func detectPalms() { networks.detect() }
    package mutating func findLandmarks() { networks.findLandmarks() }

    package var palmBoxes: Span<Float> { @_lifetime(borrow self) get { networks.detection(PalmOutput.boxes) } }
    package var palmScores: Span<Float> { @_lifetime(borrow self) get { networks.detection(PalmOutput.scores) } }
    package var landmarks: Span<Float> { @_lifetime(borrow self) get { networks.landmarks(LandmarkOutput.points) } }
    package var worldLandmarks: Span<Float> {
        @_lifetime(borrow self) get { networks.landmarks(LandmarkOutput.worldPoints) }
    }
    package var presence: Float { networks.landmarks(LandmarkOutput.presence)[0] }
    package var rightHandedness: Float { networks.landmarks(LandmarkOutput.handedness)[0] }

    package mutating func pose(of points: TrackedHand.Points) -> TrackedHand.Pose? {
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

    /// Throws unless the graphs have the shapes of a palm detector, of a hand-landmark network, of an embedder of points,
    /// and of a classifier of its embeddings.
    package static func check(
        palms: GraphFile, landmarks: GraphFile, poses: (embedder: GraphFile, classifier: GraphFile)?
    ) throws(EngineError) {
        let anchors = BoxAnchors.palms
        try EngineError.check(
            palms, image: palmInput,
            outputs: [[1, anchors.count, anchors.numbersPerBox], [1, anchors.count, 1]])
        let points = [1, 3 * TrackedHand.Points.count]
        try EngineError.check(landmarks, image: landmarkInput, outputs: [points, [1, 1], [1, 1], points])
        guard let poses else { return }
        let embedding = [1, TrackedHand.Pose.Embedding.count]
        try EngineError.check(poses.embedder, input: [1, TrackedHand.Points.count, 3], outputs: [embedding])
        try EngineError.check(
            poses.classifier, input: embedding, outputs: [[1, TrackedHand.Pose.Name.allCases.count]])
    }
}
