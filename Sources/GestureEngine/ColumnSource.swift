import Frames
import HandTracking
import Platform
import Tracking
import Vocabulary

/// The source of input for the compute units of one front end: makes it from the stream's frames.
enum ColumnSource {
    /// The units get the resized luma and encode it themselves.
    case pixels
    /// The units get the column of the hand in the frame.
    case landmarks(LandmarkSource)

    var frontEnd: FrontEnd {
        switch self {
        case .pixels: .pixels
        case .landmarks: .landmarks
        }
    }

    /// The landmark source; nil with pixels.
    var landmarks: LandmarkSource? {
        switch self {
        case .pixels: nil
        case .landmarks(let source): source
        }
    }
}

/// A frame in the form that the stream's source reads.
enum SlotFrame: ~Escapable {
    /// For pixels: the frame resized into the ring.
    case luma(Span<UInt8>)
    /// For landmarks: the frame as the camera gave it.
    case camera(PixelView)
}

/// The time that the landmark front end spends on a column, before its temporal layers, in nanoseconds.
package struct ColumnTimes: Sendable, Equatable {
    /// The palm detector; 0 if it did not run.
    package var palm: Int64 = 0
    /// The landmark network.
    package var landmark: Int64 = 0
    /// The pose networks.
    package var pose: Int64 = 0
    /// All of tracking except the networks, mostly the crops.
    package var crop: Int64 = 0
    /// Finding where the frame changes.
    package var motion: Int64 = 0
    /// Conversion of landmarks, poses and motion to the column's quantised values.
    package var features: Int64 = 0

    package var sum: Int64 { palm + landmark + pose + crop + motion + features }
}
