import ModelFile
import Vocabulary

extension EnrolmentError: CustomStringConvertible {
    /// One sentence with the numbers, for users. Recordings are counted from 1.
    public var description: String {
        switch self {
        case .file(let error): error.description
        case .wrongFormat(let expected, let found):
            found.map { "The file has the format \($0.excerpt()); \(expected) is needed." }
                ?? "The file states no format; \(expected) is needed."
        case .otherModel(let expected, let found):
            "The gestures were enrolled with another model: theirs has the SHA-256 \(found.excerpt()), "
                + "this one \(expected)."
        case .tooManyClasses(let found, let limit): "The model has \(found) classes; a bank has room for \(limit)."
        case .invalidLabel(let label):
            "\(label.excerpt()) cannot be a label: it must have from 1 to \(UserGestures.Gesture.labelLimit) bytes and no "
                + "control characters."
        case .labelTaken(let label): "There is a gesture called \(label.excerpt()) already."
        case .unknownLabel(let label): "No enrolled gesture is called \(label.excerpt())."
        case .tooManyGestures(let limit):
            "There are \(limit) enrolled gestures, which is the limit. Remove one to add another."
        case .recordingShape(let features, let logits):
            "The recording has \(features) features and \(logits) logits; both must be of the same whole slots."
        case .otherRecording(let recording, let features, let classes):
            "Recording \(recording + 1) was made with another model, of \(features) features and \(classes) classes."
        case .notFinite(let slot, let feature):
            "\(feature.map { "Feature \($0)" } ?? "A logit") of slot \(slot) is not a finite number."
        case .recordingCount(let found, let allowed):
            "There are \(found) recordings; from \(allowed.lowerBound) to \(allowed.upperBound) can be used."
        case .gestureRange(let recording, let range, let slots):
            "Recording \(recording + 1) has \(slots) slots; the gesture's slots \(range) must lie within them and "
                + "must not be empty."
        case .tooShort(let recording, let seconds, let required):
            "Recording \(recording + 1) lasts \(tenths(seconds)) s; at least \(tenths(required)) s are needed. Begin "
                + "half a second before the gesture, and end half a second after it."
        case .noActivity(let recording, let contrast, let required):
            "Recording \(recording + 1) hardly changes: its middle differs from its ends \(rounded(contrast)) times as "
                + "much as the ends differ among themselves; at least \(rounded(required)) times is needed. It shows no "
                + "hand that is held still either. For a movement, rest for half a second before and after it; for a "
                + "pose, hold it still before the camera for a second."
        case .noHold(let recording):
            "Recording \(recording + 1) shows no hand that is held still for half a second. Hold the pose still before "
                + "the camera for a second, with the whole hand in the frame."
        case .duplicateRecording(let first, let second):
            "Recordings \(first + 1) and \(second + 1) are the same."
        case .noBackground(let seconds, let required):
            "Only \(tenths(seconds)) s are without the gesture; \(tenths(required)) s are needed. Rest for half a second "
                + "before and after it."
        case .alreadyRecognised(let label, let recordings, let count):
            "\(recordings) of \(count) recordings are recognised as \(label.excerpt()) already."
        case .firesOnClass(let label, let share, let limit):
            "The gesture would be seen in \(percent(share)) of \(label.excerpt()); \(percent(limit)) is the limit."
        case .firesOnBackground(let recording, let share, let limit):
            "The gesture would be seen in \(percent(share)) of background recording \(recording + 1); "
                + "\(percent(limit)) is the limit."
        case .madeUp(let perMinute, let limit, let found, let count):
            "The movement cannot be told apart from what hands do otherwise: it would be made up \(tenths(perMinute)) times "
                + "a minute, and if it is made up \(tenths(limit)) times at most, \(found) of \(count) recordings of it are "
                + "found. Record it five times in the same way, with half a second of rest before and after it, or choose "
                + "another movement, or a pose that is held."
        case .examplesDisagree(let recordings, let count, let logOdds, let required):
            "The recordings disagree: a fit on the others misses \(recordings.count) of \(count) "
                + "(\(list(recordings))). Their log-odds reach \(rounded(logOdds)); \(rounded(required)) is needed."
        case .inseparable(let recordings, let count, let logOdds, let required):
            "\(recordings.count) of \(count) recordings are too similar to everything else (\(list(recordings))). "
                + "Their log-odds reach \(rounded(logOdds)); \(rounded(required)) is needed."
        case .posesDiffer(let recordings, let distance, let limit):
            "The recordings show different poses: \(list(recordings)) differ by \(rounded(distance)) from all others; "
                + "\(rounded(limit)) is the limit. Record them again with the hand as in the others."
        case .poseTooNear(let label, let distance, let required):
            "The pose looks like \(label.excerpt()): they differ by \(rounded(distance)), and \(rounded(required)) is "
                + "needed. Remove that gesture, or choose a pose in which other fingers are stretched out."
        case .poseInBackground(let recording, let distance, let required):
            "Background recording \(recording + 1) shows nearly this pose: they differ by \(rounded(distance)), and "
                + "\(rounded(required)) is needed. Record the background with the hand at rest, or choose another pose."
        case .configuration(let error): error.description
        case .notConverged(let decrement):
            "The fit did not converge: its loss is still about \(rounded(decrement)) above the minimum."
        }
    }
}

/// With one digit after the point.
private func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }

func rounded(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }

private func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }

/// Lists recordings, counted from 1.
private func list(_ recordings: [Int]) -> String { recordings.map { String($0 + 1) }.joined(separator: ", ") }
