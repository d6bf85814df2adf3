import Foundation
package import Scheduling
package import Vocabulary

/// A decision, or a change of the stream's conditions: when, and the device's temperature and clock at that time.
package struct SimulationEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case pace(SchedulerState.PaceChange)
        case budget(SchedulerState.BudgetChange)
        case activity(SchedulerState.ActivityChange)
        /// Another unit is to take over after it has seen a window of columns.
        case unit(SchedulerState.UnitSwitch)
        /// The unit has taken over.
        case unitAnswers(Int)
        /// The stream restarts at a frame, after a gap.
        case reset
        case dropped(FrameCounts.DropReason)
        case begins(Scenario.Condition)
        case ends(Scenario.Condition)
    }

    /// Nanoseconds from the start.
    package let time: Int64
    package let kind: Kind
    package let celsius: Double
    package let gigahertz: Double

    /// One line of the log: seconds from the start, topic, result and reason, temperature, clock.
    package var line: String {
        let place = String(format: "%10.3f s  ", seconds(time))
        let state = String(format: "%.1f C, %.2f GHz", celsius, gigahertz)
        return place + kind.topic.padding(toLength: 9, withPad: " ", startingAt: 0) + kind.text + "; " + state
    }
}

extension SimulationEvent.Kind {
    /// The topic of the event.
    package var topic: String {
        switch self {
        case .pace: "pace"
        case .budget: "budget"
        case .activity: "scene"
        case .unit, .unitAnswers: "unit"
        case .reset, .dropped: "frames"
        case .begins, .ends: "outside"
        }
    }

    /// The result and its reason.
    package var text: String {
        switch self {
        case .pace(let change): "\(change.from) to \(change.to): \(change.reason.words)"
        case .budget(let change):
            "\(change.from.pace) to \(change.to.pace), \(milliseconds(change.to.latency)) ms, "
                + "detail \(change.to.interfaceDetail): \(change.to.reason.words)"
        case .activity(let change): "\(change.from) to \(change.to)"
        case .unit(let change):
            "\(change.from) to \(change.to): \(change.reason.words)"
                + (change.p95.map { ", 95th percentile \(milliseconds($0)) ms" } ?? "")
        case .unitAnswers(let unit): "\(unit) answers"
        case .reset: "reset: the gap is longer than the window"
        case .dropped(let reason): "dropped: \(reason.words)"
        case .begins(let condition): condition.words + " begins"
        case .ends(let condition): condition.words + " ends"
        }
    }

    private func milliseconds(_ duration: Duration) -> String { fixed(duration / .milliseconds(1), 1) }
}

extension Scenario.Condition {
    /// The condition's name and numbers.
    package var words: String {
        switch self {
        case .camera(let rate): "camera at \(fixed(rate, 1)) a second"
        case .stalled: "stall"
        case .background: "background"
        case .contention(let unit, let least, let most):
            "contention, \(fixed(least, 1)) to \(fixed(most, 1)) ms" + (unit.map { " on unit \($0)" } ?? "")
        case .still: "stillness"
        case .ambient(let celsius): "ambient of \(fixed(celsius, 1)) C"
        }
    }
}

extension SchedulerState.PaceChange.Reason {
    fileprivate var words: String {
        switch self {
        case .deadlineMisses: "missed deadlines"
        case .temperatureHigh: "temperature high"
        case .temperatureRecovered: "temperature recovered"
        case .probe: "probe"
        }
    }
}

extension SchedulerState.Budget.Reason {
    fileprivate var words: String {
        switch self {
        case .nominal: "nominal"
        case .warm: "warm"
        case .hot: "hot"
        case .batteryHalf: "battery at half"
        case .batteryLow: "battery low"
        case .idle: "idle"
        }
    }
}

extension SchedulerState.UnitSwitch.Reason {
    fileprivate var words: String {
        switch self {
        case .slow: "slow"
        case .probe: "probe"
        case .probeFailed: "probe failed"
        case .failed: "failed"
        }
    }
}

extension FrameCounts.DropReason {
    fileprivate var words: String {
        switch self {
        case .equalTimestamp: "equal timestamp"
        case .backwardTimestamp: "backward timestamp"
        case .beyondHorizon: "beyond the horizon"
        case .unconfirmedJump: "unconfirmed jump"
        }
    }
}

/// A number with this many decimals.
func fixed(_ value: Double, _ places: Int) -> String { String(format: "%.\(places)f", value) }
