package import Frames
package import Vocabulary

/// Measures the quality of frames: of resized ones, whose exposure it also evens out, or of the camera's own.
package struct FrameConditions: Sendable {
    private var normaliser: ExposureNormaliser?
    private var monitor: QualityMonitor?
    private var phase = 0
    private var latestQuality: Int64?
    package private(set) var flags: QualityFlags = []

    /// Nanoseconds. Quality changes over tenths of a second, so one measured frame in four at 120 Hz is enough.
    private static let qualityInterval: Int64 = 30_000_000

    package init(exposure: ExposureConfiguration?, quality: QualityConfiguration?) throws(ConfigurationError) {
        normaliser = try exposure.map { configuration throws(ConfigurationError) in
            try ExposureNormaliser(configuration)
        }
        monitor = try quality.map { configuration throws(ConfigurationError) in try QualityMonitor(configuration) }
    }

    /// Measures a resized frame in `cell`, then maps its exposure. Flags describe the frame before that map.
    /// - frame: the frame before it was resized.
    mutating func examine(
        _ cell: inout MutableSpan<UInt8>, of frame: borrowing PixelView, _ geometry: FrameGeometry, at time: Int64
    ) {
        guard isDue(at: time) else { return }
        let content = geometry.content(of: frame.region)
        let measures = LumaMeasures(of: cell.span, content: content)
        if isQualityDue(at: time) {
            let gradients = GradientEnergies(of: cell.span, phase: phase, content: content)
            judge(measures, gradients, Self.subjectHeight(of: frame, geometry.orientation), at: time)
        }
        normaliser?.step(measures, at: time).apply(to: &cell)
    }

    /// Measures the quality of a frame as the camera gave it.
    package mutating func examine(_ frame: borrowing PixelView, _ orientation: ImageOrientation, at time: Int64) {
        guard isQualityDue(at: time) else { return }
        judge(
            LumaMeasures(sampling: frame), GradientEnergies(sampling: frame, phase: phase),
            Self.subjectHeight(of: frame, orientation), at: time)
    }

    private mutating func judge(
        _ measures: LumaMeasures, _ gradients: GradientEnergies, _ subjectHeight: Double?, at time: Int64
    ) {
        latestQuality = time
        phase = (phase + 1) % GradientEnergies.phases
        flags = monitor?.step(measures, gradients: gradients, subjectHeight: subjectHeight, at: time) ?? []
    }

    /// Height of the frame's region as a share of the upright frame's height; nil if the region is the whole frame.
    private static func subjectHeight(of frame: borrowing PixelView, _ orientation: ImageOrientation) -> Double? {
        let region = frame.region
        guard region.width < frame.width || region.height < frame.height else { return nil }
        return switch orientation {
        case .up, .upMirrored, .down, .downMirrored: Double(region.height) / Double(frame.height)
        case .left, .leftMirrored, .right, .rightMirrored: Double(region.width) / Double(frame.width)
        }
    }

    /// Whether a resized frame of this time has to be measured.
    private func isDue(at time: Int64) -> Bool { normaliser != nil || isQualityDue(at: time) }

    private func isQualityDue(at time: Int64) -> Bool {
        monitor != nil && latestQuality.map { time < $0 || time - $0 >= Self.qualityInterval } ?? true
    }

    /// Forgets all earlier frames, for a stream that starts anew.
    package mutating func reset() {
        normaliser?.reset()
        monitor?.reset()
        latestQuality = nil
        flags = []
    }
}
