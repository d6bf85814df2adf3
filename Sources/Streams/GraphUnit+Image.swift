package import ModelFile
package import Network
package import Tracking

extension GraphUnit {
    /// The image that a tracker writes and the graph reads: its only input, `[1, side, side, 3]`.
    /// - Parameters:
    ///   - side: width and height in pixels, as given to `GraphFile.check`.
    ///   - range: the values of black and white.
    package func image(side: Int, range: ClosedRange<Float> = 0...1) -> ImageBuffer {
        let input = input()
        // The arena lives as long as the unit has it, and `GraphFile.check` has found that the graph's input has this shape.
        if input.quantisation != nil {
            return unsafe ImageBuffer(
                bytes: input.base.assumingMemoryBound(to: UInt8.self), side: side, rowStride: input.rowStride)
        }
        return unsafe ImageBuffer(
            input.base.assumingMemoryBound(to: Float.self), side: side, rowStride: input.rowStride, pixelStride: 3,
            range: range)
    }
}

extension GraphFile {
    /// Why a graph is not the one that a tracker needs.
    package enum Mismatch: Error, Equatable {
        /// The shapes of its inputs or outputs differ.
        case shapes(expected: [[Int]], found: [[Int]])
        /// The quantisation of its input differs; the text says how.
        case quantisation(String)
    }

    /// Throws if the graph has other shapes, or if the quantised values of its input are not 255ths of `range`.
    /// - Parameter range: the values of black and white.
    package func check(
        image side: Int, range: ClosedRange<Float> = 0...1, outputs: [[Int]]
    ) throws(Mismatch) {
        let input = [1, side, side, 3]
        let inputs = graph.inputs.map { graph.values[$0].shape }
        guard inputs == [input] else { throw .shapes(expected: [input], found: inputs) }
        let found = graph.outputs.map { graph.values[$0].shape }
        guard found == outputs else { throw .shapes(expected: outputs, found: found) }
        for name in graph.inputs.map({ graph.values[$0].name }) {
            guard let quantised = quantisation[name] else { continue }
            // Quantised values are integers, so the zero point may be the integer nearest to black's.
            let step = (range.upperBound - range.lowerBound) / 255
            let black = -range.lowerBound / step
            guard abs(quantised.scale / step - 1) < 1e-4, abs(Float(quantised.zeroPoint) - black) <= 0.5 else {
                throw .quantisation("\(name): the quantised values of an image must be 255ths of \(range)")
            }
        }
    }
}
