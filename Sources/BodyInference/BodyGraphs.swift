import BodyTracking
package import KernelInterface
package import ModelFile
import Network
package import Streams
package import Tracking

/// The body tracker's two networks as graphs on one tier's kernels.
///
/// Belongs to one stream, shares the plans with others, and has arenas from `takeArenas` to `returnArenas`: once a frame.
/// The tracker writes its images straight into the arenas.
package struct BodyGraphs: BodyNetworks, ~Copyable {
    /// The plans of both networks, for any number of streams.
    package struct Plans: Sendable {
        let detection: GraphPlan
        let landmarks: GraphPlan
        /// Whether the landmark network computes masks.
        let hasMask: Bool

        /// - Parameter segmentation: whether masks are wanted; without them a quarter of the landmark network is left
        ///   out.
        package init(_ models: BodyModels, segmentation: Bool, kernels: KernelTable) throws(BodyPoseError) {
            hasMask = segmentation
            let kept = models.landmarks.keeping(outputs: Output.order(segmentation: segmentation))
            do throws(GraphError) {
                detection = try GraphPlan(models.detection, kernels: kernels)
                landmarks = try GraphPlan(kept, kernels: kernels)
            } catch {
                switch error {
                case .unsupported(let value, let reason): throw .unsupported("\(value): \(reason)")
                case .tooLarge(let bytes, let limit):
                    throw .unsupported("it takes \(bytes) bytes of memory, and \(limit) are accepted")
                }
            }
        }
    }

    /// Indices of the outputs in the plans.
    private enum Output {
        static let boxes = 0, scores = 1
        static let points = 0, presence = 1, heatmaps = 2, worldPoints = 3, mask = 4
        /// The landmark file has the mask between the other outputs.
        static let maskInFile = 2

        static func order(segmentation: Bool) -> [Int] { [0, 1, 3, 4] + (segmentation ? [maskInFile] : []) }
    }

    private static let landmarkSide = 256
    private static let detectionRange: ClosedRange<Float> = -1...1

    private let detection: GraphUnit
    private let body: GraphUnit
    private let hasMask: Bool
    private let clock: StreamClock
    /// Nanoseconds of all runs since `restartTimes`.
    package private(set) var detectionTime: Int64 = 0
    package private(set) var landmarkTime: Int64 = 0

    package init(_ plans: Plans, clock: StreamClock) {
        detection = GraphUnit(sharingArenasOf: plans.detection)
        body = GraphUnit(sharingArenasOf: plans.landmarks)
        hasMask = plans.hasMask
        self.clock = clock
    }

    /// Takes the memory in which the networks run.
    package func takeArenas() {
        detection.takeArena()
        body.takeArena()
    }

    /// Returns it. Nothing of the networks may be read afterwards.
    package func returnArenas() {
        detection.returnArena()
        body.returnArena()
    }

    package mutating func restartTimes() {
        detectionTime = 0
        landmarkTime = 0
    }

    package var detectionImage: ImageBuffer {
        detection.image(side: BoxAnchors.bodies.side, range: Self.detectionRange)
    }
    package var landmarkImage: ImageBuffer { body.image(side: Self.landmarkSide) }

    package mutating func detectBodies() {
        let begun = clock.now()
        detection.run()
        detectionTime += clock.now() - begun
    }

    package mutating func findLandmarks() {
        let begun = clock.now()
        body.run()
        landmarkTime += clock.now() - begun
    }

    /// The median time of nine runs of the landmark network, after one that warms the caches.
    package static func landmarkTime(_ plans: Plans, clock: StreamClock) -> Duration {
        var graphs = BodyGraphs(plans, clock: clock)
        graphs.takeArenas()
        defer { graphs.returnArenas() }
        graphs.findLandmarks()
        let times = (0..<9).map { _ in
            graphs.restartTimes()
            graphs.findLandmarks()
            return graphs.landmarkTime
        }
        return .nanoseconds(times.sorted()[times.count / 2])
    }

    package var boxes: Span<Float> { @_lifetime(borrow self) get { detection.outputSpan(Output.boxes) } }
    package var scores: Span<Float> { @_lifetime(borrow self) get { detection.outputSpan(Output.scores) } }
    package var landmarks: Span<Float> { @_lifetime(borrow self) get { body.outputSpan(Output.points) } }
    package var heatmaps: Span<Float> { @_lifetime(borrow self) get { body.outputSpan(Output.heatmaps) } }
    package var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { body.outputSpan(Output.worldPoints) } }
    package var mask: Span<Float> { @_lifetime(borrow self) get { hasMask ? body.outputSpan(Output.mask) : Span() } }
    package var presence: Float { body.outputSpan(Output.presence)[0] }

    /// Throws if the graphs are not the tracker's.
    /// - Returns: width and height of the masks.
    package static func check(detection: GraphFile, landmarks: GraphFile) throws(BodyPoseError) -> Int {
        let (anchors, maps, mask) = (BoxAnchors.bodies, BodyLandmarks.mapSide, maskSide(of: landmarks.graph))
        do {
            try detection.check(
                image: anchors.side, range: detectionRange,
                outputs: [[1, anchors.count, anchors.numbersPerBox], [1, anchors.count, 1]])
            try landmarks.check(
                image: landmarkSide,
                outputs: [
                    [1, BodyLandmarks.count * BodyLandmarks.numbersPerPoint], [1, 1],
                    [1, mask, mask, 1], [1, maps, maps, BodyLandmarks.count],
                    [1, 3 * BodyLandmarks.count],
                ])
        } catch {
            switch error {
            case .shapes(let expected, let found): throw .graph(expected: expected, found: found)
            case .quantisation(let sentence): throw .unsupported(sentence)
            }
        }
        return mask
    }

    /// Width and height of a network's masks, which differ between MediaPipe's variants: lite has 128 x 128 cells, full
    /// 256 x 256. A mask has at most a cell for each pixel of the image.
    private static func maskSide(of landmarks: NetworkGraph) -> Int {
        guard landmarks.outputs.indices.contains(Output.maskInFile) else { return landmarkSide }
        let shape = landmarks.values[landmarks.outputs[Output.maskInFile]].shape
        return shape.count == 4 ? min(max(shape[1], 1), landmarkSide) : landmarkSide
    }
}
