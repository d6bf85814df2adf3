import CGesture
import Vocabulary

extension TimeFault {
    /// The number in the header.
    var code: Int32 {
        let code =
            switch self {
            case .neverAdvances: GESTURE_TIMES_NEVER_ADVANCE
            case .wholeSeconds: GESTURE_TIMES_WHOLE_SECONDS
            case .lowPrecision: GESTURE_TIMES_LOW_PRECISION
            case .runsBackward: GESTURE_TIMES_RUN_BACKWARD
            case .thousandfold: GESTURE_TIMES_THOUSANDFOLD
            case .beyondHorizon: GESTURE_TIMES_BEYOND_HORIZON
            case .irregular: GESTURE_TIMES_IRREGULAR
            case .tooClose: GESTURE_TIMES_TOO_CLOSE
            case .tooSlow: GESTURE_TIMES_TOO_SLOW
            }
        return Int32(code)
    }
}

/// The sentences of all faults, by their numbers in the header.
private let texts = Dictionary(
    uniqueKeysWithValues: TimeFault.allCases.map { ($0.code, PermanentText($0.sentences)) })

/// Describes the faults of times; see `gesture.h`.
@c @implementation
public func gesture_time_fault_text(_ time_fault: Int32) -> UnsafePointer<CChar>? {
    unsafe texts[time_fault]?.characters
}
