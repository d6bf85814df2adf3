package import BodyTracking
import HandTracking
import Streams
import TrackerInference
import Tracking
import Vocabulary

/// Tracks the body and turns the movement of the gesturing hand's arm into evidence for swipes.
///
/// Belongs to one landmark stream, which calls it once for each frame, after its own tracker.
final class ArmSource {
    private var tracker: BodyTracker
    private var graphs: BodyGraphs
    private var schedule = ArmSchedule()
    private var watch = ArmWatch()
    /// Nanoseconds that the body tracker took in the latest frame; 0 if it did not run.
    private(set) var time: Int64 = 0
    private let clock: StreamClock

    init(tracker: consuming BodyTracker, graphs: consuming BodyGraphs, clock: StreamClock) {
        self.tracker = tracker
        self.graphs = graphs
        self.clock = clock
        // The first run touches every page of the networks, which no frame should pay.
        self.graphs.takeArenas()
        self.graphs.detectBodies()
        self.graphs.findLandmarks()
        self.graphs.returnArenas()
    }

    /// How the body is followed: one person, unsmoothed, because smoothing shortens a stroke.
    static func tracking(_ orientation: ImageOrientation) -> BodyTrackingConfiguration {
        BodyTrackingConfiguration(detectionInterval: .milliseconds(300), orientation: orientation, smoothing: nil)
    }

    /// The arm's evidence for each swipe at a time; see `ArmWatch`.
    func evidence(at time: Int64) -> ArmWatch.Evidence { watch.evidence(at: time) }

    /// The arms at the latest detection; nil without a body of enough confidence.
    var arms: WatchedArms? {
        guard let arm = watch.arm, let body = tracker.bodies.first(where: { $0.state == .seen }) else { return nil }
        return WatchedArms(body: body, gesturing: arm)
    }

    /// Takes in a frame, in which the body may be detected.
    /// - Parameters:
    ///   - time: of its slot, in nanoseconds.
    ///   - blocks: of the frame.
    ///   - hand: the gesturing hand, if there is one.
    ///   - palm: its palm.
    ///   - motion: where the frame changes.
    ///   - aspect: width over height of the upright frame.
    ///   - isBusy: whether the palm detector ran in this frame.
    func update(
        _ frame: borrowing PixelView, at time: Int64, blocks: @autoclosure () -> SceneBlocks, hand: TrackedHand?,
        palm: ChangeMeter.Palm?, motion: ChangeMeter.Numbers, aspect: Float, isBusy: Bool
    ) {
        self.time = 0
        let palmPlace = palm.map { SIMD3($0.x * aspect, $0.y, $0.size) }
        var known: ArmWatch.Hand?
        if let hand, let palm {
            known = ArmWatch.Hand(wrist: SIMD2(hand.landmarks[0].x, hand.landmarks[0].y), size: palm.size)
        }
        let moves = motion.amount > Float(ChangeThresholds.arms)
        guard schedule.shouldDetect(at: time, moves: moves, palm: palmPlace, isBusy: isBusy) else {
            watch.update(hand: known, at: time)
            return
        }
        let begun = clock.now()
        graphs.takeArenas()
        tracker.track(frame, at: time, blocks: blocks(), takesTurns: true, with: &graphs)
        graphs.returnArenas()
        self.time = clock.now() - begun
        let body = tracker.bodies.first { $0.state == .seen }
        watch.observe(body.map(ArmWatch.Points.init), hand: known, aspect: aspect, at: time)
    }

    /// Forgets every frame.
    func reset() {
        tracker.reset()
        schedule.reset()
        watch.reset()
    }
}

/// The arms that a stream watches, as its networks saw them last.
package struct WatchedArms: Sendable {
    package let body: TrackedBody
    /// The gesturing arm: 0 for the left one of the person, 1 for the right one.
    package let gesturing: Int
}

extension ArmWatch.Points {
    /// The points that are read of a body.
    fileprivate init(_ body: TrackedBody) {
        func place(_ joint: TrackedBody.Joint) -> SIMD2<Float> {
            SIMD2(body.landmarks[joint].x, body.landmarks[joint].y)
        }
        self.init()
        (nose, noseVisibility) = (place(.nose), body.visibility[.nose])
        shoulders = ArmWatch.Pair(place(.leftShoulder), place(.rightShoulder))
        wrists = ArmWatch.Pair(place(.leftWrist), place(.rightWrist))
        shoulderVisibility = SIMD2(body.visibility[.leftShoulder], body.visibility[.rightShoulder])
        wristVisibility = SIMD2(body.visibility[.leftWrist], body.visibility[.rightWrist])
    }
}
