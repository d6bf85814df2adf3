/// What a column says of its hand, for the rules beside the temporal layers. It reads quantised values, so training has
/// the same numbers from its columns (`Tools/lab/training/handtrain/poses.py`).
package struct HandShape: Sendable {
    /// The z of the palm's normal, -1...1; its sign tells the two sides of a hand apart.
    package let normalZ: Float
    /// How likely it is a right hand if the frame is mirrored, as MediaPipe's labels assume, 0...1.
    package let right: Float
    /// The palm's position in shares of the frame's width and height.
    package let place: SIMD2<Float>
    /// The palm's size in heights of the frame.
    package let size: Float
    /// How far the seen side is a palm's, -1...1, if the network reads the handedness rightly: above 0 on a palm, below
    /// on a back.
    package let facing: Float
    /// From the tip of the thumb to that of the index finger in the image, in palm sizes. The estimated depths are left
    /// out, because they differ where the tips touch.
    package let gap: Float
    /// The least cosine between the first and the last bone of middle, ring and little finger, -1...1: 1 if all three
    /// are straight.
    package let straightness: Float

    /// Nil for a column without a hand.
    package init?(_ column: Span<UInt8>) {
        guard column[0] > 0 else { return nil }
        func value(_ place: Int) -> Float { LandmarkFeatures.value(of: column, at: place) }
        normalZ = value(Self.places.normalZ)
        right = value(Self.places.right)
        facing = normalZ * (2 * right - 1)
        place = SIMD2(value(Self.places.x), value(Self.places.x + 1))
        // The inverse of the feature, whose values end at 0.9.
        let size = value(Self.places.size)
        self.size = 0.1 * size / (1 - size)
        let across = value(Self.places.thumb) - value(Self.places.index)
        let down = value(Self.places.thumb + 1) - value(Self.places.index + 1)
        gap = (across * across + down * down).squareRoot()
        straightness = min(
            value(Self.places.bend), min(value(Self.places.bend + 1), value(Self.places.bend + 2)))
    }

    /// Places in a column. Those of the palm, `thumb` and `index` are of x, with y behind them; `bend` is that of the middle
    /// finger, with those of ring and little finger behind it.
    private static let places = (
        x: LandmarkFeatures.place(of: "x"), size: LandmarkFeatures.place(of: "size"),
        normalZ: LandmarkFeatures.place(of: "normalZ"), right: LandmarkFeatures.place(of: "right"),
        thumb: LandmarkFeatures.place(of: "p4X"), index: LandmarkFeatures.place(of: "p8X"),
        bend: LandmarkFeatures.place(of: "bend12")
    )
}
