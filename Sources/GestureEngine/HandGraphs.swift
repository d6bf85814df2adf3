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

    var palmPicture: PictureBuffer { Self.picture(palms, side: PalmAnchors.side) }
    var landmarkPicture: PictureBuffer { Self.picture(hand, side: Self.landmarkSide) }

    private static func picture(_ unit: GraphUnit, side: Int) -> PictureBuffer {
        let input = unit.input()
        // The arena lives as long as the unit, and the graph's input was checked to be of this shape.
        if input.codes != nil {
            return unsafe PictureBuffer(
                codes: input.base.assumingMemoryBound(to: UInt8.self), side: side, lineStride: input.line)
        }
        return unsafe PictureBuffer(
            input.base.assumingMemoryBound(to: Float.self), side: side, lineStride: input.line, pixelStride: 3)
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
        let anchors = PalmAnchors.count
        try check(
            file, input: [1, PalmAnchors.side, PalmAnchors.side, 3],
            outputs: [[1, anchors, PalmDecoder.coordinatesPerBox], [1, anchors, 1]])
    }

    /// Refuses a graph that is no hand-landmark network.
    static func checkLandmarks(_ file: GraphFile) throws(GestureEngineError) {
        let points = [1, 3 * TrackedHand.Points.count]
        try check(
            file, input: [1, landmarkSide, landmarkSide, 3], outputs: [points, [1, 1], [1, 1], points])
    }

    private static func check(
        _ file: GraphFile, input: [Int], outputs: [[Int]]
    ) throws(GestureEngineError) {
        let graph = file.graph
        let inputs = graph.inputs.map { graph.values[$0].shape }
        guard inputs == [input] else { throw .handGraph(expected: [input], found: inputs) }
        let found = graph.outputs.map { graph.values[$0].shape }
        guard found == outputs else { throw .handGraph(expected: outputs, found: found) }
        for name in graph.inputs.map({ graph.values[$0].name }) {
            guard let codes = file.quantisation[name] else { continue }
            guard codes.zeroPoint == 0, abs(codes.scale * 255 - 1) < 1e-6 else {
                throw .graph("\(name): the codes of a picture stand for 255ths")
            }
        }
    }
}
