package import Frames
package import KernelInterface

/// Resizes a camera frame of any size and layout to the network's 224 x 224 luma image, in one pass.
///
/// It is bilinear interpolation of two by two neighbours with half-pixel centres and clamped edges, as OpenCV's
/// `INTER_LINEAR`. Along a side that shrinks to less than half, two neighbours would skip pixels. There it takes the
/// mean of all pixels that an output pixel covers, as `INTER_AREA`, unless `FrameGeometry.antialiased` is false; at
/// exactly half both give the same. Then video range is expanded, (Y - 16) * 255 / 219, before the only rounding; the
/// luma of colour formats is that of BT.601, 0.299 R + 0.587 G + 0.114 B. The result is within 0.53 of the same sum in
/// exact arithmetic (0.55 for a mean of more than four pixels), and exact where source and output pixels coincide.
///
/// Pixels go from the caller's plane directly to the caller's destination; only orientations that transpose buffer
/// eight lines. All memory is allocated by `init`, none for a frame or a new geometry.
///
/// `@unchecked Sendable`: the value is the only owner of its pointers' memory, and only `mutating` functions touch it.
@safe
package struct Preprocessor: ~Copyable, @unchecked Sendable {
    /// Width and height of the result: `FrameGeometry.side`, which is another module's and no constant to the compiler.
    package static let side = 224
    /// Bytes of the result, without padding.
    package static let frameBytes = side * side

    private var frame: Shape?
    private var interpolation: ResizePlan
    private var area: AreaPlan
    private var transposer = RowTransposer()

    /// - Parameter kernels: the line kernels, of any tier.
    package init(kernels: ResizeKernels) {
        interpolation = ResizePlan(kernels: kernels)
        area = AreaPlan(kernels: kernels.area)
    }

    /// Resizes one frame. Allocates nothing.
    /// - Parameters:
    ///   - frame: the stored frame and its region of interest.
    ///   - geometry: orientation, mirror and crop mode.
    ///   - destination: exactly `frameBytes` bytes, rows from top to bottom; all of them are written.
    /// - Throws: `PixelView.FrameError.destination`, before anything is written.
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
        // `PixelView` proved that the region's rows are within its plane, and the layout that each of its lines is
        // within the destination.
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

    /// A frame's region and how it is resized.
    private struct Shape {
        var width: Int
        var height: Int
        var format: PixelView.Format
        var geometry: FrameGeometry
        var placement: Placement
        var lines: LineLayout
        /// Whether a side shrinks to less than half, and all of its pixels count.
        var isArea: Bool

        var isPadded: Bool { placement.width < Preprocessor.side || placement.height < Preprocessor.side }
    }

    /// Fills the tables, unless they already fit the frame. They do not depend on the region's position.
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

    /// The stored rows to which a plan's row indices refer.
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

    /// Writes as many lines at a time as the transposer holds; each is vertical in the image.
    private func writeUpright(of source: Source, _ shape: Shape, from first: UnsafeMutablePointer<UInt8>) {
        var index = 0
        while index < shape.lines.count {
            let lines = min(RowTransposer.lineCount, shape.lines.count - index)
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
