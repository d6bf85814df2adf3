import KernelInterface

/// A convolution with its packed parameters. Distances are in floats, positions from the arena's start.
@safe
struct GraphConvolution {
    let packed: UnsafeRawPointer
    /// The first element that the first tap of pixel (0, 0) reads.
    let input: Int
    /// From what a line of output reads to what the next one does, and the same for pixels.
    let inputLine, inputPixel: Int
    let lines, pixels: Int
    let taps, tapStride, depth: Int
    let columns: Int
    let residual: Int?
    let residualLine, residualPixel, residualColumns: Int
    let upper: Float
    let output, outputLine, outputPixel: Int

    /// Makes some lines of the output. `from` and `to` stand for the arena's map where they are given: lines of pixels one after
    /// the other, the first of them line `firstLine`.
    @inline(__always)
    func run(
        _ kernels: ConvolutionKernels, arena: UnsafeMutablePointer<Float>, firstLine: Int, lines: Int,
        from source: UnsafePointer<Float>?, line sourceLine: Int,
        to target: UnsafeMutablePointer<Float>?, line targetLine: Int
    ) {
        let a = unsafe source ?? UnsafePointer(arena + input + firstLine * inputLine)
        let out = unsafe target ?? arena + output + firstLine * outputLine
        let more = unsafe residual.map { unsafe UnsafePointer(arena + $0 + firstLine * residualLine) }
        unsafe kernels.convolve(
            a, source == nil ? inputLine : sourceLine, inputPixel, lines, pixels, taps, tapStride, depth, columns,
            packed, more, residualLine, residualPixel, residualColumns, upper, out,
            target == nil ? outputLine : targetLine, outputPixel)
    }
}

/// A depthwise convolution with its packed parameters, distances and positions as in `GraphConvolution`.
@safe
struct GraphDepthwise {
    let packed: UnsafeRawPointer
    let firstElement, inputLine: Int
    let upper: Float
    let output, outputLine: Int
}

/// One step of a plan.
@safe
enum GraphInstruction {
    case convolution(GraphConvolution, clears: MapPlace)
    case block(GraphBlock, scratch: Int, clears: MapPlace)
    case map(MapOperation, clears: MapPlace)
}
