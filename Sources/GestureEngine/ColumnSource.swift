import Frames
import HandTracking
import Platform
import Tracking
import Vocabulary

/// Makes the input of a stream's compute units from its frames: one for each front end.
enum ColumnSource {
    /// The resized luma, which the units encode themselves.
    case pixels
    /// The column of the hand in the frame.
    case landmarks(LandmarkSource)

    var frontEnd: FrontEnd {
        switch self {
        case .pixels: .pixels
        case .landmarks: .landmarks
        }
    }

    /// Nil with pixels.
    var landmarks: LandmarkSource? {
        switch self {
        case .pixels: nil
        case .landmarks(let source): source
        }
    }
}

/// A frame as a stream's source reads it.
enum SlotFrame: ~Escapable {
    /// Resized into the ring, for pixels.
    case luma(Span<UInt8>)
    /// As the camera gave it, for landmarks.
    case camera(PixelView)
}

/// What the landmark front end takes before its temporal layers, in nanoseconds.
package struct ColumnTimes: Sendable, Equatable {
    /// The palm detector, 0 where it did not run.
    package var palm: Int64 = 0
    /// The landmark network.
    package var landmark: Int64 = 0
    /// The networks of poses.
    package var pose: Int64 = 0
    /// All of tracking but the networks: the crops above all.
    package var crop: Int64 = 0
    /// Where the frame changes.
    package var motion: Int64 = 0
    /// From landmarks, poses and motion to the column's quantised values.
    package var features: Int64 = 0

    package var sum: Int64 { palm + landmark + pose + crop + motion + features }
}
