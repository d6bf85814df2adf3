import KernelInterface
import ModelFile

/// A depthwise convolution between two 1x1 convolutions, computed band by band.
///
/// A band is a few rows of the depthwise output. Working memory holds the rows of the widened map that the band reads,
/// as many as fit. If a band reads past them, the rows that it still needs are moved to the front and the missing ones
/// are computed. The depthwise rows go to working memory of their own, and from there through the second convolution to
/// the output. So the widened map is written and read in the cache.
@safe
struct GraphBlock {
    /// Shapes of the maps, and what the working memory must hold.
    struct Shape {
        let size, stride: Int
        let padTop, padLeft: Int
        let inputHeight, inputWidth: Int
        /// Elements of a pixel between the convolutions.
        let channels: Int
        /// Bytes of an element, and the byte that stands for zero between the first two convolutions.
        let elementSize: Int
        let zero: UInt8
        let outputHeight, outputWidth: Int
        let expands, projects: Bool
        /// Pixels of a widened row, including the zeros at its ends.
        let rowWidth: Int
        /// Elements from a widened row to the next.
        let rowStride: Int
        /// Depthwise rows of a band.
        let bandRows: Int
        /// Rows of the widened map that working memory holds.
        let wideRows: Int

        /// Bytes of working memory (half of the second-level cache of small cores), and the part of it for a band's
        /// depthwise rows.
        static let budget = 192 * 1024
        static let narrowBudget = 48 * 1024

        init(
            _ expand: GraphSteps.Convolution?, _ depthwise: GraphSteps.Convolution,
            _ project: GraphSteps.Convolution?, _ places: [MapPlace]
        ) {
            let input = places[depthwise.input]
            let output = places[depthwise.output]
            size = depthwise.height
            stride = depthwise.strideY
            padTop = depthwise.padding.top
            padLeft = depthwise.padding.left
            inputHeight = input.height
            inputWidth = input.width
            channels = input.pixel
            elementSize = input.elementSize
            zero = input.zero
            outputHeight = output.height
            outputWidth = output.width
            expands = expand != nil
            projects = project != nil
            rowWidth = padLeft + inputWidth + depthwise.padding.right
            rowStride = MapPlace.spread(rowWidth * channels, of: elementSize)
            let (wide, narrow) = (rowStride * elementSize, outputWidth * channels * elementSize)
            bandRows = max(1, min(outputHeight, Self.narrowBudget / narrow))
            let (band, all) = (stride * (bandRows - 1) + size, stride * (outputHeight - 1) + size)
            wideRows = expands ? max(band, min(all, (Self.budget - bandRows * narrow) / wide)) : 0
        }

        /// Bytes from the working memory's start to the depthwise rows.
        var narrowOffset: Int { (wideRows * rowStride * elementSize + 63) / 64 * 64 }
        var scratchBytes: Int { narrowOffset + (projects ? bandRows * outputWidth * channels * elementSize : 0) }
    }

    let shape: Shape
    let expand: GraphConvolution?
    let depthwise: GraphDepthwise
    let project: GraphConvolution?

    @inline(never)
    func run(_ kernels: KernelTable, arena: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer) {
        let s = shape
        let rowStride = s.rowStride
        let rowBytes = rowStride * s.elementSize
        let narrow = unsafe scratch + s.narrowOffset
        let narrowRow = s.outputWidth * s.channels
        // Input row of the working memory's first row, and of the next row to make.
        var (first, next) = (-s.padTop, -s.padTop)
        if s.expands { unsafe clearEnds(of: scratch, rowBytes: rowBytes) }
        var y = 0
        while y < s.outputHeight {
            let rows = min(s.bandRows, s.outputHeight - y)
            var (source, sourceRow) = (UnsafeRawPointer(scratch), rowStride)
            if let expand {
                let begin = s.stride * y - s.padTop
                let end = begin + s.stride * (rows - 1) + s.size
                if end > first + s.wideRows {
                    let kept = max(next - begin, 0)
                    unsafe scratch.copyMemory(from: scratch + (begin - first) * rowBytes, byteCount: kept * rowBytes)
                    first = begin
                    next = max(next, begin)
                }
                let last = min(first + s.wideRows, s.stride * (s.outputHeight - 1) - s.padTop + s.size)
                while next < end {
                    let target = unsafe scratch + (next - first) * rowBytes
                    if next < 0 || next >= s.inputHeight {
                        unsafe target.initializeMemory(as: UInt8.self, repeating: s.zero, count: rowBytes)
                        next += 1
                    } else {
                        let count = min(last, s.inputHeight) - next
                        unsafe expand.run(
                            kernels, arena: arena, firstRow: next, rows: count, from: nil, rowStride: 0,
                            to: target + s.padLeft * s.channels * s.elementSize, rowStride: s.rowStride)
                        next += count
                    }
                }
                unsafe source = UnsafeRawPointer(scratch + (begin - first) * rowBytes)
            } else {
                let firstRow = s.stride * y * depthwise.inputRow
                unsafe source = UnsafeRawPointer(arena + depthwise.input + firstRow * s.elementSize)
                sourceRow = depthwise.inputRow
            }
            let (target, targetRow) =
                project == nil
                ? unsafe (arena + depthwise.output + y * depthwise.outputRow * s.elementSize, depthwise.outputRow)
                : unsafe (narrow, narrowRow)
            unsafe depthwise.run(
                kernels, from: source, rowStride: sourceRow, size: s.size, stride: s.stride, rows: rows,
                pixels: s.outputWidth, channels: s.channels, to: target, rowStride: targetRow)
            if let project {
                unsafe project.run(
                    kernels, arena: arena, firstRow: y, rows: rows, from: narrow, rowStride: narrowRow, to: nil,
                    rowStride: 0)
            }
            y += rows
        }
    }

    /// Clears the pixels before and after every row of the working memory; moving rows keeps them.
    private func clearEnds(of scratch: UnsafeMutableRawPointer, rowBytes: Int) {
        let pixel = shape.channels * shape.elementSize
        let (left, right) = (shape.padLeft, shape.rowWidth - shape.padLeft - shape.inputWidth)
        for index in 0..<shape.wideRows {
            let start = unsafe scratch + index * rowBytes
            unsafe start.initializeMemory(as: UInt8.self, repeating: shape.zero, count: left * pixel)
            let end = unsafe start + (left + shape.inputWidth) * pixel
            unsafe end.initializeMemory(as: UInt8.self, repeating: shape.zero, count: right * pixel)
        }
    }
}
