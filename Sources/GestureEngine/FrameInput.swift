package import Frames
package import KernelInterface
package import Network

/// The only place where a pixel is copied: from the caller's frame, resized, into the ring's next slot, from where the
/// network reads it.
package struct FrameInput: ~Copyable {
    private let geometry: FrameGeometry
    private var preprocessor: Preprocessor
    private var ring: FrameRing
    private var conditions: FrameConditions?

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

    /// Resizes the frame into the next slot.
    package mutating func write(_ frame: borrowing PixelView) {
        stage(frame, at: 0)
        publish()
    }

    /// Resizes the frame into the next slot, over what was staged before, and leaves it there for `publish`.
    /// - time: of the frame, in nanoseconds.
    mutating func stage(_ frame: borrowing PixelView, at time: Int64) {
        Self.stage(frame, geometry, with: &preprocessor, to: &ring, &conditions, at: time)
    }

    /// Makes the staged frame the newest.
    mutating func publish() { ring.publish() }

    /// Shows the staged frame.
    func withStaged(_ body: (Span<UInt8>) -> Void) { body(ring.staged) }

    /// How the staged frame differs from the newest, nil before there is one.
    var difference: FrameDifference? {
        guard let newest = ring.newest else { return nil }
        return FrameDifference(from: newest, to: ring.staged)
    }

    /// Where the newest frame lies; see `FrameRing.newestAddress`.
    var newestAddress: UnsafePointer<UInt8>? { unsafe ring.newestAddress }

    /// Encodes the newest slot, if there is one.
    package func encodeNewest(by unit: any ComputeUnit) {
        if let newest = ring.newest { unit.encode(newest) }
    }

    /// Computes the logits of the last sixteen slots at once. Returns false before there are sixteen.
    package func computeWindow(by unit: any NetworkUnit, logits: inout MutableSpan<Float>) -> Bool {
        guard let window = ring.window else { return false }
        unit.window(window, logits: &logits)
        return true
    }

    /// Forgets every slot.
    package mutating func reset() {
        ring.reset()
        conditions?.reset()
    }

    private static func stage(
        _ frame: borrowing PixelView, _ geometry: FrameGeometry, with preprocessor: inout Preprocessor,
        to ring: inout FrameRing, _ conditions: inout FrameConditions?, at time: Int64
    ) {
        var slot = ring.nextSlot()
        do {
            try preprocessor.resize(frame, geometry: geometry, into: &slot)
        } catch {
            // The only refusal is a destination of another size than a slot.
            preconditionFailure("a ring slot is one frame")
        }
        let region = frame.region
        conditions?.examine(
            &slot, picture: geometry.picture(of: region),
            subjectHeight: subjectHeight(of: region, width: frame.width, height: frame.height, geometry), at: time)
    }

    /// Height of a region in the upright picture as a share of it; nil for the whole picture.
    private static func subjectHeight(
        of region: PixelRegion, width: Int, height: Int, _ geometry: FrameGeometry
    ) -> Double? {
        guard region.width < width || region.height < height else { return nil }
        return switch geometry.orientation {
        case .up, .upMirrored, .down, .downMirrored: Double(region.height) / Double(height)
        case .left, .leftMirrored, .right, .rightMirrored: Double(region.width) / Double(width)
        }
    }
}
