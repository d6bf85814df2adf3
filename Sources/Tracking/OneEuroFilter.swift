package import Platform

/// One-euro filters of a fixed number of points.
///
/// With t the time since the sample before, alpha(c) = 1 / (1 + 1 / (2 pi c t)) and `scale` the unit of speed:
///
///     speed += alpha(speedCutoff) * (|x - x before|, signed, / scale / t - speed)
///     out += alpha(minimumCutoff + speedCoefficient * |speed|) * (x - out)
///
/// where x before is unfiltered, as in MediaPipe. The first sample is returned unchanged. So is a sample whose time is
/// not after the one before; it does not change the state.
package struct OneEuroFilter<Storage: BitwiseCopyable & Sendable>: Sendable {
    /// The points that are filtered.
    package typealias Points = FixedArray<Storage, SIMD3<Float>>

    private let minimumCutoff: Float
    private let speedCoefficient: Float
    private let speedCutoff: Float
    private var time: Int64?
    private var raw = Points(repeating: .zero)
    private var filtered = Points(repeating: .zero)
    private var speed = Points(repeating: .zero)

    package init(_ parameters: OneEuroParameters) {
        minimumCutoff = Float(parameters.minimumCutoff)
        speedCoefficient = Float(parameters.speedCoefficient)
        speedCutoff = Float(parameters.speedCutoff)
    }

    /// Forgets all samples.
    package mutating func reset() { time = nil }

    /// Filters a sample of finite numbers.
    /// - Parameters:
    ///   - points: replaced by the filtered ones.
    ///   - time: nanoseconds.
    ///   - scale: the unit of speed, in the units of the points; above 0.
    package mutating func filter(_ points: inout Points, at time: Int64, scale: Float) {
        guard let before = self.time else {
            self.time = time
            (raw, filtered, speed) = (points, points, Points(repeating: .zero))
            return
        }
        guard time > before else { return }
        self.time = time
        // As Double, because the difference of two Int64 times may overflow.
        let elapsed = Float((Double(time) - Double(before)) / 1e9)
        let speedShare = Self.share(SIMD3(repeating: speedCutoff), elapsed)
        let (minimumCutoff, speedCoefficient) = (minimumCutoff, speedCoefficient)
        // A finite number times zero is zero; anything else gives NaN.
        let sum = points.withMutableSpan { points in
            raw.withMutableSpan { raw in
                filtered.withMutableSpan { filtered in
                    speed.withMutableSpan { speed in
                        var sum = SIMD3<Float>.zero
                        for index in points.indices {
                            let new = points[index]
                            let momentary = (new - raw[index]) / (scale * elapsed)
                            speed[index] += speedShare * (momentary - speed[index])
                            let magnitude = speed[index].replacing(with: -speed[index], where: speed[index] .< 0)
                            let share = Self.share(minimumCutoff + speedCoefficient * magnitude, elapsed)
                            filtered[index] += share * (new - filtered[index])
                            raw[index] = new
                            points[index] = filtered[index]
                            sum += (points[index] + speed[index]) * 0
                        }
                        return sum
                    }
                }
            }
        }
        // Numbers that overflowed here would stay in the state forever, so the filter restarts.
        if sum != .zero {
            points = raw
            (filtered, speed) = (raw, Points(repeating: .zero))
        }
    }

    /// The share of a new value that a low-pass filter adopts.
    private static func share(_ cutoff: SIMD3<Float>, _ elapsed: Float) -> SIMD3<Float> {
        1 / (1 + 1 / (2 * .pi * elapsed * cutoff))
    }
}
