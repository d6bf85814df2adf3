package import Tracking

extension BoxAnchors {
    /// The 2,016 anchors of MediaPipe's palm detector: strides 8 and 16 of 192. Each box has seven key points; the
    /// first is the wrist and the third the knuckle of the middle finger.
    package static let palms = BoxAnchors(
        side: 192, keyPointCount: 7, maps: [(cells: 24, perCell: 2), (cells: 12, perCell: 6)])
}
