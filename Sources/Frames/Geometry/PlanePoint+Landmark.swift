extension PlanePoint {
    /// The position of a landmark of a hand or a body in `ViewTransform.Space.picture(.topLeft)`, which `ViewTransform`
    /// maps to the stored frame and to the app's view. The depth is left out.
    public init(landmark: SIMD3<Float>) { self.init(x: Double(landmark.x), y: Double(landmark.y)) }
}
