public import Frames
public import HandTracking
public import Tracking
import Vocabulary

/// Tracks hands without recognising gestures, for apps that want landmarks alone.
///
/// Use it from one thread at a time. After the first frame of a geometry it allocates nothing, unless the caller keeps an
/// array of hands.
public final class HandStream {
    private var tracker: HandTracker
    private var graphs: HandGraphs
    /// Nil until `column` asks for it.
    private var motion: MotionHistory?

    init(tracker: consuming HandTracker, graphs: consuming HandGraphs) {
        self.tracker = tracker
        self.graphs = graphs
    }

    /// The hands of the latest frame; those followed longer come first.
    public var hands: [TrackedHand] { tracker.hands }

    /// Takes the next frame.
    /// - Parameters:
    ///   - frame: in colour, or the palm detector finds little.
    ///   - time: when it was taken, on any clock.
    ///   - sceneChanged: whether the app saw something move since the frame before; nil leaves it to the tracker.
    ///   - regions: where hands may be, the likelier first, in pixels of the upright frame: `BodyStream.handRegions` of the
    ///     product BodyPose, or an app's own. When a hand is looked for, the palm detector sees each of these squares by itself, so
    ///     that hands are found which are small in the frame, and the whole frame only if they show none. At most eight
    ///     count; what cannot be used, as one outside or with a number that is not finite, is passed over.
    public func track(
        _ frame: borrowing PixelView, at time: Duration, sceneChanged: Bool? = nil, near regions: [TrackedRegion] = []
    ) {
        tracker.track(
            frame, at: time.saturatedNanoseconds, sceneChanged: sceneChanged, near: regions, with: &graphs)
    }

    /// The column of 128 codes that the landmark front end makes of the latest frame, and the aspect that it takes. Asked for every
    /// frame in turn, its codes of motion are those of a stream of gestures.
    /// - Parameters:
    ///   - frame: the one that `track` got.
    ///   - time: the one that `track` got.
    package func column(of frame: borrowing PixelView, at time: Duration) -> (codes: [UInt8], aspect: Float) {
        let orientation = tracker.configuration.orientation
        let aspect = LandmarkSource.aspect(of: frame, orientation)
        var codes = [UInt8](repeating: 0, count: LandmarkFeatures.count)
        let palm = LandmarkSource.write(tracker.hands.first, aspect: aspect, to: &codes)
        let motion = motion ?? MotionHistory()
        self.motion = motion
        motion.frames.see(frame, orientation: orientation, at: time.saturatedNanoseconds, palm: palm)
        LandmarkSource.write(motion.frames.numbers, to: &codes)
        return (codes, aspect)
    }

    /// Forgets all hands.
    public func reset() {
        tracker.reset()
        motion?.frames.reset()
    }
}

/// A box: a property that may be nil holds no value that cannot be copied.
private final class MotionHistory {
    var frames = FrameMotion()
}
