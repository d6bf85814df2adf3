public import BodyTracking
public import Frames
import Streams
import TrackerInference
public import Tracking
import Vocabulary

/// The bodies of a video, frame by frame, fed from one thread.
///
/// Two threads must not use it at once. After the first frame of a geometry it allocates nothing, unless the caller
/// keeps an array of bodies.
public final class BodyStream {
    private var tracker: BodyTracker
    private var graphs: BodyGraphs

    init(tracker: consuming BodyTracker, graphs: consuming BodyGraphs) {
        self.tracker = tracker
        self.graphs = graphs
        handRegions.reserveCapacity(2 * BodyTrackingConfiguration.allowedBodies.upperBound)
    }

    /// The bodies of the latest frame, held ones included, those followed longest first.
    public var bodies: [TrackedBody] { tracker.bodies }

    /// The regions of the hands of the latest frame's bodies, for `HandStream.track`, which then finds hands that are
    /// small in the frame. At most two for each body, in the order of `bodies`; see `TrackedBody.handRegions`.
    public private(set) var handRegions: [TrackedRegion] = []

    /// Whether a body was lost and none has been found since. Then ask the user to step back into the frame.
    public var isBodyLost: Bool { tracker.isBodyLost }

    /// Takes the next frame.
    /// - Parameters:
    ///   - frame: a colour frame, because the detector finds little in grey.
    ///   - time: when it was taken, on any clock.
    ///   - sceneChanged: whether the app saw movement since the frame before; nil leaves this to the tracker.
    public func track(_ frame: borrowing PixelView, at time: Duration, sceneChanged: Bool? = nil) {
        graphs.restartTimes()
        graphs.takeArenas()
        defer { graphs.returnArenas() }
        tracker.track(frame, at: time.saturatedNanoseconds, sceneChanged: sceneChanged, with: &graphs)
        handRegions.removeAll(keepingCapacity: true)
        guard let size = tracker.size else { return }
        for index in tracker.bodies.indices {
            let (left, right) = tracker.bodies[index].handRegions(size)
            if let left { handRegions.append(left) }
            if let right { handRegions.append(right) }
        }
    }

    /// Writes which pixels of the latest frame belong to bodies: `width * height` values of 0...1, row by row, of the
    /// upright frame at any size. Needs `BodyTrackingConfiguration.segmentation`.
    /// - Returns: whether there is a body and masks are computed; if not, all values are 0.
    public func copyMask(width: Int, height: Int, to pixels: inout MutableSpan<Float>) -> Bool {
        precondition(
            width > 0 && height > 0 && pixels.count == width * height, "width times height must be the number of pixels"
        )
        for index in pixels.indices { pixels[index] = 0 }
        var found = false
        for index in tracker.bodies.indices {
            let identity = tracker.bodies[index].identity
            found = tracker.addMask(of: identity, width: width, height: height, to: &pixels) || found
        }
        return found
    }

    /// Forgets all bodies.
    public func reset() {
        tracker.reset()
        handRegions.removeAll(keepingCapacity: true)
    }

    /// Nanoseconds of the networks' runs over the latest frame.
    package var networkTimes: (detection: Int64, landmarks: Int64) { (graphs.detectionTime, graphs.landmarkTime) }

    package var counts: BodyTrackingCounts { tracker.counts }
}
