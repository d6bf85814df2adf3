package import Frames
package import KernelInterface
package import Network

/// The only place where a pixel is copied: from the caller's frame, resized, into the ring's next cell, from where the
/// network reads it.
package struct FrameInput: ~Copyable {
    private let geometry: FrameGeometry
    private var preprocessor: Preprocessor
    private var ring: FrameRing
    private var conditions: FrameConditions?
    /// Whether a frame waits in the ring's next cell.
    private var isKept = false

    package init(geometry: FrameGeometry, kernels: KernelTable) throws(FrameRingError) {
        try self.init(geometry: geometry, kernels: kernels, conditions: nil)
    }

    init(geometry: FrameGeometry, kernels: KernelTable, conditions: FrameConditions?) throws(FrameRingError) {
        self.geometry = geometry
        self.conditions = conditions
        preprocessor = Preprocessor(kernels: kernels.resize)
        ring = try FrameRing()
    }

    /// What the frames of late suffer from.
    var quality: QualityFlags { conditions?.flags ?? [] }

    /// Resizes the frame into the next cell.
    package mutating func write(_ frame: borrowing PixelView) {
        stage(frame, at: 0)
        keep()
        publish()
    }

    /// Resizes the frame into the ring, where it is staged until it is kept, or until the next one is staged.
    /// - time: of the frame, in nanoseconds.
    mutating func stage(_ frame: borrowing PixelView, at time: Int64) {
        // A frame that was kept must not change while it waits: whether this one takes its place is not known yet.
        Self.stage(frame, geometry, with: &preprocessor, to: &ring, besideWaiting: isKept, &conditions, at: time)
    }

    /// Keeps the staged frame for `publish`, in the place of one that was kept before.
    mutating func keep() {
        if isKept { ring.replaceWaiting() }
        isKept = true
    }

    /// Gives up the frame that was kept.
    mutating func discard() { isKept = false }

    /// Makes the frame that was kept the newest; without one nothing changes.
    mutating func publish() {
        guard isKept else { return }
        ring.publish()
        isKept = false
    }

    /// Shows the frame that was kept.
    func withKept(_ body: (Span<UInt8>) -> Void) { body(ring.staged()) }

    /// Whether a frame of this time is measured, and so has to be staged.
    func isMeasured(at time: Int64) -> Bool { conditions?.isDue(at: time) ?? false }

    /// How the staged frame differs from the newest, nil before there is one.
    var difference: FrameDifference? {
        guard let newest = ring.newest else { return nil }
        return FrameDifference(from: newest, to: ring.staged(besideWaiting: isKept))
    }

    /// The newest frame; see `FrameRing.newestView`.
    var newestView: FrameView? { ring.newestView }

    /// Encodes the newest frame, if there is one.
    package func encodeNewest(by unit: any ComputeUnit) {
        if let newest = ring.newest { unit.encode(newest) }
    }

    /// Computes the logits of the last sixteen frames at once. Returns false before there are sixteen.
    package func computeWindow(by unit: any NetworkUnit, logits: inout MutableSpan<Float>) -> Bool {
        guard let window = ring.window else { return false }
        unit.window(window, logits: &logits)
        return true
    }

    /// Forgets every frame.
    package mutating func reset() {
        ring.reset()
        isKept = false
        conditions?.reset()
    }

    private static func stage(
        _ frame: borrowing PixelView, _ geometry: FrameGeometry, with preprocessor: inout Preprocessor,
        to ring: inout FrameRing, besideWaiting: Bool, _ conditions: inout FrameConditions?, at time: Int64
    ) {
        var cell = ring.nextCell(besideWaiting: besideWaiting)
        do {
            try preprocessor.resize(frame, geometry: geometry, into: &cell)
        } catch {
            // The only refusal is a destination of another size than a cell.
            preconditionFailure("a cell of the ring is one frame")
        }
        let region = frame.region
        conditions?.examine(
            &cell, picture: geometry.picture(of: region),
            subjectHeight: subjectHeight(of: region, width: frame.width, height: frame.height, geometry), at: time)
    }

    /// Height of a region in the upright picture as a share of it; nil for the whole picture.
    private static func subjectHeight(
        of region: PixelView.Region, width: Int, height: Int, _ geometry: FrameGeometry
    ) -> Double? {
        guard region.width < width || region.height < height else { return nil }
        return switch geometry.orientation {
        case .up, .upMirrored, .down, .downMirrored: Double(region.height) / Double(height)
        case .left, .leftMirrored, .right, .rightMirrored: Double(region.width) / Double(width)
        }
    }
}
