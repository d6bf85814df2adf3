import Frames
import HandTracking
import ModelFile
import Network
import Tracking

/// The hand tracker's two networks as graphs on one tier's kernels.
///
/// A value of one stream: the plans are shared, the arenas are its own. The tracker writes its pictures straight into the arenas.
struct HandGraphs: HandNetworks, ~Copyable {
    /// The plans of both networks, for any number of streams.
    struct Plans: Sendable {
        let palms: GraphPlan
        let landmarks: GraphPlan
    }

    /// The outputs in MediaPipe's order, which the shapes tell apart but for the two of one number.
    private enum PalmOutput { static let boxes = 0, scores = 1 }
    private enum LandmarkOutput { static let points = 0, presence = 1, handedness = 2, worldPoints = 3 }

    private let palms: GraphUnit
    private let hand: GraphUnit
    private let clock: StreamClock
    /// Nanoseconds of the latest runs, 0 if there was none since `restartTimes`.
    private(set) var palmTime: Int64 = 0
    private(set) var landmarkTime: Int64 = 0

    init(_ plans: Plans, clock: StreamClock) {
        self.clock = clock
        palms = GraphUnit(plans.palms)
        hand = GraphUnit(plans.landmarks)
    }

    mutating func restartTimes() {
        palmTime = 0
        landmarkTime = 0
    }

    var palmPicture: PictureBuffer { palms.picture(side: BoxAnchors.palms.side) }
    var landmarkPicture: PictureBuffer { hand.picture(side: Self.landmarkSide) }

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

    // MARK: Shapes

    private static let landmarkSide = 224

    /// Refuses a graph that is no palm detector.
    static func checkPalms(_ file: GraphFile) throws(GestureEngineError) {
        let anchors = BoxAnchors.palms
        try check(
            file, side: anchors.side, outputs: [[1, anchors.count, anchors.numbersPerBox], [1, anchors.count, 1]])
    }

    /// Refuses a graph that is no hand-landmark network.
    static func checkLandmarks(_ file: GraphFile) throws(GestureEngineError) {
        let points = [1, 3 * TrackedHand.Points.count]
        try check(file, side: landmarkSide, outputs: [points, [1, 1], [1, 1], points])
    }

    private static func check(_ file: GraphFile, side: Int, outputs: [[Int]]) throws(GestureEngineError) {
        do {
            try file.check(picture: side, outputs: outputs)
        } catch {
            switch error {
            case .shapes(let expected, let found): throw .handGraph(expected: expected, found: found)
            case .codes(let sentence): throw .graph(sentence)
            }
        }
    }
}
