import KernelInterface
import ModelFile
import Network
import Streams
import Tracking

/// The two networks of a tracker as graphs on one tier's kernels: a detector, and one that finds the landmarks of what was
/// detected.
///
/// Each stream has its own value, which shares the plans with others and has arenas from `takeArenas` to `returnArenas`:
/// once a frame. The tracker writes its images straight into the arenas.
package struct TrackerNetworks: ~Copyable {
    /// The plans of both networks, for any number of streams.
    package struct Plans: Sendable {
        let detector, landmarks: GraphPlan

        init(detector: GraphFile, landmarks: GraphFile, kernels: KernelTable) throws(EngineError) {
            self.detector = try EngineError.plan(detector, kernels)
            self.landmarks = try EngineError.plan(landmarks, kernels)
        }
    }

    /// An image that a network reads: its side in pixels, and the values of black and white.
    package struct Image: Sendable {
        let side: Int
        var range: ClosedRange<Float> = 0...1
    }

    private let detector, landmarker: GraphUnit
    private let detectorInput, landmarkInput: Image
    private let clock: StreamClock
    /// Nanoseconds spent in each network since `restartTimes`.
    package private(set) var detectionTime: Int64 = 0
    package private(set) var landmarkTime: Int64 = 0

    init(_ plans: Plans, detectorInput: Image, landmarkInput: Image, clock: StreamClock) {
        detector = GraphUnit(sharingArenasOf: plans.detector)
        landmarker = GraphUnit(sharingArenasOf: plans.landmarks)
        self.detectorInput = detectorInput
        self.landmarkInput = landmarkInput
        self.clock = clock
    }

    /// Takes the memory in which the networks run.
    func takeArenas() {
        detector.takeArena()
        landmarker.takeArena()
    }

    /// Returns it. Nothing of the networks may be read afterwards.
    func returnArenas() {
        detector.returnArena()
        landmarker.returnArena()
    }

    mutating func restartTimes() { (detectionTime, landmarkTime) = (0, 0) }

    var detectionImage: ImageBuffer { detector.image(detectorInput) }
    var landmarkImage: ImageBuffer { landmarker.image(landmarkInput) }

    mutating func detect() {
        let begun = clock.now()
        detector.run()
        detectionTime += clock.now() - begun
    }

    mutating func findLandmarks() {
        let begun = clock.now()
        landmarker.run()
        landmarkTime += clock.now() - begun
    }

    /// An output of the detector, by its index in the graph.
    @_lifetime(borrow self)
    func detection(_ output: Int) -> Span<Float> { detector.outputSpan(output) }

    /// An output of the landmark network.
    @_lifetime(borrow self)
    func landmarks(_ output: Int) -> Span<Float> { landmarker.outputSpan(output) }
}

extension GraphUnit {
    /// The image that a tracker writes and the graph reads: its only input, `[1, side, side, 3]`.
    fileprivate func image(_ image: TrackerNetworks.Image) -> ImageBuffer {
        let input = input()
        // The arena lives as long as the unit has it, and `EngineError.check` has found that the input has this shape.
        if input.quantisation != nil {
            return unsafe ImageBuffer(
                bytes: input.base.assumingMemoryBound(to: UInt8.self), side: image.side, rowStride: input.rowStride)
        }
        return unsafe ImageBuffer(
            input.base.assumingMemoryBound(to: Float.self), side: image.side, rowStride: input.rowStride,
            pixelStride: 3, range: image.range)
    }
}

extension EngineError {
    /// Plans a graph for a tier.
    static func plan(_ file: GraphFile, _ kernels: KernelTable) throws(EngineError) -> GraphPlan {
        do throws(GraphError) {
            return try GraphPlan(file, kernels: kernels)
        } catch {
            switch error {
            case .unsupported(let value, let reason): throw .graph("\(value): \(reason)")
            case .tooLarge(let bytes, let limit):
                throw .graph("it takes \(bytes) bytes of memory, and \(limit) are accepted")
            }
        }
    }

    /// Throws if a graph has other shapes, or if the quantised values of its image are not 255ths of its range.
    static func check(
        _ file: GraphFile, image: TrackerNetworks.Image, outputs: [[Int]]
    ) throws(EngineError) {
        try check(file, input: [1, image.side, image.side, 3], outputs: outputs)
        let range = image.range
        for name in file.graph.inputs.map({ file.graph.values[$0].name }) {
            guard let quantised = file.quantisation[name] else { continue }
            // Quantised values are integers, so the zero point may be the integer nearest to black's.
            let step = (range.upperBound - range.lowerBound) / 255
            let black = -range.lowerBound / step
            guard abs(quantised.scale / step - 1) < 1e-4, abs(Float(quantised.zeroPoint) - black) <= 0.5 else {
                throw .graph("\(name): the quantised values of an image must be 255ths of \(range)")
            }
        }
    }

    /// Throws if a graph has not this one input and these outputs.
    static func check(_ file: GraphFile, input: [Int], outputs: [[Int]]) throws(EngineError) {
        let graph = file.graph
        for (expected, values) in [([input], graph.inputs), (outputs, graph.outputs)] {
            let found = values.map { graph.values[$0].shape }
            guard found == expected else { throw .otherGraph(expected: expected, found: found) }
        }
    }
}
