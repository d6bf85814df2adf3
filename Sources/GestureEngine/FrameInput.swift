package import Frames
package import KernelInterface
package import Network

/// The only place where a pixel is copied: from the caller's frame, resized, into the ring's next slot, from where the
/// network reads it.
package struct FrameInput: ~Copyable {
    private let geometry: FrameGeometry
    private var preprocessor: Preprocessor
    private var ring: FrameRing

    package init(geometry: FrameGeometry, kernels: KernelTable) throws(FrameRingError) {
        self.geometry = geometry
        preprocessor = Preprocessor(kernels: kernels.resize)
        ring = try FrameRing()
    }

    /// Resizes the frame into the next slot.
    package mutating func write(_ frame: borrowing PixelView) {
        Self.write(frame, geometry, with: &preprocessor, to: &ring)
    }

    /// Encodes the newest slot, if there is one.
    package func encodeNewest(by unit: any ComputeUnit) {
        if let newest = ring.newest { unit.encode(newest) }
    }

    /// Computes the logits of the last sixteen slots at once. Returns false before there are sixteen.
    package func computeWindow(by unit: any ComputeUnit, logits: inout MutableSpan<Float>) -> Bool {
        guard let window = ring.window else { return false }
        unit.window(window, logits: &logits)
        return true
    }

    /// Forgets every slot.
    package mutating func reset() { ring.reset() }

    private static func write(
        _ frame: borrowing PixelView, _ geometry: FrameGeometry, with preprocessor: inout Preprocessor,
        to ring: inout FrameRing
    ) {
        var slot = ring.nextSlot()
        do {
            try preprocessor.resize(frame, geometry: geometry, into: &slot)
        } catch {
            // The only refusal is a destination of another size than a slot.
            preconditionFailure("a ring slot is one frame")
        }
        ring.publish()
    }
}
