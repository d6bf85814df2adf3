/// What the feature columns are computed from.
public enum FrontEnd: String, Sendable, Hashable, CaseIterable, Codable {
    /// Landmarks of a hand, which two networks find in the camera's colour frame.
    case landmarks
    /// A 224 x 224 luma image of the whole frame.
    case pixels
}
