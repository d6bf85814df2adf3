public import BodyTracking
public import Frames
import GestureEngine
public import Tracking
import Vocabulary

/// The bodies of a video, frame by frame, fed from one thread.
///
/// Not for use from two threads at once. After the first frame of a geometry it allocates nothing, unless the caller keeps an
/// array of bodies.
public final class BodyStream {
    private var tracker: BodyTracker
    private var graphs: BodyGraphs

    init(tracker: consuming BodyTracker, graphs: consuming BodyGraphs) {
        self.tracker = tracker
        self.graphs = graphs
        handRegions.reserveCapacity(2 * BodyTrackingConfiguration.allowedBodies.upperBound)
    }

    /// The bodies of the latest frame, those that are held among them; who has been followed longer comes first.
    public var bodies: [TrackedBody] { tracker.bodies }

    /// Where the hands of the latest frame's bodies are: what `HandStream.track` takes, which then finds hands that are small in the
    /// frame. At most two a body, in the order of `bodies`; see `TrackedBody.handRegions`.
    public private(set) var handRegions: [TrackedRegion] = []

    /// Whether a body was lost and none has been found since. Ask the user to step back into the picture.
    public var isBodyLost: Bool { tracker.isBodyLost }

    /// Takes the next frame.
    /// - Parameters:
    ///   - frame: in colour, or the detector finds little.
    ///   - time: when it was taken, on any clock.
    ///   - sceneChanged: whether the app saw something move since the frame before; nil leaves it to the tracker.
    public func track(_ frame: borrowing PixelView, at time: Duration, sceneChanged: Bool? = nil) {
        graphs.restartTimes()
        tracker.track(frame, at: time.saturatedNanoseconds, sceneChanged: sceneChanged, with: &graphs)
        handRegions.removeAll(keepingCapacity: true)
        guard let size = tracker.size else { return }
        for index in tracker.bodies.indices {
            let (left, right) = tracker.bodies[index].handRegions(size)
            if let left { handRegions.append(left) }
            if let right { handRegions.append(right) }
        }
    }

    /// Writes which pixels of the latest frame belong to bodies: `width * height` numbers of 0...1, row by row, of the upright
    /// frame at any size. Needs `BodyTrackingConfiguration.segmentation`.
    /// - Returns: whether there is a body and masks are computed; if not, all is 0.
    public func copyMask(width: Int, height: Int, to pixels: inout MutableSpan<Float>) -> Bool {
        precondition(width > 0 && height > 0 && pixels.count == width * height, "a number for each pixel")
        for index in pixels.indices { pixels[index] = 0 }
        var found = false
        for index in tracker.bodies.indices {
            let identity = tracker.bodies[index].identity
            found = tracker.addMask(of: identity, width: width, height: height, to: &pixels) || found
        }
        return found
    }

    /// Forgets everybody.
    public func reset() {
        tracker.reset()
        handRegions.removeAll(keepingCapacity: true)
    }

    /// Nanoseconds of the networks' runs over the latest frame.
    package var networkTimes: (detection: Int64, landmarks: Int64) { (graphs.detectionTime, graphs.landmarkTime) }

    package var counts: BodyTrackingCounts { tracker.counts }
}
