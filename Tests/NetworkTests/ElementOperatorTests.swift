import KernelInterface
import Kernels
import ModelFile
import Network
import Testing

/// Operators that work element by element or along a dimension, planned and run, against plain loops.
@Suite struct ElementOperatorTests {
    /// Ranks two to six; maps whose channels are padded, and whose border a convolution needs.
    private static let shapes = [
        [1, 5], [1, 8], [1, 7, 3], [1, 4, 8], [1, 3, 4, 5], [1, 2, 3, 16], [1, 2, 3, 2, 5], [1, 2, 1, 3, 2, 4],
    ]

    @Test(arguments: shapes) func everyOperatorOfEveryRank(shape: [Int]) throws {
        for kernels in KernelRegistry.available {
            var s = GraphSketch(seed: 5)
            let x = s.input(shape)
            // A value that an operator has made is padded where an input is not.
            for value in [x, s.relu(x)] {
                for activation in NetworkGraph.Activation.allCases {
                    s.output(s.scale(value, then: activation), s.shift(value, then: activation))
                    s.output(s.shift(s.scale(value), then: activation), s.scale(s.shift(value, then: activation)))
                }
                s.output(s.softmax(value))
                for axis in 1..<shape.count {
                    for reduction in NetworkGraph.Reduction.allCases {
                        let least = s.reduce(reduction, value, axis: axis)
                        for arithmetic in NetworkGraph.Arithmetic.allCases where arithmetic != .divide {
                            s.output(s.arithmetic(arithmetic, value, least))
                        }
                        s.output(s.reduce(reduction, value, axis: axis, keeping: false))
                    }
                    s.output(s.gather(value, axis: axis, [shape[axis] - 1, 0, shape[axis] / 2]))
                    s.output(s.gather(value, axis: axis, [shape[axis] - 1], keeping: false))
                }
                // Away from 0.
                s.output(s.arithmetic(.divide, s.scale(value), s.softmax(value)))
            }
            try comparePlan(s, kernels, "\(shape)")
        }
    }

    @Test func mapsBetweenConvolutions() throws {
        for kernels in KernelRegistry.available {
            var s = GraphSketch(seed: 6)
            let x = s.input([1, 6, 5, 3])
            let a = s.convolution(x, 12, 3, padding: .init(top: 1, bottom: 1, left: 1, right: 1))
            let scaled = s.shift(s.scale(a), then: .relu)
            let gathered = s.gather(scaled, axis: 3, [11, 0, 3, 3, 7])
            s.output(s.convolution(gathered, 4, 3, padding: .init(top: 1, bottom: 1, left: 1, right: 1)))
            let centred = s.arithmetic(.subtract, a, s.reduce(.mean, s.reduce(.mean, a, axis: 1), axis: 2))
            s.output(s.depthwise(centred, 3), s.full(centred, 9), s.softmax(s.full(s.gather(a, axis: 2, [4]), 6)))
            // Read twice: neither the factors nor the sums may be changed by what reads them.
            let twice = s.scale(s.full(a, 7))
            s.output(s.shift(twice), s.add(twice, s.shift(twice, then: .relu6)))
            try comparePlan(s, kernels)
        }
    }
}
