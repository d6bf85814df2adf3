/// What the columns of features are made of.
public enum FrontEnd: String, Sendable, Hashable, CaseIterable, Codable {
    /// Landmarks of a hand that two networks find in the camera's colour picture.
    case landmarks
    /// 224x224 luma codes of the whole picture.
    case pixels
}
