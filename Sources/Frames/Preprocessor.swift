package import KernelInterface

/// Turns a camera frame of any size and layout into the 224 x 224 luma that the network reads, in one pass.
///
/// Bilinear interpolation of two by two neighbours with half-pixel centres and clamped edges, as OpenCV's `INTER_LINEAR`
/// does it. Along a side that shrinks to less than half, where two neighbours would pass over pixels, the mean of all
/// that an output pixel covers, as `INTER_AREA` does it, unless `FrameGeometry.antialiased` says otherwise; at exactly a half
/// both are the same. Video range is expanded, (Y - 16) * 255 / 219, after that and before the only rounding; the luma of
/// colour formats is that of BT.601, 0.299 R + 0.587 G + 0.114 B. The result lies within 0.53 of the same sum in real
/// numbers (a mean of more than four pixels within 0.55), and is exact where source and output pixels coincide.
///
/// Pixels go straight from the caller's plane into the caller's destination; only where an orientation transposes do eight
/// lines stand in between. All memory is allocated with the preprocessor, none for a frame or a new geometry.
///
/// `@unchecked Sendable`: the value is the only owner of the memory its pointers name, and only `mutating` functions touch it.
@safe
package struct Preprocessor: ~Copyable, @unchecked Sendable {
    /// Width and height of the result.
    package static let side = 224
    /// Bytes of the result, without padding.
    package static let frameBytes = side * side

    private var frame: Shape?
    private var interpolation: ResizePlan
    private var area: AreaPlan
    private var transposer = LineTransposer()

    /// - Parameter kernels: the line kernels to use, of any tier.
    package init(kernels: ResizeKernels) {
        interpolation = ResizePlan(kernels: kernels)
        area = AreaPlan(kernels: kernels.area)
    }

    /// Resizes one frame. Allocates nothing.
    /// - Parameters:
    ///   - frame: the stored frame and its region of interest.
    ///   - geometry: orientation, mirror and crop mode.
    ///   - destination: exactly `frameBytes` bytes, rows from top to bottom; every one is written.
    /// - Throws: `PixelView.FrameError.destination`, with nothing written.
    package mutating func resize(
        _ frame: borrowing PixelView, geometry: FrameGeometry = FrameGeometry(),
        into destination: inout MutableSpan<UInt8>
    ) throws(PixelView.FrameError) {
        guard destination.count == Self.frameBytes else {
            throw .destination(required: Self.frameBytes, found: destination.count)
        }
        let shape = prepare(frame, geometry)
        let bytesPerRow = frame.bytesPerRow
        let start = shape.placement.source.y * bytesPerRow + shape.placement.source.x * frame.format.bytesPerPixel
        // `PixelView` has proved that the region's rows lie in its plane, the layout that each of its lines lies in the
        // destination.
        unsafe frame.plane.withUnsafeBytes { bytes in
            guard let plane = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            unsafe destination.withUnsafeMutableBufferPointer { square in
                guard let square = square.baseAddress else { return }
                if shape.isPadded {
                    unsafe square.update(repeating: FrameGeometry.padding, count: Self.frameBytes)
                }
                let source = unsafe Source(start: plane + start, bytesPerRow: bytesPerRow)
                let first = unsafe square + shape.placement.y * Self.side + shape.placement.x
                if shape.lines.isTransposed {
                    unsafe writeUpright(of: source, shape, from: first)
                } else {
                    unsafe writeLines(of: source, shape, from: first)
                }
            }
        }
    }

    /// A frame's region, what becomes of it, and where.
    private struct Shape {
        var width: Int
        var height: Int
        var format: PixelView.Format
        var geometry: FrameGeometry
        var placement: Placement
        var lines: LineLayout
        /// Whether a side shrinks to less than half, and all of its pixels are wanted.
        var isArea: Bool

        var isPadded: Bool { placement.width < Preprocessor.side || placement.height < Preprocessor.side }
    }

    /// Fills the tables unless they are already those of such a frame. The place of a region has no influence on them.
    private mutating func prepare(_ view: borrowing PixelView, _ geometry: FrameGeometry) -> Shape {
        let axes = AxisMap(geometry)
        let placement = Placement(view.region, crop: geometry.crop, transposed: axes.transposed)
        if var known = frame, known.width == view.region.width, known.height == view.region.height,
            known.format == view.format, known.geometry == geometry
        {
            known.placement = placement
            return known
        }
        let lines = LineLayout(placement, axes)
        let shape = Shape(
            width: view.region.width, height: view.region.height, format: view.format, geometry: geometry,
            placement: placement, lines: lines,
            isArea: geometry.antialiased
                && (placement.source.width > 2 * lines.pixelCount || placement.source.height > 2 * lines.count))
        if shape.isArea {
            area.prepare(view.format, placement, lines)
        } else {
            interpolation.prepare(view.format, placement, lines)
        }
        frame = shape
        return shape
    }

    /// The stored rows that a plan's rows count from.
    @unsafe
    private struct Source {
        let start: UnsafePointer<UInt8>
        let bytesPerRow: Int
    }

    private func writeLines(of source: Source, _ shape: Shape, from first: UnsafeMutablePointer<UInt8>) {
        for index in 0..<shape.lines.count {
            unsafe write(index, of: source, shape, into: first + index * Self.side)
        }
    }

    /// As many lines at a time as the transposer holds; each stands upright in the square.
    private func writeUpright(of source: Source, _ shape: Shape, from first: UnsafeMutablePointer<UInt8>) {
        var index = 0
        while index < shape.lines.count {
            let lines = min(LineTransposer.lineCount, shape.lines.count - index)
            for line in 0..<lines {
                unsafe write(index + line, of: source, shape, into: transposer.line(line))
            }
            unsafe transposer.write(lines: lines, pixels: shape.lines.pixelCount, into: first + index)
            index += lines
        }
    }

    private func write(_ index: Int, of source: Source, _ shape: Shape, into line: UnsafeMutablePointer<UInt8>) {
        if shape.isArea {
            unsafe area.write(index, from: source.start, bytesPerRow: source.bytesPerRow, shape.format, into: line)
        } else {
            unsafe interpolation.write(
                index, from: source.start, bytesPerRow: source.bytesPerRow, shape.format, into: line)
        }
    }
}
