package import Platform

/// A palm that the detector found, in shares of its square picture from the top left.
package struct PalmDetection: Sendable {
    /// Key points of a palm. The first is the wrist and the third the knuckle of the middle finger.
    package static let keyPointCount = 7

    package typealias KeyPoints = FixedArray<(SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD2<Float>), SIMD2<Float>>

    /// Left and top edge.
    package var minimum: SIMD2<Float>
    /// Right and bottom edge.
    package var maximum: SIMD2<Float>
    package var keyPoints: KeyPoints
    /// How sure the detector is, 0...1.
    package var score: Float

    package init(
        minimum: SIMD2<Float>, maximum: SIMD2<Float>, keyPoints: KeyPoints, score: Float
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.keyPoints = keyPoints
        self.score = score
    }
}
