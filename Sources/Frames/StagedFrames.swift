import Platform

/// Copies of the caller's frames for a stream that reads them later: the newest, which is read, and a waiting one.
///
/// Memory follows the size of the frames: it grows at once, and shrinks when frames have been smaller for
/// `patience` copies. Between frames of one size nothing is allocated.
package struct StagedFrames: ~Copyable {
    private let memory = [FrameMemory(), FrameMemory()]
    /// Indices into `memory`.
    private var newest = 0
    private var waiting: Int { 1 - newest }

    /// After this many copies a memory shrinks to the largest of them, if that needs less than half of it. The two memories
    /// take turns, so at 60 frames a second this takes two seconds.
    package static let patience = 64

    package init() {}

    /// Bytes of memory for both frames.
    package var capacity: Int { memory[0].capacity + memory[1].capacity }

    /// Releases all memory. No frame may be read meanwhile, and none from before afterwards.
    package mutating func release() {
        for memory in memory { memory.release() }
    }

    /// Copies the frame as the waiting one. It replaces a frame that waited before.
    package mutating func keep(copyOf frame: borrowing PixelView) { memory[waiting].copy(frame) }

    /// Makes the waiting frame the newest.
    /// - Returns: the frame; it stays unchanged until the next call.
    package mutating func publish() -> StagedFrame {
        newest = waiting
        return memory[newest].frame
    }
}

/// A frame in memory that its owner does not change while it is read.
@safe
package struct StagedFrame: @unchecked Sendable {
    fileprivate struct Plane {
        var offset = 0
        var bytesPerRow = 0
        var byteCount = 0
    }

    fileprivate var base: UnsafeMutableRawPointer?
    fileprivate var format = PixelView.Format.gray8
    fileprivate var width = 1
    fileprivate var height = 1
    fileprivate var region = PixelView.Region(x: 0, y: 0, width: 1, height: 1)
    fileprivate var matrix = PixelView.ColorMatrix.bt601
    fileprivate var luma = Plane()
    /// The chroma planes: both, `blue` alone if it is interleaved with red, or none.
    fileprivate var blue: Plane?
    fileprivate var red: Plane?

    fileprivate init() {}

    /// A square of luma alone.
    /// - Requires: `side * side` bytes, which their owner does not change while the frame is read.
    package init(gray luma: UnsafeMutablePointer<UInt8>, side: Int) {
        unsafe base = UnsafeMutableRawPointer(luma)
        (width, height) = (side, side)
        region = PixelView.Region(x: 0, y: 0, width: side, height: side)
        self.luma = Plane(offset: 0, bytesPerRow: side, byteCount: side * side)
    }

    /// Calls `body` with a view of the frame.
    package func withView(_ body: (borrowing PixelView) -> Void) {
        func bytes(_ plane: Plane) -> UnsafeRawBufferPointer {
            unsafe UnsafeRawBufferPointer(start: base.map { unsafe $0 + plane.offset }, count: plane.byteCount)
        }
        let plane = unsafe RawSpan(_unsafeBytes: bytes(luma))
        do {
            guard let blue else {
                return body(
                    try PixelView(
                        plane, format: format, width: width, height: height, bytesPerRow: luma.bytesPerRow,
                        region: region, matrix: matrix))
            }
            let blueBytes = unsafe RawSpan(_unsafeBytes: bytes(blue))
            let chroma: PixelView.ChromaPlanes
            if let red {
                chroma = unsafe PixelView.ChromaPlanes(
                    blue: blueBytes, red: RawSpan(_unsafeBytes: bytes(red)), bytesPerRow: blue.bytesPerRow)
            } else {
                chroma = PixelView.ChromaPlanes(interleaved: blueBytes, bytesPerRow: blue.bytesPerRow)
            }
            body(
                try PixelView(
                    plane, chroma: chroma, format: format, width: width, height: height, bytesPerRow: luma.bytesPerRow,
                    region: region, matrix: matrix))
        } catch {
            preconditionFailure("the copy must have the shape of the original")
        }
    }
}

/// Memory for one frame, which follows the size of the frames. It is allocated by the page, so the system gets back what
/// is released.
private final class FrameMemory {
    private(set) var frame = StagedFrame()
    private(set) var capacity = 0
    /// The most bytes of a copy since the latest allocation or the latest check, and the number of these copies.
    private var largest = 0
    private var copies = 0

    deinit { release() }

    func release() {
        if let base = unsafe frame.base { unsafe PageMemory.release(base, byteCount: capacity) }
        frame = StagedFrame()
        (capacity, largest, copies) = (0, 0, 0)
    }

    /// Makes room for a frame of this many bytes, 1 or more.
    private func reserve(_ byteCount: Int) {
        largest = max(largest, byteCount)
        copies += 1
        guard byteCount <= capacity else { return allocate(byteCount) }
        guard copies >= StagedFrames.patience else { return }
        if 2 * largest < capacity { allocate(largest) }
        (largest, copies) = (0, 0)
    }

    private func allocate(_ byteCount: Int) {
        release()
        do {
            unsafe frame.base = try PageMemory.allocate(byteCount: byteCount)
        } catch {
            fatalError("The system has no \(byteCount) bytes of memory for a frame.")
        }
        capacity = byteCount
    }

    func copy(_ source: borrowing PixelView) {
        let lumaRow = source.format.bytesPerPixel * source.width
        var next = StagedFrame.Plane(offset: 0, bytesPerRow: lumaRow, byteCount: lumaRow * source.height)
        let luma = next
        var total = next.byteCount
        var (blue, red): (StagedFrame.Plane?, StagedFrame.Plane?) = (nil, nil)
        let rows = (source.height + 1) / 2
        if let chroma = source.chroma {
            let isInterleaved = chroma.layout == .interleaved
            let chromaRow = (source.width + 1) / 2 * (isInterleaved ? 2 : 1)
            next = StagedFrame.Plane(offset: total, bytesPerRow: chromaRow, byteCount: chromaRow * rows)
            blue = next
            total += next.byteCount
            if !isInterleaved {
                next.offset = total
                red = next
                total += next.byteCount
            }
        }
        reserve(total)
        (frame.luma, frame.blue, frame.red) = (luma, blue, red)
        frame.format = source.format
        frame.width = source.width
        frame.height = source.height
        frame.region = source.region
        frame.matrix = source.matrix
        write(source.plane, rows: source.height, bytesPerRow: source.bytesPerRow, to: frame.luma)
        if let chroma = source.chroma {
            if let blue = frame.blue { write(chroma.blue, rows: rows, bytesPerRow: chroma.bytesPerRow, to: blue) }
            if let red = frame.red { write(chroma.red, rows: rows, bytesPerRow: chroma.bytesPerRow, to: red) }
        }
    }

    private func write(_ plane: RawSpan, rows: Int, bytesPerRow: Int, to target: StagedFrame.Plane) {
        unsafe plane.withUnsafeBytes { source in
            guard let from = source.baseAddress, let base = unsafe frame.base else { return }
            for row in 0..<rows {
                // The last row may lack its padding. The view has checked that all copied bytes exist.
                let count = min(target.bytesPerRow, source.count - row * bytesPerRow)
                unsafe (base + target.offset + row * target.bytesPerRow)
                    .copyMemory(from: from + row * bytesPerRow, byteCount: count)
            }
        }
    }
}
