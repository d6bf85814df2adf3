import KernelInterface
import ModelFile

/// A depthwise convolution between two 1x1 convolutions, band by band.
///
/// A band is a few lines of the depthwise output. The lines of the widened map that it reads lie in working memory; those that the
/// next band reads too are moved to its front, and what is missing is made. The depthwise lines go to working memory of their
/// own and from there through the second convolution to the output. So the widened map is written and read in the cache.
@safe
struct GraphBlock {
    /// What the working memory must hold.
    struct Shape {
        let size, stride: Int
        let padTop, padLeft: Int
        let inputHeight, inputWidth: Int
        /// Floats of a pixel between the convolutions.
        let channels: Int
        let outputHeight, outputWidth: Int
        let expands, projects: Bool
        /// Pixels of a widened line, with the zeros at its ends.
        let lineWidth: Int
        /// Depthwise lines of a band.
        let bandLines: Int

        /// Floats that a band may take, half of the second-level cache of small cores.
        static let budget = 48 * 1024

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
            outputHeight = output.height
            outputWidth = output.width
            expands = expand != nil
            projects = project != nil
            lineWidth = padLeft + inputWidth + depthwise.padding.right
            let (size, stride, channels) = (size, stride, channels)
            let (wide, narrow) = (expand == nil ? 0 : lineWidth * channels, project == nil ? 0 : outputWidth * channels)
            var lines = 1
            while lines < outputHeight, (stride * lines + size) * wide + (lines + 1) * narrow <= Self.budget {
                lines += 1
            }
            bandLines = lines
        }

        /// Lines of the widened map that a band reads.
        var wideLines: Int { stride * (bandLines - 1) + size }
        var wideCount: Int { expands ? wideLines * lineWidth * channels : 0 }
        var narrowCount: Int { projects ? bandLines * outputWidth * channels : 0 }
        var scratchCount: Int { (wideCount + 15) / 16 * 16 + narrowCount }
    }

    let shape: Shape
    let expand: GraphConvolution?
    let depthwise: GraphDepthwise
    let project: GraphConvolution?

    @inline(never)
    func run(
        _ kernels: ConvolutionKernels, arena: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>
    ) {
        let s = shape
        let line = s.lineWidth * s.channels
        let narrow = unsafe scratch + (s.wideCount + 15) / 16 * 16
        let narrowLine = s.outputWidth * s.channels
        // Input line of the working memory's first line, and of the next that is made.
        var (first, next) = (-s.padTop, -s.padTop)
        if s.expands { unsafe clearEnds(of: scratch, line: line) }
        var y = 0
        while y < s.outputHeight {
            let lines = min(s.bandLines, s.outputHeight - y)
            var (source, sourceLine) = unsafe (UnsafePointer(scratch), line)
            if let expand {
                let begin = s.stride * y - s.padTop
                let end = begin + s.stride * (lines - 1) + s.size
                if begin > first {
                    let kept = max(next - begin, 0)
                    unsafe scratch.update(from: scratch + (begin - first) * line, count: kept * line)
                    first = begin
                    next = max(next, begin)
                }
                while next < end {
                    let target = unsafe scratch + (next - first) * line
                    if next < 0 || next >= s.inputHeight {
                        unsafe target.update(repeating: 0, count: line)
                        next += 1
                    } else {
                        let count = min(end, s.inputHeight) - next
                        unsafe expand.run(
                            kernels, arena: arena, firstLine: next, lines: count, from: nil, line: 0,
                            to: target + s.padLeft * s.channels, line: line)
                        next += count
                    }
                }
            } else {
                unsafe source = UnsafePointer(arena + depthwise.firstElement + s.stride * y * depthwise.inputLine)
                sourceLine = depthwise.inputLine
            }
            if let project {
                unsafe kernels.depthwise(
                    source, sourceLine, s.size, s.stride, lines, s.outputWidth, s.channels, depthwise.packed,
                    depthwise.upper, narrow, narrowLine, s.channels)
                unsafe project.run(
                    kernels, arena: arena, firstLine: y, lines: lines, from: UnsafePointer(narrow), line: narrowLine,
                    to: nil, line: 0)
            } else {
                unsafe kernels.depthwise(
                    source, sourceLine, s.size, s.stride, lines, s.outputWidth, s.channels, depthwise.packed,
                    depthwise.upper, arena + depthwise.output + y * depthwise.outputLine, depthwise.outputLine,
                    s.channels)
            }
            y += lines
        }
    }

    /// Zeros before and behind every line of the working memory; moving lines keeps them.
    private func clearEnds(of scratch: UnsafeMutablePointer<Float>, line: Int) {
        let left = shape.padLeft * shape.channels
        let right = (shape.lineWidth - shape.padLeft - shape.inputWidth) * shape.channels
        for index in 0..<shape.wideLines {
            let start = unsafe scratch + index * line
            unsafe start.update(repeating: 0, count: left)
            unsafe (start + line - right).update(repeating: 0, count: right)
        }
    }
}
