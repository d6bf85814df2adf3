public import BodyTracking
public import Frames
import Platform
public import Scheduling
import Tracking
public import Vocabulary

/// Watches a person's activity: repairs and smooths a body stream's points, counts movements and advises the user.
///
/// A pure value; the caller passes the bodies of each frame with its time. It chooses the largest body and
/// keeps to that person until the stream has lost them; counts are kept when another person follows. A time that is not
/// later than the one before counts as no time passed. Memory is constant. After the first frame no frame allocates,
/// except when keyframes or statistics are read.
public struct BodyActivityTracker: Sendable {
    /// The watched activity.
    public let activity: BodyActivity
    /// The configuration from which the tracker was made.
    public let configuration: BodyActivityConfiguration

    private var repair: PointRepair
    private var smoother: ExponentialSmoother
    private var worldSmoother: ExponentialSmoother
    private var trunk = TrunkLength()
    private var counters: [MovementCounter]
    private var angle: ViewAngle
    private var isAskedToTurn = false
    private var quality: QualityMonitor
    private var flags: QualityFlags = []
    private var budget: SchedulerState.Budget
    private var thermal = DeviceReading.ThermalState.nominal
    private var lateInRow = 0
    private var keyframes: SampleReservoir<BodyKeyframe>
    private var recent = RecentRepetitions()
    private var counts = BodyActivityStatistics()
    private var identity: Int?
    private var subject: Int?
    private let usedJoints: BodyJointSet
    /// The latest body's box normalised to the frame, 0...1: its height, or its width where that is larger.
    private var subjectExtent: Double?
    private var clock = TrackingClock()
    /// The clock at the frame before.
    private var latest: Int64?

    /// Degrees below the limit at which the advice to turn ends.
    private static let angleHysteresis = 3.0

    /// - Throws: the first value that cannot be used.
    public init(
        _ activity: BodyActivity, _ configuration: BodyActivityConfiguration = BodyActivityConfiguration()
    ) throws(ConfigurationError) {
        try activity.validate()
        var known = configuration
        if !known.activities.contains(activity) { known.activities.append(activity) }
        try known.validate()
        self.activity = activity
        self.configuration = configuration
        repair = PointRepair(
            minima: TrackedBody.Joint.allCases.map { Float(configuration.minimum(of: $0, in: activity)) },
            limit: configuration.interpolationLimit / .seconds(1))
        smoother = ExponentialSmoother(alpha: configuration.smoothingAlpha)
        worldSmoother = ExponentialSmoother(alpha: configuration.smoothingAlpha)
        counters = activity.movements.enumerated().map { MovementCounter($0.element, index: $0.offset) }
        angle = ViewAngle(calibration: configuration.exposureLockDuration / .seconds(1))
        var light = configuration.quality
        light.exposureLockDuration = configuration.exposureLockDuration
        quality = try QualityMonitor(light)
        budget = SchedulerState.Budget(thermal: .nominal, battery: nil, configuration: configuration.budget)
        keyframes = try SampleReservoir(
            capacity: configuration.keyframeCapacity, share: configuration.keyframeShare, seed: 0)
        var used = BodyJointSet()
        for movement in activity.movements { movement.forEachJoint { used.insert($0.rawValue) } }
        usedJoints = used.bits == 0 ? BodyJointSet(bits: 1 << UInt64(TrackedBody.Points.count) - 1) : used
    }

    /// Takes in the device's state, about once a second.
    public mutating func update(_ reading: DeviceReading) {
        let threshold = configuration.thermalThrottleState
        if reading.thermal > thermal, reading.thermal >= threshold, reading.thermal > .nominal {
            counts.thermalEvents += 1
        }
        thermal = reading.thermal
        budget = SchedulerState.Budget(
            thermal: reading.thermal, battery: reading.battery, configuration: configuration.budget)
    }

    /// Measures the light of a frame, before its bodies are taken in. It reads 3136 pixels. Without it there is no
    /// advice about light, and none to come closer.
    public mutating func observe(at frame: borrowing PixelView, at time: Duration) {
        flags = quality.step(
            LumaMeasures(of: frame), gradients: nil, subjectHeight: subjectExtent, at: time.saturatedNanoseconds)
    }

    /// Takes in the bodies of the next frame.
    /// - Parameters:
    ///   - bodies: the bodies as a stream gives them.
    ///   - isBodyLost: the stream's value.
    ///   - latency: time from the frame to these bodies.
    public mutating func step(
        _ bodies: [TrackedBody], at time: Duration, isBodyLost: Bool = false, latency: Duration = .zero
    ) -> BodyActivityResult {
        let nanoseconds = elapsed(to: time)
        let elapsed = Double(nanoseconds) / 1e9
        counts.frames += 1
        counts.duration += .nanoseconds(nanoseconds)
        let now = Duration.nanoseconds(clock.now)
        let detail = interfaceDetail(after: latency)
        guard var body = choose(bodies) else {
            subjectExtent = nil
            return result(nil, at: time, latency, detail, nil, isBodyLost)
        }
        if body.state == .seen {
            counts.framesVisible += 1
            counts.timeVisible += .nanoseconds(nanoseconds)
        }
        repair.repair(&body, after: elapsed)
        counts.interpolatedPoints += repair.interpolated.count
        smooth(&body, at: now)
        trunk.update(body.worldLandmarks, repair.measured, after: elapsed)
        let points = MeasuredPoints(world: body.worldLandmarks, measured: repair.measured, trunk: trunk.metres)
        let completed = count(points, at: time, now)
        let phase = leading.phase
        angle.update(points, isAtRest: phase == .rest || counters.isEmpty, after: elapsed)
        subjectExtent = Self.extent(body.landmarks)
        if counts.duration <= configuration.maximumSession {
            keyframes.offer(
                BodyKeyframe(
                    time: time, landmarks: body.landmarks, worldLandmarks: body.worldLandmarks, phase: phase))
        }
        return result(body, at: time, latency, detail, completed, isBodyLost)
    }

    /// Counts and measurements so far.
    public var statistics: BodyActivityStatistics {
        var statistics = counts
        statistics.movements = counters.map { $0.tempo }
        statistics.calibratedAngle = angle.calibrated
        return statistics
    }

    /// The latest 64 movements, oldest first, shallow ones included.
    public var latestRepetitions: [BodyRepetition] { recent.all }

    /// The kept frames, in the order of time: an even sample of at most `keyframeShare` of all.
    public var sampledKeyframes: [BodyKeyframe] { keyframes.elements.sorted { $0.time < $1.time } }

    /// Starts again: all counts are zero and no person is watched.
    public mutating func reset() {
        // Both were checked by `init`.
        guard let fresh = try? BodyActivityTracker(activity, configuration) else { return }
        self = fresh
    }

    private mutating func elapsed(to time: Duration) -> Int64 {
        clock.advance(to: time.saturatedNanoseconds)
        defer { latest = clock.now }
        return latest.map { clock.now - $0 } ?? 0
    }

    /// The watched person's body, or the largest body when a new person is to be watched.
    private mutating func choose(_ bodies: [TrackedBody]) -> TrackedBody? {
        var largest: (index: Int, area: Float)?
        for index in bodies.indices {
            if bodies[index].identity == identity { return bodies[index] }
            let area = Self.area(bodies[index].landmarks)
            if area > largest?.area ?? -1 { largest = (index, area) }
        }
        guard let largest else {
            if identity != nil { forgetBody() }
            identity = nil
            return nil
        }
        let body = bodies[largest.index]
        if identity != nil { forgetBody() }
        identity = body.identity
        if let subject, subject != body.identity {
            counts.subjectChanges += 1
            angle.reset()
            isAskedToTurn = false
        }
        subject = body.identity
        return body
    }

    private mutating func forgetBody() {
        repair.reset()
        smoother.reset()
        worldSmoother.reset()
        trunk.reset()
        for index in counters.indices { counters[index].restart() }
    }

    private mutating func smooth(_ body: inout TrackedBody, at time: Duration) {
        let (identity, found) = (body.identity, repair.found)
        body.landmarks.withMutableSpan { smoother.smooth(&$0, of: identity, at: time, passing: found) }
        body.worldLandmarks.withMutableSpan { worldSmoother.smooth(&$0, of: identity, at: time, passing: found) }
    }

    private mutating func count(_ points: borrowing MeasuredPoints, at time: Duration, _ now: Duration)
        -> BodyRepetition?
    {
        var first: BodyRepetition?
        for index in counters.indices {
            // Counting uses the monotonic clock; the result carries the frames' own time.
            guard let repetition = counters[index].step(points, at: now) else { continue }
            let reported = repetition.shifted(by: time - now)
            recent.add(reported)
            if first == nil { first = reported }
        }
        return first
    }

    private var leading: (phase: BodyPhase, progress: Double) {
        var best = (phase: BodyPhase.unknown, progress: -Double.infinity)
        for counter in counters where counter.phase != .unknown && counter.progress > best.progress {
            best = (counter.phase, counter.progress)
        }
        return best
    }

    private mutating func interfaceDetail(after latency: Duration) -> Int {
        if latency > budget.latency {
            counts.lateResults += 1
            lateInRow = min(lateInRow + 1, configuration.frameSkipThreshold)
        } else {
            lateInRow = 0
        }
        return max(0, budget.interfaceDetail - (lateInRow >= configuration.frameSkipThreshold ? 1 : 0))
    }

    private mutating func result(
        _ body: TrackedBody?, at time: Duration, _ latency: Duration, _ detail: Int, _ completed: BodyRepetition?,
        _ isBodyLost: Bool
    ) -> BodyActivityResult {
        var advice = BodyAdvice(flags)
        if isBodyLost { advice.insert(.stepBackIn) }
        let deviation = turnAdvice(&advice)
        return BodyActivityResult(
            time: time, body: body, interpolated: body == nil ? BodyJointSet() : repair.interpolated,
            confidence: body.map { Self.confidence($0, usedJoints) } ?? 0, latency: latency, interfaceDetail: detail,
            phase: body == nil ? .unknown : leading.phase, repetitions: counters.reduce(0) { $0 + $1.tempo.count },
            completed: completed, viewDeviation: deviation, advice: advice)
    }

    private mutating func turnAdvice(_ advice: inout BodyAdvice) -> Double? {
        guard let view = activity.view, let current = angle.current else { return nil }
        let deviation = ViewAngle.deviation(of: current, from: view)
        let limit = configuration.maximumAngle
        isAskedToTurn =
            angle.calibrated != nil && deviation > (isAskedToTurn ? limit - Self.angleHysteresis : limit)
        if isAskedToTurn { advice.insert(view == .frontal ? .faceCamera : .turnSideways) }
        return deviation
    }

    private static func confidence(_ body: TrackedBody, _ joints: BodyJointSet) -> Double {
        var sum: Float = 0
        for index in 0..<TrackedBody.Points.count where joints.contains(index) {
            let score = body.visibility[index]
            if score > 0 { sum += min(score, 1) }
        }
        return Double(sum) / Double(joints.count)
    }

    private static func box(_ points: TrackedBody.Points) -> SIMD2<Float> {
        var (low, high) = (SIMD2<Float>(repeating: .infinity), SIMD2<Float>(repeating: -.infinity))
        for index in 0..<TrackedBody.Points.count {
            let place = SIMD2(points[index].x, points[index].y)
            guard place * 0 == .zero else { continue }
            low = pointwiseMin(low, place)
            high = pointwiseMax(high, place)
        }
        return pointwiseMax(high - low, .zero)
    }

    private static func area(_ points: TrackedBody.Points) -> Float {
        let sides = box(points)
        return sides.x * sides.y
    }

    private static func extent(_ points: TrackedBody.Points) -> Double { Double(box(points).max()) }
}

extension BodyRepetition {
    fileprivate func shifted(by offset: Duration) -> BodyRepetition {
        BodyRepetition(
            movement: movement, number: number, begin: begin + offset, middle: middle + offset, end: end + offset,
            depth: depth, anomalies: anomalies)
    }
}
