package import KernelInterface

/// Turns a camera frame of any size and layout into the 224 x 224 luma that the network reads, in one pass.
///
/// Plain bilinear interpolation of two by two neighbours with half-pixel centres and clamped edges, as OpenCV's
/// `INTER_LINEAR` does it: no low-pass filter when shrinking. Video range is expanded, (Y - 16) * 255 / 219, after
/// interpolation and before the only rounding; the luma of colour formats is that of BT.601, 0.299 R + 0.587 G + 0.114 B.
/// The result lies within 0.53 of the same sum in real numbers, and is exact where source and output pixels coincide.
///
/// Pixels go straight from the caller's plane into the caller's destination: the only thing in between is one row of
/// 16-bit sums. The tables of a geometry and that row are kept, so frames alike allocate nothing.
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
    private var plan = ResizePlan()
    private var row: UnsafeMutablePointer<Int16>
    private var rowCapacity: Int

    /// - Parameter kernels: the row primitives to use, of any tier.
    package init(kernels: ResizeKernels) {
        self.kernels = kernels
        rowCapacity = 0
        unsafe row = .allocate(capacity: 0)
    }

    deinit {
        unsafe row.deallocate()
    }

    /// Resizes one frame. Allocates only when the geometry needs a wider row than any before.
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
            width: frame.region.width, height: frame.region.height, geometry: geometry, range: frame.format.lumaRange)
        plan.prepare(key, placement: placement, axes: axes)
        reserveRow(placement.source.width + 1)

        let (format, bytesPerRow) = (frame.format, frame.bytesPerRow)
        let start = placement.source.y * bytesPerRow + placement.source.x * format.bytesPerPixel
        // `PixelView` has proved that the region's rows lie in its plane, the plan that each of its offsets lies in the
        // destination and the row.
        unsafe frame.plane.withUnsafeBytes { bytes in
            guard let plane = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            unsafe destination.withUnsafeMutableBufferPointer { square in
                guard let square = square.baseAddress else { return }
                unsafe run(
                    plane + start, format: format, bytesPerRow: bytesPerRow, width: placement.source.width, into: square
                )
            }
        }
    }

    private func run(
        _ source: UnsafePointer<UInt8>, format: PixelFormat, bytesPerRow: Int, width: Int,
        into square: UnsafeMutablePointer<UInt8>
    ) {
        if plan.isPadded {
            unsafe square.update(repeating: FrameGeometry.padding, count: Self.frameBytes)
        }
        let gather = unsafe plan.pixelStride == 1 ? kernels.gatherLine : kernels.gatherColumn
        var line = unsafe square + plan.origin
        for index in 0..<plan.lineCount {
            let top = unsafe source + Int(plan.topRows[index]) * bytesPerRow
            let bottom = unsafe source + Int(plan.bottomRows[index]) * bytesPerRow
            let weight = unsafe plan.rowWeights[index]
            switch format {
            case .gray8, .nv12, .i420:
                unsafe kernels.blendPlanar(top, bottom, weight, width, row)
            case .yuyv:
                unsafe kernels.blendInterleaved(top, bottom, weight, width, row)
            case .bgra:
                unsafe kernels.blendColour(
                    top, bottom, weight, Self.blueShare, Self.greenShare, Self.redShare, width, row)
            case .rgba:
                unsafe kernels.blendColour(
                    top, bottom, weight, Self.redShare, Self.greenShare, Self.blueShare, width, row)
            }
            unsafe gather(
                row, plan.columns, plan.columnWeights, plan.pixelCount, plan.bias, plan.pixelStride, line)
            unsafe line += plan.lineStride
        }
    }

    private mutating func reserveRow(_ capacity: Int) {
        guard capacity > rowCapacity else { return }
        unsafe row.deallocate()
        unsafe row = .allocate(capacity: capacity)
        // The pixel right of the last one is read with weight 0; it must be a number.
        unsafe row.initialize(repeating: 0, count: capacity)
        rowCapacity = capacity
    }
}
