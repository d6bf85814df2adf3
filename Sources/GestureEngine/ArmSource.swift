import BodyInference
import BodyTracking
import HandTracking
import Streams
import Tracking
import Vocabulary

/// The witness of the arms: the body tracker, when it looks, and what it says of the gesturing hand's arm.
///
/// Belongs to one landmark stream, which calls it once for each frame, after its own tracker.
final class ArmSource {
    private var tracker: BodyTracker
    private var graphs: BodyGraphs
    private var schedule = ArmSchedule()
    private var watch = ArmWatch()
    /// The region of the gesturing arm's hand, and when it was seen.
    private var hand: (region: TrackedRegion, time: Int64)?
    /// Nanoseconds of the latest frame's look; 0 if there was none.
    private(set) var time: Int64 = 0
    private let clock: StreamClock

    /// A frame that changes by less than this (`FrameMotion.Numbers.amount`) stands still: half a quantised step.
    private static let stillness: Float = 0.5 / 255

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

    /// How the body is followed: one person, unsmoothed, because the temporal layers read movements.
    static func tracking(_ orientation: ImageOrientation) -> BodyTrackingConfiguration {
        BodyTrackingConfiguration(detectionInterval: .milliseconds(200), orientation: orientation, smoothing: nil)
    }

    var numbers: ArmWatch.Numbers { watch.numbers }

    /// A hand may be missing for this long while its arm is seen, in nanoseconds.
    static let hold: Int64 = 500_000_000
    /// A region of a hand that is older says nothing of a stroke.
    private static let fresh: Int64 = 100_000_000

    /// Where the gesturing arm's hand is now; nil if the arm was not seen lately.
    func handRegion(at time: Int64) -> TrackedRegion? {
        guard let hand, time &- hand.time <= Self.fresh else { return nil }
        return hand.region
    }

    /// Takes in a frame, at which the networks may look.
    /// - Parameters:
    ///   - time: of its slot, in nanoseconds.
    ///   - hand: the gesturing hand, if there is one.
    ///   - palm: its palm.
    ///   - motion: where the frame changes.
    ///   - aspect: width over height of the upright frame.
    func see(
        _ frame: borrowing PixelView, at time: Int64, hand seen: TrackedHand?, palm: FrameMotion.Palm?,
        motion: FrameMotion.Numbers, aspect: Float
    ) {
        self.time = 0
        let palmPlace = palm.map { SIMD3($0.x * aspect, $0.y, $0.size) }
        var known: ArmWatch.Hand?
        if let seen, let palm {
            known = ArmWatch.Hand(wrist: SIMD2(seen.landmarks[0].x, seen.landmarks[0].y), size: palm.size)
        }
        guard schedule.looks(at: time, moves: motion.amount > Self.stillness, palm: palmPlace) else {
            watch.see(hand: known, aspect: aspect, at: time)
            return
        }
        let begun = clock.now()
        graphs.takeArenas()
        tracker.track(frame, at: time, with: &graphs)
        graphs.returnArenas()
        self.time = clock.now() - begun
        let body = tracker.bodies.first { $0.state == .seen }
        watch.look(body.map(ArmWatch.Points.init), hand: known, aspect: aspect, at: time)
        hand = nil
        guard let body, let arm = watch.arm, let size = tracker.size else { return }
        let (first, second) = body.handRegions(size)
        if let region = arm == 0 ? first : second { self.hand = (region, time) }
    }

    /// Forgets every frame.
    func reset() {
        tracker.reset()
        schedule.reset()
        watch.reset()
        hand = nil
    }
}

extension ArmWatch.Points {
    /// The points that are read of a body.
    fileprivate init(_ body: TrackedBody) {
        func place(_ index: Int) -> SIMD2<Float> { SIMD2(body.landmarks[index].x, body.landmarks[index].y) }
        self.init()
        nose = place(0)
        noseVisibility = body.visibility[0]
        for arm in 0...1 {
            shoulders[arm] = place(11 + arm)
            elbows[arm] = place(13 + arm)
            wrists[arm] = place(15 + arm)
            knuckles[arm] = (place(17 + arm) + place(19 + arm)) / 2
            shoulderVisibility[arm] = body.visibility[11 + arm]
            elbowVisibility[arm] = body.visibility[13 + arm]
            wristVisibility[arm] = body.visibility[15 + arm]
        }
    }
}
