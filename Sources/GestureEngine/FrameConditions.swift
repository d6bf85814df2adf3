import Frames
import Vocabulary

/// What is measured about a frame in the ring, and done to it, before it is used: quality flags, and the exposure's map.
struct FrameConditions: Sendable {
    private var normaliser: ExposureNormaliser?
    private var monitor: QualityMonitor?
    private var phase = 0
    private var latestQuality: Int64?
    private(set) var flags: QualityFlags = []

    /// Quality changes over tenths of a second, so one frame of four at 120 Hz is enough to see it.
    private static let qualityInterval: Int64 = 30_000_000

    init(exposure: ExposureConfiguration?, quality: QualityConfiguration?) throws(ConfigurationError) {
        normaliser = try exposure.map { configuration throws(ConfigurationError) in
            try ExposureNormaliser(configuration)
        }
        monitor = try quality.map { configuration throws(ConfigurationError) in try QualityMonitor(configuration) }
    }

    /// Measures the frame in `cell` and maps it. Flags are about the frame as the camera gave it.
    /// - picture: where in the cell it lies, which is all of it except with `FrameGeometry.CropMode.fit`.
    /// - subjectHeight: share of the camera's picture that the region of interest is high; nil without one.
    mutating func examine(
        _ cell: inout MutableSpan<UInt8>, picture: PixelView.Region, subjectHeight: Double?, at time: Int64
    ) {
        guard isDue(at: time) else { return }
        let measures = LumaMeasures(of: cell.span, picture: picture)
        if isQualityDue(at: time) {
            latestQuality = time
            let gradients = GradientEnergies(of: cell.span, phase: phase, picture: picture)
            phase = (phase + 1) % GradientEnergies.phases
            flags = monitor?.step(measures, gradients: gradients, subjectHeight: subjectHeight, at: time) ?? []
        }
        normaliser?.step(measures, at: time).apply(to: &cell)
    }

    /// Whether there is something to measure about a frame of this time.
    func isDue(at time: Int64) -> Bool { normaliser != nil || isQualityDue(at: time) }

    private func isQualityDue(at time: Int64) -> Bool {
        monitor != nil && latestQuality.map { time < $0 || time - $0 >= Self.qualityInterval } ?? true
    }

    /// Forgets what came before, for a stream that starts anew.
    mutating func reset() {
        normaliser?.reset()
        monitor?.reset()
        latestQuality = nil
        flags = []
    }
}
