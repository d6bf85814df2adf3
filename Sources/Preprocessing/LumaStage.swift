package import Frames
package import KernelInterface
package import Platform

/// The frames of a stream as 224 x 224 luma: what the pixel network reads, and what stillness and keyframes of any stream
/// are about.
///
/// Three cells take turns. A frame is resized into the first, whatever becomes of it. `keep` makes it the waiting frame,
/// and `publish` makes the waiting frame the newest. So nothing is copied, and neither writes to the newest frame, which
/// another thread may read.
///
/// `@unchecked Sendable`: the value is the only owner of its memory, and only `mutating` functions write to it.
@safe
package struct LumaStage: ~Copyable, @unchecked Sendable {
    private static let cellCount = 3

    private let geometry: FrameGeometry
    private var preprocessor: Preprocessor
    private var conditions: FrameConditions?
    private let memory: MemoryOwner
    private let cells: UnsafeMutablePointer<UInt8>
    /// Indices of cells.
    private var (newest, waiting, staged) = (0, 1, 2)
    private var (hasNewest, isWaiting) = (false, false)

    /// - Parameter conditions: what is measured and mapped; nil measures nothing.
    /// - Throws: the system's error without memory for three frames.
    package init(
        geometry: FrameGeometry, kernels: ResizeKernels, conditions: FrameConditions?
    ) throws(SystemError) {
        let byteCount = Self.cellCount * Preprocessor.frameBytes
        memory = unsafe MemoryOwner(pages: try PageMemory.allocate(byteCount: byteCount), byteCount: byteCount)
        unsafe cells = memory.base.assumingMemoryBound(to: UInt8.self)
        self.geometry = geometry
        self.conditions = conditions
        preprocessor = Preprocessor(kernels: kernels)
    }

    /// Faults of the latest frames, such as darkness or blur.
    package var quality: QualityFlags { conditions?.flags ?? [] }

    /// Resizes a frame, measures it, and maps its exposure.
    /// - time: time of the frame in nanoseconds.
    package mutating func stage(_ frame: borrowing PixelView, at time: Int64) {
        var cell = unsafe MutableSpan(_unsafeStart: address(staged), count: Preprocessor.frameBytes)
        do {
            try preprocessor.resize(frame, geometry: geometry, into: &cell)
        } catch {
            // `resize` throws only if the destination has another size than a cell.
            preconditionFailure("a cell must have the size of a frame")
        }
        conditions?.examine(&cell, of: frame, geometry, at: time)
    }

    /// The difference between the newest frame and the staged one; nil without a newest frame.
    package var difference: FrameDifference? {
        hasNewest ? FrameDifference(from: luma(of: newest), to: luma(of: staged)) : nil
    }

    /// Makes the staged frame the waiting one. It replaces a frame that waited before.
    package mutating func keep() {
        swap(&staged, &waiting)
        isWaiting = true
    }

    /// Calls `body` with the waiting frame.
    package func withWaiting(_ body: (Span<UInt8>) -> Void) { body(luma(of: waiting)) }

    /// Makes the waiting frame the newest; without one nothing changes.
    /// - Returns: the newest frame, which stays unchanged until the next call; nil without one.
    @discardableResult
    package mutating func publish() -> StagedFrame? {
        if isWaiting {
            swap(&waiting, &newest)
            (hasNewest, isWaiting) = (true, false)
        }
        return hasNewest ? unsafe StagedFrame(gray: address(newest), side: Preprocessor.side) : nil
    }

    /// Forgets every frame.
    package mutating func reset() {
        (hasNewest, isWaiting) = (false, false)
        conditions?.reset()
    }

    private func address(_ cell: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe cells + cell * Preprocessor.frameBytes
    }

    @_lifetime(borrow self)
    private func luma(of cell: Int) -> Span<UInt8> {
        let span = unsafe Span(_unsafeStart: address(cell), count: Preprocessor.frameBytes)
        return unsafe _overrideLifetime(span, borrowing: self)
    }
}
