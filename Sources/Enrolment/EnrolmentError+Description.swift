import ModelFile
import Vocabulary

extension EnrolmentError: CustomStringConvertible {
    /// One sentence with the numbers, for users. Recordings are counted from 1.
    public var description: String {
        switch self {
        case .file(let error): error.description
        case .wrongFormat(let expected, let found):
            "The file is not of the format \(expected)\(found.map { " but \($0.excerpt())" } ?? "")."
        case .otherModel(let expected, let found):
            "The gestures were enrolled with another model: theirs has the SHA-256 \(found.excerpt()), "
                + "this one \(expected)."
        case .tooManyClasses(let found, let limit): "The model has \(found) classes; a bank has room for \(limit)."
        case .invalidLabel(let label):
            "\(label.excerpt()) cannot be a label: it must have from 1 to \(UserGestures.Gesture.labelLimit) bytes and no "
                + "control characters."
        case .labelTaken(let label): "There is a gesture called \(label.excerpt()) already."
        case .unknownLabel(let label): "No enrolled gesture is called \(label.excerpt())."
        case .tooManyGestures(let limit): "There are \(limit) enrolled gestures, and no room for more."
        case .recordingShape(let features, let logits):
            "The recording's \(features) features and \(logits) logits are not those of the same whole slots."
        case .otherRecording(let recording, let features, let classes):
            "Recording \(recording + 1) is of another model, with \(features) features and \(classes) classes."
        case .notFinite(let slot, let feature):
            "\(feature.map { "Feature \($0)" } ?? "A logit") of slot \(slot) is not a finite number."
        case .recordingCount(let found, let allowed):
            "There are \(found) recordings; from \(allowed.lowerBound) to \(allowed.upperBound) can be used."
        case .gestureRange(let recording, let range, let slots):
            "Recording \(recording + 1) has \(slots) slots; the gesture cannot be in slots \(range.lowerBound) to "
                + "before \(range.upperBound)."
        case .tooShort(let recording, let slots, let required):
            "Recording \(recording + 1) has \(slots) slots; \(required) are needed to find the gesture in it."
        case .noActivity(let recording, let contrast, let required):
            "Recording \(recording + 1) hardly changes: its middle differs from its ends by \(rounded(contrast)) times "
                + "what they differ among themselves, and \(rounded(required)) are needed."
        case .duplicateRecording(let first, let second):
            "Recordings \(first + 1) and \(second + 1) are the same."
        case .noBackground(let slots, let required):
            "Only \(slots) slots do not show the gesture; \(required) are needed to tell it from nothing."
        case .alreadyRecognised(let label, let recordings, let count):
            "\(recordings) of \(count) recordings are recognised as \(label.excerpt()) already."
        case .firesOnClass(let label, let share, let limit):
            "The gesture would be seen in \(percent(share)) of \(label.excerpt()); \(percent(limit)) is the limit."
        case .firesOnBackground(let recording, let share, let limit):
            "The gesture would be seen in \(percent(share)) of background recording \(recording + 1); "
                + "\(percent(limit)) is the limit."
        case .examplesDisagree(let recordings, let count, let logOdds, let required):
            "\(recordings.count) of \(count) recordings are not recognised by what the others teach "
                + "(\(list(recordings))): their log-odds reach \(rounded(logOdds)) of \(rounded(required))."
        case .inseparable(let recordings, let count, let logOdds, let required):
            "\(recordings.count) of \(count) recordings cannot be told from everything else (\(list(recordings))): "
                + "their log-odds reach \(rounded(logOdds)) of \(rounded(required))."
        case .configuration(let error): error.description
        case .notConverged(let decrement): "The fit did not reach its minimum; \(rounded(decrement)) was left."
        }
    }
}

private func rounded(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }

private func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }

/// Lists recordings, counted from 1.
private func list(_ recordings: [Int]) -> String { recordings.map { String($0 + 1) }.joined(separator: ", ") }
