package import Tracking

extension BoxAnchors {
    /// The 2,016 places that MediaPipe's palm detector predicts from: strides 8 and 16 of 192. Seven key points come with each
    /// box; the first is the wrist and the third the knuckle of the middle finger.
    package static let palms = BoxAnchors(
        side: 192, keyPointCount: 7, maps: [(cells: 24, perCell: 2), (cells: 12, perCell: 6)])
}
