public import Vocabulary

/// Chooses between landmarks and pixels, from the pictures and from what the device can bear. A value without a clock.
///
/// Pixels serve while any of these holds:
/// - *gray*: the newest picture carries no colour, or one of the half second before it;
/// - *heat*: the thermal state has reached `stepsDownFrom`, and has not yet fallen to `recoversAt`;
/// - *battery*: the charge has fallen below `batteryLow`, and not yet risen to `batteryRecovered`;
/// - *deadlines*: at half pace `missLimit` consecutive steps were too slow for landmarks. This ends by a timed probe:
///   no deadline missed for `probeAfter`. A try that does not hold for `probation` is a failure, which doubles the wait
///   up to `probeAfterAtMost`; each `probation` that landmarks hold takes one failure back.
///
/// Then landmarks come back, after heat, battery or deadlines never within `minimumDwell`.
package struct FrontEndController: Sendable {
    package private(set) var source = FrontEnd.landmarks

    /// The last change, nil before the first.
    package private(set) var latestChange: SchedulerState.FrontEndChange?

    private let stepping: SchedulingConfiguration.FrontEndStepping?
    private let toleratedLatency: Int64
    private let minimumDwell: Int64
    private let probation: Int64

    private var isGray = false
    private var isHot = false
    private var isLow = false
    private var isLate = false
    /// Why the cause that ended last has ended.
    private var ended = SchedulerState.FrontEndChange.Reason.recovered

    private var misses = 0
    private var sinceGray = Stopwatch()
    private var sinceChange = Stopwatch()
    private var sinceMiss = Stopwatch()
    private var backoff: Backoff

    /// How long pictures carry colour before landmarks take over from gray ones: a stream that mixes them keeps pixels.
    package static let colorDwell: Int64 = 500_000_000

    /// - stepping: nil leaves the choice to the pictures alone.
    package init(_ stepping: SchedulingConfiguration.FrontEndStepping?) throws(ConfigurationError) {
        try stepping?.validate()
        self.stepping = stepping
        let values = stepping ?? SchedulingConfiguration.FrontEndStepping()
        toleratedLatency = values.toleratedLatency.checkedNanoseconds
        minimumDwell = values.minimumDwell.checkedNanoseconds
        probation = values.probation.checkedNanoseconds
        backoff = Backoff(
            base: values.probeAfter.checkedNanoseconds, limit: values.probeAfterAtMost.checkedNanoseconds)
    }

    /// Takes in whether a frame carries colour. All times are nanoseconds of any clock; where it goes back, waits begin
    /// anew.
    package mutating func observe(hasColor: Bool, at time: Int64) -> SchedulerState.FrontEndChange? {
        if !hasColor {
            sinceGray.restart(at: time)
            isGray = true
        } else if isGray, sinceGray.elapsed(at: time) >= Self.colorDwell {
            isGray = false
            ended = .colorPictures
        }
        return settle(at: time)
    }

    /// Takes in what the device says about itself.
    package mutating func observe(_ reading: DeviceReading, at time: Int64) -> SchedulerState.FrontEndChange? {
        guard let stepping else { return nil }
        let wasBurdened = isHot || isLow
        isHot = reading.thermal >= (isHot ? stepping.recoversAt.next : stepping.stepsDownFrom)
        isLow = reading.charge < (isLow ? stepping.batteryRecovered : stepping.batteryLow)
        if wasBurdened, !isHot, !isLow { ended = .recovered }
        return settle(at: time)
    }

    /// Takes in what a step took.
    ///
    /// - latency: of a step, in nanoseconds; below 0, which no sound clock shows, it is ignored.
    /// - deadline: the time that the step had, in nanoseconds.
    /// - isPaceLowered: whether the pace is below full already, or is not controlled.
    package mutating func observe(
        latency: Int64, deadline: Int64, isPaceLowered: Bool, at time: Int64
    ) -> SchedulerState.FrontEndChange? {
        guard let stepping, latency >= 0 else { return nil }
        switch source {
        case .landmarks:
            misses = isPaceLowered && latency > max(deadline, toleratedLatency) ? misses + 1 : 0
            guard misses >= stepping.missLimit else { return nil }
            isLate = true
        case .pixels:
            if latency > deadline { sinceMiss.restart(at: time) }
            guard isLate, sinceMiss.elapsed(at: time) >= backoff.wait else { return nil }
            isLate = false
            ended = .probe
        }
        return settle(at: time)
    }

    /// For a stream that starts anew, perhaps with another time: all waits begin anew.
    package mutating func restart() {
        misses = 0
        sinceGray.clear()
        sinceChange.clear()
        sinceMiss.clear()
    }

    private mutating func settle(at time: Int64) -> SchedulerState.FrontEndChange? {
        switch (source, burden) {
        case (.landmarks, let reason?):
            if latestChange != nil { judge(reason, at: time) }
            return change(to: .pixels, reason, at: time)
        case (.pixels, nil):
            let isPicture = latestChange?.reason == .grayPictures
            guard isPicture || sinceChange.elapsed(at: time) >= minimumDwell else { return nil }
            return change(to: .landmarks, ended, at: time)
        case (.landmarks, nil), (.pixels, _?): return nil
        }
    }

    /// What speaks for pixels now, the strongest first.
    private var burden: SchedulerState.FrontEndChange.Reason? {
        if isGray { return .grayPictures }
        if isHot { return .heat }
        if isLow { return .battery }
        return isLate ? .deadlineMisses : nil
    }

    /// Landmarks that came back give way again: what that says about the next try.
    private mutating func judge(_ reason: SchedulerState.FrontEndChange.Reason, at time: Int64) {
        let held = sinceChange.elapsed(at: time)
        if held >= probation {
            backoff.forgive(held / probation)
        } else if reason == .deadlineMisses {
            backoff.fail()
        }
    }

    private mutating func change(
        to next: FrontEnd, _ reason: SchedulerState.FrontEndChange.Reason, at time: Int64
    ) -> SchedulerState.FrontEndChange {
        let change = SchedulerState.FrontEndChange(from: source, to: next, reason: reason, time: .nanoseconds(time))
        source = next
        latestChange = change
        misses = 0
        sinceChange.restart(at: time)
        sinceMiss.restart(at: time)
        return change
    }
}

extension SchedulerState {
    /// Pixels took the place of landmarks, or landmarks came back. What was seen before is forgotten, as at a reset.
    public struct FrontEndChange: Sendable, Equatable {
        /// What columns were made of until then.
        public let from: FrontEnd
        /// What they are made of from then on.
        public let to: FrontEnd
        /// What changed it.
        public let reason: Reason
        /// On the clock that the scheduler was stepped with.
        public let time: Duration

        /// What changes the front end.
        public enum Reason: Sendable, Equatable, CaseIterable {
            /// To pixels: a picture without colour.
            case grayPictures
            /// To pixels, which recognise strangers far worse: the device is too hot for landmarks.
            case heat
            /// To pixels, which recognise strangers far worse: the battery is nearly empty.
            case battery
            /// To pixels, which recognise strangers far worse: at half pace landmarks still missed their deadlines.
            case deadlineMisses
            /// To landmarks: pictures carry colour again.
            case colorPictures
            /// To landmarks: the device has cooled down, or its battery was charged.
            case recovered
            /// To landmarks: time passed without a missed deadline.
            case probe
        }
    }
}

extension DeviceReading.ThermalState {
    /// The next hotter one; of critical itself.
    fileprivate var next: DeviceReading.ThermalState { DeviceReading.ThermalState(rawValue: rawValue + 1) ?? self }
}
