/// The half of a front end that makes a column of a staged frame; see `FrameStage` for the other half.
enum ColumnSource {
    /// The units encode the staged luma themselves.
    case pixels
    /// The units get the column of the hand in the frame.
    case landmarks(LandmarkSource)

    /// The landmark source; nil with pixels.
    var landmarks: LandmarkSource? {
        switch self {
        case .pixels: nil
        case .landmarks(let source): source
        }
    }
}
