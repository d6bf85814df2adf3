/// Softmax in Float32 without a mathematics library, so that the same logits give the same bits on every machine.
package enum Softmax {
    /// Replaces logits by probabilities: `p[i] = exp(x[i] - max) / sum over j of exp(x[j] - max)`.
    ///
    /// The sum is taken in Float64; the results are 0...1 and add up to 1 within 2e-7 relative. A logit of -infinity
    /// has probability 0. Complexity: two passes.
    /// - Returns: false, with the values untouched, if there is no distribution: a NaN, a +infinity, or no finite
    ///   logit.
    package static func apply(to values: inout MutableSpan<Float>) -> Bool {
        var highest = -Float.infinity
        for index in values.indices {
            let value = values[index]
            guard value < .infinity else { return false }
            highest = max(highest, value)
        }
        guard highest > -.infinity else { return false }

        var sum = 0.0
        for index in values.indices {
            let power = exponential(values[index] - highest)
            values[index] = power
            sum += Double(power)
        }
        let divisor = Float(sum)
        for index in values.indices { values[index] /= divisor }
        return true
    }

    /// e^x for x <= 0, -infinity included.
    ///
    /// With n = round(x / ln 2) and r = x - n ln 2, |r| <= 0.3466, e^x = 2^n e^r; e^r is its Taylor polynomial of
    /// degree 7, whose remainder is below r^8 / 8! < 6e-9. ln 2 is subtracted in two parts of which the first has
    /// 9 significant bits, so that n times it is exact. The result is within 2 units in the last place of e^x;
    /// it is 0 for x below -87.33654, where e^x would be subnormal.
    package static func exponential(_ x: Float) -> Float {
        guard x >= -87.33654 else { return 0 }
        // Adding 1.5 * 2^23 leaves no fraction bits: the sum is rounded to an integer, half to even.
        let roundToInteger: Float = 12_582_912
        let n = (x * 1.442695041 + roundToInteger) - roundToInteger
        let r = (x - n * 0.693359375) + n * 2.1219444005e-4
        var power: Float = 1 / 5040
        power = power * r + 1 / 720
        power = power * r + 1 / 120
        power = power * r + 1 / 24
        power = power * r + 1 / 6
        power = power * r + 0.5
        power = power * r * r + r + 1
        return power * Float(bitPattern: UInt32(Int32(n) + 127) << 23)
    }
}
