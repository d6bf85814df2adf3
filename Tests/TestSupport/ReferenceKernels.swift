/// The specification of every int8 kernel as plain loops. Never tuned.
package enum ReferenceKernels {
    /// One multiply in float32, rounding half to even, then the clamp.
    package static func requantise(_ sum: Int, multiplier: Float) -> UInt8 {
        let rounded = (Float(Int32(sum)) * multiplier).rounded(.toNearestOrEven)
        return UInt8(max(0, min(255, rounded)))
    }

    /// A square kernel over each channel (`groups == channels`) or the only channel (`inputChannels == 1`).
    ///
    /// - input: `[size][size][inputChannels]`; taps outside it are 0. weights: `[outputChannels][kernel * kernel]`.
    /// - returns: `[output][output][outputChannels]` sums without bias.
    package static func convolution(
        _ input: [UInt8], size: Int, inputChannels: Int, weights: [Int8], outputChannels: Int, kernel: Int,
        stride: Int, padding: Int
    ) -> [Int] {
        let output = (size + 2 * padding - kernel) / stride + 1
        var sums = [Int](repeating: 0, count: output * output * outputChannels)
        for y in 0..<output {
            for x in 0..<output {
                for o in 0..<outputChannels {
                    var sum = 0
                    for r in 0..<kernel {
                        for s in 0..<kernel {
                            let iy = y * stride + r - padding
                            let ix = x * stride + s - padding
                            guard (0..<size).contains(iy), (0..<size).contains(ix) else { continue }
                            let channel = inputChannels == 1 ? 0 : o
                            let code = Int(input[(iy * size + ix) * inputChannels + channel])
                            sum += code * Int(weights[(o * kernel + r) * kernel + s])
                        }
                    }
                    sums[(y * output + x) * outputChannels + o] = sum
                }
            }
        }
        return sums
    }

    /// `[rows][depth] x [columns][depth]` to `[rows][columns]` sums.
    package static func product(_ a: [UInt8], depth: Int, weights: [Int8], columns: Int) -> [Int] {
        let rows = a.count / depth
        var sums = [Int](repeating: 0, count: rows * columns)
        for m in 0..<rows {
            for n in 0..<columns {
                var sum = 0
                for k in 0..<depth { sum += Int(a[m * depth + k]) * Int(weights[n * depth + k]) }
                sums[m * columns + n] = sum
            }
        }
        return sums
    }
}
