public import Vocabulary

/// Chooses between landmarks and pixels, by the frames' colour and by what the device can bear. A value without a
/// clock.
///
/// Pixels are used while any of these holds:
/// - *gray*: the newest frame has no colour, or a frame of the half second before it had none;
/// - *heat*: the thermal state has reached `stepsDownFrom` and has not yet fallen to `recoversAt`;
/// - *battery*: the charge has fallen below `batteryLow` and has not yet risen to `batteryRecovered`;
/// - *deadlines*: at half pace `missLimit` consecutive steps were too slow for landmarks. This ends by a timed probe:
///   no missed deadline for `probeAfter`. If landmarks then give way to missed deadlines within `probation`, the probe
///   has failed, which doubles the wait up to `probeAfterAtMost`. Each `probation` that landmarks last takes one
///   failure back.
///
/// Otherwise landmarks are used; after heat, battery or deadlines they come back after `minimumDwell` at the earliest.
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
    /// Why the cause that ended last did so.
    private var ended = SchedulerState.FrontEndChange.Reason.recovered

    private var misses = 0
    private var sinceGray = Stopwatch()
    private var sinceChange = Stopwatch()
    private var sinceMiss = Stopwatch()
    private var backoff: Backoff

    /// How long frames must have colour before landmarks follow gray frames: a stream that mixes both stays with
    /// pixels.
    package static let colorDwell: Int64 = 500_000_000

    /// - stepping: nil chooses by the frames' colour alone.
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

    /// Takes in whether a frame has colour. All times are nanoseconds of any clock; if it goes back, waits start again.
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

    /// Takes in the device's state.
    package mutating func observe(_ reading: DeviceReading, at time: Int64) -> SchedulerState.FrontEndChange? {
        guard let stepping else { return nil }
        let wasBurdened = isHot || isLow
        isHot = reading.thermal >= (isHot ? stepping.recoversAt.next : stepping.stepsDownFrom)
        isLow = reading.charge < (isLow ? stepping.batteryRecovered : stepping.batteryLow)
        if wasBurdened, !isHot, !isLow { ended = .recovered }
        return settle(at: time)
    }

    /// Takes in the time of a step.
    ///
    /// - latency: the step's time in nanoseconds; ignored if it is below 0, which no correct clock gives.
    /// - deadline: the step's allowed time in nanoseconds.
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

    /// For a stream that starts anew, perhaps with another clock: all waits start again.
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

    /// The strongest current reason for pixels.
    private var burden: SchedulerState.FrontEndChange.Reason? {
        if isGray { return .grayPictures }
        if isHot { return .heat }
        if isLow { return .battery }
        return isLate ? .deadlineMisses : nil
    }

    /// Landmarks give way again: adapts the wait before the next probe.
    private mutating func judge(_ reason: SchedulerState.FrontEndChange.Reason, at time: Int64) {
        let held = sinceChange.elapsed(at: time)
        if held >= probation {
            backoff.forgive(held / probation)
        } else if reason == .deadlineMisses, latestChange?.reason == .probe {
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
    /// Pixels replaced landmarks, or landmarks came back. Earlier columns are forgotten, as at a reset.
    public struct FrontEndChange: Sendable, Equatable {
        /// The front end until then.
        public let from: FrontEnd
        /// The front end from then on.
        public let to: FrontEnd
        /// Why it changed.
        public let reason: Reason
        /// When, on the clock that the scheduler was stepped with.
        public let time: Duration

        /// Why the front end changes.
        public enum Reason: Sendable, Equatable, CaseIterable {
            /// To pixels: a frame without colour.
            case grayPictures
            /// To pixels, which are far worse with unknown people: the device is too hot for landmarks.
            case heat
            /// To pixels, which are far worse with unknown people: the battery is nearly empty.
            case battery
            /// To pixels, which are far worse with unknown people: landmarks missed their deadlines even at half pace.
            case deadlineMisses
            /// To landmarks: frames have colour again.
            case colorPictures
            /// To landmarks: the device cooled down or its battery was charged.
            case recovered
            /// To landmarks: a time without missed deadlines has passed.
            case probe
        }
    }
}

extension DeviceReading.ThermalState {
    /// The next hotter state; critical for critical itself.
    fileprivate var next: DeviceReading.ThermalState { DeviceReading.ThermalState(rawValue: rawValue + 1) ?? self }
}
