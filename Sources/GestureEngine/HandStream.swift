public import Frames
public import HandTracking
public import Tracking
import Vocabulary

/// Tracks hands without recognising gestures, for apps that want landmarks alone.
///
/// Use it from one thread at a time. After the first frame of a geometry it allocates nothing, unless the caller keeps
/// an array of hands.
public final class HandStream {
    private var tracker: HandTracker
    private var graphs: HandGraphs
    /// Nil until `column` asks for it.
    private var motion: MotionHistory?

    init(tracker: consuming HandTracker, graphs: consuming HandGraphs) {
        self.tracker = tracker
        self.graphs = graphs
    }

    /// The hands of the latest frame; those tracked longer come first.
    public var hands: [TrackedHand] { tracker.hands }

    /// Takes the next frame.
    /// - Parameters:
    ///   - frame: a frame in colour; without colour the palm detector finds little.
    ///   - time: when the frame was taken, on any clock.
    ///   - sceneChanged: whether the app saw something move since the frame before; nil leaves it to the tracker.
    ///   - regions: where hands may be, the likelier first, in pixels of the upright frame: `BodyStream.handRegions` of
    ///     the product BodyPose, or an app's own. When the palm detector runs, it sees each of these squares by itself,
    ///     so it finds hands that are small in the frame; it sees the whole frame only if they show no new hand. The
    ///     first eight count. Unusable squares, such as one outside the frame or with a number that is not finite, are
    ///     ignored.
    public func track(
        _ frame: borrowing PixelView, at time: Duration, sceneChanged: Bool? = nil, near regions: [TrackedRegion] = []
    ) {
        graphs.takeArenas()
        defer { graphs.returnArenas() }
        tracker.track(
            frame, at: time.saturatedNanoseconds, sceneChanged: sceneChanged, near: regions, with: &graphs)
    }

    /// The column of 128 quantised values that the landmark front end makes of the latest frame, and the frame's
    /// aspect. If it is called for every frame in turn, its values of motion equal those of a gesture stream.
    /// - Parameters:
    ///   - frame: the frame that was given to `track`.
    ///   - time: the time that was given to `track`.
    package func column(of frame: borrowing PixelView, at time: Duration) -> (values: [UInt8], aspect: Float) {
        let orientation = tracker.orientation
        let aspect = LandmarkNetwork.aspect(of: frame, orientation)
        var values = [UInt8](repeating: 0, count: LandmarkFeatures.count)
        let palm = LandmarkNetwork.write(tracker.hands.first, aspect: aspect, to: &values)
        let motion = motion ?? MotionHistory()
        self.motion = motion
        motion.frames.measure(frame, orientation: orientation, at: time.saturatedNanoseconds)
        motion.frames.follow(palm, at: time.saturatedNanoseconds)
        LandmarkNetwork.write(motion.frames.numbers, aspect: aspect, to: &values)
        return (values, aspect)
    }

    /// Forgets all hands.
    public func reset() {
        tracker.reset()
        motion?.frames.reset()
    }
}

/// A class, because `ChangeMeter` is not copyable and `column` takes it from an optional.
private final class MotionHistory {
    var frames = ChangeMeter()
}
