package import KernelInterface

/// Turns a camera frame of any size and layout into the 224 x 224 luma that the network reads, in one pass.
///
/// Plain bilinear interpolation of two by two neighbours with half-pixel centres and clamped edges, as OpenCV's
/// `INTER_LINEAR` does it: no low-pass filter when shrinking. Video range is expanded, (Y - 16) * 255 / 219, after
/// interpolation and before the only rounding; the luma of colour formats is that of BT.601, 0.299 R + 0.587 G + 0.114 B.
/// The result lies within 0.53 of the same sum in real numbers, and is exact where source and output pixels coincide.
///
/// Pixels go straight from the caller's plane into the caller's destination; only where an orientation transposes do eight
/// lines stand in between. All memory is allocated with the preprocessor, none for a frame or a new geometry.
///
/// `@unchecked Sendable`: the value is the only owner of the memory its pointers name, and only `mutating` functions touch it.
@safe
public struct Preprocessor: ~Copyable, @unchecked Sendable {
    /// Width and height of the result.
    public static let side = 224
    /// Bytes of the result, without padding.
    public static let frameBytes = side * side

    /// BT.601 luma in 1/16384: 0.299, 0.587 and 0.114, of which the middle one takes the rounding so that the sum is exact.
    private static let redShare: Int32 = 4_899
    private static let greenShare: Int32 = 9_617
    private static let blueShare: Int32 = 1_868

    private let kernels: ResizeKernels
    private var plan: ResizePlan
    private var transposer = LineTransposer()

    /// - Parameter kernels: the line kernels to use, of any tier.
    package init(kernels: ResizeKernels) {
        self.kernels = kernels
        plan = ResizePlan(kernels: kernels)
    }

    /// Resizes one frame. Allocates nothing.
    /// - Parameters:
    ///   - frame: the stored frame and its region of interest.
    ///   - geometry: orientation, mirror and crop mode.
    ///   - destination: exactly `frameBytes` bytes, rows from top to bottom; every one is written.
    /// - Throws: `FrameError.destination`, with nothing written.
    public mutating func resize(
        _ frame: borrowing PixelView, geometry: FrameGeometry = FrameGeometry(),
        into destination: inout MutableSpan<UInt8>
    ) throws(FrameError) {
        guard destination.count == Self.frameBytes else {
            throw .destination(required: Self.frameBytes, found: destination.count)
        }
        let axes = AxisMap(geometry)
        let placement = Placement(frame.region, crop: geometry.crop, transposed: axes.transposed)
        let key = ResizePlan.Key(
            width: frame.region.width, height: frame.region.height, geometry: geometry, range: frame.format.lumaRange,
            pixelBytes: frame.format.bytesPerPixel)
        plan.prepare(key, placement: placement, axes: axes)

        let (format, bytesPerRow) = (frame.format, frame.bytesPerRow)
        let start = placement.source.y * bytesPerRow + placement.source.x * format.bytesPerPixel
        // `PixelView` has proved that the region's rows lie in its plane, the plan that each of its lines lies in the
        // destination.
        unsafe frame.plane.withUnsafeBytes { bytes in
            guard let plane = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            unsafe destination.withUnsafeMutableBufferPointer { square in
                guard let square = square.baseAddress else { return }
                if plan.isPadded {
                    unsafe square.update(repeating: FrameGeometry.padding, count: Self.frameBytes)
                }
                let source = unsafe Source(start: plane + start, bytesPerRow: bytesPerRow, format: format)
                if plan.isTransposed {
                    unsafe writeColumns(of: source, from: square + plan.origin)
                } else {
                    unsafe writeLines(of: source, from: square + plan.origin)
                }
            }
        }
    }

    /// The stored rows that a plan's rows count from.
    @unsafe
    private struct Source {
        let start: UnsafePointer<UInt8>
        let bytesPerRow: Int
        let format: PixelFormat
    }

    private func writeLines(of source: Source, from first: UnsafeMutablePointer<UInt8>) {
        for index in 0..<plan.lineCount {
            unsafe write(index, of: source, into: first + index * Self.side)
        }
    }

    /// As many lines at a time as the transposer holds; each becomes a column.
    private func writeColumns(of source: Source, from first: UnsafeMutablePointer<UInt8>) {
        var index = 0
        while index < plan.lineCount {
            let lines = min(LineTransposer.lineCount, plan.lineCount - index)
            for line in 0..<lines {
                unsafe write(index + line, of: source, into: transposer.line(line))
            }
            unsafe transposer.write(lines: lines, pixels: plan.pixelCount, into: first + index)
            index += lines
        }
    }

    private func write(_ index: Int, of source: Source, into line: UnsafeMutablePointer<UInt8>) {
        let top = unsafe source.start + Int(plan.topRows[index]) * source.bytesPerRow
        let bottom = unsafe source.start + Int(plan.bottomRows[index]) * source.bytesPerRow
        let weight = unsafe plan.rowWeights[index]
        switch unsafe source.format {
        case .gray8, .nv12, .i420, .yuyv:
            unsafe kernels.luma(top, bottom, weight, plan.packed, line)
        case .bgra:
            unsafe kernels.colour(
                top, bottom, weight, Self.blueShare, Self.greenShare, Self.redShare, plan.packed, line)
        case .rgba:
            unsafe kernels.colour(
                top, bottom, weight, Self.redShare, Self.greenShare, Self.blueShare, plan.packed, line)
        }
    }
}
