import Frames
import GestureEngine
import KernelInterface
import Network
import Platform
import Scheduling
import Streams
import TrackerInference
import Tracking
import Vocabulary

/// From whole frames to logits: each frame is resized straight into a ring of the last sixteen, its exposure is evened
/// out there, and the compute units read it there.
final class PixelNetwork: FrameNetwork {
    private let geometry: FrameGeometry
    private var ring: FrameRing
    private var preprocessor: Preprocessor
    private var normaliser: ExposureNormaliser?
    private var units: UnitGroup
    private let measuresActivity: Bool
    private var changes = ChangeMeter()

    /// - Parameter measuresActivity: whether `activity` is wanted.
    init(
        _ units: consuming UnitGroup, _ pixels: PixelConfiguration, orientation: ImageOrientation,
        kernels: ResizeKernels, measuresActivity: Bool
    ) throws(EngineError) {
        normaliser = try EngineError.checked(
            pixels.exposure.map { exposure throws(ConfigurationError) in try ExposureNormaliser(exposure) })
        do throws(FrameRingError) { ring = try FrameRing() } catch { throw .frameMemory(code: error.code) }
        self.units = units
        geometry = pixels.geometry(orientation)
        preprocessor = Preprocessor(kernels: kernels)
        self.measuresActivity = measuresActivity
    }

    var activeUnit: String { units.activeName }
    var isSwitching: Bool { units.isSwitching }
    var isWarm: Bool { units.isWarm }
    var activity: Float? { changes.activity }

    func requireFeatures(_ count: Int) throws(EngineError) { try units.requireFeatures(count) }

    func copyFeatures(to output: inout MutableSpan<Float>) { units.copyFeatures(to: &output) }

    func advance(
        _ frame: PixelView?, at time: Int64, logits: inout MutableSpan<Float>
    ) -> SchedulerState.UnitSwitch? {
        guard let frame else { return units.advance(nil, at: time, logits: &logits) }
        resize(frame, at: time)
        return Self.advance(&units, ring, at: time, logits: &logits)
    }

    private static func advance(
        _ units: inout UnitGroup, _ ring: borrowing FrameRing, at time: Int64, logits: inout MutableSpan<Float>
    ) -> SchedulerState.UnitSwitch? {
        units.advance(ring.newest, at: time, logits: &logits)
    }

    /// Writes the frame's image to the ring, with its exposure evened out.
    private func resize(_ frame: borrowing PixelView, at time: Int64) {
        if measuresActivity { changes.measure(frame, orientation: geometry.orientation, at: time) }
        do throws(PixelView.FrameError) {
            var cell = ring.nextCell()
            try preprocessor.resize(frame, geometry: geometry, into: &cell)
            if normaliser != nil {
                let content = geometry.content(of: frame.region)
                try Self.tones(&normaliser, of: cell.span, content, at: time)?.apply(to: &cell)
            }
        } catch {
            preconditionFailure("a cell of the ring must have the size of an image")
        }
        ring.publish()
    }

    private static func tones(
        _ normaliser: inout ExposureNormaliser?, of image: Span<UInt8>, _ content: PixelView.Region, at time: Int64
    ) throws(PixelView.FrameError) -> ToneMap? {
        let side = FrameGeometry.side
        let view = try PixelView(
            image, format: .gray8, width: side, height: side, bytesPerRow: side, region: content)
        return normaliser?.step(LumaMeasures(of: view), at: time)
    }

    func reset() {
        units.reset()
        ring.reset()
        normaliser?.reset()
        changes.reset()
    }
}
