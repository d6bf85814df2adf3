import KernelInterface

/// A convolution with its packed parameters. Distances are in elements of the map that they belong to, positions in
/// bytes from the arena's start.
@safe
struct GraphConvolution {
    /// Element types of the input and the output.
    @safe
    enum Arithmetic {
        case float
        /// Quantised input and output. The pointer is the kernels' `rounding`.
        case quantised(UnsafeRawPointer, Working)
        case quantisedToFloat(Working)
    }

    /// Working memory of the kernels, with its position in the arena.
    struct Working {
        let batch: QuantisedConvolutionKernels.Batch
        let offset: Int
    }

    let arithmetic: Arithmetic
    let packed: UnsafeRawPointer
    /// Position of the first element that the first tap of pixel (0, 0) reads.
    let input: Int
    /// Elements from the input of one output row to that of the next, and the same for pixels.
    let inputRow, inputPixel: Int
    let rows, pixels: Int
    let taps, tapStride, depth: Int
    let columns: Int
    let residual: Int?
    let residualRow, residualPixel, residualColumns: Int
    let upper: Float
    let output, outputRow, outputPixel: Int

    /// Makes `rows` rows of the output, from row `firstRow` on. Where `source` or `target` is given, it replaces the
    /// arena's map: its first row is row `firstRow`, and its rows are `sourceRow` or `targetRow` elements apart.
    @inline(__always)
    func run(
        _ kernels: KernelTable, arena: UnsafeMutableRawPointer, firstRow: Int, rows: Int,
        from source: UnsafeRawPointer?, rowStride sourceRow: Int, to target: UnsafeMutableRawPointer?,
        rowStride targetRow: Int
    ) {
        let inRow = unsafe source == nil ? inputRow : sourceRow
        let outRow = unsafe target == nil ? outputRow : targetRow
        switch arithmetic {
        case .float:
            let a = unsafe source ?? UnsafeRawPointer(arena + input + 4 * firstRow * inputRow)
            let out = unsafe target ?? arena + output + 4 * firstRow * outputRow
            let more = unsafe residual.map { unsafe UnsafeRawPointer(arena + $0 + 4 * firstRow * residualRow) }
            unsafe kernels.convolution.convolve(
                a.assumingMemoryBound(to: Float.self), inRow, inputPixel, rows, pixels, taps, tapStride, depth,
                columns, packed, more?.assumingMemoryBound(to: Float.self), residualRow, residualPixel,
                residualColumns, upper, out.assumingMemoryBound(to: Float.self), outRow, outputPixel)
        case .quantised(let rounding, let working):
            let a = unsafe source ?? UnsafeRawPointer(arena + input + firstRow * inputRow)
            let out = unsafe target ?? arena + output + firstRow * outputRow
            let more = unsafe residual.map { unsafe UnsafeRawPointer(arena + $0 + firstRow * residualRow) }
            unsafe kernels.quantisedConvolution.convolve(
                a.assumingMemoryBound(to: UInt8.self), inRow, inputPixel, rows, pixels, taps, tapStride, depth,
                columns, packed, more?.assumingMemoryBound(to: UInt8.self), residualRow, residualPixel,
                residualColumns, rounding, out.assumingMemoryBound(to: UInt8.self), outRow, outputPixel,
                working.batch.height, working.batch.width, arena + working.offset)
        case .quantisedToFloat(let working):
            let a = unsafe source ?? UnsafeRawPointer(arena + input + firstRow * inputRow)
            let out = unsafe target ?? arena + output + 4 * firstRow * outputRow
            unsafe kernels.quantisedConvolution.convolveToFloat(
                a.assumingMemoryBound(to: UInt8.self), inRow, inputPixel, rows, pixels, taps, tapStride, depth,
                columns, packed, upper, out.assumingMemoryBound(to: Float.self), outRow, outputPixel,
                working.batch.height, working.batch.width, arena + working.offset)
        }
    }
}

/// A depthwise convolution with its packed parameters, distances and positions as in `GraphConvolution`.
@safe
struct GraphDepthwise {
    /// The kernels' `rounding`; nil for floats.
    let rounding: UnsafeRawPointer?
    let packed: UnsafeRawPointer
    /// Position of the element that the first tap of pixel (0, 0) reads.
    let input: Int
    let inputRow: Int
    let upper: Float
    let output, outputRow: Int

    /// Makes `rows` rows at `target` from the rows at `source`; pixels are `channels` elements apart in both.
    @inline(__always)
    func run(
        _ kernels: KernelTable, from source: UnsafeRawPointer, rowStride sourceRow: Int, size: Int, stride: Int,
        rows: Int,
        pixels: Int, channels: Int, to target: UnsafeMutableRawPointer, rowStride targetRow: Int
    ) {
        if let rounding = unsafe rounding {
            unsafe kernels.quantisedConvolution.depthwise(
                source.assumingMemoryBound(to: UInt8.self), sourceRow, size, stride, rows, pixels, channels, packed,
                rounding, target.assumingMemoryBound(to: UInt8.self), targetRow)
        } else {
            unsafe kernels.convolution.depthwise(
                source.assumingMemoryBound(to: Float.self), sourceRow, size, stride, rows, pixels, channels, packed,
                upper, target.assumingMemoryBound(to: Float.self), targetRow, channels)
        }
    }
}

/// One instruction of a plan, with the layout whose border it clears. Indirect: a value is one reference, every bit of which
/// is written. Side by side the cases would share a word that some of them write in part, and copies would test it.
@safe
indirect enum GraphInstruction {
    case convolution(GraphConvolution, clears: MapPlace)
    case block(GraphBlock, scratch: Int, clears: MapPlace)
    case map(MapOperation, scratch: Int, clears: MapPlace)
}
