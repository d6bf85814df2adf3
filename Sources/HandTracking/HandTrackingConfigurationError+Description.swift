extension HandTrackingConfigurationError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .handsOutOfRange(let hands, let allowed):
            "\(hands) hands cannot be followed at once; \(allowed.lowerBound) to \(allowed.upperBound) can."
        case .outOfRange(let value, let number, let allowed):
            "The hand tracker's \(value.words) is \(number); it must be \(allowed.lowerBound) to \(allowed.upperBound)."
        case .timeOutOfRange(let time, let duration, let allowed):
            "The hand tracker's \(time.words) is \(duration); it must be \(allowed.lowerBound) to \(allowed.upperBound)."
        }
    }
}

extension HandTrackingConfigurationError.Value {
    fileprivate var words: String {
        switch self {
        case .minimumPalmScore: "least score of a palm"
        case .minimumPresence: "least presence of a hand"
        case .palmOverlap: "overlap of palms"
        case .regionOverlap: "overlap of regions"
        case .stillness: "threshold of stillness"
        case .minimumCutoff(let filter): "least cutoff frequency for \(filter.words)"
        case .speedCoefficient(let filter): "speed coefficient for \(filter.words)"
        case .speedCutoff(let filter): "cutoff frequency of speed for \(filter.words)"
        }
    }
}

extension HandTrackingConfigurationError.Time {
    fileprivate var words: String {
        switch self {
        case .detectionInterval: "time between detections"
        case .identityHold: "time for which an identity is kept"
        }
    }
}

extension HandTrackingConfigurationError.Filter {
    fileprivate var words: String {
        switch self {
        case .landmarks: "landmarks"
        case .worldLandmarks: "landmarks in metres"
        }
    }
}
