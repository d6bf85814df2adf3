import Frames
import HandTracking
import ModelFile
import Network

/// The hand tracker's two networks as graphs on one tier's kernels.
///
/// A value of one stream: the plans are shared, the arenas are its own. The tracker writes its pictures straight into the arenas.
struct HandGraphs: HandNetworks, ~Copyable {
    /// The plans of both networks, for any number of streams.
    struct Plans: Sendable {
        let palms: GraphPlan
        let landmarks: GraphPlan
        /// Which output is which, by index.
        fileprivate let boxes, scores: Int
        fileprivate let points, presence, handedness, worldPoints: Int

        init(palms: GraphPlan, landmarks: GraphPlan) {
            self.palms = palms
            self.landmarks = landmarks
            let counts = palms.graph.outputs.map { palms.graph.values[$0].count }
            boxes = counts[0] > counts[1] ? 0 : 1
            scores = 1 - boxes
            // In MediaPipe's order: points, presence, handedness, points in metres.
            (points, presence, handedness, worldPoints) = (0, 1, 2, 3)
        }
    }

    private let plans: Plans
    private let palms: GraphUnit
    private let hand: GraphUnit
    private let clock: StreamClock
    /// Nanoseconds of the latest runs, 0 if there was none since `restartTimes`.
    private(set) var palmTime: Int64 = 0
    private(set) var landmarkTime: Int64 = 0

    init(_ plans: Plans, clock: StreamClock) {
        self.plans = plans
        self.clock = clock
        palms = GraphUnit(plans.palms)
        hand = GraphUnit(plans.landmarks)
    }

    mutating func restartTimes() {
        palmTime = 0
        landmarkTime = 0
    }

    var palmPicture: PictureBuffer { Self.picture(palms, side: PalmAnchors.side) }
    var landmarkPicture: PictureBuffer { Self.picture(hand, side: Self.landmarkSide) }

    private static func picture(_ unit: GraphUnit, side: Int) -> PictureBuffer {
        let (base, line) = unsafe unit.input()
        // The arena lives as long as the unit, and the graph's input was checked to be of this shape.
        return unsafe PictureBuffer(base, side: side, lineStride: line, pixelStride: 3)
    }

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

    var palmBoxes: Span<Float> { @_lifetime(borrow self) get { palms.outputSpan(plans.boxes) } }
    var palmScores: Span<Float> { @_lifetime(borrow self) get { palms.outputSpan(plans.scores) } }
    var landmarks: Span<Float> { @_lifetime(borrow self) get { hand.outputSpan(plans.points) } }
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { hand.outputSpan(plans.worldPoints) } }
    var presence: Float { hand.outputSpan(plans.presence)[0] }
    var rightHandedness: Float { hand.outputSpan(plans.handedness)[0] }

    // MARK: Shapes

    private static let landmarkSide = 224

    /// Refuses a graph that is no palm detector.
    static func checkPalms(_ graph: NetworkGraph) throws(GestureEngineError) {
        let anchors = PalmAnchors.count
        try check(
            graph, input: [1, PalmAnchors.side, PalmAnchors.side, 3],
            outputs: [[1, anchors, PalmDecoder.coordinatesPerBox], [1, anchors, 1]])
    }

    /// Refuses a graph that is no hand-landmark network.
    static func checkLandmarks(_ graph: NetworkGraph) throws(GestureEngineError) {
        let points = [1, 3 * HandPoints.count]
        try check(
            graph, input: [1, landmarkSide, landmarkSide, 3], outputs: [points, [1, 1], [1, 1], points])
    }

    private static func check(
        _ graph: NetworkGraph, input: [Int], outputs: [[Int]]
    ) throws(GestureEngineError) {
        let inputs = graph.inputs.map { graph.values[$0].shape }
        guard inputs == [input] else { throw .handGraph(expected: [input], found: inputs) }
        let found = graph.outputs.map { graph.values[$0].shape }
        guard found == outputs else { throw .handGraph(expected: outputs, found: found) }
    }
}
