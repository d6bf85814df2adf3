import Platform

extension TrackedBody.Points {
    /// Lets `body` change the points in place.
    package mutating func withMutableSpan<Result>(_ body: (inout MutableSpan<SIMD3<Float>>) -> Result) -> Result {
        points.withMutableSpan(body)
    }
}
