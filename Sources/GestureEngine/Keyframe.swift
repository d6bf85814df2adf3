import Frames
import Scheduling
import Vocabulary

extension GestureStream {
    /// A kept frame, shrunk, for showing or checking a session afterwards.
    public struct Keyframe: Sendable, Equatable {
        /// Time of the frame's slot.
        public let time: Duration
        /// 224x224 luma as stored, upright, rows from top to bottom.
        public let luma: [UInt8]
    }
}

/// A uniform sample of the frames that got a column, at most 15 % of them and at most `capacity`.
struct KeyframeSample: Sendable {
    private var reservoir: SampleReservoir<GestureStream.Keyframe>

    init(capacity: Int) throws(ConfigurationError) {
        // The fixed seed keeps the same frames of a recording on every run.
        try ConfigurationError.check(
            capacity, "GestureEngine.Configuration.advanced.keyframeCapacity", in: 0...1_000_000)
        reservoir = try SampleReservoir(capacity: capacity, seed: 0)
    }

    mutating func offer(_ frame: borrowing PixelView, _ orientation: ImageOrientation, at time: Int64) {
        // Only a frame that is drawn is read.
        reservoir.offer(
            GestureStream.Keyframe(
                time: .nanoseconds(time), luma: frame.luma(side: FrameGeometry.side, orientation: orientation)))
    }

    /// The sample in the order of time.
    var frames: [GestureStream.Keyframe] { reservoir.elements.sorted { $0.time < $1.time } }
}
