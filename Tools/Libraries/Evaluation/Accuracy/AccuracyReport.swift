/// How well an engine recognises a set of clips.
///
/// Property names are the JSON keys. A mean of no values is absent. Rates and shares are 0...1 unless stated otherwise;
/// measures over classes include null for frames and exclude it for events.
package struct AccuracyReport: Codable, Sendable, Equatable {
    /// The model's classes; rows and columns of the matrices.
    package let labels: [String]
    package let null_label: String
    package let rules: EvaluationRules
    package let overall: Measures
    /// By label; classes that are neither true nor predicted anywhere are absent.
    package let classes: [String: ClassMeasures]
    /// Frames: [true class][predicted class], over all frames.
    package let confusion: [[Int]]
    /// The same without the undecided frames.
    package let decided_confusion: [[Int]]
    /// Over all frames, from the lowest confidence up.
    package let calibration: [CalibrationMeasures]
    package let groups: GroupMeasures
}

/// Measures of a part of the clips, by the name of the part.
package struct GroupMeasures: Codable, Sendable, Equatable {
    /// By the grid's rate in Hz, as `60`; as `60 jittered` if the camera has another rate.
    package let rate: [String: Measures]
    /// By the light in the label file; `unstated` if it has none.
    package let lighting: [String: Measures]
    /// By the hand in the label file, likewise.
    package let hand: [String: Measures]
    /// By the clip's name.
    package let clip: [String: Measures]
}

/// All measures of one set of clips.
package struct Measures: Codable, Sendable, Equatable {
    package let clips: Int
    package let minutes: Double
    /// Frames that have a true class but no prediction: the first of each clip. Not scored.
    package let unpredicted_frames: Int
    package let frames: FrameMeasures
    /// Without the frames that a window of 16 frames cannot decide.
    package let decided_frames: FrameMeasures
    package let shrec: ShrecMeasures
    package let lenient: LenientMeasures
    /// 1 minus the edit distance between the sequences of true and reported labels, for each true gesture. Both are
    /// summed over the clips that have events before the division, so that a clip's weight is its number of gestures
    /// (Köpüklü, Gunduz, Kose, Rigoll: Real-time Hand Gesture Detection and Classification, 2019). Below 0 if there are
    /// more errors than gestures.
    package let levenshtein_accuracy: Double?
    package let null_footage: NullMeasures
}

/// Over frames with a true class and a prediction.
package struct FrameMeasures: Codable, Sendable, Equatable {
    package let frames: Int
    /// Share of frames whose leading class is the true one.
    package let top1: Double?
    /// Mean F1 of the classes that are true or predicted anywhere.
    package let macro_f1: Double?
    /// Expected calibration error of the leading class.
    package let ece: Double?
    /// Mean of the calibration errors of the classes; absent if no frame has a whole distribution.
    package let classwise_ece: Double?
    /// Over the frames whose confidence is above `rules.confidence_threshold`.
    package let above_threshold: ThresholdMeasures
    /// Of these, the frames in which a gesture leads.
    package let above_threshold_gestures: ThresholdMeasures
    /// Frames with a probability that is NaN or outside 0...1; they count in everything but the calibration.
    package let invalid_confidences: Int
}

/// Whether confidence above a threshold is justified.
package struct ThresholdMeasures: Codable, Sendable, Equatable {
    package let frames: Int
    /// Share of correct frames.
    package let right: Double?
    /// Mean confidence.
    package let confidence: Double?
    /// `right` minus `confidence`: negative means overconfident. Its magnitude is the calibration error at the
    /// threshold.
    package let gap: Double?
}

/// One bin of confidences: above `low`, up to `high`.
package struct CalibrationMeasures: Codable, Sendable, Equatable {
    package let low: Double
    package let high: Double
    package let frames: Int
    package let right: Double?
    package let confidence: Double?
}

/// By the rule of SHREC 2022, `EventMatching.shrec`. With C found, T true and F false gestures of a class:
package struct ShrecMeasures: Codable, Sendable, Equatable {
    package let truths: Int
    package let found: Int
    package let false_positives: Int
    /// Mean of C / T over the classes with a true gesture.
    package let detection_rate: Double?
    /// Mean of F / T over the same classes; may exceed 1.
    package let false_positive_rate: Double?
    /// Mean of C / (T + F) over the classes with a true or a false gesture. The same as C / (C + missed + F).
    package let jaccard: Double?
    /// The three over all gestures at once, so that rare classes weigh less.
    package let pooled_detection_rate: Double?
    package let pooled_false_positive_rate: Double?
    package let pooled_jaccard: Double?
    package let false_positives_per_minute: Double?
    /// The contest's delay: from the reported onset to the decision, mean over the found gestures of a class and then
    /// over the classes that have any.
    package let delay_ms: Double?
    package let onset_to_decision: DelayMeasures
}

/// By the lenient rule, `EventMatching.lenient`, over all gestures at once.
package struct LenientMeasures: Codable, Sendable, Equatable {
    package let truths: Int
    package let found: Int
    package let detection_rate: Double?
    package let false_positives: Int
    package let false_positives_per_minute: Double?
    /// Second and later begins of one true gesture.
    package let double_fires: Int
    package let onset_to_decision: DelayMeasures
}

/// From the true onset to the decision, over found gestures; negative if the decision came first.
package struct DelayMeasures: Codable, Sendable, Equatable {
    package let events: Int
    package let median_ms: Double?
    package let p90_ms: Double?
}

/// Clips without an event, where every begin is false.
package struct NullMeasures: Codable, Sendable, Equatable {
    package let clips: Int
    package let minutes: Double
    package let false_positives: Int
    package let false_positives_per_minute: Double?
}

/// One class: its frames, and its events if it is a gesture.
package struct ClassMeasures: Codable, Sendable, Equatable {
    package struct Frames: Codable, Sendable, Equatable {
        /// Frames that show the class.
        package let frames: Int
        package let precision: Double?
        package let recall: Double?
        package let f1: Double?
    }

    package struct Events: Codable, Sendable, Equatable {
        package let truths: Int
        package let shrec_found: Int
        package let shrec_false_positives: Int
        package let shrec_detection_rate: Double?
        package let shrec_jaccard: Double?
        package let lenient_found: Int
        package let lenient_false_positives: Int
        package let double_fires: Int
        /// Over the gestures found by the lenient rule.
        package let onset_to_decision: DelayMeasures
    }

    package let all: Frames
    package let decided: Frames
    /// Absent for null.
    package let events: Events?
}
