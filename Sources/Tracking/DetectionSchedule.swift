package import Frames
import Vocabulary

/// Decides when a tracker of hands or bodies runs its detector: the clock, the size of the frames, the detection
/// interval and the change of the scene.
///
/// For each frame, in this order: `advance`, `isDue`, `isPending`, and `noteDetection` if the detector runs.
package struct DetectionSchedule: Sendable {
    private let interval: Int64
    private let stillInterval: Int64?
    private let stillness: Double?
    /// The scene at the latest frame that was compared, and at the latest detection.
    private var scene, reference: SceneBlocks?
    private var clock = TrackingClock()
    /// Size of the latest frame; nil before the first one.
    package private(set) var size: FrameSize?
    /// Whether the scene has changed since the latest detection, so that something new may be there.
    private var sceneChanged = true
    /// The time of the latest detection; nil if the detector may run at once.
    private var latest: Int64?

    /// - Parameters:
    ///   - interval: the least time from one detection to the next.
    ///   - stillInterval: the time from one detection to the next in a still scene; nil for no detections there.
    ///   - stillness: a change counts if `SceneBlocks.change(since:)` exceeds this; with nil every frame counts as changed.
    package init(interval: Duration, stillInterval: Duration? = nil, stillness: Double?) {
        self.interval = interval.saturatedNanoseconds
        self.stillInterval = stillInterval?.saturatedNanoseconds
        self.stillness = stillness
    }

    /// Nanoseconds since an arbitrary moment; never runs backward.
    package var now: Int64 { clock.now }

    /// Takes in the next frame.
    /// - Parameters:
    ///   - time: nanoseconds of any clock.
    ///   - sceneChanged: whether the app saw movement since the frame before; nil if it does not say.
    /// - Returns: whether the size differs from the frame before. The schedule then restarts, and so must the tracker.
    package mutating func advance(to time: Int64, _ size: FrameSize, sceneChanged: Bool?) -> Bool {
        let isOther = self.size.map { $0 != size } ?? false
        if isOther { reset() }
        clock.advance(to: time)
        self.size = size
        if sceneChanged == true { self.sceneChanged = true }
        return isOther
    }

    /// Whether the detection interval is over.
    /// - Parameters:
    ///   - least: a longer interval for now, in nanoseconds, unless the interval is zero.
    ///   - limit: a shorter interval for now, in nanoseconds.
    package func isDue(least: Int64 = 0, limit: Int64 = .max) -> Bool {
        hasPassed(min(interval == 0 ? 0 : max(interval, least), limit)) ?? true
    }

    /// Whether the scene may show something new, according to the app or its pixels.
    /// - Parameter blocks: of this frame, computed only if they are compared; nil measures them here.
    package mutating func isPending(
        in frame: borrowing PixelView, orientation: ImageOrientation, blocks: @autoclosure () -> SceneBlocks?,
        sceneChanged: Bool?
    ) -> Bool {
        if sceneChanged == nil, hasChanged(frame, orientation, blocks()) || isStillLookDue { self.sceneChanged = true }
        return self.sceneChanged
    }

    private mutating func hasChanged(
        _ frame: borrowing PixelView, _ orientation: ImageOrientation, _ blocks: @autoclosure () -> SceneBlocks?
    ) -> Bool {
        guard let stillness else { return true }
        let current = blocks() ?? SceneBlocks(of: frame, orientation: orientation)
        scene = current
        return reference.map { current.change(since: $0) > stillness } ?? true
    }

    private var isStillLookDue: Bool { stillInterval.flatMap(hasPassed) ?? false }

    /// Whether a time has passed since the latest detection; nil without one.
    private func hasPassed(_ time: Int64) -> Bool? { latest.map { clock.now &- $0 >= time } }

    /// Records that the detector runs now.
    package mutating func noteDetection() {
        latest = clock.now
        sceneChanged = false
        reference = scene
    }

    /// Records that a tracked object was lost or is held.
    /// - Parameter isUrgent: whether the detector is to run in the next frame.
    package mutating func noteLoss(isUrgent: Bool = false) {
        sceneChanged = true
        if isUrgent { latest = nil }
    }

    /// Forgets the frames.
    package mutating func reset() {
        (scene, reference) = (nil, nil)
        size = nil
        clock.restart()
        latest = nil
        sceneChanged = true
    }
}

/// A tracker's time: nanoseconds since an arbitrary moment that never run backwards, whatever the times of frames.
package struct TrackingClock: Sendable {
    package private(set) var now: Int64 = 0
    private var latest: Int64?

    package init() {}

    /// Advances by the difference of two frames' times if that is above zero, but by at most 20 seconds, longer than
    /// any configured time.
    package mutating func advance(to time: Int64) {
        defer { latest = time }
        guard let latest, time > latest else { return }
        let (elapsed, overflow) = time.subtractingReportingOverflow(latest)
        now &+= overflow ? Self.longestGap : min(elapsed, Self.longestGap)
    }

    /// Forgets the latest frame's time: the next frame does not advance the clock.
    package mutating func restart() { latest = nil }

    private static let longestGap: Int64 = 20_000_000_000
}
