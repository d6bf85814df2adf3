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
        /// Elements of a pixel between the convolutions.
        let channels: Int
        /// Bytes of an element, and the byte that zeros between the first two consist of.
        let elementSize: Int
        let zero: UInt8
        let outputHeight, outputWidth: Int
        let expands, projects: Bool
        /// Pixels of a widened line, with the zeros at its ends.
        let lineWidth: Int
        /// Depthwise lines of a band.
        let bandLines: Int

        /// Bytes that a band may take, half of the second-level cache of small cores.
        static let budget = 192 * 1024

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
            lineWidth = padLeft + inputWidth + depthwise.padding.right
            let (size, stride, channels, budget) = (size, stride, channels, Self.budget / elementSize)
            let (wide, narrow) = (expand == nil ? 0 : lineWidth * channels, project == nil ? 0 : outputWidth * channels)
            var lines = 1
            while lines < outputHeight, (stride * lines + size) * wide + (lines + 1) * narrow <= budget {
                lines += 1
            }
            bandLines = lines
        }

        /// Lines of the widened map that a band reads.
        var wideLines: Int { stride * (bandLines - 1) + size }
        var wideCount: Int { expands ? wideLines * lineWidth * channels : 0 }
        var narrowCount: Int { projects ? bandLines * outputWidth * channels : 0 }
        /// From the working memory's start to the depthwise lines.
        var narrowOffset: Int { (wideCount * elementSize + 63) / 64 * 64 }
        var scratchBytes: Int { narrowOffset + narrowCount * elementSize }
    }

    let shape: Shape
    let expand: GraphConvolution?
    let depthwise: GraphDepthwise
    let project: GraphConvolution?

    @inline(never)
    func run(_ kernels: KernelTable, arena: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer) {
        let s = shape
        let line = s.lineWidth * s.channels
        let lineBytes = line * s.elementSize
        let narrow = unsafe scratch + s.narrowOffset
        let narrowLine = s.outputWidth * s.channels
        // Input line of the working memory's first line, and of the next that is made.
        var (first, next) = (-s.padTop, -s.padTop)
        if s.expands { unsafe clearEnds(of: scratch, lineBytes: lineBytes) }
        var y = 0
        while y < s.outputHeight {
            let lines = min(s.bandLines, s.outputHeight - y)
            var (source, sourceLine) = (UnsafeRawPointer(scratch), line)
            if let expand {
                let begin = s.stride * y - s.padTop
                let end = begin + s.stride * (lines - 1) + s.size
                if begin > first {
                    let kept = max(next - begin, 0)
                    unsafe scratch.copyMemory(from: scratch + (begin - first) * lineBytes, byteCount: kept * lineBytes)
                    first = begin
                    next = max(next, begin)
                }
                while next < end {
                    let target = unsafe scratch + (next - first) * lineBytes
                    if next < 0 || next >= s.inputHeight {
                        unsafe target.initializeMemory(as: UInt8.self, repeating: s.zero, count: lineBytes)
                        next += 1
                    } else {
                        let count = min(end, s.inputHeight) - next
                        unsafe expand.run(
                            kernels, arena: arena, firstLine: next, lines: count, from: nil, line: 0,
                            to: target + s.padLeft * s.channels * s.elementSize, line: line)
                        next += count
                    }
                }
            } else {
                let firstLine = s.stride * y * depthwise.inputLine
                unsafe source = UnsafeRawPointer(arena + depthwise.input + firstLine * s.elementSize)
                sourceLine = depthwise.inputLine
            }
            let (target, targetLine) =
                project == nil
                ? unsafe (arena + depthwise.output + y * depthwise.outputLine * s.elementSize, depthwise.outputLine)
                : unsafe (narrow, narrowLine)
            unsafe depthwise.run(
                kernels, from: source, line: sourceLine, size: s.size, stride: s.stride, lines: lines,
                pixels: s.outputWidth, channels: s.channels, to: target, line: targetLine)
            if let project {
                unsafe project.run(
                    kernels, arena: arena, firstLine: y, lines: lines, from: narrow, line: narrowLine, to: nil, line: 0)
            }
            y += lines
        }
    }

    /// Zeros before and behind every line of the working memory; moving lines keeps them.
    private func clearEnds(of scratch: UnsafeMutableRawPointer, lineBytes: Int) {
        let pixel = shape.channels * shape.elementSize
        let (left, right) = (shape.padLeft * pixel, (shape.lineWidth - shape.padLeft - shape.inputWidth) * pixel)
        for index in 0..<shape.wideLines {
            let start = unsafe scratch + index * lineBytes
            unsafe start.initializeMemory(as: UInt8.self, repeating: shape.zero, count: left)
            unsafe (start + lineBytes - right).initializeMemory(as: UInt8.self, repeating: shape.zero, count: right)
        }
    }
}
