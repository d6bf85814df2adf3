import Frames
import GestureEngine
import KernelInterface
import Network
import PixelFrontEnd
import Recognition

/// The stages of a stream, separated so that each can be timed.
final class StageBench {
    private let geometry: FrameGeometry
    private var preprocessor: Preprocessor
    private var ring: FrameRing
    private let unit: NetworkUnit
    private var recognizer: Recognizer
    private var logits: [Float]
    private(set) var preprocess: LatencySamples
    private(set) var encoder: LatencySamples
    private(set) var temporal: LatencySamples
    private(set) var network: LatencySamples
    private(set) var recognition: LatencySamples
    private(set) var windowStep: LatencySamples
    private(set) var windowNetwork: LatencySamples

    var backend: Backend { unit.backend }

    init(
        engine: GestureEngine, configuration: GestureEngine.Configuration, backend: Backend?, kernels: KernelTable,
        capacity: Int
    ) throws {
        geometry = PixelConfiguration().geometry(configuration.orientation)
        preprocessor = Preprocessor(kernels: kernels.resize)
        ring = try FrameRing()
        unit = try engine.makeUnit(configuration, backend: backend)
        recognizer = try Recognizer(
            labels: engine.labels, nullIndex: engine.nullIndex,
            configuration: engine.defaultRecognition(at: configuration.rate))
        logits = [Float](repeating: 0, count: engine.labels.count)
        let empty = LatencySamples(capacity: capacity)
        (preprocess, encoder, temporal, network, recognition) = (empty, empty, empty, empty, empty)
        (windowStep, windowNetwork) = (empty, empty)
    }

    func forgetSamples(capacity: Int) {
        let empty = LatencySamples(capacity: capacity)
        (preprocess, encoder, temporal, network, recognition) = (empty, empty, empty, empty, empty)
    }

    func step(_ frame: borrowing PixelView, at time: Duration, clock: ContinuousClock) {
        let start = clock.now
        write(frame)
        let resized = clock.now
        if let newest = ring.newest { unit.encode(newest) }
        let encoded = clock.now
        var output = logits.mutableSpan
        unit.advance(&output)
        let advanced = clock.now
        if unit.isWarm { _ = recognizer.step(logits: logits.span, at: time.components.attoseconds / 1_000_000_000) }
        let recognised = clock.now
        preprocess.add(resized - start)
        encoder.add(encoded - resized)
        temporal.add(advanced - encoded)
        network.add(advanced - resized)
        recognition.add(recognised - advanced)
    }

    /// Resizes the frame into the ring's next cell.
    private func write(_ frame: borrowing PixelView) {
        var cell = ring.nextCell()
        do {
            try preprocessor.resize(frame, geometry: geometry, into: &cell)
        } catch {
            preconditionFailure("a cell must have the size of a frame")
        }
        ring.publish()
    }

    func window(_ frame: borrowing PixelView, clock: ContinuousClock) {
        let start = clock.now
        write(frame)
        let resized = clock.now
        var output = logits.mutableSpan
        guard ring.count == FrameRing.capacity else { return }
        if let window = ring.window { unit.window(window, logits: &output) }
        let computed = clock.now
        _ = recognizer.step(logits: logits.span, at: 0)
        windowStep.add(clock.now - start)
        windowNetwork.add(computed - resized)
    }
}
