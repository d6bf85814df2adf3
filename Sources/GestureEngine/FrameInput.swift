package import Frames
package import KernelInterface
package import Network

/// Resizes the caller's frame straight into the ring's next cell, where the pixel network reads it.
package struct FrameInput: ~Copyable {
    private let geometry: FrameGeometry
    private var preprocessor: Preprocessor
    private var ring: FrameRing
    private var conditions: FrameConditions?
    /// Whether a frame waits in the ring's next cell.
    private var isKept = false

    /// An input that keeps the frames of a window, for `computeWindow`.
    package init(geometry: FrameGeometry, kernels: KernelTable) throws(FrameRingError) {
        self.init(geometry: geometry, kernels: kernels, conditions: nil, ring: try FrameRing())
    }

    /// The input of a stream, which keeps the newest frame alone.
    init(geometry: FrameGeometry, kernels: KernelTable, conditions: FrameConditions?) throws(FrameRingError) {
        let ring = try FrameRing(storage: .withoutWindow)
        self.init(geometry: geometry, kernels: kernels, conditions: conditions, ring: ring)
    }

    private init(
        geometry: FrameGeometry, kernels: KernelTable, conditions: FrameConditions?, ring: consuming FrameRing
    ) {
        self.geometry = geometry
        self.conditions = conditions
        preprocessor = Preprocessor(kernels: kernels.resize)
        self.ring = ring
    }

    /// Faults of the latest frames, such as darkness or blur.
    var quality: QualityFlags { conditions?.flags ?? [] }

    /// Resizes the frame into the next cell.
    package mutating func write(_ frame: borrowing PixelView) {
        stage(frame, at: 0)
        keep()
        publish()
    }

    /// Resizes the frame into the ring. It stays staged there until it is kept, or until the next frame is staged.
    /// - time: time of the frame in nanoseconds.
    mutating func stage(_ frame: borrowing PixelView, at time: Int64) {
        // A kept frame must not change while it waits, because it is not decided yet whether the new frame replaces it.
        Self.stage(frame, geometry, with: &preprocessor, to: &ring, besideWaiting: isKept, &conditions, at: time)
    }

    /// Keeps the staged frame for `publish`. It replaces a frame that was kept before.
    mutating func keep() {
        if isKept { ring.replaceWaiting() }
        isKept = true
    }

    /// Makes the kept frame the newest; without one nothing changes.
    mutating func publish() {
        guard isKept else { return }
        ring.publish()
        isKept = false
    }

    /// Calls `body` with the kept frame.
    func withKept(_ body: (Span<UInt8>) -> Void) { body(ring.staged()) }

    /// Whether a frame of this time has to be measured, and therefore staged.
    func isMeasured(at time: Int64) -> Bool { conditions?.isDue(at: time) ?? false }

    /// The difference between the newest frame and the staged one; nil without a newest frame.
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

    /// Computes the logits of the last 16 frames at once. Returns false if there are fewer, as in a stream's input.
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
            // `resize` throws only if the destination has another size than a cell.
            preconditionFailure("the ring's cell must have the size of a frame")
        }
        let region = frame.region
        conditions?.examine(
            &cell, content: geometry.content(of: region),
            subjectHeight: subjectHeight(of: region, width: frame.width, height: frame.height, geometry), at: time)
    }

    /// Height of a region as a share of the upright frame's height; nil if the region is the whole frame.
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
