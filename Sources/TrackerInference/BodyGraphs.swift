import BodyTracking
package import KernelInterface
import ModelFile
package import Streams
package import Tracking

/// The body tracker's networks: a detector of people, and a landmark network.
package struct BodyGraphs: BodyNetworks, ~Copyable {
    /// The plans of both networks, for any number of streams.
    package struct Plans: Sendable {
        fileprivate let tracker: TrackerNetworks.Plans
        /// Whether the landmark network computes masks.
        fileprivate let hasMask: Bool

        /// - Parameter segmentation: whether masks are wanted; without them a quarter of the landmark network is left
        ///   out.
        package init(_ models: BodyModels, segmentation: Bool, kernels: KernelTable) throws(EngineError) {
            hasMask = segmentation
            tracker = try TrackerNetworks.Plans(
                detector: models.detection,
                landmarks: models.landmarks.keeping(outputs: Output.order(segmentation: segmentation)),
                kernels: kernels)
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

    private static let detectionInput = TrackerNetworks.Image(side: BoxAnchors.bodies.side, range: -1...1)
    private static let landmarkInput = TrackerNetworks.Image(side: 256)

    private var networks: TrackerNetworks
    private let hasMask: Bool

    package init(_ plans: Plans, clock: StreamClock) {
        networks = TrackerNetworks(
            plans.tracker, detectorInput: Self.detectionInput, landmarkInput: Self.landmarkInput, clock: clock)
        hasMask = plans.hasMask
    }

    /// Takes the memory in which the networks run.
    package func takeArenas() { networks.takeArenas() }

    /// Returns it. Nothing of the networks may be read afterwards.
    package func returnArenas() { networks.returnArenas() }

    package mutating func restartTimes() { networks.restartTimes() }
    /// Nanoseconds of all runs since `restartTimes`.
    package var detectionTime: Int64 { networks.detectionTime }
    package var landmarkTime: Int64 { networks.landmarkTime }
    package var detectionImage: ImageBuffer { networks.detectionImage }
    package var landmarkImage: ImageBuffer { networks.landmarkImage }
    package mutating func detectBodies() { networks.detect() }
    package mutating func findLandmarks() { networks.findLandmarks() }

    package var boxes: Span<Float> { @_lifetime(borrow self) get { networks.detection(Output.boxes) } }
    package var scores: Span<Float> { @_lifetime(borrow self) get { networks.detection(Output.scores) } }
    package var landmarks: Span<Float> { @_lifetime(borrow self) get { networks.landmarks(Output.points) } }
    package var heatmaps: Span<Float> { @_lifetime(borrow self) get { networks.landmarks(Output.heatmaps) } }
    package var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { networks.landmarks(Output.worldPoints) } }
    package var mask: Span<Float> { @_lifetime(borrow self) get { hasMask ? networks.landmarks(Output.mask) : Span() } }
    package var presence: Float { networks.landmarks(Output.presence)[0] }

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

    /// Throws if the graphs are not the tracker's.
    /// - Returns: width and height of the masks.
    static func check(detection: GraphFile, landmarks: GraphFile) throws(EngineError) -> Int {
        let (anchors, maps, mask) = (BoxAnchors.bodies, BodyLandmarks.mapSide, maskSide(of: landmarks.graph))
        try EngineError.check(
            detection, image: detectionInput,
            outputs: [[1, anchors.count, anchors.numbersPerBox], [1, anchors.count, 1]])
        try EngineError.check(
            landmarks, image: landmarkInput,
            outputs: [
                [1, BodyLandmarks.count * BodyLandmarks.numbersPerPoint], [1, 1],
                [1, mask, mask, 1], [1, maps, maps, BodyLandmarks.count],
                [1, 3 * BodyLandmarks.count],
            ])
        return mask
    }

    /// Width and height of a network's masks, which differ between MediaPipe's variants: lite has 128 x 128 cells, full
    /// 256 x 256. A mask has at most a cell for each pixel of the image.
    private static func maskSide(of landmarks: NetworkGraph) -> Int {
        let side = landmarkInput.side
        guard landmarks.outputs.indices.contains(Output.maskInFile) else { return side }
        let shape = landmarks.values[landmarks.outputs[Output.maskInFile]].shape
        return shape.count == 4 ? min(max(shape[1], 1), side) : side
    }
}
