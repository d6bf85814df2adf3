package import ModelFile
package import Network
package import Tracking

extension GraphUnit {
    /// Where a tracker writes what the graph reads: its only input, `[1, side, side, 3]`.
    /// - Parameters:
    ///   - side: that was checked.
    ///   - range: what black and white are.
    package func image(side: Int, range: ClosedRange<Float> = 0...1) -> ImageBuffer {
        let input = input()
        // The arena lives as long as the unit, and the graph's input was checked to be of this shape.
        if input.codes != nil {
            return unsafe ImageBuffer(
                codes: input.base.assumingMemoryBound(to: UInt8.self), side: side, rowStride: input.line)
        }
        return unsafe ImageBuffer(
            input.base.assumingMemoryBound(to: Float.self), side: side, rowStride: input.line, pixelStride: 3,
            range: range)
    }
}

extension GraphFile {
    /// Why a graph is not the one that a tracker asks for.
    package enum Mismatch: Error, Equatable {
        /// Shapes of its inputs or outputs.
        case shapes(expected: [[Int]], found: [[Int]])
        /// A sentence.
        case quantisation(String)
    }

    /// Refuses a graph of other shapes, or whose input's codes are not those that pictures have.
    /// - Parameter range: what black and white are.
    package func check(
        image side: Int, range: ClosedRange<Float> = 0...1, outputs: [[Int]]
    ) throws(Mismatch) {
        let input = [1, side, side, 3]
        let inputs = graph.inputs.map { graph.values[$0].shape }
        guard inputs == [input] else { throw .shapes(expected: [input], found: inputs) }
        let found = graph.outputs.map { graph.values[$0].shape }
        guard found == outputs else { throw .shapes(expected: outputs, found: found) }
        for name in graph.inputs.map({ graph.values[$0].name }) {
            guard let codes = quantisation[name] else { continue }
            // Codes are whole: where black is no code, the nearest one.
            let step = (range.upperBound - range.lowerBound) / 255
            let black = -range.lowerBound / step
            guard abs(codes.scale / step - 1) < 1e-4, abs(Float(codes.zeroPoint) - black) <= 0.5 else {
                throw .quantisation("\(name): the codes of a picture stand for 255ths of \(range)")
            }
        }
    }
}
