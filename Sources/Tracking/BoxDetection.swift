package import Platform

/// A detection, normalised to the detector's square image from its top left.
package struct BoxDetection: Sendable {
    package static let maximumKeyPoints = 7

    package typealias KeyPoints = FixedArray<(SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD2<Float>), SIMD2<Float>>

    /// Left and top edge.
    package var minimum: SIMD2<Float>
    /// Right and bottom edge.
    package var maximum: SIMD2<Float>
    /// The detector's key points come first; the rest are zero.
    package var keyPoints: KeyPoints
    /// The detector's confidence, 0...1.
    package var score: Float

    package init(minimum: SIMD2<Float>, maximum: SIMD2<Float>, keyPoints: KeyPoints, score: Float) {
        self.minimum = minimum
        self.maximum = maximum
        self.keyPoints = keyPoints
        self.score = score
    }
}
