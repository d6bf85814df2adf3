package import Tracking

/// MediaPipe's one-euro filter of one number, in real numbers, step by step.
package struct OneEuroReference {
    private let parameters: OneEuroParameters
    private var raw: Double?
    private var value = 0.0
    private var speed = 0.0

    package init(_ parameters: OneEuroParameters) { self.parameters = parameters }

    /// - Parameters:
    ///   - elapsed: seconds since the number before.
    ///   - scale: the unit of speed.
    package mutating func filter(_ new: Double, elapsed: Double, scale: Double) -> Double {
        func alpha(_ cutoff: Double) -> Double { 1 / (1 + 1 / (2 * Double.pi * cutoff) / elapsed) }
        guard let raw else {
            (self.raw, value) = (new, new)
            return new
        }
        let share = alpha(parameters.speedCutoff)
        speed = share * ((new - raw) / scale / elapsed) + (1 - share) * speed
        let adopted = alpha(parameters.minimumCutoff + parameters.speedCoefficient * abs(speed))
        value = adopted * new + (1 - adopted) * value
        self.raw = new
        return value
    }
}
