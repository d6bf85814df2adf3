import Frames
import Vocabulary

/// Measures the quality of a frame in the ring and evens out its exposure before the frame is used.
struct FrameConditions: Sendable {
    private var normaliser: ExposureNormaliser?
    private var monitor: QualityMonitor?
    private var phase = 0
    private var latestQuality: Int64?
    private(set) var flags: QualityFlags = []

    /// Nanoseconds. Quality changes over tenths of a second, so one measured frame in four at 120 Hz is enough.
    private static let qualityInterval: Int64 = 30_000_000

    init(exposure: ExposureConfiguration?, quality: QualityConfiguration?) throws(ConfigurationError) {
        normaliser = try exposure.map { configuration throws(ConfigurationError) in
            try ExposureNormaliser(configuration)
        }
        monitor = try quality.map { configuration throws(ConfigurationError) in try QualityMonitor(configuration) }
    }

    /// Measures the frame in `cell`, then maps its exposure. Flags describe the frame before that map.
    /// - content: the part of the cell that the frame covers: all of it, except with `FrameGeometry.CropMode.fit`.
    /// - subjectHeight: height of the region of interest as a share of the frame's; nil without such a region.
    mutating func examine(
        _ cell: inout MutableSpan<UInt8>, content: PixelView.Region, subjectHeight: Double?, at time: Int64
    ) {
        guard isDue(at: time) else { return }
        let measures = LumaMeasures(of: cell.span, content: content)
        if isQualityDue(at: time) {
            latestQuality = time
            let gradients = GradientEnergies(of: cell.span, phase: phase, content: content)
            phase = (phase + 1) % GradientEnergies.phases
            flags = monitor?.step(measures, gradients: gradients, subjectHeight: subjectHeight, at: time) ?? []
        }
        normaliser?.step(measures, at: time).apply(to: &cell)
    }

    /// Whether a frame of this time has to be measured.
    func isDue(at time: Int64) -> Bool { normaliser != nil || isQualityDue(at: time) }

    private func isQualityDue(at time: Int64) -> Bool {
        monitor != nil && latestQuality.map { time < $0 || time - $0 >= Self.qualityInterval } ?? true
    }

    /// Forgets all earlier frames, for a stream that starts anew.
    mutating func reset() {
        normaliser?.reset()
        monitor?.reset()
        latestQuality = nil
        flags = []
    }
}
