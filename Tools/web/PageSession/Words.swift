import Recognition
import Scheduling
import Vocabulary

// The words of reports for values of the engine.

extension SchedulerState.Pace {
    var word: String {
        switch self {
        case .full: "full"
        case .half: "half"
        case .third: "third"
        case .sixth: "sixth"
        }
    }
}

extension SchedulerState.SkipReason {
    var word: String {
        switch self {
        case .heat: "heat"
        case .pace: "pace"
        case .battery: "battery"
        case .idle: "idle"
        }
    }
}

extension EndCause {
    var word: String {
        switch self {
        case .released: "released"
        case .unsure: "unsure"
        case .expired: "expired"
        case .flushed: "flushed"
        }
    }
}

extension FrameCounts.DropReason {
    var word: String {
        switch self {
        case .equalTimestamp: "equalTimestamp"
        case .backwardTimestamp: "backwardTimestamp"
        case .beyondHorizon: "beyondHorizon"
        case .unconfirmedJump: "unconfirmedJump"
        }
    }
}
